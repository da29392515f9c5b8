#include "matrix/arrange.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/symmetric_eigen.hpp"

namespace motmot {
namespace {

/// A cluster that is not part of a larger one yet.
struct Cluster {
  std::size_t name = 0;  ///< as Merge has it
  std::size_t size = 1;
  std::vector<double> to{};  ///< mean distances to the other clusters, by their places
};

std::pair<std::size_t, std::size_t> nearest_pair(const std::vector<Cluster>& clusters) {
  std::pair<std::size_t, std::size_t> best{0, 1};
  for (std::size_t a = 0; a < clusters.size(); ++a)
    for (std::size_t b = a + 1; b < clusters.size(); ++b)
      if (clusters[a].to[b] < clusters[best.first].to[best.second]) best = {a, b};
  return best;
}

/// b becomes part of a.
void unite(std::vector<Cluster>& clusters, std::size_t a, std::size_t b, std::size_t name) {
  const auto of_a = static_cast<double>(clusters[a].size), of_b = static_cast<double>(clusters[b].size);
  for (std::size_t c = 0; c < clusters.size(); ++c)
    clusters[a].to[c] = clusters[c].to[a] =
        (of_a * clusters[a].to[c] + of_b * clusters[b].to[c]) / (of_a + of_b);
  clusters[a].to[a] = 0;
  clusters[a].size += clusters[b].size;
  clusters[a].name = name;
  const auto at = static_cast<std::ptrdiff_t>(b);
  clusters.erase(clusters.begin() + at);
  for (Cluster& cluster : clusters) cluster.to.erase(cluster.to.begin() + at);
}

}  // namespace

std::vector<Merge> average_linkage(std::span<const double> distances, std::size_t n) {
  std::vector<Cluster> clusters(n);
  for (std::size_t i = 0; i < n; ++i) {
    clusters[i].name = i;
    clusters[i].to.assign(distances.data() + i * n, distances.data() + (i + 1) * n);
  }
  std::vector<Merge> merges;
  while (clusters.size() > 1) {
    const auto [a, b] = nearest_pair(clusters);
    merges.push_back({std::min(clusters[a].name, clusters[b].name),
                      std::max(clusters[a].name, clusters[b].name), clusters[a].to[b],
                      clusters[a].size + clusters[b].size});
    unite(clusters, a, b, n + merges.size() - 1);
  }
  return merges;
}

std::vector<std::size_t> leaf_order(std::span<const Merge> merges, std::size_t n) {
  std::vector<std::size_t> order, open;
  if (!merges.empty()) open.push_back(n + merges.size() - 1);
  const auto height = [&](std::size_t name) { return name < n ? 0.0 : merges[name - n].height; };
  while (!open.empty()) {
    const std::size_t name = open.back();
    open.pop_back();
    if (name < n) {
      order.push_back(name);
      continue;
    }
    const auto [first, second] = std::pair(merges[name - n].first, merges[name - n].second);
    const bool swap = height(second) < height(first);
    open.push_back(swap ? first : second);
    open.push_back(swap ? second : first);
  }
  return order;
}

namespace {

/// -1/2 of the squared distances, centred by rows and columns.
std::vector<double> centred_squares(std::span<const double> distances, std::size_t n) {
  std::vector<double> b(n * n), means(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) b[i * n + j] = -0.5 * distances[i * n + j] * distances[i * n + j];
    means[i] = std::accumulate(&b[i * n], &b[i * n] + n, 0.0) / static_cast<double>(n);
  }
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) b[i * n + j] += mean - means[i] - means[j];
  return b;
}

/// Coordinate k of every sample.
std::vector<double> axis(const EigenPairs& eigen, std::size_t k, std::size_t n) {
  const double length = std::sqrt(std::max(0.0, eigen.values[k]));
  std::vector<double> values(eigen.vectors.data() + k * n, eigen.vectors.data() + (k + 1) * n);
  const double largest = *std::ranges::max_element(values, {}, [](double v) { return std::abs(v); });
  for (double& value : values) value *= largest < 0 ? -length : length;
  return values;
}

}  // namespace

PlaneMap plane_map(std::span<const double> distances, std::size_t n) {
  const double largest = *std::ranges::max_element(distances);
  PlaneMap map{.points = std::vector<MapPoint>(n), .share = 1};
  if (n < 2 || !(largest > 0)) return map;
  std::vector<double> relative(distances.begin(), distances.end());  // squares must not overflow
  for (double& value : relative) value /= largest;
  const EigenPairs eigen = symmetric_eigen(centred_squares(relative, n), n);
  const std::vector<double> x = axis(eigen, 0, n), y = axis(eigen, 1, n);
  for (std::size_t i = 0; i < n; ++i) map.points[i] = {largest * x[i], largest * y[i]};
  double all = 0;
  for (const double value : eigen.values) all += std::abs(value);
  map.share = (std::max(0.0, eigen.values[0]) + std::max(0.0, eigen.values[1])) / all;
  return map;
}

std::vector<double> false_shares(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> shares(p_values.size());
  double least = 1;
  for (std::size_t k = 0; k < order.size(); ++k) {  // the largest first
    const double rank = static_cast<double>(order.size() - k);
    least = std::min(least, p_values[order[k]] * static_cast<double>(order.size()) / rank);
    shares[order[k]] = least;
  }
  return shares;
}

}  // namespace motmot
