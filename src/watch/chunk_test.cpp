#include "watch/chunk_test.hpp"

#include <algorithm>
#include <cmath>

#include "answer/sides.hpp"
#include "base/normal.hpp"
#include "base/statistics.hpp"
#include "inference/energy.hpp"
#include "inference/noise.hpp"
#include "watch/marks.hpp"

namespace motmot {
namespace {

/// Of the energy distance among the parts of the score. It sees a small shift that all columns share best,
/// and the other three, which look elsewhere as well, must not drown it (docs/results-watch.md).
constexpr double weight_of_energy = 1.5;

/// What is seen of chunks: a value for the chunk, then one for each permuted one.
struct Seen {
  Seen(std::size_t chunks, std::size_t marks)
      : energy(chunks), kernel(chunks), columns(marks, std::vector<double>(chunks)) {}
  std::vector<double> energy, kernel;
  std::vector<std::vector<double>> columns;
};

/// Less their median, divided by how far the upper twentieth lies above it: parts of other shapes reach 1
/// alike.
std::vector<double> balanced(std::vector<double> values) {
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  const double middle = sorted_quantile(sorted, 0.5), high = sorted_quantile(sorted, 0.95);
  for (double& value : values) value = high > middle ? (value - middle) / (high - middle) : 0;
  return values;
}

/// Of each chunk, the largest of several values.
std::vector<double> largest_of(const std::vector<std::vector<double>>& parts) {
  std::vector<double> largest = parts.front();
  for (const std::vector<double>& part : parts)
    for (std::size_t b = 0; b < largest.size(); ++b) largest[b] = std::max(largest[b], part[b]);
  return largest;
}

/// Of each chunk, the sum of the squares of the values that are above 0.
std::vector<double> joined(const std::vector<std::vector<double>>& parts) {
  std::vector<double> sums(parts.front().size());
  for (const std::vector<double>& part : parts)
    for (std::size_t b = 0; b < sums.size(); ++b) sums[b] += part[b] > 0 ? part[b] * part[b] : 0;
  return sums;
}

/// Of each chunk, hardly more than the largest of its values where one stands out, and more where several do.
std::vector<double> softly_largest_of(const std::vector<std::vector<double>>& parts) {
  constexpr double sharpness = 2;
  std::vector<double> largest = largest_of(parts);
  for (std::size_t b = 0; b < largest.size(); ++b) {
    double sum = 0;
    for (const std::vector<double>& part : parts) sum += std::exp(sharpness * (part[b] - largest[b]));
    largest[b] += std::log(sum) / sharpness;
  }
  return largest;
}

/// In sds, of which a column has at least `least`: where hardly any chunk has a rare mark, one that has it
/// once does not stand out by many sds.
std::vector<double> in_sds(std::vector<double> values, double least) {
  const double mean = mean_of(values), sd = std::max(sd_of(values, mean), least);
  for (double& value : values) value = (value - mean) / sd;
  return values;
}

std::vector<double> scores_of(const Seen& seen, std::span<const Marks> marks) {
  constexpr double least_sd_of_levels = 0.5, least_sd_of_steps = 1e-6;
  std::vector<std::vector<double>> parts{balanced(joint_statistic({{}, seen.energy, {}})),
                                         balanced(joint_statistic({{}, seen.kernel, {}}))};
  for (double& energy : parts.front()) energy *= weight_of_energy;
  std::vector<std::vector<double>> columns;
  for (std::size_t j = 0; j < marks.size(); ++j)
    columns.push_back(in_sds(seen.columns[j], marks[j].is_ordered ? least_sd_of_steps : least_sd_of_levels));
  if (!columns.empty()) parts.push_back(balanced(largest_of(columns)));
  if (columns.size() > 1) parts.push_back(balanced(joined(columns)));
  return in_sds(softly_largest_of(parts), least_sd_of_steps);
}

}  // namespace

ChunkTest test_chunk(const HeldRows& held, std::span<const std::uint32_t> places, PointsView chunk,
                     const Coding& coding, const ChunkTestOptions& options, Team& team) {
  if (chunk.n > most_tested_rows) {
    const RowList some = drawn(chunk.n, most_tested_rows, Rng(options.seed, Purpose::chunk_rows, 2));
    ChunkTest found = test_chunk(held, places, rows_of(chunk, some), coding, options, team);
    for (std::uint32_t& row : found.left_out) row = some[row];
    return found;
  }
  RowList rows;
  std::ranges::set_intersection(places, held.company(), std::back_inserter(rows));
  const PooledPairs pairs(held, rows, chunk, share_of(options.tau, chunk.n), team);
  const std::vector<Marks> marks = marks_of(rows_of(held.points(), rows), chunk, coding);
  const std::size_t n = rows.size();
  const CalledChunk observed = pairs.called(stretch(n, chunk.n));
  Seen seen(options.permutations + 1, marks.size());
  team.run(options.permutations + 1, [&](std::size_t b, std::size_t) {
    Rng rng(options.seed, Purpose::permutation, b);
    const CalledChunk called = b == 0 ? observed : pairs.called(random_labelling(chunk.n, n, rng));
    const PairDistances together = pairs.distances(called);
    seen.energy[b] = together.energy;
    seen.kernel[b] = together.kernel;
    for (std::size_t j = 0; j < marks.size(); ++j) seen.columns[j][b] = apart(marks[j], called.kept);
  });
  const std::vector<double> scores = scores_of(seen, marks);
  ChunkTest found{.score = scores.front(), .permuted = {scores.begin() + 1, scores.end()}};
  for (const std::uint32_t row : observed.left_out)
    found.left_out.push_back(row - static_cast<std::uint32_t>(n));
  return found;
}

ChunkTest test_chunk(const HeldRows& held, PointsView chunk, const Coding& coding,
                     const ChunkTestOptions& options, Team& team) {
  return test_chunk(held, stretch(0, held.points().rows()), chunk, coding, options, team);
}

std::size_t permutations_for(std::size_t one_in, std::size_t rows) {
  constexpr double lookups = 2e8;
  rows = std::min(rows, most_tested_rows);
  const double affordable =
      lookups / (static_cast<double>(rows) * static_cast<double>(rows) * static_cast<double>(one_in));
  return static_cast<std::size_t>(std::clamp(affordable, 10.0, 50.0)) * one_in - 1;
}

bool OwnChunks::are_restless() const noexcept {
  constexpr double one_sided_95 = 1.645;
  return score.size() > 1 && mean_of(score) * std::sqrt(static_cast<double>(score.size())) > one_sided_95;
}

Rank rank_of(const ChunkTest& test, const OwnChunks& own, std::size_t one_in) {
  std::vector<double> sorted = test.permuted;
  std::ranges::sort(sorted, std::greater{});
  const std::size_t reached = std::max<std::size_t>(1, (sorted.size() + 1) / one_in);
  const double limit = sorted[reached - 1] + rounding_of_sd;
  const Rank rank{.p_value = permutation_p_value(test.score, test.permuted, rounding_of_sd),
                  .score = test.score,
                  .limit = limit};
  if (!own.are_restless()) return rank;
  const auto count = static_cast<double>(own.count());
  const double z = normal_quantile(1 - 1 / static_cast<double>(one_in));
  const double unsure = (1 + (z * z + 1) / (4 * (count - 1))) * std::sqrt(1 + 1 / count);
  const double mean = mean_of(own.score), stretched = unsure * sd_of(own.score, mean);
  return {.p_value = std::max(rank.p_value, permutation_p_value((test.score - mean) / stretched,
                                                                test.permuted, rounding_of_sd)),
          .score = test.score,
          .limit = std::max(limit, mean + stretched * limit)};
}

}  // namespace motmot
