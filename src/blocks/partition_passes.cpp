#include "blocks/partition_passes.hpp"

#include <algorithm>

namespace motmot {
namespace {

constexpr std::size_t fewest_blocks_to_turn = 64;

std::size_t turns_of(const BlockPlan& plan, std::size_t most) {
  const bool many = std::min(plan.k_x, plan.k_y) >= fewest_blocks_to_turn;
  return many && plan.scheme == Scheme::shuffle ? most : 1;
}

/// The blocks of one sample as B columns of K rows, and the turned partitions that come with them.
/// Block k of turn t is made of row (k + t * (c + lead)) mod K of each column c: turn 0 is the partition that
/// was drawn when lead = 0, and every turn is as uniform as it.
class SampleBlocks {
 public:
  SampleBlocks(std::size_t count, std::size_t size, std::size_t lead)
      : k_(count), b_(size), lead_(lead), rows_(count * size) {}

  void assign(const Blocks& blocks) {
    for (std::size_t k = 0; k < k_; ++k)
      for (std::size_t c = 0; c < b_; ++c) rows_[c * k_ + k] = blocks.index[k * b_ + c];
  }

  /// phi of the rows in their places, for means().
  void gather(std::span<const double> phi, std::vector<double>& values) const {
    values.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) values[i] = phi[rows_[i]];
  }

  void means(std::span<const double> values, std::size_t turn, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t c = 0; c < b_; ++c) {
      const double* column = values.data() + c * k_;
      const std::size_t shift = shift_of(c, turn);
      for (std::size_t k = 0; k < k_ - shift; ++k) out[k] += column[k + shift];
      for (std::size_t k = k_ - shift; k < k_; ++k) out[k] += column[k + shift - k_];
    }
    const double size = static_cast<double>(b_);
    for (double& mean : out) mean /= size;
  }

  /// counts[row] += shares[k] for the rows of each block k.
  void add(std::span<const std::uint64_t> shares, std::size_t turn, std::span<std::uint64_t> counts) const {
    for (std::size_t k = 0; k < k_; ++k) {
      if (shares[k] == 0) continue;
      for (std::size_t c = 0; c < b_; ++c) {
        const std::size_t at = k + shift_of(c, turn);
        counts[rows_[c * k_ + (at < k_ ? at : at - k_)]] += shares[k];
      }
    }
  }

 private:
  [[nodiscard]] std::size_t shift_of(std::size_t c, std::size_t turn) const {
    return turn == 0 ? 0 : turn * (c + lead_) % k_;
  }

  std::size_t k_, b_, lead_;
  std::vector<std::uint32_t> rows_;
};

std::vector<double> normalised(std::span<const std::uint64_t> counts) {
  double total = 0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  std::vector<double> weights(counts.size());
  std::ranges::transform(counts, weights.begin(),
                         [&](std::uint64_t count) { return static_cast<double>(count) / total; });
  return weights;
}

}  // namespace

/// What one thread works with.
class PartitionPasses::Worker {
 public:
  Worker(const BlockPlan& plan, std::size_t n, std::size_t m, std::uint64_t seed, Purpose purpose_x,
         Purpose purpose_y)
      : x(plan.k_x, plan.b_x, 0),
        y(plan.k_y, plan.b_y, plan.b_x),
        a(plan.k_x),
        b(plan.k_y),
        a2(a),
        b2(b),
        mixed_a(a),
        mixed_b(b),
        share_a(plan.k_x),
        share_b(plan.k_y),
        counts_x(n),
        counts_y(m),
        blocks_(plan, n, m, seed, purpose_x, purpose_y, purpose_x) {}

  void draw(std::uint64_t step) {
    blocks_.draw(step);
    x.assign(blocks_.x());
    y.assign(blocks_.y());
  }

  SampleBlocks x, y;
  std::vector<double> phi_x, phi_y, psi_x, psi_y;  ///< gathered
  std::vector<double> a, b, a2, b2, mixed_a, mixed_b;
  std::vector<std::uint64_t> share_a, share_b, counts_x, counts_y;
  BandShares band;
  std::vector<BandShares> bands;  ///< one for each step: medians are looked for where they were

 private:
  PlanSampler blocks_;
};

