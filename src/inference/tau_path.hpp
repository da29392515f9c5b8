/// tau from the data.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "motmot/base.hpp"

namespace motmot {

/// What one value of tau gave.
struct TauProbe {
  double value = 0;                  ///< robust W1 with that tau for both samples
  PerSample<std::size_t> dropped{};  ///< rows that look like outliers to the critic fitted with that tau
};

struct TauPathOptions {
  std::size_t n = 0, m = 0;                                       ///< rows
  std::vector<double> path{0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2};  ///< ascending, in [0, 1/2)
  /// A value is on the plateau when the next one is within this share of it (the bias law moves it a little).
  double tolerance = 0.05;
  PerSample<char> names{'X', 'Y'};  ///< of the samples, for the sentence
};

struct TauChoice {
  PerSample<double> tau{};
  bool sure = false;             ///< both signs agree: rows dropped, and the plateau
  std::string how;               ///< one sentence
  std::vector<double> tried;     ///< ascending
  std::vector<TauProbe> probes;  ///< what they gave
};

/// Chooses tau from the data: `probe` is asked for taus of the path, from the largest down, and no more often
/// than needed; a probe without an answer (the run was stopped) ends the search. Two signs are compared: the
/// share of rows that look like outliers to the most robust critic, with room for chance, and the smallest
/// tau from which the value no longer moves.
[[nodiscard]] TauChoice choose_tau(const std::function<std::optional<TauProbe>(double tau)>& probe,
                                   const TauPathOptions& options);

}  // namespace motmot
