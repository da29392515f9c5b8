#include <algorithm>
#include <functional>

#include "theory/theory.hpp"

namespace motmot {
namespace {

using Holds = std::function<bool(PerSample<std::size_t>)>;

/// The outliers number t on the way from none to all rows, X's share of them being share_x.
PerSample<std::size_t> on_path(std::size_t t, double share_x) {
  const auto x = static_cast<std::size_t>(std::round(share_x * static_cast<double>(t)));
  return {x, t - x};
}

/// The last point of the path that holds: more outliers never help, so bisect. Without outliers it holds.
PerSample<std::size_t> last_on_path(std::size_t total, double share_x, const Holds& holds) {
  std::size_t good = 0;
  std::size_t bad = total + 1;
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (holds(on_path(middle, share_x)) ? good : bad) = middle;
  }
  return on_path(good, share_x);
}

double share_of_x(std::size_t n, std::size_t m, double tau_x, double tau_y) {
  const bool clean = tau_x == 0 && tau_y == 0;
  const double x = (clean ? 1 : tau_x) * static_cast<double>(n);
  const double y = (clean ? 1 : tau_y) * static_cast<double>(m);
  return x / (x + y);
}

PerSample<std::size_t> most(Estimator estimator, std::size_t n, std::size_t m, double share_x,
                            const Holds& holds) {
  if (estimator == Estimator::mom)  // the samples' medians know nothing of each other
    return {last_on_path(n, 1, holds).x, last_on_path(m, 0, holds).y};
  return last_on_path(n + m, share_x, holds);
}

}  // namespace

bool always_clean_majority(Estimator estimator, PerSample<std::size_t> k,
                           PerSample<std::size_t> outliers) noexcept {
  const std::size_t dirty_x = std::min(outliers.x, k.x);  // each in a block of its own at worst
  const std::size_t dirty_y = std::min(outliers.y, k.y);
  switch (estimator) {
    case Estimator::plain:
    case Estimator::company:  // has no blocks either
      return dirty_x == 0 && dirty_y == 0;
    case Estimator::mom:
      return 2 * dirty_x < k.x && 2 * dirty_y < k.y;
    case Estimator::mou:
      return 2 * (dirty_x * k.y + dirty_y * k.x - dirty_x * dirty_y) < k.x * k.y;
    case Estimator::mou_diag:
      break;
  }
  return 2 * (dirty_x + dirty_y) < k.x;
}

Tolerance tolerance(Estimator estimator, PerSample<std::size_t> k, std::size_t n, std::size_t m, double tau_x,
                    double tau_y) {
  require_case(n, m, tau_x, tau_y);
  require(1 <= k.x && k.x <= n && 1 <= k.y && k.y <= m, Errc::invalid_argument,
          "need 1 <= K <= n, got K_X = ", k.x, ", n = ", n, ", K_Y = ", k.y, ", m = ", m);
  const auto worst = [&](PerSample<std::size_t> out) { return always_clean_majority(estimator, k, out); };
  const auto average = [&](PerSample<std::size_t> out) {
    const double share_x = std::min(1.0, static_cast<double>(out.x) / static_cast<double>(n));
    const double share_y = std::min(1.0, static_cast<double>(out.y) / static_cast<double>(m));
    const double p_x = dirty_block_chance(share_x, n / k.x);
    const double p_y = dirty_block_chance(share_y, m / k.y);
    return dirty_chance(estimator, p_x, p_y) < 0.5;
  };
  const double share_x = share_of_x(n, m, tau_x, tau_y);
  return {most(estimator, n, m, share_x, worst), most(estimator, n, m, share_x, average)};
}

}  // namespace motmot
