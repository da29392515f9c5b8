#include "inference/block_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "blocks/sampler.hpp"
#include "inference/block_w1.hpp"

namespace motmot {
namespace {

/// How sure a bound from drawn blocks is to be one.
constexpr double failure = 1e-9;

/// The rows of the blocks, block after block, so that a block is a view.
class BlockPoints {
 public:
  BlockPoints(PointsView points, const Blocks& blocks)
      : rows_(blocks.index.size(), points.d), b_(blocks.size) {
    for (std::size_t i = 0; i < blocks.index.size(); ++i)
      std::ranges::copy(points.row(blocks.index[i]), rows_.row(i).begin());
  }
  [[nodiscard]] std::size_t block_size() const noexcept { return b_; }
  [[nodiscard]] PointsView operator[](std::size_t k) const noexcept {
    return {rows_.row(k * b_).data(), b_, rows_.cols()};
  }

 private:
  Points rows_;
  std::size_t b_;
};

/// A place (from 0) in `drawn` sorted values that is not below the median of the `all` they were drawn from
/// without replacement, but for a chance exp(-log_odds). Hoeffding (1963), whose bound holds without
/// replacement too. `drawn` if there is none.
std::size_t upper_median_place(std::size_t drawn, std::size_t all, double log_odds) {
  if (drawn == all) return (all - 1) / 2;
  const double size = static_cast<double>(drawn);
  const auto place = static_cast<std::size_t>(std::ceil(size / 2 + std::sqrt(size * log_odds / 2)));
  return std::min(std::max<std::size_t>(place, 1) - 1, drawn);
}

double value_at(std::vector<double>& values, std::size_t place) {
  if (place >= values.size()) return std::numeric_limits<double>::infinity();
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(place));
  return values[place];
}

/// All, or the first `most` of a random order.
std::vector<std::uint32_t> draw_blocks(std::size_t k, std::size_t most, Rng rng) {
  Blocks order = partition_blocks(k, k, rng);
  order.index.resize(std::min(k, most));
  return order.index;
}

/// W1 between the drawn blocks of X (rows) and of Y (columns).
struct Table {
  std::vector<std::uint32_t> rows, cols;
  std::vector<double> w1;
  std::size_t k_x = 0, k_y = 0;
};

Table fill_table(const FixedProblem& problem, const UpperOptions& options, Team& team) {
  const BlockPoints x(problem.x, problem.blocks_x);
  const BlockPoints y(problem.y, problem.blocks_y);
  const std::size_t k_x = problem.blocks_x.count;
  const std::size_t k_y = problem.blocks_y.count;
  const std::size_t pairs =
      std::max<std::size_t>(1, options.max_distances / (x.block_size() * y.block_size()));
  // As square as the numbers of blocks allow: both medians are taken of drawn blocks.
  const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(pairs)));
  const bool all = k_x <= pairs / k_y;
  const std::size_t rows = all ? k_x : std::min(k_x, std::max(side, pairs / std::min(k_y, pairs)));
  const std::size_t cols = all ? k_y : std::min(k_y, std::max<std::size_t>(1, pairs / rows));
  Table table{.rows = draw_blocks(k_x, rows, Rng(options.seed, Purpose::fixed_partition_y, 1)),
              .cols = draw_blocks(k_y, cols, Rng(options.seed, Purpose::fixed_partition_y, 2)),
              .w1 = std::vector<double>(rows * cols),
              .k_x = k_x,
              .k_y = k_y};
  std::vector<BlockW1> w1(team.size());
  team.run(rows, [&](std::size_t r, std::size_t worker) {
    for (std::size_t c = 0; c < cols; ++c)
      table.w1[r * cols + c] = w1[worker](x[table.rows[r]], y[table.cols[c]]);
  });
  return table;
}

struct MedianOfMedians {
  double value = 0;
  std::vector<double> inner;  ///< one a row, or one a column
};

