#include "inference/error_bar.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "base/statistics.hpp"
#include "blocks/read_out.hpp"
#include "data/without.hpp"
#include "theory/theory.hpp"

namespace motmot {
namespace {

/// Block means of both samples, sorted as the estimator compares them.
struct Laws {
  std::vector<double> x, y;  ///< mom: of each sample
  std::vector<double> pair;  ///< mou, mou-diag: of the differences
};

/// a_k - b_l over pairs of blocks of the same partitions. The sample with fewer blocks starts again from its
/// first when it runs out.
std::vector<double> differences(std::span<const double> a, std::size_t k_x, std::span<const double> b,
                                std::size_t k_y, std::size_t partitions) {
  std::vector<double> out;
  const std::size_t pairs = std::max(k_x, k_y);
  out.reserve(pairs * partitions);
  for (std::size_t t = 0; t < partitions; ++t)
    for (std::size_t k = 0; k < pairs; ++k) out.push_back(a[t * k_x + k % k_x] - b[t * k_y + k % k_y]);
  return out;
}

Laws block_laws(std::span<const double> phi_x, std::span<const double> phi_y, std::size_t k_x,
                std::size_t k_y, const ErrorBarOptions& options, Team& team) {
  Laws laws{pooled_means(phi_x, k_x, options.partitions, options.seed, Purpose::read_out_x, team),
            pooled_means(phi_y, k_y, options.partitions, options.seed, Purpose::read_out_y, team),
            {}};
  if (options.estimator != Estimator::mom)
    laws.pair = differences(laws.x, k_x, laws.y, k_y, options.partitions);
  return laws;
}

double median_value(const Laws& laws, Estimator estimator) {
  if (estimator != Estimator::mom) return median_of(laws.pair);
  return median_of(laws.x) - median_of(laws.y);
}

/// quantile_error_bar() of the laws with each sample's tau at its upper limit. p is held below 1/2: where the
/// nominal one is, the bar may be wide but it exists.
double contamination_bar(const Laws& laws, const BlockChoice& blocks, std::size_t n, std::size_t m,
                         const ErrorBarOptions& options) {
  constexpr double most = 0.499;
  const double p_x =
      std::min(most, dirty_block_chance(upper_share(options.tau_x, static_cast<double>(n)), blocks.b_x));
  const double p_y =
      std::min(most, dirty_block_chance(upper_share(options.tau_y, static_cast<double>(m)), blocks.b_y));
  if (options.estimator == Estimator::mom)
    return quantile_error_bar(laws.x, p_x) + quantile_error_bar(laws.y, p_y);
  return quantile_error_bar(laws.pair, std::min(most, dirty_chance(options.estimator, p_x, p_y)));
}

/// As many blocks of the kept rows as make blocks of the same size.
std::size_t kept_blocks(std::size_t kept, std::size_t b, std::size_t k) {
  return k == 1 ? 1 : std::max<std::size_t>(1, kept / b);
}

double skew_of(std::span<const double> kept_x, std::span<const double> kept_y, const BlockChoice& blocks,
               const ErrorBarOptions& options, Team& team) {
  std::size_t k_x = kept_blocks(kept_x.size(), blocks.b_x, blocks.k_x);
  std::size_t k_y = kept_blocks(kept_y.size(), blocks.b_y, blocks.k_y);
  const Laws clean = block_laws(kept_x, kept_y, k_x, k_y, options, team);
  return mean_of(kept_x) - mean_of(kept_y) - median_value(clean, options.estimator);
}

}  // namespace

ErrorBar contamination_error_bar(std::span<const double> phi_x, std::span<const double> phi_y,
                                 const PerSample<TrimmedRows>& trimmed, const ErrorBarOptions& options) {
  require(options.partitions >= 1, Errc::invalid_argument, "an error bar needs a partition");
  require_sizes(phi_x.size(), phi_y.size());
  require_tau(options.tau_x);
  require_tau(options.tau_y);
  const std::size_t n = phi_x.size();
  const std::size_t m = phi_y.size();
  const BlockChoice blocks =
      describe_blocks(options.estimator, {options.k_x, options.k_y}, n, m, options.tau_x, options.tau_y);
  ErrorBar result{.p = blocks.p};
  if (blocks.p >= 0.5) return result;
  Team team(options.threads);
  const std::vector<double> kept_x = without(phi_x, trimmed.x.dropped);
  const std::vector<double> kept_y = without(phi_y, trimmed.y.dropped);
  const Laws laws = block_laws(phi_x, phi_y, options.k_x, options.k_y, options, team);
  result.contamination = contamination_bar(laws, blocks, n, m, options);
  result.skew = std::abs(skew_of(kept_x, kept_y, blocks, options, team));
  result.bar = result.contamination + result.skew;
  return result;
}

}  // namespace motmot
