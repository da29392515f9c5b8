/// What the paper proves, and what we measured, about K, tau and the error that remains: rules for
/// the number of blocks, how many outliers they withstand, Prop. 5 and Theorem 6 in numbers, the
/// bias law. Everything here is arithmetic on (n, m, d, tau): no data, no chance, no threads.
///
/// tau_x and tau_y are the (assumed) shares of outliers. Outside [0, 1/2) every function throws
/// Error(invalid_argument), except admitted() and dirty_block_chance().
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "motmot/blocks.hpp"

namespace motmot {

// ---------------------------------------------------------------------------- the number of blocks

/// The rules for K that the paper uses in one place or another, and ours. "Own tau" is tau_x and
/// tau_y for mom, tau_x + tau_y - tau_x tau_y for mou, tau_x + tau_y for mou-diag.
enum class BlockRule {
  prop4,           ///< ceil(sqrt(2 tau) n) with the estimator's own tau: Prop. 4 (prop:consistency)
  section42,       ///< the smallest K > 2 tau n, own tau: Section 4.2
  seventy,         ///< ceil(1.4 tau n), own tau: "70 of 500" at tau = 0.1, Section 4.2; not safe
  gan,             ///< 4 blocks, whatever n and tau: Section 4.3
  motmot_default,  ///< choose_blocks(): few dirty blocks on average, and an odd K
};

/// The one we recommend comes first.
template <>
inline constexpr auto names<BlockRule> = std::to_array<Named<BlockRule>>({{"default",
                                                                           BlockRule::motmot_default},
                                                                          {"prop4", BlockRule::prop4},
                                                                          {"section42", BlockRule::section42},
                                                                          {"seventy", BlockRule::seventy},
                                                                          {"gan", BlockRule::gan}});

/// K by the rule, clamped to [1, n] and [1, m]. One K = min(K_X, K_Y) for mou-diag (Algorithm 3);
/// K = 1 for plain. Whether the rule's hypotheses hold is for admitted() to say.
[[nodiscard]] PerSample<std::size_t> blocks_by_rule(BlockRule rule, Estimator estimator, std::size_t n,
                                                    std::size_t m, double tau_x, double tau_y);

/// One hypothesis of the paper, in words and numbers, and whether it holds.
struct Condition {
  std::string text;  ///< "tau_x + tau_y = 0.3 < 1/2"
  bool holds = false;
};

/// The hypotheses on (tau_x, tau_y, n, m) under which Prop. 4 (prop:consistency) speaks about the
/// estimator: the regions of Figure 1d (fig:outliers).
struct Admission {
  std::vector<Condition> conditions;
  [[nodiscard]] bool all() const noexcept;
};
[[nodiscard]] Admission admitted(Estimator estimator, double tau_x, double tau_y, std::size_t n,
                                 std::size_t m);

/// Chance that a block of b rows holds an outlier: 1 - (1 - tau)^b.
[[nodiscard]] double dirty_block_chance(double tau, std::size_t b) noexcept;

struct BlockChoice {
  std::size_t k_x = 1, k_y = 1;  ///< odd
  std::size_t b_x = 1, b_y = 1;  ///< floor(n / k_x), floor(m / k_y)
  double p_x = 0, p_y = 0;       ///< chance that a block of X, of Y is dirty
  double p = 0;                  ///< the worse of the two for mom, that of a pair otherwise
  std::vector<std::string> warnings;
};

/// The default K: floor(n / B) made odd (one less if even), with B = max(2, min(floor(1 / sqrt(2 tau)),
/// floor(0.51 / -ln(1 - tau)))): Prop. 4's block size, capped so that p <= 0.4; B = 1 for tau > 0.225, where
/// two rows are too many. K = 1 for a sample without outliers. mom takes each sample's own tau; mou and
/// mou-diag the pair's, 1 - (1 - tau_x)(1 - tau_y), which keeps a pair's p below 0.4; mou-diag one K =
/// min(K_X, K_Y). In a sample of few blocks (K <= 2 B) dropping to an odd K makes blocks larger than B: where
/// that breaks p <= 0.4, K goes up instead. p > 0.4 remains possible for tau > 0.4, for mou and mou-diag when
/// both samples are dirty, and for mou-diag when n != m: see warnings.
[[nodiscard]] BlockChoice choose_blocks(Estimator estimator, std::size_t n, std::size_t m, double tau_x,
                                        double tau_y);

// ------------------------------------------------------------------------- outliers they withstand

/// The most outliers in each sample with which the clean blocks keep their majority ...
struct Tolerance {
  PerSample<std::size_t> worst_case{};  ///< ... wherever the outliers fall (proof of Prop. 4)
  PerSample<std::size_t> on_average{};  ///< ... when blocks are drawn at random: p < 1/2
};

/// The most outliers that K blocks withstand. For mom X and Y stand each for itself; for mou and mou-diag
/// the two grow together in the ratio of tau_x n to tau_y m (of n to m if both tau are 0).
[[nodiscard]] Tolerance tolerance(Estimator estimator, PerSample<std::size_t> k, std::size_t n, std::size_t m,
                                  double tau_x, double tau_y);

// ---------------------------------------------------------------------------- bounds of the paper

/// What the constants of Prop. 5 and Theorem 6 depend on besides n, m and tau.
/// C_1 adds the number 2 to a length: bounds depend on the unit of length, which is that of C_L.
struct BoundOptions {
  std::size_t d = 2;
  double diameter = 1;  ///< of the compact set that holds the inliers, Assumption 1 (ass:contamination), > 0
  double c_l = 1;       ///< entropy constant of the Lipschitz ball, >= 0; the paper leaves it open
  double delta = 0.05;  ///< chance of failure for Prop. 5, in (0, 1)
  /// Assumption 3 (ass:nO): n_O <= C_O^2 n^alpha_O, 0 <= alpha_O < 1, C_O >= 1. Unset: the pair that
  /// fits n_O = tau n and makes the bound smallest.
  std::optional<double> alpha_o = {};
  std::optional<double> c_o = {};
  double beta = 1;  ///< Theorem 6 (thm:expectation), in [0, 1], above alpha_o
};

/// An upper bound that the paper proves, or the reason why it proves none here. The K it speaks
/// about is BlockRule::prop4's.
struct Bound {
  std::string statement;                 ///< "Prop. 5 (prop:appli_dev)"
  std::string bounded;                   ///< "W(mu_MoM, mu)"
  std::optional<double> value = {};      ///< none when a hypothesis fails
  std::optional<double> log_delta = {};  ///< ln of the chance of failure that comes with the value (Prop. 5)
  bool vacuous = false;                  ///< the value is no smaller than the diameter: true without any data
  std::vector<std::string> notes;        ///< plain words: what fails, what the value stands for
};

/// Prop. 5: |W_MoM - W| <= the sum over both samples of C_1 n^(-1/(d+2)) + C_2 sqrt(ln(1/delta) / n), each at
/// delta / 2 (triangle inequality, Section 3.2). It admits only delta <= exp(-4 n sqrt(2 tau)); a larger one
/// is replaced by that (and noted), which is the best the proposition says at the level asked.
[[nodiscard]] Bound prop5_mom(std::size_t n, std::size_t m, double tau_x, double tau_y,
                              const BoundOptions& options = {});
/// |W_MoU-diag - W|, for n = m and tau_x + tau_y < 1/2.
[[nodiscard]] Bound prop5_mou_diag(std::size_t n, std::size_t m, double tau_x, double tau_y,
                                   const BoundOptions& options = {});

/// Theorem 6: E |W_MoM - W| <= the sum over both samples. tau = 0 is not covered (kappa_2 divides by it).
[[nodiscard]] Bound theorem6_mom(std::size_t n, std::size_t m, double tau_x, double tau_y,
                                 const BoundOptions& options = {});
/// E |W_MoU-diag - W| <= kappa' n^(-1/(d+2)), stated for beta = 1 and alpha_O <= d/(d+2) only.
[[nodiscard]] Bound theorem6_mou_diag(std::size_t n, std::size_t m, double tau_x, double tau_y,
                                      const BoundOptions& options = {});

// ------------------------------------------------------------------------------------------ advice

struct AdviseOptions {
  std::size_t n = 500;
  std::size_t m = 0;  ///< 0: as many as n
  PerSample<double> tau{0.1, 0.1};
  std::optional<Estimator> estimator = {};  ///< unset: mom, mou and mou-diag
  BoundOptions bounds{};                    ///< d, diameter, C_L, delta, ...
};

/// What happens to the majority of clean blocks under the outliers that are expected.
enum class Majority {
  always,      ///< kept wherever the outliers fall
  on_average,  ///< kept on average, with room: p <= 0.4
  barely,      ///< kept on average, without room: 0.4 < p < 1/2
  lost,        ///< p >= 1/2
};

template <>
inline constexpr auto names<Majority> = names_in_order<Majority>("always", "on average", "barely", "lost");

/// One rule for K and what comes with it.
struct RuleAdvice {
  BlockRule rule = BlockRule::motmot_default;
  BlockChoice blocks;  ///< K, B, p; warnings only for the default rule
  /// How far the value moves when all outliers fall on one side, if phi has a robust sd of 1 in both samples
  /// and block means are near Gaussian.
  double bias = 0;
  Tolerance tolerance;  ///< outliers withstood
  Majority majority = Majority::lost;
};

struct EstimatorAdvice {
  Estimator estimator = Estimator::mom;
  Admission admission;
  std::vector<RuleAdvice> rules;    ///< in the order of names<BlockRule>; the first is recommended
  double gamma_x = 1, gamma_y = 1;  ///< Gamma of tau_x and tau_y; of the estimator's own tau for pairs
  std::vector<Bound> bounds;        ///< Prop. 5, Theorem 6; empty for mou: the paper proves none
};

struct Advice {
  AdviseOptions options;
  PerSample<std::size_t> expected{};  ///< outliers: tau_x n, tau_y m, to the nearest
  std::vector<EstimatorAdvice> estimators;
};

/// Everything above for one situation.
[[nodiscard]] Advice advise(const AdviseOptions& options);

/// The advice in words, for a terminal of 100 columns (up to 10^5 rows): a table of the rules for K per
/// estimator, the bounds of the paper in plain words, what the columns mean. Ends with a newline.
[[nodiscard]] std::string text(const Advice& advice);

}  // namespace motmot
