/// The front door: robust estimates of the 1-Wasserstein distance between two samples.
///
///   const Distance w = distance(x, y, {.tau_x = 0.1, .tau_y = 0.1});
///   w.value, w.error_bar     the distance in the data's own units, and what outliers may have done to it
///   w.plain                  the distance without any robustness
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motmot/base.hpp"
#include "motmot/blocks.hpp"
#include "motmot/critics.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// The family of functions that the supremum runs over.
enum class CriticKind {
  automatic,  ///< exact, lipschitz or both, by n, m and d alone: see choose_critic()
  exact,  ///< all 1-Lipschitz functions, by exact transport. In the data's units; estimates the distance of
          ///< the samples, which in high dimension exceeds that of the laws they come from.
  lipschitz,  ///< 1-Lipschitz networks. In the data's units; estimates the distance of the laws, from below.
  clipped,    ///< the paper's network with clipped weights, on raw data. Its value is the distance times an
              ///< unknown constant: compare such values with each other only, at equal settings.
};

template <>
inline constexpr auto names<CriticKind> =
    std::to_array<Named<CriticKind>>({{"auto", CriticKind::automatic},
                                      {"exact", CriticKind::exact},
                                      {"lipschitz", CriticKind::lipschitz},
                                      {"clipped", CriticKind::clipped}});

/// What a value estimates.
enum class Target {
  empirical,   ///< the distance between the two samples' inliers
  population,  ///< the distance between the laws that the inliers come from
  unknown,     ///< a distance times an unknown constant
};

template <>
inline constexpr auto names<Target> = std::to_array<Named<Target>>({{"empirical", Target::empirical},
                                                                    {"population", Target::population},
                                                                    {"unknown", Target::unknown}});

struct DistanceOptions {
  Estimator estimator = Estimator::mom;
  CriticKind critic = CriticKind::automatic;
  Scheme scheme = Scheme::shuffle;
  std::size_t k_x = 0;    ///< blocks of X, 1 <= k_x <= n (any number for swor and pairs); 0: chosen from tau
  std::size_t k_y = 0;    ///< blocks of Y; must equal k_x for mou_diag
  std::size_t b_x = 0;    ///< swor: rows per block of X, 1 <= b_x <= n; 0: floor(n / k_x)
  std::size_t b_y = 0;    ///< swor: rows per block of Y
  std::size_t pairs = 0;  ///< pairs: pairs per block (M); 0: floor(min(n, m) / K)
  double tau_x = 0.1;     ///< assumed share of outliers in X, in [0, 1/2); chooses k_x when that is 0
  double tau_y = 0.1;     ///< the same for Y
  bool tau_auto = false;  ///< look for tau_x and tau_y in the data; critic exact only
  std::span<const double> weights_x{};  ///< row weights, >= 0, any sum; estimator plain only
  std::span<const double> weights_y{};
  std::size_t read_out = 500;  ///< fresh draws of blocks that the value is a mean over (exact, lipschitz)
  bool certify = false;        ///< also compute lower, upper and fixed_partition_value
  bool keep_rows = false;      ///< also fill Distance::rows_x and rows_y
  MlpOptions mlp{};
  AscentOptions ascent{};
  std::uint64_t seed = 0;   ///< the run is a function of the data, the options and this
  std::size_t threads = 0;  ///< 0: all cores. Changes the time, never the bits.
  double time_limit = 0;    ///< seconds after which the best answer so far is given, flagged; 0: none
  Progress progress{};
};

/// Which critics `automatic` takes for n x m rows of d columns, and why. A fixed function: the clock, the
/// load and the number of cores have no say.
struct CriticChoice {
  CriticKind primary = CriticKind::exact;  ///< gives Distance::value
  bool population_too = false;             ///< the lipschitz critic beside it
  std::string why{};
};
[[nodiscard]] CriticChoice choose_critic(std::size_t n, std::size_t m, std::size_t d);

/// What is known of one sample's rows.
struct RowDiagnostics {
  std::vector<double> phi{};        ///< the critic's value
  std::vector<double> frequency{};  ///< how often the row carried the median; sums to 1; empty for lipschitz
  std::vector<bool> dropped{};      ///< left out by trim
};

/// The distance of the laws, where that was estimated beside the distance of the samples.
struct PopulationEstimate {
  double value = 0;
  double sd = 0;
  double lipschitz = 1;
  std::optional<double> held_out{};
  bool settled = false;
};

/// A value, what bounds it, and how the run went. Unset: not computed. Lengths are in the data's units, but
/// for CriticKind::clipped.
struct Distance {
  double value = 0;
  double sd = 0;  ///< over fresh partitions; for clipped over the tail of the ascent
  Target target = Target::unknown;
  std::optional<double> error_bar{};       ///< how far outliers and skew may have moved the value, given tau
  std::optional<double> corrected{};       ///< value without the shift that outlying rows explain
  std::optional<double> plain{};           ///< exact W1 of all rows: what outliers ruin
  std::optional<double> trim{};            ///< exact W1 without the rows that look like outliers
  std::optional<double> partial{};         ///< certified lower bound of the inliers' W1, given tau
  std::optional<double> lower{}, upper{};  ///< proved bracket of the estimator on one fixed partition ...
  std::optional<double> fixed_partition_value{};  ///< ... on which the critic has this value
  std::optional<double> stationarity_gap{};       ///< of the value; exact: what one more step could promise
  std::optional<double> lipschitz{};              ///< certified Lipschitz constant of the critic
  std::optional<double> held_out{};               ///< value on rows that the critic was not fitted on; d >= 5
  std::optional<PopulationEstimate> population{};
  double scale = 1;  ///< the samples were divided by this, and the value multiplied again
  Estimator estimator{};
  CriticKind critic_kind{};
  std::string why_critic{};  ///< why `automatic` took it; empty otherwise
  Scheme scheme{};
  std::size_t k_x = 0, k_y = 0, b_x = 0, b_y = 0;
  double tau_x = 0, tau_y = 0;
  std::string why_tau{};  ///< how tau_auto came to them; empty otherwise
  std::size_t n = 0, m = 0, d = 0;
  std::size_t trimmed_x = 0, trimmed_y = 0;  ///< rows that trim left out
  std::size_t steps = 0;                     ///< of the ascent
  std::size_t solves = 0;                    ///< exact: transport problems solved for the value
  bool settled = false;                      ///< the value no longer moves
  bool stopped = false;                      ///< ended early, by time_limit or progress
  double seconds = 0;
  std::size_t threads = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> warnings{};
  std::vector<double> trace{};  ///< clipped and lipschitz: the value of every step, if asked for
  RowDiagnostics rows_x{}, rows_y{};
  std::optional<Critic> critic{};
};

/// The estimator of Definition 2 (def:estimators) between the rows of x and of y.
/// Every complaint (shapes, options, non-finite data) is thrown before any work.
/// Cost: exact, a few exact transport problems of n x m; lipschitz, one evaluation of the network per step on
/// at most some 8000 rows; clipped (Algorithms 1, 3 and 4), one on n + m rows, whatever K is.
[[nodiscard]] Distance distance(PointsView x, PointsView y, const DistanceOptions& options = {});

}  // namespace motmot
