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

Magnitudes magnitudes_of(PointsView points, Magnitudes found = {}) {
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

RowBlocks blocks_of(PointsView points, int exponent) {
  return exponent == 0 ? RowBlocks(points) : RowBlocks(times_two_to_the(points, exponent));
}

/// In the units of the points; a distance beyond the range of double is the largest double.
double distance_of(double squared, int exponent) {
  return std::min(std::ldexp(std::sqrt(squared), -exponent), std::numeric_limits<double>::max());
}

/// Calls found(row) for every row, on the team. False when progress said stop.
bool search_all(const RowBlocks& rows, const RowBlocks& targets, std::span<const std::size_t> ranks,
                Team& team, const Progress& progress,
                const std::function<void(const FoundRow&, std::size_t worker)>& found) {
  std::vector<Branch> tasks;
  list_tasks({0, rows.blocks()}, tasks);
  return run_watched(team, tasks.size(), progress, [&](std::size_t task, std::size_t worker) {
    Search(rows, targets, ranks).run(tasks[task], [&](const FoundRow& row) { found(row, worker); });
  });
}

void require_counts(std::size_t most, std::span<const std::size_t> ks) {
  require(!ks.empty() && std::ranges::is_sorted(ks) && ks.front() >= 1 && ks.back() <= most,
          Errc::invalid_argument, "the numbers of neighbours must ascend and lie between 1 and ", most);
}

/// The values of the targets as near as the neighbour of the k-th rank. `values` are in the order of the
/// tree.
void collect_values(const FoundRow& row, std::size_t k, const RowBlocks& targets,
                    std::span<const double> values, std::vector<double>& out) {
  constexpr std::size_t width = RowBlocks::width;
  out.resize((row.reach.nearer.size() + row.reach.open.size()) * width);
  double* next = out.data();
  for (const Reach::Settled& settled : row.reach.nearer)
    if (settled.from_rank <= k)
      next = std::ranges::copy(values.subspan(settled.block * width, width), next).out;
  for (std::size_t l = 0; l < row.reach.open.size(); ++l) {
    const std::size_t block = row.reach.open[l];
    const double *squared = row.open.data() + l * width, *value = values.data() + block * width;
    for (std::size_t j = 0, rows = targets.rows_of(block); j < rows;
         ++j) {  // no branch depends on the values
      *next = value[j];
      next += squared[j] <= row.squared[k] ? 1 : 0;
    }
  }
  out.resize(static_cast<std::size_t>(next - out.data()));
}

std::vector<std::size_t> ranks_of(std::span<const std::size_t> ks) {
  std::vector<std::size_t> ranks(ks.begin(), ks.end());
  for (std::size_t& rank : ranks) --rank;
  return ranks;
}

}  // namespace

std::vector<std::vector<double>> kth_distances(PointsView points, std::span<const std::size_t> ks, Team& team,
                                               const Progress& progress) {
  require_counts(points.n - 1, ks);
  const std::optional<int> exponent = safe_exponent(magnitudes_of(points));
  if (!exponent) return plain_kth_distances(points, ks, team, progress);
  const RowBlocks rows = blocks_of(points, *exponent);
  std::vector<std::vector<double>> distances(ks.size(), std::vector<double>(points.n));
  const bool finished = search_all(rows, rows, ks, team, progress, [&](const FoundRow& row, std::size_t) {
    for (std::size_t k = 0; k < ks.size(); ++k)  // the row itself has rank 0
      distances[k][rows.row_at(row.place)] = distance_of(row.squared[k], *exponent);
  });
  return finished ? distances : std::vector<std::vector<double>>{};
}

std::vector<std::vector<double>> kth_distances_to(PointsView points, PointsView others,
                                                  std::span<const std::size_t> ks, Team& team,
                                                  const Progress& progress) {
  require_counts(others.n, ks);
  const std::optional<int> exponent = safe_exponent(magnitudes_of(points, magnitudes_of(others)));
  if (!exponent) return plain_kth_distances_to(points, others, ks, team, progress);
  const RowBlocks rows = blocks_of(points, *exponent), targets = blocks_of(others, *exponent);
  const std::vector<std::size_t> ranks = ranks_of(ks);
  std::vector<std::vector<double>> distances(ks.size(), std::vector<double>(points.n));
  const bool finished =
      search_all(rows, targets, ranks, team, progress, [&](const FoundRow& row, std::size_t) {
        for (std::size_t k = 0; k < ks.size(); ++k)
          distances[k][rows.row_at(row.place)] = distance_of(row.squared[k], *exponent);
      });
  return finished ? distances : std::vector<std::vector<double>>{};
}

std::vector<std::vector<double>> medians_over_nearest(PointsView points, PointsView others,
                                                      std::span<const std::size_t> counts,
                                                      std::span<const std::vector<double>> values, Team& team,
                                                      const Progress& progress) {
  require_counts(others.n, counts);
  require(values.size() == counts.size() &&
              std::ranges::all_of(values, [&](const auto& of_rows) { return of_rows.size() == others.n; }),
          Errc::invalid_argument, "need a value for each of ", others.n,
          " rows and each number of neighbours");
  const std::optional<int> exponent = safe_exponent(magnitudes_of(points, magnitudes_of(others)));
  if (!exponent) return plain_medians_over_nearest(points, others, counts, values, team, progress);
  const RowBlocks rows = blocks_of(points, *exponent), targets = blocks_of(others, *exponent);
  std::vector<std::vector<double>> in_order(counts.size()),
      medians(counts.size(), std::vector<double>(points.n));
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (std::size_t place = 0; place < others.n; ++place)
      in_order[k].push_back(values[k][targets.row_at(place)]);
  std::vector<std::vector<double>> near(team.size());
  std::vector<BucketSelect> select(team.size());
  const auto take_medians = [&](const FoundRow& row, std::size_t worker) {
    for (std::size_t k = 0; k < counts.size(); ++k) {
      collect_values(row, k, targets, in_order[k], near[worker]);
      const std::size_t size = near[worker].size();
      const auto [low, high] = select[worker](near[worker], (size - 1) / 2, size / 2);
      medians[k][rows.row_at(row.place)] = std::midpoint(low, high);
    }
  };
  const bool finished = search_all(rows, targets, ranks_of(counts), team, progress, take_medians);
  return finished ? medians : std::vector<std::vector<double>>{};
}

}  // namespace motmot