/// med_k med_l (by_rows) or med_l med_k, or what is above them but for a chance of failure / 2.
MedianOfMedians median_of_medians(const Table& table, bool by_rows) {
  const std::size_t rows = table.rows.size();
  const std::size_t cols = table.cols.size();
  const std::size_t outer = by_rows ? rows : cols;
  const std::size_t inner = by_rows ? cols : rows;
  const double log_outer = std::log(4 / failure);
  const double log_inner = std::log(4 * static_cast<double>(outer) / failure);
  const std::size_t inner_place = upper_median_place(inner, by_rows ? table.k_y : table.k_x, log_inner);
  MedianOfMedians result;
  std::vector<double> line(inner);
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) line[i] = table.w1[by_rows ? o * cols + i : i * cols + o];
    result.inner.push_back(value_at(line, inner_place));
  }
  std::vector<double> sorted = result.inner;
  result.value = value_at(sorted, upper_median_place(outer, by_rows ? table.k_x : table.k_y, log_outer));
  return result;
}

/// Weight one on the blocks whose own median is in the upper half.
std::vector<double> upper_half(const MedianOfMedians& medians, const std::vector<std::uint32_t>& block) {
  std::vector<double> weights(block.size());
  for (std::size_t i = 0; i < block.size(); ++i)
    weights[block[i]] = medians.inner[i] >= medians.value ? 1.0 : 0.0;
  return weights;
}

UpperBound table_bound(const FixedProblem& problem, const UpperOptions& options, Team& team) {
  Table table = fill_table(problem, options, team);
  const bool all = table.w1.size() == table.k_x * table.k_y;
  const MedianOfMedians rows = median_of_medians(table, true);
  const MedianOfMedians cols = median_of_medians(table, false);
  UpperBound bound{.value = std::min(rows.value, cols.value),
                   .failure_chance = all ? 0 : failure,
                   .problems = table.w1.size()};
  if (all) bound.suggestion = {upper_half(rows, table.rows), upper_half(cols, table.cols)};
  if (problem.estimator == Estimator::mou && all) bound.value = value_at(table.w1, table.w1.size() / 2);
  return bound;
}

/// mou beyond the limit: pairs drawn with replacement.
UpperBound drawn_pairs_bound(const FixedProblem& problem, std::size_t pairs, const UpperOptions& options,
                             Team& team) {
  const BlockPoints x(problem.x, problem.blocks_x);
  const BlockPoints y(problem.y, problem.blocks_y);
  std::vector<double> values(pairs);
  std::vector<BlockW1> w1(team.size());
  constexpr std::size_t chunk = 256;
  team.run((pairs + chunk - 1) / chunk, [&](std::size_t c, std::size_t worker) {
    Rng rng(options.seed, Purpose::fixed_partition_y, c + 3);
    for (std::size_t i = c * chunk; i < std::min(pairs, (c + 1) * chunk); ++i) {
      const std::uint32_t k = rng.below(static_cast<std::uint32_t>(problem.blocks_x.count));
      values[i] = w1[worker](x[k], y[rng.below(static_cast<std::uint32_t>(problem.blocks_y.count))]);
    }
  });
  const std::size_t place = upper_median_place(pairs, pairs + 1, std::log(1 / failure));
  return {.value = value_at(values, place), .failure_chance = failure, .problems = pairs};
}

UpperBound diagonal_bound(const FixedProblem& problem, Team& team) {
  const BlockPoints x(problem.x, problem.blocks_x);
  const BlockPoints y(problem.y, problem.blocks_y);
  MedianOfMedians medians;
  medians.inner.resize(problem.blocks_x.count);
  std::vector<BlockW1> w1(team.size());
  team.run(medians.inner.size(),
           [&](std::size_t k, std::size_t worker) { medians.inner[k] = w1[worker](x[k], y[k]); });
  std::vector<double> sorted = medians.inner;
  medians.value = value_at(sorted, sorted.size() / 2);
  std::vector<double> weights(sorted.size());
  for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = medians.inner[k] >= medians.value ? 1.0 : 0.0;
  return {.value = medians.value, .problems = sorted.size(), .suggestion = {weights, weights}};
}

}  // namespace

UpperBound block_upper_bound(const FixedProblem& problem, const UpperOptions& options, Team& team) {
  if (problem.estimator == Estimator::mou_diag) return diagonal_bound(problem, team);
  const Blocks& bx = problem.blocks_x;
  const Blocks& by = problem.blocks_y;
  const std::size_t pairs = std::max<std::size_t>(1, options.max_distances / (bx.size * by.size));
  if (problem.estimator == Estimator::mou && bx.count > pairs / by.count)
    return drawn_pairs_bound(problem, pairs, options, team);
  return table_bound(problem, options, team);
}

}  // namespace motmot
