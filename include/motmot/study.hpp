/// The study of Section 4.2 and supplement B, from nothing: Figures 2, 3, 5 and 6, and one the paper could
/// not make.
///
///   const StudyResult r = run_study(quick_study(Study::error));
///   r.summary                 means and quartiles over repetitions, what the figures draw
///   check_claims(r)           what Section 4.2 says of them, and whether it holds
///
/// A study is a grid of cells (data, share of outliers, method, K, repetition). Cells run in parallel, one
/// thread each, and every cell is a function of the settings alone: any number of threads, any interruption
/// and any order give the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "motmot/base.hpp"
#include "motmot/blocks.hpp"
#include "motmot/communicator.hpp"
#include "motmot/data.hpp"
#include "motmot/theory.hpp"

namespace motmot {

enum class Study {
  error,        ///< Figures 2 and 5: absolute deviation over K, the paper's network
  convergence,  ///< Figures 3 and 6: value over epochs, the paper's network
  breakdown,    ///< ours: error in % of the inliers' W1, exact critic, peers beside it
};

template <>
inline constexpr auto names<Study> = names_in_order<Study>("error", "convergence", "breakdown");

struct StudyOptions {
  Study study = Study::error;
  std::vector<Toy> data{};               ///< >= 1
  std::vector<double> tau{};             ///< shares of outliers in X (for Toy::both also in Y), in [0, 1/2)
  std::vector<std::size_t> blocks{};     ///< K_X = K_Y, 1 <= K <= n
  std::vector<Estimator> estimators{};   ///< not plain, which is K = 1
  std::size_t repetitions = 20;          ///< repetition r has the data of `motmot generate --seed seed + r`
  std::size_t n = 500;                   ///< rows of X and of Y
  std::vector<std::size_t> hidden{128};  ///< error, convergence: hidden layers; {128} is the paper's text
  std::size_t steps = 2000;              ///< error: of the ascent; convergence: at most so many
  std::size_t epochs = 1000;             ///< convergence: of K steps each, cut off by `steps`
  std::uint64_t seed = 0;
  std::size_t threads = 0;  ///< 0: all cores. Changes the time, never the bytes.
  /// Bytes that may be taken by all threads together: what is forecast to need more is refused before the
  /// work. 0: three quarters of what the machine or its control group has.
  std::uint64_t memory_limit = 0;
  std::string folder{};  ///< where finished cells are kept; empty: nowhere. Of several ranks the first one's.
  Progress progress{};
  Communicator* ranks = &alone();  ///< cells are spread over them
};

/// The whole grid: tau in {0, 0.01, 0.05, 0.1, 0.15}, K in {1, 10, 20, 30, 50, 70, 100, 125, 250}, 20
/// repetitions. breakdown has fewer K and more kinds of outliers.
[[nodiscard]] StudyOptions full_study(Study study);
/// The same figures from fewer repetitions, K and tau: under 40 seconds on two cores.
[[nodiscard]] StudyOptions quick_study(Study study);

/// One number of one repetition.
struct Measurement {
  Toy data{};
  double tau = 0;
  std::string method{};   ///< "mom", "mou", "mou-diag"; breakdown also "plain", "company", ...
  std::size_t k = 0;      ///< blocks; 1 for methods that have none, 0 for the default K of the true tau
  std::size_t epoch = 0;  ///< convergence only
  std::size_t repetition = 0;
  double value = 0;
  /// What the value should be. error, convergence: the value of the same network on the same inliers without
  /// outliers, at K = 1 and at the end of its run ("when MoM is not used"). breakdown: exact W1 of the
  /// inliers.
  double reference = 0;
};

/// The same settings over all repetitions: |value - reference| (error), the value (convergence),
/// 100 (value / reference - 1) (breakdown).
struct StudySummary {
  Toy data{};
  double tau = 0;
  std::string method{};
  std::size_t k = 0;
  std::size_t epoch = 0;
  std::size_t repetitions = 0;
  double mean = 0, sd = 0, q25 = 0, median = 0, q75 = 0;
  double reference = 0;  ///< mean
};

struct StudyResult {
  StudyOptions options{};  ///< progress left out
  std::vector<Measurement> measurements{};
  std::vector<StudySummary> summary{};  ///< in the order of the grid
  std::size_t cells = 0;                ///< of the grid
  std::size_t cells_done = 0;           ///< fewer when progress said stop: measurements is empty then
  std::size_t cells_reused = 0;         ///< of these, found in the folder
  [[nodiscard]] bool complete() const noexcept { return cells_done == cells; }
};

/// Runs what the folder does not hold yet. Finished cells are appended to a file there whose name has a
/// digest of the settings that a cell depends on, so that another grid, more repetitions or a run that was
/// killed re-use them, and other settings never do. Throws before any work on options that break a rule;
/// Errc::io when another process is writing there or when the file was damaged. Of several ranks the first
/// has the result; the others know how many cells they did.
[[nodiscard]] StudyResult run_study(const StudyOptions& options);

/// Bytes that run_study() takes at most: its largest cell on every thread, and what is kept of all cells.
/// Measured peaks are a third of it or more, but for the clipped network on many rows, which takes less
/// (docs/results-trust.md).
[[nodiscard]] double study_bytes(const StudyOptions& options);

/// Adds measurements that other programs made on the same data (methods "pot-partial", ...): a CSV file with
/// the columns that study_csv() writes. Throws Errc::io where rows are not of this study's grid.
void add_peers(StudyResult& result, const std::string& path);

// ------------------------------------------------------------------------------------------- claims

enum class Finding { holds, does_not_hold, holds_only_if };

template <>
inline constexpr auto names<Finding> = names_in_order<Finding>("holds", "does not hold", "holds only if");

/// A sentence of the paper, whole, and what came out.
struct Claim {
  std::string quote{};
  std::string test{};      ///< what would make it true, with the threshold
  std::string why{};       ///< why this threshold
  std::string measured{};  ///< the numbers
  std::size_t runs = 0;    ///< behind each number; 0: arithmetic
  bool beyond = false;     ///< more than the paper claims: the same question where it did not ask
  Finding verdict{};
  std::string condition{};  ///< holds only if: this
};

/// The claims that this study can judge from the cells it has; those it has no cells for are left out.
[[nodiscard]] std::vector<Claim> check_claims(const StudyResult& result);

// --------------------------------------------------------------------------------------------- rate
// Prop. 4 (prop:consistency) and Theorem 6 (thm:expectation) as experiments: what becomes of the error as n
// grows, through the front door.

/// Laws on balls (Assumption 1 wants inliers in a compact set) whose W1 is known in every dimension.
enum class RateLaw {
  same,    ///< both uniform on the unit ball: 0
  shift,   ///< Y moved by 1: 1
  spread,  ///< Y twice as wide: d / (d + 1), since |x| is a potential
};
template <>
inline constexpr auto names<RateLaw> = names_in_order<RateLaw>("same", "shift", "spread");

struct RateOptions {
  std::vector<RateLaw> laws{RateLaw::same, RateLaw::shift, RateLaw::spread};
  std::vector<std::size_t> d{1, 2, 5};
  std::vector<std::size_t> n{100, 242, 585, 1414, 3420, 8270, 20'000};  ///< rows of X and of Y, ascending
  std::vector<double> tau{0, 0.05};  ///< fixed shares of outliers in each sample, in [0, 1/4)
  std::vector<double> alpha{0.5};    ///< falling ones: floor(n^alpha) outliers, Assumption 3 with C_O = 1
  std::vector<Estimator> estimators{Estimator::company, Estimator::plain, Estimator::mom, Estimator::mou,
                                    Estimator::mou_diag};
  std::vector<BlockRule> rules{BlockRule::motmot_default, BlockRule::prop4, BlockRule::section42,
                               BlockRule::seventy, BlockRule::gan};
  std::size_t repetitions = 10;
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  std::uint64_t memory_limit = 0;  ///< as StudyOptions::memory_limit
  std::string folder{};
  Progress progress{};
  Communicator* ranks = &alone();  ///< as those of StudyOptions
};
/// Up to 1414 rows, in the plane, three repetitions: under a minute on two cores.
[[nodiscard]] RateOptions quick_rate();

/// How the number of outliers goes with n.
struct Outlying {
  bool falling = false;
  double number = 0;  ///< tau, or alpha where it falls
  [[nodiscard]] std::size_t count(std::size_t n) const;
  friend bool operator==(const Outlying&, const Outlying&) = default;
};

/// What is followed over n. Estimators without blocks have no rule.
struct RateLine {
  RateLaw law{};
  std::size_t d = 0;
  Outlying outliers{};
  Estimator estimator{};
  std::optional<BlockRule> rule{};
};

struct RatePoint {
  std::size_t n = 0, k_x = 1, k_y = 1;
  std::vector<double> errors{};  ///< |value - W1 of the laws|, one for each repetition
  double mean = 0, q25 = 0, median = 0, q75 = 0;
  /// Theorem 6 with C_L = 1 and the ball's diameter: rule prop4 of mom and mou-diag, tau > 0.
  std::optional<double> bound{};
  bool vacuous = false;  ///< the bound is no smaller than the diameter
};

/// mean error ~ n^slope by least squares of logarithms, with the 95 % interval of 1000 resamples of the
/// repetitions; needs two n.
struct RateFit {
  double slope = 0, low = 0, high = 0;
};

struct RateCurve {
  RateLine line{};
  std::vector<RatePoint> points{};
  std::optional<RateFit> fit{};
  /// How fast the bound falls as Theorem 6 prints it, min(1 / (d + 2), (1 - alpha) / 2): kappa_2 counted as a
  /// constant. Where the theorem speaks and the outliers are fewer and fewer.
  std::optional<double> printed_exponent{};
  /// How fast it falls: kappa_2 holds tau^(-1/4), and tau = n^(alpha - 1) goes to 0. min(1 / (d + 2), (1 -
  /// alpha) / 4) for mom; 1 / (d + 2) - (1 - alpha) / 4 for mou-diag, whose bound is printed as one term.
  std::optional<double> exponent{};
  std::optional<double> informative_from{};  ///< the least power of ten n from which the bound is not vacuous
};

struct RateResult {
  RateOptions options{};  ///< progress left out
  std::vector<RateCurve> curves{};
  std::size_t cells = 0, cells_done = 0, cells_reused = 0;
  [[nodiscard]] bool complete() const noexcept { return cells_done == cells; }
};

[[nodiscard]] double law_w1(RateLaw law, std::size_t d);
/// Of a ball that holds the inliers of both samples.
[[nodiscard]] double law_diameter(RateLaw law);

/// As run_study(): cells survive an interruption and do not depend on threads.
[[nodiscard]] RateResult run_rate(const RateOptions& options);
/// As study_bytes().
[[nodiscard]] double rate_bytes(const RateOptions& options);
[[nodiscard]] std::vector<Claim> check_rate_claims(const RateResult& result);

// ------------------------------------------------------------------------------------------ schemes
// Section 3.1: ways to draw blocks compared, by error, spread and cost over K and the size of a block.

struct SchemesOptions {
  std::vector<RateLaw> laws{RateLaw::shift, RateLaw::spread};
  std::vector<Estimator> estimators{Estimator::mom, Estimator::mou, Estimator::mou_diag};
  std::vector<Scheme> schemes{Scheme::partition, Scheme::shuffle, Scheme::swor, Scheme::pairs};
  std::vector<std::size_t> blocks{51, 101, 201};  ///< K_X = K_Y
  std::vector<double> sizes{0.5, 1, 2};           ///< swor, pairs: rows (pairs) in a block, times n / K
  std::size_t n = 500, d = 2;
  double tau = 0.02;  ///< share of outliers in each sample, as in a rate study
  std::size_t repetitions = 20;
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  std::uint64_t memory_limit = 0;  ///< as StudyOptions::memory_limit
  std::string folder{};
  Progress progress{};
  Communicator* ranks = &alone();  ///< as those of StudyOptions
};
[[nodiscard]] SchemesOptions quick_schemes();

/// One way to draw blocks, over all repetitions. Through the front door with the exact critic.
struct SchemeSummary {
  RateLaw law{};
  Estimator estimator{};
  Scheme scheme{};
  std::size_t k = 0, size = 0;
  std::size_t repetitions = 0;
  double error = 0;       ///< mean of 100 (value / W1 of the inliers - 1)
  double between = 0;     ///< sd of these errors from sample to sample
  double over_draws = 0;  ///< mean sd of the value over draws of blocks, in % of W1; 0 for one partition
  std::vector<double> draw_sds{};  ///< the same for each repetition
  double seconds = 0;              ///< mean CPU time: the one number here that depends on the machine
};

struct SchemesResult {
  SchemesOptions options{};  ///< progress left out
  std::vector<SchemeSummary> summary{};
  std::size_t cells = 0, cells_done = 0, cells_reused = 0;
  [[nodiscard]] bool complete() const noexcept { return cells_done == cells; }
};

[[nodiscard]] SchemesResult run_schemes(const SchemesOptions& options);
/// As study_bytes().
[[nodiscard]] double schemes_bytes(const SchemesOptions& options);
[[nodiscard]] std::vector<Claim> check_schemes_claims(const SchemesResult& result);

}  // namespace motmot
