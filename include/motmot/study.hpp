/// The study of Section 4.2 and supplement B, from nothing: Figures 2 to 5, and one the paper could not make.
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
#include <string>
#include <vector>

#include "motmot/base.hpp"
#include "motmot/blocks.hpp"
#include "motmot/data.hpp"

namespace motmot {

enum class Study {
  error,        ///< Figures 2 and 4: absolute deviation over K, the paper's network
  convergence,  ///< Figures 3 and 5: value over epochs, the paper's network
  breakdown,    ///< ours: error in % of the inliers' W1, exact critic, peers beside it
};

template <>
inline constexpr auto names<Study> = std::to_array<Named<Study>>({{"error", Study::error},
                                                                  {"convergence", Study::convergence},
                                                                  {"breakdown", Study::breakdown}});

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
  std::string folder{};     ///< where finished cells are kept; empty: nowhere
  Progress progress{};
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
/// Errc::io when another process is writing there or when the file was damaged.
[[nodiscard]] StudyResult run_study(const StudyOptions& options);

/// Adds measurements that other programs made on the same data (methods "pot-partial", ...): a CSV file with
/// the columns that study_csv() writes. Throws Errc::io where rows are not of this study's grid.
void add_peers(StudyResult& result, const std::string& path);

// ------------------------------------------------------------------------------------------- claims

enum class Finding { holds, does_not_hold, holds_only_if };

template <>
inline constexpr auto names<Finding> =
    std::to_array<Named<Finding>>({{"holds", Finding::holds},
                                   {"does not hold", Finding::does_not_hold},
                                   {"holds only if", Finding::holds_only_if}});

/// A sentence of Section 4.2, or of its supplement, and what came out.
struct Claim {
  std::string quote{};
  std::string test{};      ///< what would make it true, with the threshold
  std::string measured{};  ///< the numbers
  Finding verdict{};
  std::string condition{};  ///< holds only if: this
};

/// The claims that this study can judge from the cells it has; those it has no cells for are left out.
[[nodiscard]] std::vector<Claim> check_claims(const StudyResult& result);

}  // namespace motmot
