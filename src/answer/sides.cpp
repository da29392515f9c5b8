#include "answer/sides.hpp"

#include <algorithm>
#include <numeric>

#include "data/without.hpp"
#include "inference/beside.hpp"

namespace motmot {
namespace {

/// Where the members of `wanted` stand in `rows`; both ascending.
RowList places_in(const RowList& rows, const RowList& wanted) {
  RowList places;
  for (std::size_t i = 0, j = 0; i < rows.size() && j < wanted.size();) {
    if (rows[i] == wanted[j]) places.push_back(static_cast<std::uint32_t>(i));
    if (rows[i] < wanted[j]) ++i;
    else ++j;
  }
  return places;
}

Side side_of(const Points& points, const Company& company, double tau, RowList rows) {
  constexpr std::uint32_t not_used = UINT32_MAX;
  RowList place(points.rows(), not_used), remote;
  for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<std::uint32_t>(i);
  for (const std::uint32_t row : company.by_remoteness)
    if (place[row] != not_used) remote.push_back(place[row]);
  Points used = rows.size() == points.rows() ? points : without(points, rows_without(points.rows(), rows));
  RowList left_out = places_in(rows, company.left_out);
  const std::size_t may_go = share_of(tau, rows.size());
  return {std::move(used),   std::move(rows), std::move(left_out),
          std::move(remote), may_go,          company.score.empty() ? 0 : may_go};
}

}  // namespace

RowList drawn(std::size_t n, std::size_t count, Rng rng) {
  RowList rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  if (count >= n) return rows;
  for (std::size_t i = 0; i < count; ++i)
    std::swap(rows[i], rows[i + rng.below(static_cast<std::uint32_t>(n - i))]);
  rows.resize(count);
  std::ranges::sort(rows);
  return rows;
}

Points Side::kept() const { return without(points, left_out); }

RowList Side::most_remote(std::size_t count) const {
  RowList remote(by_remoteness.begin(), by_remoteness.begin() + static_cast<std::ptrdiff_t>(count));
  std::ranges::sort(remote);
  return remote;
}

RowList Side::places_of(const RowList& numbers) const { return places_in(rows, numbers); }

std::size_t share_of(double tau, std::size_t n) {
  return static_cast<std::size_t>(tau * static_cast<double>(n) * (1 + 1e-12));
}

Sides used_rows(const ScaledSamples& samples, const PerSample<Company>& company, const PerSample<double>& tau,
                std::uint64_t seed) {
  constexpr std::size_t subsample = 10'000;
  const std::size_t n = samples.x.rows(), m = samples.y.rows();
  const std::size_t most = affordable(n, m) ? std::max(n, m) : subsample;
  return {side_of(samples.x, company.x, tau.x, drawn(n, most, Rng(seed, Purpose::subsample_x))),
          side_of(samples.y, company.y, tau.y, drawn(m, most, Rng(seed, Purpose::subsample_y)))};
}

PerSample<Points> mixed_rows(const Sides& used, bool trim, std::uint64_t seed, std::uint64_t draw) {
  struct Entry {
    const Side* side;
    std::uint32_t place;
    std::size_t rank;  ///< 0: the most remote of its sample's kept rows
  };
  std::vector<Entry> pool;
  for (const Side* side : {&used.x, &used.y})
    for (std::size_t r = side->left_out.size(); r < side->by_remoteness.size(); ++r)
      pool.push_back({side, side->by_remoteness[r], r - side->left_out.size()});
  Rng rng(seed, Purpose::mixed_profile, draw);
  for (std::size_t i = pool.size(); i > 1; --i)
    std::swap(pool[i - 1], pool[rng.below(static_cast<std::uint32_t>(i))]);
  const auto dealt = [&](std::span<Entry> part, std::size_t remote_rows) {
    std::ranges::stable_sort(part, {}, &Entry::rank);
    std::vector<double> values;
    for (const Entry& entry : part.subspan(trim ? remote_rows : 0)) {
      const auto row = entry.side->points.row(entry.place);
      values.insert(values.end(), row.begin(), row.end());
    }
    return Points(std::move(values), used.x.points.cols());
  };
  const std::size_t n = used.x.points.rows() - used.x.left_out.size();
  return {dealt(std::span(pool).first(n), used.x.remote_kept()),
          dealt(std::span(pool).subspan(n), used.y.remote_kept())};
}

std::size_t W1Batch::add_without(PerSample<RowList> places) {
  const auto same = std::ranges::find(problems_, places, &Problem::without);
  if (same != problems_.end()) return static_cast<std::size_t>(same - problems_.begin());
  Problem problem{.without = std::move(places)};
  if (*problem.without != PerSample<RowList>{used_.x.left_out, used_.y.left_out})
    problem.make = [this, number = problems_.size()] {
      const PerSample<RowList>& left_out = *problems_[number].without;
      return PerSample<Points>{without(used_.x.points, left_out.x), without(used_.y.points, left_out.y)};
    };
  problems_.push_back(std::move(problem));
  return problems_.size() - 1;
}

std::size_t W1Batch::add_mixed(bool trim, std::uint64_t seed, std::uint64_t draw) {
  problems_.push_back({.make = [this, trim, seed, draw] { return mixed_rows(used_, trim, seed, draw); }});
  return problems_.size() - 1;
}

void W1Batch::solve(std::size_t number, const Progress& progress) {
  Problem& problem = problems_[number];
  if (!problem.make) return;
  const PerSample<Points> pair = problem.make();
  problem.w1 = w1(pair.x, pair.y, progress);
}

void W1Batch::set_kept_cost(double cost) {
  for (Problem& problem : problems_)
    if (!problem.make) problem.w1 = cost;
}

std::size_t W1Batch::solves() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(problems_, [](const Problem& problem) { return bool{problem.make}; }));
}

}  // namespace motmot
