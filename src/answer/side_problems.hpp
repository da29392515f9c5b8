/// The exact problems whose answers stand beside the value: plain, trim, partial. All on scaled points.
#pragma once

#include <optional>

#include "critics/exact_fit.hpp"
#include "motmot/answer.hpp"
#include "motmot/inference.hpp"

namespace motmot {

struct Job;

struct SideAnswers {
  std::optional<double> plain{}, trim{}, partial{};
  TrimmedRows x{}, y{};  ///< the rows that trim leaves out
  bool stopped = false;  ///< by the progress callback
};

/// plain and partial, before the critic is known. Returns the potentials of partial transport: it leaves out
/// what medians of means leave out, so they are close to the critic that is looked for. None where partial
/// transport would take too long or points lie too far out for its potentials to be precise.
std::optional<ExactStart> solve_ahead(const Job& job, const Points& x, const Points& y, SideAnswers& known);

/// What is not known yet, from the critic's values on the rows.
void solve_rest(const Job& job, const Points& x, const Points& y, const Distance& result, SideAnswers& known);

}  // namespace motmot
