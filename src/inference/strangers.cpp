#include "inference/strangers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neighbours/neighbours.hpp"

namespace motmot {
namespace {

/// Neighbours that thinning looks at, and the largest ratio of sizes for which they suffice: beyond that, one
/// row in seventy would have no neighbour left among them.
constexpr std::size_t most_neighbours = 32;
constexpr std::size_t largest_ratio = 8;

/// From each of `points` to `others`, these thinned to as many rows as `points` has where they are more.
Apart distances_to(PointsView points, PointsView others, Team& team, Passes& passes) {
  const double kept = std::min(1.0, static_cast<double>(points.n) / static_cast<double>(others.n));
  Apart found;
  std::vector<std::size_t> ks;
  double left = 1;  // the chance that none of the nearer rows is left
  while (left > 0 && ks.size() < std::min(most_neighbours, others.n)) {
    ks.push_back(ks.size() + 1);
    found.weight.push_back(left * kept);
    left *= 1 - kept;
  }
  found.weight.back() += left;
  found.distance = unless_stopped(kth_distances_to(points, others, ks, team, passes.next()));
  return found;
}

/// One distance and the share of its sample that it stands for.
struct Entry {
  double distance;
  double own;    ///< share of the sample in question
  double other;  ///< share of the other sample
};

std::vector<Entry> entries_from_far_to_near(const Apart& own, const Apart& other) {
  std::vector<Entry> entries;
  const auto add = [&](const Apart& from, bool is_own) {
    for (std::size_t k = 0; k < from.weight.size(); ++k)
      for (const double distance : from.distance[k]) {
        const double share = from.weight[k] / static_cast<double>(from.distance[k].size());
        entries.push_back({distance, is_own ? share : 0, is_own ? 0 : share});
      }
  };
  add(own, true);
  add(other, false);
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) { return a.distance > b.distance; });
  return entries;
}

/// Shares of both samples that are at least some distance away.
struct Beyond {
  double own = 0, other = 0;
  [[nodiscard]] double excess() const { return own - other; }
  /// In standard errors, if the shares were equal.
  [[nodiscard]] double significance(double n, double m) const {
    const double pooled = (own * n + other * m) / (n + m);
    const double variance = pooled * (1 - pooled) * (1 / n + 1 / m);
    return variance > 0 ? excess() / std::sqrt(variance) : 0;
  }
};

/// At each distance that occurs, from the largest on, as long as no more than `share` of the own sample lies
/// beyond.
std::vector<Beyond> shares_beyond(const Apart& own, const Apart& other, double share) {
  constexpr double rounding = 1e-9;
  const std::vector<Entry> entries = entries_from_far_to_near(own, other);
  std::vector<Beyond> shares;
  Beyond now;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    now.own += entries[i].own;
    now.other += entries[i].other;
    if (now.own > share + rounding) break;
    if (i + 1 == entries.size() || entries[i + 1].distance < entries[i].distance) shares.push_back(now);
  }
  return shares;
}

/// The `count` rows that are farthest from the other sample, ascending; fewer where equals would be parted.
std::vector<std::uint32_t> farthest(std::span<const double> distance, std::size_t count) {
  std::vector<std::uint32_t> order(distance.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t i, std::uint32_t j) {
    return distance[i] != distance[j] ? distance[i] > distance[j] : i < j;
  });
  while (count > 0 && count < order.size() && distance[order[count - 1]] == distance[order[count]]) --count;
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

}  // namespace

std::size_t count_strangers(const Apart& own, const Apart& other, std::size_t most,
                            const StrangerRule& rule) {
  const auto n = static_cast<double>(own.distance.front().size());
  const auto m = static_cast<double>(other.distance.front().size());
  const double budget = static_cast<double>(most);
  const std::vector<Beyond> shares = shares_beyond(own, other, 2 * budget / n);
  if (shares.empty()) return 0;
  const double significance = std::ranges::max(shares, {}, [&](const Beyond& at) {
                                return at.significance(n, m);
                              }).significance(n, m);
  if (significance < rule.standard_errors) return 0;
  const Beyond& peak = *std::ranges::max_element(shares, {}, &Beyond::excess);
  if (peak.excess() < rule.purity * peak.own) return 0;
  // Of the own rows that are not wrong, as large a share lies beyond the peak as of the other sample.
  const double count = n * peak.excess() / (1 - peak.other);
  if (count > budget + std::sqrt(2 * budget)) return 0;
  constexpr double part = 0.3, purity = 0.95;
  const Beyond& early =
      *std::ranges::find_if(shares, [&](const Beyond& at) { return at.excess() >= part * peak.excess(); });
  if (early.excess() < purity * early.own) return 0;
  return std::min(static_cast<std::size_t>(std::round(count)), most);
}

PerSample<Apart> distances_apart(PointsView x, PointsView y, Team& team, Passes& passes) {
  if (x.n > largest_ratio * y.n || y.n > largest_ratio * x.n) return {};
  return {distances_to(x, y, team, passes), distances_to(y, x, team, passes)};
}

PerSample<std::vector<std::uint32_t>> strangers(const PerSample<Apart>& apart,
                                                const PerSample<std::size_t>& most,
                                                const StrangerRule& rule) {
  if (apart.x.weight.empty()) return {};
  return {farthest(apart.x.distance.front(), count_strangers(apart.x, apart.y, most.x, rule)),
          farthest(apart.y.distance.front(), count_strangers(apart.y, apart.x, most.y, rule))};
}

}  // namespace motmot
