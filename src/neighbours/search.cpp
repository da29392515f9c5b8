#include "neighbours/search.hpp"

#include <algorithm>
#include <array>
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

/// Eight minima side by side, so that comparisons do not wait for each other. A multiple of eight values.
double smallest_of(std::span<const double> values) {
  std::array<double, 8> least;
  least.fill(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < values.size(); i += least.size())
    for (std::size_t k = 0; k < least.size(); ++k)
      least[k] = values[i + k] < least[k] ? values[i + k] : least[k];
  return std::ranges::min(least);
}

double squared_low(double distance) { return distance <= 0 ? 0 : distance * distance * (1 - slack); }
double squared_high(double distance) { return distance * distance * (1 + slack); }

}  // namespace

void Search::run(Branch branch, const std::function<void(const FoundRow&)>& found) {
  Reach all{.settled = std::vector<std::size_t>(ranks_.size())};
  all.open.resize(targets_.blocks());
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
// of s, and a target that is nearer to c than s - 2 radius (farther than s + 2 radius) is nearer (farther) to
// it than that.
Reach Search::narrowed(const Reach& around, Branch branch) {
  Reach reach{.open = around.open,
              .nearer = around.nearer,
              .settled = around.settled,
              .centre = rows_.centre_of(branch)};
  const std::size_t count = around.open.size() * RowBlocks::width;
  distances_.resize(std::max(distances_.size(), count));
  targets_.distances(reach.centre.at.data(), 1, around.open, distances_.data());
  const auto squared = std::span<const double>(distances_).first(count);
  const double moved =
      around.distance.empty()
          ? 0
          : std::sqrt(squared_distance(reach.centre.at.data(), around.centre.at.data(), rows_.cols()));
  reach.distance = select_all(squared, around, moved);
  for (double& distance : reach.distance) distance = std::sqrt(distance);
  settle(reach, squared);
  return reach;
}

void Search::settle(Reach& reach, std::span<const double> squared) const {
  std::vector<std::uint32_t> open;
  for (std::size_t l = 0; l < reach.open.size(); ++l) {
    const auto ends = std::ranges::minmax(squared.subspan(l * RowBlocks::width, RowBlocks::width));
    const auto is_nearer = [&](double s) { return ends.max < squared_low(s - 2 * reach.centre.radius); };
    const auto is_farther = [&](double s) { return ends.min > squared_high(s + 2 * reach.centre.radius); };
    if (!std::ranges::all_of(reach.distance, [&](double s) { return is_nearer(s) || is_farther(s); })) {
      open.push_back(reach.open[l]);
      continue;
    }
    for (std::size_t k = 0; k < ranks_.size(); ++k)
      reach.settled[k] += is_nearer(reach.distance[k]) ? RowBlocks::width : 0;
    const auto first = std::ranges::find_if(reach.distance, is_nearer);
    if (first != reach.distance.end())
      reach.nearer.push_back({reach.open[l], static_cast<std::uint32_t>(first - reach.distance.begin())});
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
    targets_.distances(rows_.point_at(place), points, reach.open, distances_.data());
    for (std::size_t r = 0; r < points; ++r) {
      const auto squared = std::span<const double>(distances_).subspan(r * count, count);
      const double off =
          std::sqrt(squared_distance(rows_.point_at(place + r), reach.centre.at.data(), rows_.cols()));
      found({place + r, select_all(squared, reach, off), squared, reach});
    }
  }
}

// Squared distances between which the neighbour of the k-th rank lies, but for rounding beyond the slack.
Search::Range Search::range_of(std::size_t k, const Reach& around, double off) const {
  if (around.distance.empty()) return {0, std::numeric_limits<double>::infinity()};
  return {squared_low(around.distance[k] - off), squared_high(around.distance[k] + off)};
}

std::span<const double> Search::sift(std::span<const double> squared, Range range, std::size_t& below) {
  sifted_.resize(std::max(sifted_.size(), squared.size()));
  const auto sifted = kernels::neighbour_kernels().sift(squared.data(), squared.size(), range.low, range.high,
                                                        sifted_.data());
  below = sifted.below;
  return std::span<const double>(sifted_).first(sifted.kept);
}

// Rows of one block have much the same distances: the last one found says where to look first, and how many
// are below where to look next. Passes are cheap against a selection among all, where far rows leave the near
// ones in one bucket.
std::optional<double> Search::select_near_last(std::span<const double> squared, std::size_t rank) {
  constexpr double off = 0.1, grows = 2;
  constexpr int most_passes = 6;
  if (last_ <= 0) return {};
  Range range{(1 - off) * last_, (1 + off) * last_};
  double step = 1 + 3 * off;
  for (int pass = 0; pass < most_passes; ++pass, step *= grows) {
    std::size_t below = 0;
    const std::span<const double> values = sift(squared, range, below);
    if (rank < below) range = {range.low / step, range.low};
    else if (rank >= below + values.size()) range = {range.high, range.high * step};
    else return bucket_select_(values, rank - below);
  }
  return {};
}

double Search::select_one(std::span<const double> squared, const Reach& around, double off) {
  const std::size_t rank = ranks_.front() - around.settled.front();
  std::optional<double> found = select_near_last(squared, rank);
  if (!found) {
    std::size_t below = 0;
    const std::span<const double> values = sift(squared, range_of(0, around, off), below);
    const bool is_there = rank >= below && rank < below + values.size();  // else rounding beyond the slack
    found = is_there ? bucket_select_(values, rank - below) : bucket_select_(squared, rank);
  }
  last_ = *found;
  return last_;
}

std::vector<double> Search::select_all(std::span<const double> squared, const Reach& around, double off) {
  // The nearest of all is among the open ones: a block that is nearer than it cannot be settled.
  if (ranks_.size() == 1 && ranks_.front() == 0) return {smallest_of(squared)};
  if (ranks_.size() == 1) return {select_one(squared, around, off)};
  std::size_t below = 0;
  const Range range{range_of(0, around, off).low, range_of(ranks_.size() - 1, around, off).high};
  std::span<const double> values = sift(squared, range, below);
  open_ranks_.resize(ranks_.size());
  for (std::size_t k = 0; k < ranks_.size(); ++k) open_ranks_[k] = ranks_[k] - around.settled[k];
  const auto [least, most] = std::ranges::minmax(open_ranks_);
  if (least < below || most >= below + values.size()) {  // rounding beyond the slack
    values = squared;
    below = 0;
  }
  for (std::size_t& rank : open_ranks_) rank -= below;
  std::vector<double> found(ranks_.size());
  bucket_select_(values, open_ranks_, found);
  return found;
}

}  // namespace motmot
