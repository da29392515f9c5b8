#include <algorithm>
#include <numeric>

#include "base/random.hpp"
#include "base/require.hpp"
#include "motmot/gan/metrics.hpp"

namespace motmot::gan {

Detection detection(std::span<const double> scores, std::span<const std::uint8_t> marked, std::size_t top) {
  const auto positives = static_cast<std::size_t>(std::ranges::count(marked, 1));
  Detection result{.top = top > 0 ? std::min(top, scores.size()) : positives};
  if (positives == 0 || positives == scores.size()) return result;
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return scores[i]; });
  std::size_t found = 0;
  for (std::size_t i = 0; i < result.top; ++i) found += marked[order[i]];
  result.precision = static_cast<double>(found) / static_cast<double>(result.top);
  result.recall = static_cast<double>(found) / static_cast<double>(positives);
  double wins = 0, above = 0;  // marked rows with a higher score than the group at hand
  for (std::size_t i = 0; i < order.size();) {
    double tied_marked = 0, tied_others = 0;
    for (const double score = scores[order[i]]; i < order.size() && scores[order[i]] == score; ++i)
      (marked[order[i]] != 0 ? tied_marked : tied_others) += 1;
    wins += tied_others * (above + tied_marked / 2);
    above += tied_marked;
  }
  result.auc = wins / (static_cast<double>(positives) * static_cast<double>(scores.size() - positives));
  return result;
}

Interval bootstrap(std::span<const double> values, std::uint64_t seed) {
  require(!values.empty(), Errc::invalid_argument, "an interval needs at least one value");
  constexpr std::size_t resamples = 10000;
  const auto n = static_cast<std::uint32_t>(values.size());
  std::vector<double> means(resamples);
  for (std::size_t r = 0; r < resamples; ++r) {
    Rng rng(seed, Purpose::gan_bootstrap, r);
    double sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) sum += values[rng.below(n)];
    means[r] = sum / n;
  }
  std::ranges::sort(means);
  return {.mean = std::accumulate(values.begin(), values.end(), 0.0) / n,
          .low = means[resamples / 40],
          .high = means[resamples - 1 - resamples / 40]};
}

Interval paired_bootstrap(std::span<const double> a, std::span<const double> b, std::uint64_t seed) {
  require(a.size() == b.size(), Errc::invalid_argument, "pairs need as many values on both sides; got ",
          a.size(), " and ", b.size());
  std::vector<double> differences(a.size());
  std::ranges::transform(a, b, differences.begin(), std::minus<>());
  return bootstrap(differences, seed);
}

}  // namespace motmot::gan
