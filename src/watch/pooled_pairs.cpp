#include "watch/pooled_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"
#include "data/without.hpp"
#include "inference/lone_rows.hpp"

namespace motmot {
namespace {

constexpr std::size_t remote_one_in = 100;

/// Of two rows: that of a row from the middle of the columns, times the root of 2. Where most rows lie in one
/// place, the mean. Does not depend on the order of the rows.
double typical_distance(std::span<const PointsView> parts) {
  std::vector<double> middle(parts[0].d), column, from_middle;
  for (std::size_t k = 0; k < middle.size(); ++k) {
    column.clear();
    for (const PointsView part : parts)
      for (std::size_t i = 0; i < part.n; ++i) column.push_back(part(i, k));
    middle[k] = upper_median(column);
  }
  for (const PointsView part : parts)
    for (std::size_t i = 0; i < part.n; ++i) from_middle.push_back(euclidean(part.row(i), middle));
  std::ranges::sort(from_middle);
  const double median = sorted_quantile(from_middle, 0.5);
  const double typical = std::numbers::sqrt2 * (median > 0 ? median : mean_of(from_middle));
  return typical > 0 ? typical : 1;
}

/// In a unit, as a number that float holds.
float in_units(double distance, double unit) {
  constexpr double farthest = 1e30;
  return static_cast<float>(std::min(distance / unit, farthest));
}

RowList rows_with_company(PointsView points, double tau, Team& team) {
  Passes unwatched{{}};
  return rows_without(points.n, lone_rows(points, std::array{tau}, team, unwatched).front().rows);
}

}  // namespace

HeldRows::HeldRows(Points points, double tau, Team& team)
    : points_(std::move(points)),
      company_(rows_with_company(points_, tau, team)),
      unit_(typical_distance(std::array{PointsView(points_)})),
      distances_(points_.rows() * points_.rows()) {
  const PointsView view = points_;
  team.run(view.n, [&](std::size_t i, std::size_t) {
    for (std::size_t j = 0; j < view.n; ++j)
      distances_[i * view.n + j] = in_units(euclidean(view.row(i), view.row(j)), unit_);
  });
}

PooledPairs::PooledPairs(const HeldRows& held, std::span<const std::uint32_t> rows, PointsView chunk,
                         std::size_t most, Team& team)
    : rows_(rows.size() + chunk.n), most_(most), pairs_(rows_ * rows_) {
  const std::size_t n = rows.size();
  const Points taken = rows_of(held.points(), rows);
  const PointsView view = taken;
  const double typical = typical_distance(std::array{view, chunk});
  sharpness_ = static_cast<double>(std::min<std::size_t>(chunk.d, 4)) / typical / typical;
  const auto sharpness = static_cast<float>(sharpness_ * held.unit() * held.unit());
  const auto row_of = [&](std::size_t i) { return i < n ? view.row(i) : chunk.row(i - n); };
  team.run(chunk.n, [&](std::size_t k, std::size_t) {
    Pair* pairs = pairs_.data() + (n + k) * rows_;
    for (std::size_t j = 0; j < rows_; ++j)
      pairs[j].distance = in_units(euclidean(chunk.row(k), row_of(j)), held.unit());
  });
  team.run(rows_, [&](std::size_t i, std::size_t) {
    Pair* pairs = pairs_.data() + i * rows_;
    if (i < n) {
      for (std::size_t j = 0; j < n; ++j) pairs[j].distance = held.distance(rows[i], rows[j]);
      for (std::size_t j = n; j < rows_; ++j) pairs[j].distance = at(j, i).distance;
    }
    for (std::size_t j = 0; j < rows_; ++j)
      pairs[j].kernel = 1 / (1 + sharpness * (pairs[j].distance * pairs[j].distance));
  });
  find_remote(team);
  sum_up(team);
}

void PooledPairs::find_remote(Team& team) {
  remoteness_.assign(rows_, rows_);
  if (most_ == 0) return;
  std::vector<float> score(rows_);
  team.run(rows_, [&](std::size_t i, std::size_t) {
    std::vector<float> distances(rows_), nearest(std::min(most_ + 2, rows_));  // itself is the first
    for (std::size_t j = 0; j < rows_; ++j) distances[j] = at(i, j).distance;
    std::ranges::partial_sort_copy(distances, nearest);
    score[i] = nearest.back();
  });
  remote_ = stretch(0, rows_);
  std::ranges::stable_sort(remote_, std::greater{}, [&](std::uint32_t row) { return score[row]; });
  remote_.resize(std::min(rows_, most_ + (rows_ - most_) / remote_one_in));
  for (std::size_t place = 0; place < remote_.size(); ++place) remoteness_[remote_[place]] = place;
}

void PooledPairs::sum_up(Team& team) {
  to_others_.resize(rows_);
  team.run(rows_, [&](std::size_t i, std::size_t) {
    for (std::uint32_t j = 0; j < rows_; ++j)
      if (!is_remote(j)) to_others_[i].add(at(i, j));
  });
  for (std::uint32_t i = 0; i < rows_; ++i)
    if (!is_remote(i)) among_others_.add(to_others_[i]);
}

CalledChunk PooledPairs::called(std::span<const std::uint32_t> chunk) const {
  CalledChunk found;
  for (const std::uint32_t row : chunk) (is_remote(row) ? found.left_out : found.kept).push_back(row);
  if (found.left_out.size() > most_) {
    std::ranges::sort(found.left_out, {}, [&](std::uint32_t row) { return remoteness_[row]; });
    found.kept.insert(found.kept.end(), found.left_out.begin() + static_cast<std::ptrdiff_t>(most_),
                      found.left_out.end());
    found.left_out.resize(most_);
  }
  std::ranges::sort(found.left_out);
  return found;
}

PairDistances PooledPairs::distances(const CalledChunk& chunk) const {
  // The others are the rows that are not remote, less those of the chunk, which come first among its kept
  // ones.
  const auto near = static_cast<std::size_t>(
      std::ranges::find_if(chunk.kept, [&](std::uint32_t row) { return is_remote(row); }) -
      chunk.kept.begin());
  Sums near_near, kept_kept, kept_others, near_to_others;
  for (std::size_t a = 0; a < chunk.kept.size(); ++a) {
    Sums before_near, before_all;  // over the rows of the chunk before this one
    for (std::size_t b = 0; b < a; ++b) {
      const Pair pair = at(chunk.kept[a], chunk.kept[b]);
      if (b < near) before_near.add(pair);
      else before_all.add(pair);
    }
    before_all.add(before_near);
    const Pair itself = at(chunk.kept[a], chunk.kept[a]);
    kept_kept.add(before_all, 2);
    kept_kept.add(itself);
    kept_others.add(to_others_[chunk.kept[a]]);
    kept_others.add(before_near, a < near ? -2 : -1);
    if (a >= near) continue;
    kept_others.add(itself, -1);
    near_near.add(before_near, 2);
    near_near.add(itself);
    near_to_others.add(to_others_[chunk.kept[a]]);
  }
  Sums others_others = among_others_;
  others_others.add(near_to_others, -2);
  others_others.add(near_near);
  const auto m = static_cast<double>(chunk.kept.size()),
             n = static_cast<double>(rows_ - remote_.size() - near);
  const auto apart = [&](double within_chunk, double between, double within_others) {
    return (within_chunk / (m * m) + within_others / (n * n) - 2 * between / (m * n)) * n * m / (n + m);
  };
  return {.energy = -apart(kept_kept.distance, kept_others.distance, others_others.distance),
          .kernel = apart(kept_kept.kernel, kept_others.kernel, others_others.kernel)};
}

}  // namespace motmot
