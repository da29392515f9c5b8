/// The non-parametric critic `exact`: the supremum over all 1-Lipschitz functions of the mean value over
/// partitions (Definition 2 with reshuffled blocks), by Frank-Wolfe on exact transport or, for samples too
/// large for that, by Adam on the semi-dual.
#pragma once

#include <optional>
#include <vector>

#include "base/threads.hpp"
#include "blocks/sampler.hpp"
#include "motmot/blocks.hpp"
#include "motmot/data.hpp"
#include "motmot/transport.hpp"

namespace motmot {

enum class ExactPath {
  automatic,    ///< Frank-Wolfe up to exact_pairs_limit pairs, Adam beyond
  frank_wolfe,  ///< one exact weighted transport a step, usually two steps
  adam,         ///< semi-dual ascent: n m work a step, hundreds of steps
};

/// n m beyond which exact transport gives way to Adam. A solve at this size takes minutes.
inline constexpr double exact_pairs_limit = 2.5e9;

/// A critic to start from, and a plan between the samples that says how good it is for new weights.
struct ExactStart {
  std::vector<double> phi_y;    ///< values on Y; those on X are the highest that they allow
  std::vector<PlanEntry> plan;  ///< of a transport problem like the weighted ones to come
};

struct ExactTask {
  PointsView x, y;  ///< centred and scaled robustly by the caller, finite, of one dimension
  Estimator estimator = Estimator::mom;
  BlockPlan plan{};
  std::uint64_t seed = 0;
  std::size_t read_out = 500;  ///< fresh partitions that the value is the mean over
  ExactPath path = ExactPath::automatic;
  std::size_t most_solves = 8;  ///< exact solves at most
  double gap_tolerance = 1e-3;  ///< of the value: a smaller stationarity gap ends the ascent
  std::size_t stored_costs = std::size_t{1} << 30;  ///< bytes for stored costs
  /// For Frank-Wolfe, taken where only one sample has remote rows. Without it, and where it leads to no
  /// stationary critic, a linear function and one exact solve are the start.
  const ExactStart* start = nullptr;
};

struct ExactFit {
  std::vector<double> phi_x, phi_y;  ///< the critic on the rows
  std::vector<double> g;             ///< phi(x) = min_j (|x - y_j| - g_j)
  double value = 0;                  ///< mean over the fresh partitions; the exact cost when K_X = K_Y = 1
  double sd = 0;                     ///< over them
  /// (W1(w) - <w, phi>) / value at the last exact solve, w the median-block frequencies: how much a step
  /// towards the best response could still promise. Local, since the objective is not concave; the noise of
  /// w alone gives 1e-3 or so. Unset where no exact solve was made.
  std::optional<double> stationarity_gap;
  std::size_t solves = 0;        ///< exact transport problems solved, the start's among them
  std::size_t ascent_steps = 0;  ///< of Adam
  bool settled = false;          ///< no direction tried improves the value any more, and the gap is below 1 %
  bool stopped = false;          ///< by the progress callback
  std::vector<double> w_x, w_y;  ///< how often a row carries the median; each sums to 1
};

/// Same task, same bits, for any team. A row further than `reach` from the centre counts as that far.
ExactFit fit_exact(const ExactTask& task, Team& team, const Progress& progress = {});

}  // namespace motmot
