/// The front door: robust estimates of the 1-Wasserstein distance between two samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/base.hpp"
#include "motmot/blocks.hpp"
#include "motmot/critics.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// The family of functions that the supremum runs over.
enum class CriticKind {
  clipped,  ///< the paper's network with clipped weights, on raw data. Its value is the distance times an
            ///< unknown constant: compare such values with each other only, at equal settings.
};

[[nodiscard]] std::string_view name(CriticKind kind) noexcept;

struct EstimateOptions {
  Estimator estimator = Estimator::mom;
  CriticKind critic = CriticKind::clipped;
  Scheme scheme = Scheme::shuffle;
  std::size_t k_x = 0;    ///< blocks of X, 1 <= k_x <= n (any number for swor and pairs); 0: chosen from tau
  std::size_t k_y = 0;    ///< blocks of Y; must equal k_x for mou_diag
  std::size_t b_x = 0;    ///< swor: rows per block of X, 1 <= b_x <= n; 0: floor(n / k_x)
  std::size_t b_y = 0;    ///< swor: rows per block of Y
  std::size_t pairs = 0;  ///< pairs: pairs per block (M); 0: floor(min(n, m) / K)
  double tau_x = 0.1;     ///< assumed share of outliers in X, in [0, 1/2); read when k_x = 0
  double tau_y = 0.1;     ///< the same for Y
  MlpOptions mlp{};
  AscentOptions ascent{};
  std::uint64_t seed = 0;   ///< the run is a function of the data, the options and this
  std::size_t threads = 0;  ///< 0: all cores. Changes the time, never the bits.
  Progress progress{};
};

/// A value, what was done to get it, and how the run went.
struct Estimate {
  double value = 0;               ///< for CriticKind::clipped in units of an unknown constant
  double sd = 0;                  ///< of the value over the tail of the ascent
  std::optional<double> plain{};  ///< the non-robust distance, where it was computed
  Estimator estimator{};
  CriticKind critic_kind{};
  Scheme scheme{};
  std::size_t k_x = 0, k_y = 0, b_x = 0, b_y = 0;
  double tau_x = 0, tau_y = 0;
  std::size_t n = 0, m = 0, d = 0;
  std::size_t steps = 0;
  bool settled = false;  ///< the mean of the tail no longer moves
  bool stopped = false;  ///< ended early by the progress callback
  double seconds = 0;
  std::size_t threads = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> warnings{};
  std::vector<double> trace{};  ///< the value of every step, if asked for
  std::optional<Critic> critic{};
};

/// The estimator of Definition 2 (def:estimators) between the rows of x and of y, by Algorithms 1, 3 and 4.
/// Every complaint (shapes, options, non-finite data) is thrown before any work.
/// Cost per step: one evaluation of the network on n + m rows, whatever K is.
[[nodiscard]] Estimate robust_w1(PointsView x, PointsView y, const EstimateOptions& options = {});

}  // namespace motmot
