/// Results for people and for programs.
#pragma once

#include <string>

#include "motmot/estimate.hpp"

namespace motmot {

/// A short, aligned summary that says in words what the number means and what it does not.
[[nodiscard]] std::string estimate_text(const Estimate& estimate);

/// One JSON object. Names of fields are stable; what was not computed is null. Leaves out trace and critic.
[[nodiscard]] std::string estimate_json(const Estimate& estimate);

/// "step,epoch,value" and a line per step; an epoch is max(K_X, K_Y) steps. Needs a kept trace.
[[nodiscard]] std::string trace_csv(const Estimate& estimate);

}  // namespace motmot
