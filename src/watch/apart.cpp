#include "watch/apart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "answer/sides.hpp"
#include "data/without.hpp"
#include "inference/beside.hpp"
#include "inference/energy.hpp"

namespace motmot {
namespace {

/// The pair in the order in which distance() would take it: which is x changes nothing but the last bits.
bool comes_first(PointsView x, PointsView y) { return x.rows() >= y.rows(); }

Apart apart_in_order(PointsView x, PointsView y, double tau, Team& team) {
  const ScaledSamples samples = scale(x, y);
  PerSample<Company> company = keep_company(samples.x, samples.y, {tau, tau}, team);
  const Points kept_x = without(samples.x, company.x.left_out),
               kept_y = without(samples.y, company.y.left_out);
  Watch unwatched({}, 0);
  const std::array observed{observed_labelling(kept_x.rows())};
  const PairStatistics pairs = pair_statistics(kept_x, kept_y, observed, team, unwatched);
  const double unit = samples.by.scale;
  return {.distance = unit * *w1(kept_x, kept_y),
          .energy = unit * pair_scale(kept_x, kept_y).unit * pairs.energy.front(),
          .kernel = pairs.kernel.front(),
          .left_out = {std::move(company.x.left_out), std::move(company.y.left_out)}};
}

}  // namespace

Apart apart(PointsView x, PointsView y, double tau, Team& team) {
  if (comes_first(x, y)) return apart_in_order(x, y, tau, team);
  Apart found = apart_in_order(y, x, tau, team);
  std::swap(found.left_out.x, found.left_out.y);
  return found;
}

Points rows_of(PointsView points, std::span<const std::uint32_t> rows) {
  std::vector<double> values;
  values.reserve(rows.size() * points.d);
  for (const std::uint32_t row : rows)
    values.insert(values.end(), points.row(row).begin(), points.row(row).end());
  return {std::move(values), points.d};
}

RowList drawn_rows(std::size_t n, std::size_t count, std::uint64_t seed, Purpose purpose,
                   std::uint64_t step) {
  return drawn(n, count, Rng(seed, purpose, step));
}

std::vector<std::size_t> chunk_starts(std::size_t n, std::size_t rows, std::size_t most) {
  const std::size_t possible = n / rows, count = std::min(possible, most);
  std::vector<std::size_t> starts;
  for (std::size_t c = 0; c < count; ++c) starts.push_back(c * possible / count * rows);
  return starts;
}

std::optional<OwnChunks> own_chunks(std::size_t count, const std::function<HeldAgainst(std::size_t)>& make,
                                    double tau, Team& team, Watch& watch) {
  OwnChunks own{.distance = std::vector<double>(count),
                .energy = std::vector<double>(count),
                .kernel = std::vector<double>(count)};
  watch.run(team, count, 0, [&](std::size_t i, const Progress&) {
    if (watch.stopped()) return;
    const HeldAgainst pair = make(i);
    Team alone(1);
    const Apart found = apart(pair.rows, pair.chunk, tau, alone);
    own.distance[i] = found.distance;
    own.energy[i] = found.energy;
    own.kernel[i] = found.kernel;
  });
  if (watch.stopped()) return {};
  return own;
}

Rank rank_among(const OwnChunks& own, const Apart& chunk, std::size_t one_in) {
  const auto with = [](double first, const std::vector<double>& rest) {
    std::vector<double> all{first};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  };
  const std::vector<double> scores = joint_statistic(
      {with(chunk.distance, own.distance), with(chunk.energy, own.energy), with(chunk.kernel, own.kernel)});
  const std::span<const double> others = std::span(scores).subspan(1);
  std::vector<double> sorted(others.begin(), others.end());
  std::ranges::sort(sorted, std::greater{});
  const std::size_t reached = std::max<std::size_t>(1, (others.size() + 1) / one_in);
  return {.p_value = permutation_p_value(scores.front(), others, rounding_of_sd),
          .score = scores.front(),
          .limit = sorted[reached - 1]};
}

}  // namespace motmot
