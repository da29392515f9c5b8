#include "neighbours/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/euclidean.hpp"

namespace motmot {
namespace {

/// Points that are held against the open blocks at a time: their distances are the memory of a thread.
constexpr std::size_t points_at_a_time = 8;

/// Far more than rounding can do to a distance, far less than matters.
constexpr double slack = 1e-9;

double squared_low(double distance) { return distance <= 0 ? 0 : distance * distance * (1 - slack); }
double squared_high(double distance) { return distance * distance * (1 + slack); }

}  // namespace

void Search::run(Branch branch, const std::function<void(const FoundRow&)>& found) {
  Reach all{.settled = std::vector<std::size_t>(ks_.size())};
  all.open.resize(rows_.blocks());
  std::iota(all.open.begin(), all.open.end(), 0u);
  descend(branch, all, found);
}

void Search::descend(Branch branch, const Reach& around, const std::function<void(const FoundRow&)>& found) {
  const Reach reach = narrowed(around, branch);
  if (branch.size() == 1) return look_at_rows(branch.first, reach, found);
  descend(branch.left(), reach, found);
  descend(branch.right(), reach, found);
}

// The distance to the k-th nearest row moves by no more than one does. From the centre c of the branch, whose
// k-th distance is s, a row of the branch is at most `radius` away: its own k-th distance is within `radius`
// of s, and a row that is nearer to c than s - 2 radius (farther than s + 2 radius) is nearer (farther) to it
// than that.
Reach Search::narrowed(const Reach& around, Branch branch) {
  Reach reach{
      .open = {}, .nearer = around.nearer, .settled = around.settled, .centre = rows_.centre_of(branch)};
  const std::size_t count = around.open.size() * RowBlocks::width;
  distances_.resize(std::max(distances_.size(), count));
  rows_.distances(reach.centre.at.data(), 1, around.open, distances_.data());
  const auto squared = std::span(distances_).first(count);
  const bool is_root = around.distance.empty();
  const double moved =
      is_root ? 0
              : std::sqrt(squared_distance(reach.centre.at.data(), around.centre.at.data(), rows_.cols()));
  for (std::size_t k = 0; k < ks_.size(); ++k) {
    const std::size_t rank = ks_[k] - around.settled[k];
    const double found = is_root ? select(squared, rank, 0, std::numeric_limits<double>::infinity())
                                 : select(squared, rank, squared_low(around.distance[k] - moved),
                                          squared_high(around.distance[k] + moved));
    reach.distance.push_back(std::sqrt(found));
  }
  reach.open = around.open;
  settle(reach, squared);
  return reach;
}

void Search::settle(Reach& reach, std::span<const double> squared) const {
  std::vector<std::uint32_t> open;
  for (std::size_t l = 0; l < reach.open.size(); ++l) {
    const auto [nearest, farthest] =
        std::ranges::minmax(squared.subspan(l * RowBlocks::width, RowBlocks::width));
    const auto is_nearer = [&](double s) { return farthest < squared_low(s - 2 * reach.centre.radius); };
    const auto is_farther = [&](double s) { return nearest > squared_high(s + 2 * reach.centre.radius); };
    if (!std::ranges::all_of(reach.distance, [&](double s) { return is_nearer(s) || is_farther(s); })) {
      open.push_back(reach.open[l]);
      continue;
    }
    for (std::size_t k = 0; k < ks_.size(); ++k)
      reach.settled[k] += is_nearer(reach.distance[k]) ? RowBlocks::width : 0;
    if (is_nearer(reach.distance.front())) reach.nearer.push_back(reach.open[l]);
  }
  reach.open = std::move(open);
}

void Search::look_at_rows(std::size_t block, const Reach& reach,
                          const std::function<void(const FoundRow&)>& found) {
  const std::size_t count = reach.open.size() * RowBlocks::width;
  distances_.resize(std::max(distances_.size(), points_at_a_time * count));
  const std::size_t rows = rows_.rows_of(block);
  for (std::size_t from = 0; from < rows; from += points_at_a_time) {
    const std::size_t points = std::min(points_at_a_time, rows - from);
    const std::size_t place = block * RowBlocks::width + from;
    rows_.distances(rows_.point_at(place), points, reach.open, distances_.data());
    for (std::size_t r = 0; r < points; ++r) {
      const auto squared = std::span<const double>(distances_).subspan(r * count, count);
      const double* point = rows_.point_at(place + r);
      const double off = std::sqrt(squared_distance(point, reach.centre.at.data(), rows_.cols()));
      for (std::size_t k = 0; k < ks_.size(); ++k)  // the row itself has rank 0
        squared_[k] = select(squared, ks_[k] - reach.settled[k], squared_low(reach.distance[k] - off),
                             squared_high(reach.distance[k] + off));
      found({place + r, squared_, squared, reach});
    }
  }
}

// The value of this rank, which lies in [low, high] but for rounding that the slack does not cover.
double Search::select(std::span<const double> squared, std::size_t rank, double low, double high) {
  sifted_.resize(std::max(sifted_.size(), squared.size()));
  const auto [below, kept] =
      kernels::neighbour_kernels().sift(squared.data(), squared.size(), low, high, sifted_.data());
  if (below <= rank && rank < below + kept)
    return bucket_select_(std::span(sifted_).first(kept), rank - below);
  return bucket_select_(squared, rank);
}

}  // namespace motmot
