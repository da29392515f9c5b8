/// What the theory is made of and a user need not call: the pieces behind motmot/theory.hpp, checks, and
/// rounding that forgives the last bits.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "base/require.hpp"
#include "motmot/theory.hpp"

namespace motmot {

inline void require_tau(double tau) {
  require(tau >= 0 && tau < 0.5, Errc::invalid_argument, "tau must lie in [0, 0.5), got ", tau);
}

inline void require_sizes(std::size_t n, std::size_t m) {
  require(n >= 1 && m >= 1, Errc::invalid_argument, "need n >= 1 and m >= 1, got n = ", n, ", m = ", m);
}

inline void require_case(std::size_t n, std::size_t m, double tau_x, double tau_y) {
  require_sizes(n, m);
  require_tau(tau_x);
  require_tau(tau_y);
}

/// floor and ceil of a value >= 0 that is exact in decimal but not in binary: 0.07 * 200 is 14 and a
/// bit, and a rule that says ceil must not make 15 of it.
inline std::size_t floor_count(double value) {
  return static_cast<std::size_t>(std::floor(value * (1 + 1e-12)));
}
inline std::size_t ceil_count(double value) {
  return static_cast<std::size_t>(std::ceil(value * (1 - 1e-12)));
}

/// tau_x + tau_y - tau_x tau_y: the share of pairs (i, j) that are dirty.
inline double pair_tau(double tau_x, double tau_y) { return tau_x + tau_y - tau_x * tau_y; }

/// The tau that Prop. 4 (prop:consistency) puts into each sample's K.
PerSample<double> own_tau(Estimator estimator, double tau_x, double tau_y) noexcept;

/// The chance that what the estimator takes the median of is dirty: the worse of the two samples for mom, a
/// pair of blocks, 1 - (1 - p_x)(1 - p_y), otherwise.
[[nodiscard]] double dirty_chance(Estimator estimator, double p_x, double p_y) noexcept;

/// Half of the blocks dirty is the end; 0.4 leaves room for the number of dirty blocks to fluctuate
/// (0.36 was always fine in experiments, 0.488 failed totally).
inline constexpr double max_dirty_chance = 0.4;

/// max(2, min(floor(1 / sqrt(2 tau)), floor(0.51 / -ln(1 - tau)))): Prop. 4's block size, capped at
/// p <= 0.4. 7, 3, 2, 2 at tau = 0.01, 0.05, 0.1, 0.2. 1 for tau > 0.225, where two rows are too
/// many. Needs 0 < tau < 1.
[[nodiscard]] std::size_t default_block_size(double tau);

/// p, p_x and p_y for given K.
BlockChoice describe_blocks(Estimator estimator, PerSample<std::size_t> k, std::size_t n, std::size_t m,
                            double tau_x, double tau_y);

/// Whether the clean blocks keep their majority wherever the outliers fall (proof of Prop. 4):
/// mom n_O < K_X / 2 and m_O < K_Y / 2; mou n_O K_Y + m_O K_X - n_O m_O < K_X K_Y / 2 (the paper
/// prints n_O for m_O); mou-diag n_O + m_O < K / 2; plain no outlier at all.
[[nodiscard]] bool always_clean_majority(Estimator estimator, PerSample<std::size_t> k,
                                         PerSample<std::size_t> outliers) noexcept;

/// Gamma(tau) = sqrt(1 + sqrt(2 tau)) / sqrt(1 - 2 tau) of Prop. 5 (prop:appli_dev); +inf from 1/2 on.
[[nodiscard]] double gamma_factor(double tau) noexcept;

[[nodiscard]] double c2(double tau, const BoundOptions& options);  ///< 4 diam Gamma(tau)
[[nodiscard]] double c1(double tau, const BoundOptions& options);  ///< 2 + C_L C_2(tau)

/// kappa_1, kappa_2, kappa_3 of Theorem 6 (thm:expectation) for a given C_O. Needs tau > 0.
struct Kappas {
  double kappa1 = 0;
  double kappa2 = 0;
  double kappa3 = 0;
  [[nodiscard]] double kappa_prime() const noexcept;  ///< 2 kappa_1 + 2 sqrt(2) kappa_2 + 2 kappa_3
};
[[nodiscard]] Kappas kappas(double tau, double c_o, const BoundOptions& options);

/// Prop. 5 for one sample: W(mu_MoM, mu) <= C_1 n^(-1/(d+2)) + C_2 sqrt(ln(1/delta) / n).
/// It admits only delta <= exp(-4 n sqrt(2 tau)); a larger one is replaced by that (and noted),
/// which is the best the proposition says at the level asked.
[[nodiscard]] Bound prop5_one_sample(std::size_t n, double tau, const BoundOptions& options = {});

/// Theorem 6 for one sample: E W(mu_MoM, mu). tau = 0 is not covered (kappa_2 divides by it).
[[nodiscard]] Bound theorem6_one_sample(std::size_t n, double tau, const BoundOptions& options = {});

/// Bias law: when all outliers fall on one side, the median of the block means is the 1 / (2 (1 - p))
/// quantile of the clean ones, sigma_phi / sqrt(b) * Phi^-1(1 / (2 (1 - p))) away from their median
/// if these are near Gaussian. +inf for p >= 1/2. sigma_phi = 1.4826 MAD of phi on the sample.
[[nodiscard]] double contamination_bias(double sigma_phi, std::size_t b, double p);

/// The law for an estimator: the two samples' terms added for mom, that of the difference of two
/// block means, sd sqrt(sigma_x^2 / b_x + sigma_y^2 / b_y), for mou and mou-diag.
[[nodiscard]] double contamination_bias(Estimator estimator, double sigma_x, double sigma_y,
                                        const BlockChoice& blocks);

/// Its form without a law: the larger distance from the median of the block means to their (1-p)/2
/// and (1+p)/2 quantiles (linear between order statistics). +inf for p >= 1/2. O(K log K).
[[nodiscard]] double quantile_error_bar(std::span<const double> block_means, double p);

}  // namespace motmot
