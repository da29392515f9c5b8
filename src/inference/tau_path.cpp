#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/require.hpp"
#include "base/statistics.hpp"
#include "motmot/inference.hpp"
#include "theory/theory_checks.hpp"

namespace motmot {
namespace {

void require_path(const TauPathOptions& options) {
  require_sizes(options.n, options.m);
  require(!options.path.empty() && std::ranges::is_sorted(options.path), Errc::invalid_argument,
          "the path of tau must ascend");
  for (const double tau : options.path) require_tau(tau);
  require(options.tolerance > 0, Errc::invalid_argument, "the tolerance must be above 0, got ",
          options.tolerance);
}

/// A share that `dropped` of n outliers make plausible: theirs, 1.645 sd above it, and one row more.
double plausible_tau(std::size_t dropped, std::size_t n, double most) {
  if (dropped == 0) return 0;
  const double size = static_cast<double>(n);
  const double share = static_cast<double>(dropped) / size;
  return std::min(most, upper_share(share, size) + 1 / size);
}

bool near(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

struct Plateau {
  double from = 0;     ///< the smallest tau of the path from which on the value stands still
  bool found = false;  ///< at least two taus are on it
};

/// Asks from the largest tau down to the first jump.
Plateau find_plateau(const std::function<TauProbe(double)>& probe, const TauPathOptions& options,
                     TauChoice& choice) {
  for (auto tau = options.path.rbegin(); tau != options.path.rend(); ++tau) {
    choice.tau.push_back(*tau);
    choice.probes.push_back(probe(*tau));
    const std::size_t tried = choice.probes.size();
    if (tried < 2) continue;
    if (!near(choice.probes[tried - 1].value, choice.probes[tried - 2].value, options.tolerance))
      return {.from = choice.tau[tried - 2], .found = tried > 2};
  }
  return {.from = options.path.front(), .found = true};
}

std::string describe(const TauChoice& choice, const TauProbe& most_robust, const Plateau& plateau,
                     const TauPathOptions& options) {
  std::ostringstream text;
  text.precision(3);
  text << most_robust.dropped_x << " of " << options.n << " rows of X and " << most_robust.dropped_y << " of "
       << options.m << " of Y look like outliers; ";
  if (!plateau.found) {
    text << "the value still moves at tau = " << options.path.back()
         << ": there may be more outliers than that, or inliers with several modes";
    return text.str();
  }
  text << "the value stands still from tau = " << plateau.from << " on: ";
  text << (choice.sure ? "both agree with" : "they disagree, hence the cautious")
       << " tau_x = " << choice.tau_x << ", tau_y = " << choice.tau_y;
  return text.str();
}

}  // namespace

TauChoice choose_tau(const std::function<TauProbe(double tau)>& probe, const TauPathOptions& options) {
  require_path(options);
  TauChoice choice;
  const Plateau plateau = find_plateau(probe, options, choice);
  const TauProbe most_robust = choice.probes.front();
  const double most = options.path.back();
  choice.tau_x = plausible_tau(most_robust.dropped_x, options.n, most);
  choice.tau_y = plausible_tau(most_robust.dropped_y, options.m, most);
  const bool on_plateau = plateau.from <= std::max(choice.tau_x, choice.tau_y);
  choice.sure = plateau.found && on_plateau && std::max(choice.tau_x, choice.tau_y) < most;
  if (!on_plateau) {
    // Nobody knows which sample it is.
    choice.tau_x = std::max(choice.tau_x, plateau.from);
    choice.tau_y = std::max(choice.tau_y, plateau.from);
  }
  choice.how = describe(choice, most_robust, plateau, options);
  std::ranges::reverse(choice.tau);
  std::ranges::reverse(choice.probes);
  return choice;
}

}  // namespace motmot
