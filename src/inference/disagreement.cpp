#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/require.hpp"
#include "base/statistics.hpp"
#include "blocks/pooled_means.hpp"
#include "motmot/inference.hpp"

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

void warn_of_dropped(const char* sample, std::size_t dropped, std::size_t n, double tau,
                     std::vector<std::string>& warnings) {
  if (n == 0 || static_cast<double>(dropped) <= most_dropped(n, tau)) return;
  warnings.push_back(
      sentence(dropped, " of ", n, " rows of ", sample,
               " lie more than 4 robust sd from the others, more than tau = ", tau,
               " explains: tau is too small, or the inliers have several modes, where medians of "
               "means fail; trust the lower bound (partial) only"));
}

void warn_of_modes(const char* sample, double share, std::vector<std::string>& warnings) {
  if (share < two_modes_from) return;
  warnings.push_back(
      sentence("the critic's values on ", sample, " fall into two modes (a split explains ", 100 * share,
               " % of their variance): where the modes have other shares in the other sample, the "
               "median of block means is far from the mean"));
}

void warn_of_bar(const Evidence& e, std::vector<std::string>& warnings) {
  if (!e.bar) {
    warnings.emplace_back("half of the blocks or more may hold outliers: no error bar");
    return;
  }
  if (*e.bar > 0.5 * std::abs(e.value))
    warnings.push_back(
        sentence("the error bar ", *e.bar, " is more than half of the value ", e.value,
                 ": the samples are close for their spread, or the inliers have several modes"));
  if (e.doubled_value && std::abs(*e.doubled_value - e.value) > *e.bar)
    warnings.push_back(sentence("with blocks of twice the size the value moves from ", e.value, " to ",
                                *e.doubled_value, ", more than the error bar ", *e.bar,
                                ": more outliers than tau says, or inliers with several modes"));
}

void warn_of_trim(const Evidence& e, std::vector<std::string>& warnings) {
  const double rounding = 1e-9 * std::abs(e.value), bar = e.bar.value_or(0) + rounding;
  if (e.trim && e.bar && std::abs(*e.trim - e.value) > bar)
    warnings.push_back(sentence("without the outlying rows W1 is ", *e.trim, ", outside of ", e.value, " +- ",
                                bar, ": outliers among the inliers, skewed inliers or several modes"));
  if (e.partial && *e.partial > e.value + bar)
    warnings.push_back(sentence("the lower bound (partial) ", *e.partial, " is above ", e.value, " + ", bar,
                                ": inliers with several modes, or outliers that the medians follow"));
  if (e.trim && e.partial && *e.trim < *e.partial - rounding)
    warnings.push_back(sentence("the trimmed value ", *e.trim, " is below the lower bound (partial) ",
                                *e.partial, ": trimming cut off inliers"));
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
                         const TrimmedRows& trim_x, const TrimmedRows& trim_y,
                         const ErrorBarOptions& options) {
  require(options.partitions >= 1, Errc::invalid_argument, "evidence needs a partition");
  Evidence e{.value = mean_value(phi_x, phi_y, options.k_x, options.k_y, options),
             .two_modes_x = two_mode_share(near_values(phi_x, trim_x)),
             .two_modes_y = two_mode_share(near_values(phi_y, trim_y)),
             .n = phi_x.size(),
             .m = phi_y.size(),
             .dropped_x = trim_x.above + trim_x.below,
             .dropped_y = trim_y.above + trim_y.below,
             .tau_x = options.tau_x,
             .tau_y = options.tau_y};
  if (options.k_x > 1 || options.k_y > 1)
    e.doubled_value = mean_value(phi_x, phi_y, half_of(options.k_x), half_of(options.k_y), options);
  return e;
}

std::vector<std::string> disagreements(const Evidence& evidence) {
  std::vector<std::string> warnings;
  warn_of_dropped("X", evidence.dropped_x, evidence.n, evidence.tau_x, warnings);
  warn_of_dropped("Y", evidence.dropped_y, evidence.m, evidence.tau_y, warnings);
  warn_of_modes("X", evidence.two_modes_x, warnings);
  warn_of_modes("Y", evidence.two_modes_y, warnings);
  warn_of_bar(evidence, warnings);
  warn_of_trim(evidence, warnings);
  return warnings;
}

}  // namespace motmot