PartitionPasses::PartitionPasses(const BlockPlan& plan, Estimator estimator, std::size_t n, std::size_t m,
                                 std::uint64_t seed, Purpose purpose_x, Purpose purpose_y, std::size_t turns,
                                 Team& team)
    : plan_(plan),
      over_(plan.scheme == Scheme::pairs ? Estimator::mou_diag : estimator),
      turns_(turns_of(plan, turns)),
      team_(team) {
  // A fixed partition is the same for every purpose.
  const bool fixed = plan.scheme == Scheme::partition;
  for (std::size_t worker = 0; worker < team.size(); ++worker)
    workers_.push_back(std::make_unique<Worker>(plan, n, m, seed, fixed ? Purpose::blocks_x : purpose_x,
                                                fixed ? Purpose::blocks_y : purpose_y));
}

PartitionPasses::~PartitionPasses() = default;

std::size_t PartitionPasses::count(std::size_t partitions) const noexcept {
  if (plan_.scheme == Scheme::partition) return 1;
  const std::size_t turns = std::min(turns_, partitions);
  return (partitions + turns - 1) / turns * turns;
}

template <class Visit>
void PartitionPasses::for_each(const Phi& phi, std::size_t partitions, std::uint64_t pass, Visit visit) {
  const std::size_t turns = std::min(turns_, partitions);
  const std::size_t draws = count(partitions) / turns;
  constexpr double rows_a_second = 2e8;
  const Work work{static_cast<double>(draws * (1 + turns) * (phi.x.size() + phi.y.size())) / rows_a_second};
  team_.run(draws, work, [&, turns](std::size_t draw, std::size_t worker) {
    Worker& own = *workers_[worker];
    own.draw(pass << 32 | draw);
    own.x.gather(phi.x, own.phi_x);
    own.y.gather(phi.y, own.phi_y);
    for (std::size_t turn = 0; turn < turns; ++turn) {
      own.x.means(own.phi_x, turn, own.a);
      own.y.means(own.phi_y, turn, own.b);
      visit(own, draw * turns + turn, turn);
    }
  });
}

RowWeights PartitionPasses::weights(const Phi& phi, std::size_t partitions, std::uint64_t pass) {
  for (const auto& worker : workers_) {
    std::ranges::fill(worker->counts_x, 0u);
    std::ranges::fill(worker->counts_y, 0u);
  }
  for_each(phi, partitions, pass, [&](Worker& own, std::size_t, std::size_t turn) {
    own.band.shares(over_, own.a, own.b, own.share_a, own.share_b);
    own.x.add(own.share_a, turn, own.counts_x);
    own.y.add(own.share_b, turn, own.counts_y);
  });
  std::vector<std::uint64_t>& x = workers_.front()->counts_x;
  std::vector<std::uint64_t>& y = workers_.front()->counts_y;
  for (std::size_t worker = 1; worker < workers_.size(); ++worker) {
    std::ranges::transform(x, workers_[worker]->counts_x, x.begin(), std::plus<>());
    std::ranges::transform(y, workers_[worker]->counts_y, y.begin(), std::plus<>());
  }
  return {normalised(x), normalised(y)};
}

std::vector<double> PartitionPasses::values(const Phi& phi, std::size_t partitions, std::uint64_t pass) {
  std::vector<double> result(count(partitions));
  for_each(phi, partitions, pass,
           [&](Worker& own, std::size_t p, std::size_t) { result[p] = own.band.value(over_, own.a, own.b); });
  return result;
}

std::vector<double> PartitionPasses::values_between(const Phi& phi, const Phi& psi,
                                                    std::span<const double> steps, std::size_t partitions,
                                                    std::uint64_t pass) {
  const std::size_t count_all = count(partitions);
  std::vector<double> all(steps.size() * count_all);
  for_each(phi, partitions, pass, [&](Worker& own, std::size_t p, std::size_t turn) {
    if (turn == 0) {
      own.x.gather(psi.x, own.psi_x);
      own.y.gather(psi.y, own.psi_y);
      own.bands.resize(steps.size());
    }
    own.x.means(own.psi_x, turn, own.a2);
    own.y.means(own.psi_y, turn, own.b2);
    for (std::size_t s = 0; s < steps.size(); ++s) {  // means are linear in phi
      const auto mix = [&](double u, double v) { return (1 - steps[s]) * u + steps[s] * v; };
      std::ranges::transform(own.a, own.a2, own.mixed_a.begin(), mix);
      std::ranges::transform(own.b, own.b2, own.mixed_b.begin(), mix);
      all[s * count_all + p] = own.bands[s].value(over_, own.mixed_a, own.mixed_b);
    }
  });
  std::vector<double> means(steps.size());
  for (std::size_t s = 0; s < steps.size(); ++s) {
    for (std::size_t p = 0; p < count_all; ++p) means[s] += all[s * count_all + p];
    means[s] /= static_cast<double>(count_all);
  }
  return means;
}

}  // namespace motmot
