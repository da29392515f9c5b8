#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "base/require.hpp"
#include "base/statistics.hpp"
#include "blocks/median.hpp"
#include "blocks/read_out.hpp"
#include "inference/error_bar.hpp"

namespace motmot {
namespace {

/// Between a uniform law (3/4), which is one mode, and two Gaussian modes 4 sd apart (0.86).
constexpr double two_modes_from = 0.82;

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  text.precision(3);
  (text << ... << parts);
  return text.str();
}

/// K for blocks of twice the size, odd like K.
std::size_t half_of(std::size_t k) {
  const std::size_t half = k / 2;
  return std::max<std::size_t>(1, half % 2 == 1 ? half : half - std::min<std::size_t>(half, 1));
}

/// The estimator's value of phi, averaged over partitions.
double mean_value(std::span<const double> phi_x, std::span<const double> phi_y, std::size_t k_x,
                  std::size_t k_y, const ErrorBarOptions& options) {
  Team team(options.threads);
  const auto a = pooled_means(phi_x, k_x, options.partitions, options.seed, Purpose::read_out_x, team);
  const auto b = pooled_means(phi_y, k_y, options.partitions, options.seed, Purpose::read_out_y, team);
  std::vector<double> values(options.partitions);
  team.run(values.size(), [&](std::size_t t, std::size_t) {
    values[t] =
        median_pair(options.estimator, std::span(a).subspan(t * k_x, k_x), std::span(b).subspan(t * k_y, k_y))
            .value;
  });
  return mean_of(values);
}

/// phi within the cut: outliers far away would be a mode of their own.
std::vector<double> near_values(std::span<const double> phi, const TrimmedRows& rows) {
  std::vector<double> near;
  for (const double value : phi)
    if (rows.sd == 0 || std::abs(value - rows.median) <= 4 * rows.sd) near.push_back(value);
  return near;
}

using Sentences = std::vector<std::string>;

Sentences doubts_about_dropped(char sample, std::size_t dropped, std::size_t rows, double tau) {
  if (rows == 0 || static_cast<double>(dropped) <= most_dropped(rows, tau)) return {};
  return {sentence(dropped, " of ", rows, " rows of ", sample,
                   " lie more than 4 robust sd from the others, more than tau = ", tau,
                   " explains: tau is too small, or the inliers have several modes, where medians of "
                   "means fail; trust the lower bound (partial) only")};
}

Sentences doubts_about_modes(char sample, double share) {
  if (share < two_modes_from) return {};
  return {sentence("the critic's values on ", sample, " fall into two modes (a split explains ", 100 * share,
                   " % of their variance): where the modes have other shares in the other sample, the "
                   "median of block means is far from the mean")};
}

Sentences doubts_about_bar(const Evidence& e) {
  const Compared& p = e.printed;
  if (!p.bar) return {"half of the blocks or more may hold outliers: no error bar"};
  Sentences doubts;
  if (*p.bar > 0.5 * p.value)
    doubts.push_back(sentence("the error bar ", *p.bar, " is more than half of the value ", p.value,
                              ": the samples are close for their spread, or the inliers have several modes"));
  if (e.moved && std::abs(*e.moved) > *p.bar)
    doubts.push_back(sentence("with blocks of twice the size the value ", p.value, " moves by ", *e.moved,
                              ", more than the error bar ", *p.bar,
                              ": more outliers than tau says, or inliers with several modes"));
  return doubts;
}

Sentences doubts_about_neighbours(const Compared& p) {
  const double rounding = 1e-9 * p.value, bar = p.bar.value_or(0) + rounding;
  Sentences doubts;
  if (p.trim && p.bar && std::abs(*p.trim - p.value) > bar)
    doubts.push_back(sentence("without the outlying rows W1 is ", *p.trim, ", outside of ", p.value, " +- ",
                              *p.bar, ": outliers among the inliers, skewed inliers or several modes"));
  if (p.partial && *p.partial > p.value + bar)
    doubts.push_back(sentence("the lower bound (partial) ", *p.partial, " is above ", p.value, " + ",
                              p.bar.value_or(0),
                              ": inliers with several modes, or outliers that the medians follow"));
  if (p.trim && p.partial && *p.trim < *p.partial - rounding)
    doubts.push_back(sentence("the trimmed value ", *p.trim, " is below the lower bound (partial) ",
                              *p.partial, ": trimming cut off inliers"));
  return doubts;
}

}  // namespace

double two_mode_share(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 3) return 0;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double centre = sorted[n / 2];
  double sum = 0;
  double squares = 0;
  for (double& value : sorted) {
    value -= centre;
    sum += value;
    squares += value * value;
  }
  const double size = static_cast<double>(n);
  const double within = squares - sum * sum / size;
  if (!(within > 0)) return 0;
  const std::size_t least = std::max<std::size_t>(1, n / 10);
  double left = 0;
  double best = 0;
  for (std::size_t i = 0; i + least < n; ++i) {
    left += sorted[i];
    const double count = static_cast<double>(i + 1);
    if (i + 1 < least) continue;
    const double gap = left / count - (sum - left) / (size - count);
    best = std::max(best, gap * gap * count * (size - count) / size);
  }
  return best / within;
}

Evidence gather_evidence(std::span<const double> phi_x, std::span<const double> phi_y,
                         const PerSample<TrimmedRows>& trimmed, const ErrorBarOptions& o,
                         const Compared& printed) {
  require(o.partitions >= 1, Errc::invalid_argument, "evidence needs a partition");
  const auto value_with = [&](std::size_t k_x, std::size_t k_y) {
    return mean_value(phi_x, phi_y, k_x, k_y, o);
  };
  Evidence evidence{.printed = printed,
                    .two_modes = {two_mode_share(near_values(phi_x, trimmed.x)),
                                  two_mode_share(near_values(phi_y, trimmed.y))},
                    .dropped = {trimmed.x.above + trimmed.x.below, trimmed.y.above + trimmed.y.below},
                    .rows = {phi_x.size(), phi_y.size()},
                    .tau = {o.tau_x, o.tau_y}};
  if (o.k_x > 1 || o.k_y > 1)
    evidence.moved = value_with(half_of(o.k_x), half_of(o.k_y)) - value_with(o.k_x, o.k_y);
  return evidence;
}

std::vector<std::string> disagreements(const Evidence& e, const PerSample<char>& names) {
  Sentences all;
  for (Sentences doubts :
       std::array{doubts_about_dropped(names.x, e.dropped.x, e.rows.x, e.tau.x),
                  doubts_about_dropped(names.y, e.dropped.y, e.rows.y, e.tau.y),
                  doubts_about_modes(names.x, e.two_modes.x), doubts_about_modes(names.y, e.two_modes.y),
                  doubts_about_bar(e), doubts_about_neighbours(e.printed)})
    std::ranges::move(doubts, std::back_inserter(all));
  return all;
}

}  // namespace motmot
