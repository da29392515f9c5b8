#include "motmot/gan/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/statistics.hpp"
#include "blocks/median.hpp"

namespace motmot::gan {
namespace {

std::vector<double> block_means(std::span<const float> values, std::size_t blocks) {
  const std::size_t rows = values.size() / blocks;
  std::vector<double> means(blocks);
  for (std::size_t k = 0; k < blocks; ++k) {
    for (const float value : values.subspan(k * rows, rows)) means[k] += static_cast<double>(value);
    means[k] /= static_cast<double>(rows);
  }
  return means;
}

std::vector<std::int64_t> block_rows(std::size_t block, std::size_t rows) {
  std::vector<std::int64_t> index(rows);
  std::iota(index.begin(), index.end(), static_cast<std::int64_t>(block * rows));
  return index;
}

/// The rows that are neither banned nor trimmed. Trimmed are those of highest value: at most the share
/// `trim`, and no row that stands out by `cut` or less.
std::vector<std::int64_t> lowest(std::span<const float> values, std::span<const std::uint8_t> banned,
                                 const LossOptions& options) {
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (banned.empty() || banned[i] == 0) rows.push_back(static_cast<std::int64_t>(i));
  if (rows.empty()) return lowest(values, {}, options);  // all are banned: a batch must not be empty
  auto kept =
      static_cast<std::size_t>(std::ceil((1 - options.trim) * static_cast<double>(rows.size()) - 1e-9));
  const auto value = [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  std::ranges::stable_sort(rows, {}, value);
  if (options.cut > 0) {
    const std::vector<double> out = standing_out(values);
    while (kept < rows.size() && out[static_cast<std::size_t>(rows[kept])] <= options.cut) ++kept;
  }
  rows.resize(kept);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

Selection select_images(const LossOptions& options, std::span<const float> real, std::span<const float> fake,
                        std::span<const std::uint8_t> banned) {
  const std::size_t k = options.blocks;
  switch (options.loss) {
    case Loss::wgan:
    case Loss::unbalanced:
    case Loss::partial:
      return {};
    case Loss::trim:
      return {.real = lowest(real, {}, options)};
    case Loss::trim_scores:
      return {.real = lowest(real, banned, options)};
    case Loss::mom: {
      const std::vector<double> one{0.0};
      const MedianPair pair = median_pair(Estimator::mom, block_means(real, k), one, EvenMedian::upper);
      return {.real = block_rows(pair.x[0], real.size() / k)};
    }
    case Loss::mou:
    case Loss::mou_diag: {
      const Estimator estimator = options.loss == Loss::mou ? Estimator::mou : Estimator::mou_diag;
      const MedianPair pair =
          median_pair(estimator, block_means(real, k), block_means(fake, k), EvenMedian::upper);
      return {.real = block_rows(pair.x[0], real.size() / k), .fake = block_rows(pair.y[0], fake.size() / k)};
    }
  }
  return {};
}

double lead(std::span<const float> real, std::span<const float> fake) {
  if (real.empty() || fake.empty()) return 0.5;
  std::vector<float> sorted(fake.begin(), fake.end());
  std::ranges::sort(sorted);
  std::ptrdiff_t twice = 0;  // fakes below, and fakes below or level
  for (const float value : real)
    twice += (std::ranges::lower_bound(sorted, value) - sorted.begin()) +
             (std::ranges::upper_bound(sorted, value) - sorted.begin());
  return static_cast<double>(twice) /
         (2 * static_cast<double>(real.size()) * static_cast<double>(fake.size()));
}

std::vector<double> standing_out(std::span<const float> values) {
  std::vector<double> scores(values.begin(), values.end()), scratch = scores;
  if (scores.empty()) return scores;
  const double median = upper_median(scratch);
  std::ranges::transform(scores, scratch.begin(), [&](double f) { return std::abs(f - median); });
  const double mad = std::max(upper_median(scratch), 1e-30);
  for (double& score : scores) score = std::clamp((score - median) / mad, 0.0, 10.0);
  return scores;
}

void RowScores::add(std::span<const std::uint32_t> rows, std::span<const float> values, double weight) {
  const std::vector<double> scores = standing_out(values);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sums_[rows[i]] += weight * scores[i];
    weights_[rows[i]] += weight;
  }
}

std::vector<double> RowScores::means() const {
  std::vector<double> means(sums_.size());
  for (std::size_t i = 0; i < means.size(); ++i) means[i] = weights_[i] > 0 ? sums_[i] / weights_[i] : 0;
  return means;
}

void RowScores::ban_highest(double q, double cut) {
  const std::vector<double> score = means();
  std::vector<std::uint32_t> order(score.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t row) { return score[row]; });
  std::ranges::fill(banned_, std::uint8_t{0});
  const auto count = static_cast<std::size_t>(std::floor(q * static_cast<double>(order.size())));
  for (std::size_t i = 0; i < count && score[order[i]] > cut; ++i) banned_[order[i]] = 1;
}

}  // namespace motmot::gan
