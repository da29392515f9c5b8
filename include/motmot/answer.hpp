/// The front door: robust estimates of the 1-Wasserstein distance between two samples.
///
///   const Distance w = distance(x, y, {.tau = {0.1, 0.1}});
///   w.value, w.error_bar     the distance in the data's own units, and what outliers may have done to it
///   w.beside.plain           the distance without any robustness
///   w.bounds.partial         what it is not below, given tau
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/base.hpp"
#include "motmot/blocks.hpp"
#include "motmot/critics.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// What the command and Python call these options is their name here (fields.hpp has the list, with help).
struct DistanceOptions {
  Estimator estimator = Estimator::mom;
  CriticKind critic = CriticKind::automatic;
  /// Largest share of outliers in each sample, in [0, 1/2). Chooses the blocks.
  PerSample<double> tau{0.1, 0.1};
  bool tau_auto = false;  ///< look for tau in the data instead; critic exact only
  Scheme scheme = Scheme::shuffle;
  PerSample<std::size_t> blocks{};      ///< K, at most the rows (any number for swor, pairs); 0: from tau
  PerSample<std::size_t> block_size{};  ///< swor: rows per block; 0: floor(n / K)
  std::size_t pairs = 0;                ///< pairs: pairs per block (M); 0: floor(min(n, m) / K)
  PerSample<std::span<const double>> weights{};  ///< of rows, >= 0, any sum; estimator plain only
  std::size_t read_out = 500;  ///< fresh draws of blocks that the value is a mean over, >= 1 (not clipped)
  bool network = false;        ///< also estimate the distance of the laws by a 1-Lipschitz network
  bool certify = false;        ///< also prove a bracket on one fixed partition
  bool keep_rows = false;      ///< also fill Distance::rows
  AscentOptions ascent{};      ///< of the networks
  std::uint64_t seed = 0;      ///< the run is a function of the data, the options and this
  std::size_t threads = 0;     ///< 0: all cores. Changes the time, never the bits.
  double time_limit = 0;       ///< seconds after which the best answer so far is given, flagged; 0: none
  Progress progress{};
};

/// The distance of the laws, where a network estimated it beside the distance of the samples.
struct NetworkEstimate {
  double value = 0;
  double sd = 0;                     ///< over fresh draws of blocks
  double lipschitz = 1;              ///< certified Lipschitz constant of the network
  std::optional<double> held_out{};  ///< value on rows that a network of its own was not fitted on; d >= 5
  bool settled = false;
};

/// Other values, to compare with.
struct Beside {
  std::optional<double> plain{};             ///< exact W1 of all rows: what outliers ruin
  std::optional<double> trim{};              ///< exact W1 without the rows that look like outliers ...
  PerSample<std::size_t> trimmed{};          ///< ... which are so many
  std::optional<double> corrected{};         ///< value without the shift that outlying rows explain
  std::optional<double> held_out{};          ///< lipschitz: value on rows not fitted on; d >= 5
  std::optional<NetworkEstimate> network{};  ///< DistanceOptions::network
};

/// What holds for certain, and under which assumption.
struct Bounds {
  /// The inliers' W1 is not below this if at most the shares tau of the rows are outliers.
  std::optional<double> partial{};
  /// Proved, whatever the outliers: the estimator on one fixed partition lies in [lower, upper] ...
  std::optional<double> lower{}, upper{};
  std::optional<double> fixed_partition_value{};  ///< ... where the fitted critic has this value
  std::optional<double> lipschitz{};              ///< certified Lipschitz constant of the critic
};

/// How the question was understood: the options with every choice made.
struct Asked {
  Estimator estimator{};
  CriticKind critic{};       ///< never automatic
  std::string why_critic{};  ///< why `automatic` took it; empty otherwise
  PerSample<double> tau{};
  std::string why_tau{};  ///< how tau_auto came to it; empty otherwise
  Scheme scheme{};
  PerSample<std::size_t> blocks{}, block_size{};
  double scale = 1;  ///< the samples were divided by this, and the value multiplied again
  std::size_t n = 0, m = 0, d = 0;
  std::uint64_t seed = 0;
};

/// How the run went.
struct RunReport {
  bool settled = false;         ///< the value no longer moves
  bool stopped = false;         ///< ended early, by time_limit or progress
  std::optional<double> gap{};  ///< exact: what one more step could promise, as a share of the value
  std::size_t solves = 0;       ///< exact: transport problems solved for the value
  std::size_t steps = 0;        ///< of the ascent
  double seconds = 0;
  std::size_t threads = 0;
  std::vector<std::string> warnings{};
  std::vector<double> trace{};  ///< lipschitz and clipped: the value of every step, if asked for
};

/// What is known of one sample's rows.
struct RowDiagnostics {
  std::vector<double> phi{};        ///< the critic's value
  std::vector<double> frequency{};  ///< how often the row carried the median; sums to 1; exact only
  std::vector<bool> dropped{};      ///< left out by trim
};

/// The answer; other values beside it; what bounds it; how it was asked; how the run went. Unset: not
/// computed. Lengths are in the data's units, but for CriticKind::clipped.
struct Distance {
  double value = 0;                     ///< never below 0
  double sd = 0;                        ///< over fresh partitions; for clipped over the tail of the ascent
  std::optional<double> error_bar{};    ///< how far outliers and skew may have moved the value, given tau
  std::optional<double> low{}, high{};  ///< value -+ error_bar; low is never below 0
  Target target = Target::unknown;
  Beside beside{};
  Bounds bounds{};
  Asked asked{};
  RunReport run{};
  PerSample<RowDiagnostics> rows{};  ///< DistanceOptions::keep_rows
  std::optional<Critic> phi{};       ///< the fitted critic; none for weighted rows
};

/// The estimator of Definition 2 (def:estimators) between the rows of x and of y.
/// Every complaint (shapes, options, non-finite data) is thrown before any work.
/// Exchanging x and y (and what the options say of them) gives the same value, bit for bit, but for
/// CriticKind::clipped, whose ascent starts from random weights: there it is another run.
/// Cost: exact, a few exact transport problems of n x m; lipschitz, one evaluation of the network per step on
/// at most some 8000 rows; clipped (Algorithms 1, 3 and 4), one on n + m rows, whatever K is.
[[nodiscard]] Distance distance(PointsView x, PointsView y, const DistanceOptions& options = {});

/// Which critic `automatic` takes for n x m rows, and why. A fixed function: the clock, the load and the
/// number of cores have no say.
struct CriticChoice {
  CriticKind critic = CriticKind::exact;
  std::string why{};
};
[[nodiscard]] CriticChoice choose_critic(std::size_t n, std::size_t m);

/// Where an option (by its name in fields.hpp, or "trace") would change nothing for n x m rows: what it is
/// for, as the end of a sentence. Empty where it has a use. The front doors refuse options without one:
/// whoever gave them believes that they do something.
[[nodiscard]] std::string useless(std::string_view option, const DistanceOptions& options, std::size_t n,
                                  std::size_t m);

}  // namespace motmot
