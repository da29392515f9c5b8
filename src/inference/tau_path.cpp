#include "inference/tau_path.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <sstream>

#include "base/require.hpp"
#include "base/statistics.hpp"
#include "theory/theory.hpp"

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
Plateau find_plateau(std::span<const double> tried, std::span<const TauProbe> probes, double tolerance) {
  for (std::size_t i = 1; i < probes.size(); ++i)
    if (!near(probes[i].value, probes[i - 1].value, tolerance)) return {.from = tried[i - 1], .found = i > 1};
  return {.from = tried.back(), .found = true};
}

std::string describe(const TauChoice& choice, const TauProbe& most_robust, const Plateau& plateau,
                     const TauPathOptions& o) {
  std::ostringstream text;
  text.precision(3);
  text << most_robust.dropped.x << " of " << o.n << " rows of " << o.names.x << " and "
       << most_robust.dropped.y << " of " << o.m << " of " << o.names.y << " look like outliers; ";
  if (!plateau.found) {
    text << "the value still moves at tau = " << o.path.back()
         << ": there may be more outliers than that, or inliers with several modes";
    return text.str();
  }
  text << "the value stands still from tau = " << plateau.from
       << " on: " << (choice.sure ? "both agree with" : "they disagree, hence the cautious")
       << " tau = " << choice.tau.x << " in " << o.names.x << ", " << choice.tau.y << " in " << o.names.y;
  return text.str();
}

}  // namespace

TauChoice choose_tau(const std::function<std::optional<TauProbe>(double tau)>& probe,
                     const TauPathOptions& options) {
  require_path(options);
  TauChoice choice;
  const double most = options.path.back();
  for (auto tau = options.path.rbegin(); tau != options.path.rend(); ++tau) {
    const std::optional<TauProbe> found = probe(*tau);
    if (!found) {
      choice.tau = {most, most};
      choice.how = "stopped before tau was found: the largest that is tried is taken";
      return choice;
    }
    choice.tried.push_back(*tau);
    choice.probes.push_back(*found);
    const std::size_t count = choice.probes.size();
    if (count > 1 && !near(found->value, choice.probes[count - 2].value, options.tolerance)) break;
  }
  const Plateau plateau = find_plateau(choice.tried, choice.probes, options.tolerance);
  const TauProbe most_robust = choice.probes.front();
  choice.tau = {plausible_tau(most_robust.dropped.x, options.n, most),
                plausible_tau(most_robust.dropped.y, options.m, most)};
  const bool on_plateau = plateau.from <= std::max(choice.tau.x, choice.tau.y);
  choice.sure = plateau.found && on_plateau && std::max(choice.tau.x, choice.tau.y) < most;
  if (!on_plateau)  // Nobody knows which sample it is.
    choice.tau = {std::max(choice.tau.x, plateau.from), std::max(choice.tau.y, plateau.from)};
  choice.how = describe(choice, most_robust, plateau, options);
  std::ranges::reverse(choice.tried);
  std::ranges::reverse(choice.probes);
  return choice;
}

}  // namespace motmot
