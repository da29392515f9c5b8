#include <algorithm>
#include <sstream>

#include "theory/theory_checks.hpp"

namespace motmot {
namespace {

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

std::size_t blocks_of_sample(BlockRule rule, std::size_t n, double tau) {
  const double rows = static_cast<double>(n);
  switch (rule) {
    case BlockRule::prop4:
      return ceil_count(std::sqrt(2 * tau) * rows);
    case BlockRule::section42:
      return floor_count(2 * tau * rows) + 1;
    case BlockRule::seventy:
      return ceil_count(1.4 * tau * rows);
    case BlockRule::gan:
    case BlockRule::motmot_default:  // answered by choose_blocks()
      break;
  }
  return 4;
}

Condition below_half(const std::string& what, double value) {
  return {sentence(what, " = ", value, " < 1/2"), value < 0.5};
}

}  // namespace

OwnTau own_tau(Estimator estimator, double tau_x, double tau_y) noexcept {
  switch (estimator) {
    case Estimator::mou:
      return {pair_tau(tau_x, tau_y), pair_tau(tau_x, tau_y)};
    case Estimator::mou_diag:
      return {tau_x + tau_y, tau_x + tau_y};
    case Estimator::plain:
    case Estimator::mom:
      break;
  }
  return {tau_x, tau_y};
}

BlockCounts blocks_by_rule(BlockRule rule, Estimator estimator, std::size_t n, std::size_t m, double tau_x,
                           double tau_y) {
  require_sizes(n, m);
  require_tau(tau_x);
  require_tau(tau_y);
  if (estimator == Estimator::plain) return {};
  if (rule == BlockRule::motmot_default) {
    const BlockChoice choice = choose_blocks(estimator, n, m, tau_x, tau_y);
    return {choice.k_x, choice.k_y};
  }
  const OwnTau tau = own_tau(estimator, tau_x, tau_y);
  BlockCounts k{std::clamp<std::size_t>(blocks_of_sample(rule, n, tau.x), 1, n),
                std::clamp<std::size_t>(blocks_of_sample(rule, m, tau.y), 1, m)};
  if (estimator == Estimator::mou_diag) k.k_x = k.k_y = std::min(k.k_x, k.k_y);  // Algorithm 3, line 2
  return k;
}

bool Admission::all() const noexcept {
  return std::ranges::all_of(conditions, [](const Condition& condition) { return condition.holds; });
}

Admission admitted(Estimator estimator, double tau_x, double tau_y, std::size_t n, std::size_t m) {
  switch (estimator) {
    case Estimator::plain:
      return {{{sentence("tau_x = 0 (", tau_x, ")"), tau_x == 0},
               {sentence("tau_y = 0 (", tau_y, ")"), tau_y == 0}}};
    case Estimator::mom:
      return {{below_half("tau_x", tau_x), below_half("tau_y", tau_y)}};
    case Estimator::mou:
      return {{below_half("tau_x + tau_y - tau_x tau_y", pair_tau(tau_x, tau_y))}};
    case Estimator::mou_diag:
      break;
  }
  return {{below_half("tau_x + tau_y", tau_x + tau_y), {sentence("n = m (", n, " and ", m, ")"), n == m}}};
}

}  // namespace motmot
