#include "neighbours/neighbours.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/euclidean.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "neighbours/plain.hpp"
#include "neighbours/row_blocks.hpp"
#include "neighbours/search.hpp"

namespace motmot {
namespace {

/// Between these, squared differences of coordinates neither overflow nor vanish: two doubles that differ,
/// differ by at least 2^-54 of the smaller one.
constexpr double smallest_coordinate = 1e-120;
constexpr double largest_coordinate = 1e140;

/// Blocks of rows that are one task of the team.
constexpr std::size_t blocks_of_a_task = 16;

struct Magnitudes {
  double least = std::numeric_limits<double>::max();  ///< but for 0
  double most = 0;
};

Magnitudes magnitudes_of(PointsView points) {
  Magnitudes found;
  for (std::size_t i = 0; i < points.n * points.d; ++i) {
    const double size = std::abs(points.data[i]);
    found.most = std::max(found.most, size);
    if (size > 0) found.least = std::min(found.least, size);
  }
  return found;
}

/// Multiply by 2^this so that squares of differences are safe; none where no power of two does it.
std::optional<int> safe_exponent(const Magnitudes& size) {
  if (size.most == 0 || (size.least >= smallest_coordinate && size.most <= largest_coordinate)) return 0;
  const int exponent = std::ilogb(largest_coordinate) - std::ilogb(size.most);
  if (std::ldexp(size.least, exponent) < smallest_coordinate) return std::nullopt;
  return exponent;
}

Points times_two_to_the(PointsView points, int exponent) {
  Points scaled(points.n, points.d);
  for (std::size_t i = 0; i < points.n; ++i)
    for (std::size_t k = 0; k < points.d; ++k) scaled(i, k) = std::ldexp(points(i, k), exponent);
  return scaled;
}

/// Branches that are tasks, from left to right.
void list_tasks(Branch branch, std::vector<Branch>& tasks) {
  if (branch.size() <= blocks_of_a_task) return tasks.push_back(branch);
  list_tasks(branch.left(), tasks);
  list_tasks(branch.right(), tasks);
}

/// Calls found(row) for every row of the sample, on the team. False when progress said stop.
bool search_all(const RowBlocks& rows, std::span<const std::size_t> ks, Team& team, const Progress& progress,
                const std::function<void(const FoundRow&, std::size_t worker)>& found) {
  std::vector<Branch> tasks;
  list_tasks({0, rows.blocks()}, tasks);
  return run_watched(team, tasks.size(), progress, [&](std::size_t task, std::size_t worker) {
    Search(rows, ks).run(tasks[task], [&](const FoundRow& row) { found(row, worker); });
  });
}

void require_counts(std::size_t n, std::span<const std::size_t> ks) {
  require(!ks.empty() && std::ranges::is_sorted(ks) && ks.front() >= 1 && ks.back() < n,
          Errc::invalid_argument, "the numbers of neighbours must ascend and lie between 1 and ", n, " - 1");
}

/// Values within the reach of a row, itself excepted: its sample's values in the order of the tree.
void collect_values(const FoundRow& row, const RowBlocks& rows, std::span<const double> values,
                    std::vector<double>& out) {
  constexpr std::size_t width = RowBlocks::width;
  out.clear();
  for (const std::uint32_t block : row.reach.nearer)
    for (std::size_t j = 0; j < width; ++j) out.push_back(values[block * width + j]);
  for (std::size_t l = 0; l < row.reach.open.size(); ++l)
    for (std::size_t j = 0; j < rows.rows_of(row.reach.open[l]); ++j)
      if (row.open[l * width + j] <= row.squared.front())
        out.push_back(values[row.reach.open[l] * width + j]);
  // The row itself is 0 away and so among them; which of equal values goes does not matter.
  *std::ranges::find(out, values[row.place]) = out.back();
  out.pop_back();
}

}  // namespace

std::vector<std::vector<double>> kth_distances(PointsView points, std::span<const std::size_t> ks, Team& team,
                                               const Progress& progress) {
  require_counts(points.n, ks);
  const std::optional<int> exponent = safe_exponent(magnitudes_of(points));
  if (!exponent) return plain_kth_distances(points, ks, team, progress);
  const RowBlocks rows = *exponent == 0 ? RowBlocks(points) : RowBlocks(times_two_to_the(points, *exponent));
  std::vector<std::vector<double>> distances(ks.size(), std::vector<double>(points.n));
  const bool finished = search_all(rows, ks, team, progress, [&](const FoundRow& row, std::size_t) {
    for (std::size_t k = 0; k < ks.size(); ++k)
      distances[k][rows.row_at(row.place)] =
          std::min(std::ldexp(std::sqrt(row.squared[k]), -*exponent), std::numeric_limits<double>::max());
  });
  return finished ? distances : std::vector<std::vector<double>>{};
}

std::vector<double> medians_over_nearest(PointsView points, std::size_t count, std::span<const double> values,
                                         Team& team, const Progress& progress) {
  require_counts(points.n, std::span(&count, 1));
  require(values.size() == points.n, Errc::invalid_argument, "need a value for each of ", points.n,
          " rows, got ", values.size());
  const std::optional<int> exponent = safe_exponent(magnitudes_of(points));
  if (!exponent) return plain_medians_over_nearest(points, count, values, team, progress);
  const RowBlocks rows = *exponent == 0 ? RowBlocks(points) : RowBlocks(times_two_to_the(points, *exponent));
  std::vector<double> in_order(points.n), medians(points.n);
  for (std::size_t place = 0; place < points.n; ++place) in_order[place] = values[rows.row_at(place)];
  std::vector<std::vector<double>> near(team.size());
  std::vector<BucketSelect> select(team.size());
  const auto take_median = [&](const FoundRow& row, std::size_t worker) {
    collect_values(row, rows, in_order, near[worker]);
    const std::size_t size = near[worker].size();
    const auto [low, high] = select[worker](near[worker], (size - 1) / 2, size / 2);
    medians[rows.row_at(row.place)] = std::midpoint(low, high);
  };
  const bool finished = search_all(rows, std::span(&count, 1), team, progress, take_median);
  return finished ? medians : std::vector<double>{};
}

}  // namespace motmot
