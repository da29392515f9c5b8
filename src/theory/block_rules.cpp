// Rules for the number of blocks: the paper's, and the default.
#include <algorithm>

#include "theory/theory.hpp"

namespace motmot {
namespace {

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
  return {streamed(what, " = ", value, " < 1/2"), value < 0.5};
}

constexpr double max_tau_for_two_rows = 0.225;  // 1 - (1 - 0.225)^2 = 0.399

std::size_t odd_at_most(std::size_t k) { return k <= 1 ? 1 : k - (k % 2 == 0); }

std::size_t default_blocks(std::size_t n, double tau) {
  if (tau == 0) return 1;
  std::size_t k = odd_at_most(n / default_block_size(tau));
  // Only in tiny samples is floor(n / k) above the block size by enough to matter (n = 5, tau = 0.2:
  // K = 2 made odd would be a single block of five).
  while (dirty_block_chance(tau, n / k) > max_dirty_chance && k + 2 <= n) k += 2;
  return k;
}

PerSample<std::size_t> default_counts(Estimator estimator, std::size_t n, std::size_t m, double tau_x,
                                      double tau_y) {
  if (estimator == Estimator::plain) return {1, 1};
  if (estimator == Estimator::mom) return {default_blocks(n, tau_x), default_blocks(m, tau_y)};
  // If blocks of B rows are clean with chance >= 0.6 under the pair's tau, so are pairs of them:
  // (1 - tau_x)^B (1 - tau_y)^B = (1 - tau)^B.
  const double tau = pair_tau(tau_x, tau_y);
  const PerSample<std::size_t> k{default_blocks(n, tau), default_blocks(m, tau)};
  if (estimator == Estimator::mou_diag) return {std::min(k.x, k.y), std::min(k.x, k.y)};
  return {tau_x == 0 ? 1 : k.x, tau_y == 0 ? 1 : k.y};
}

std::string unit_blocks_warning(Estimator estimator, double tau_x, double tau_y) {
  const double tau = estimator == Estimator::mom ? std::max(tau_x, tau_y) : pair_tau(tau_x, tau_y);
  if (tau <= max_tau_for_two_rows)
    return "so few rows that blocks of two would not be clean often enough: blocks of a single row";
  return streamed("tau = ", tau,
                  " > 0.225 leaves blocks of a single row: medians of phi itself, no averaging");
}

std::string chance_warning(Estimator estimator, double p) {
  return streamed(
      estimator == Estimator::mom ? "a block" : "a pair of blocks", " is dirty with chance p = ", p,
      p >= 0.5 ? " >= 1/2: no clean majority on average, so the value may be anything and has no error bar"
               : " > 0.4: close to one half, where the estimator breaks down");
}

std::vector<std::string> warnings_for(Estimator estimator, std::size_t n, std::size_t m, double tau_x,
                                      double tau_y, const BlockChoice& choice) {
  std::vector<std::string> warnings;
  if (estimator == Estimator::plain) {
    if (tau_x > 0 || tau_y > 0) warnings.emplace_back("plain has no protection against outliers");
    return warnings;
  }
  if (tau_x == 0 && tau_y == 0) return warnings;  // one block each: plain, whatever the name
  // A sample of one row (n = 1) or of one block has nothing to be warned about here.
  const bool unit = (choice.b_x == 1 && choice.k_x > 1) || (choice.b_y == 1 && choice.k_y > 1);
  if (unit) warnings.push_back(unit_blocks_warning(estimator, tau_x, tau_y));
  if (choice.p > max_dirty_chance) warnings.push_back(chance_warning(estimator, choice.p));
  if (estimator == Estimator::mou_diag && n != m && choice.p > max_dirty_chance)
    warnings.emplace_back(
        "mou-diag has one K for both samples, so n != m makes the larger one's blocks larger: mom or mou do "
        "better here");
  for (const Condition& condition : admitted(estimator, tau_x, tau_y, n, m).conditions)
    if (!condition.holds)
      warnings.push_back("the paper's condition " + condition.text + " fails (Prop. 4, Figure 1d)");
  return warnings;
}

}  // namespace

PerSample<double> own_tau(Estimator estimator, double tau_x, double tau_y) noexcept {
  switch (estimator) {
    case Estimator::mou:
      return {pair_tau(tau_x, tau_y), pair_tau(tau_x, tau_y)};
    case Estimator::mou_diag:
      return {tau_x + tau_y, tau_x + tau_y};
    case Estimator::plain:
    case Estimator::company:  // has no blocks either
    case Estimator::mom:
      break;
  }
  return {tau_x, tau_y};
}

PerSample<std::size_t> blocks_by_rule(BlockRule rule, Estimator estimator, std::size_t n, std::size_t m,
                                      double tau_x, double tau_y) {
  require_case(n, m, tau_x, tau_y);
  if (estimator == Estimator::plain) return {1, 1};
  if (rule == BlockRule::motmot_default) {
    const BlockChoice choice = choose_blocks(estimator, n, m, tau_x, tau_y);
    return {choice.k_x, choice.k_y};
  }
  const PerSample<double> tau = own_tau(estimator, tau_x, tau_y);
  PerSample<std::size_t> k{std::clamp<std::size_t>(blocks_of_sample(rule, n, tau.x), 1, n),
                           std::clamp<std::size_t>(blocks_of_sample(rule, m, tau.y), 1, m)};
  if (estimator == Estimator::mou_diag) k.x = k.y = std::min(k.x, k.y);  // Algorithm 3, line 2
  return k;
}

bool Admission::all() const noexcept {
  return std::ranges::all_of(conditions, [](const Condition& condition) { return condition.holds; });
}

Admission admitted(Estimator estimator, double tau_x, double tau_y, std::size_t n, std::size_t m) {
  switch (estimator) {
    case Estimator::plain:
    case Estimator::company:  // has no blocks either
      return {{{streamed("tau_x = 0 (", tau_x, ")"), tau_x == 0},
               {streamed("tau_y = 0 (", tau_y, ")"), tau_y == 0}}};
    case Estimator::mom:
      return {{below_half("tau_x", tau_x), below_half("tau_y", tau_y)}};
    case Estimator::mou:
      return {{below_half("tau_x + tau_y - tau_x tau_y", pair_tau(tau_x, tau_y))}};
    case Estimator::mou_diag:
      break;
  }
  return {{below_half("tau_x + tau_y", tau_x + tau_y), {streamed("n = m (", n, " and ", m, ")"), n == m}}};
}

double dirty_block_chance(double tau, std::size_t b) noexcept {
  if (b == 0 || tau <= 0) return 0;
  return -std::expm1(static_cast<double>(b) * std::log1p(-tau));
}

double dirty_chance(Estimator estimator, double p_x, double p_y) noexcept {
  if (estimator == Estimator::mom) return std::max(p_x, p_y);
  return pair_tau(p_x, p_y);
}

std::size_t default_block_size(double tau) {
  require(tau > 0 && tau < 1, Errc::invalid_argument, "a block size needs 0 < tau < 1, got ", tau);
  if (tau > max_tau_for_two_rows) return 1;
  const std::size_t prop4 = floor_count(1 / std::sqrt(2 * tau));
  const std::size_t capped = floor_count(0.51 / -std::log1p(-tau));  // 1 - exp(-0.51) = 0.3995
  return std::max<std::size_t>(2, std::min(prop4, capped));
}

BlockChoice describe_blocks(Estimator estimator, PerSample<std::size_t> k, std::size_t n, std::size_t m,
                            double tau_x, double tau_y) {
  BlockChoice choice{.k_x = k.x, .k_y = k.y, .b_x = n / k.x, .b_y = m / k.y, .warnings = {}};
  choice.p_x = dirty_block_chance(tau_x, choice.b_x);
  choice.p_y = dirty_block_chance(tau_y, choice.b_y);
  choice.p = dirty_chance(estimator, choice.p_x, choice.p_y);
  return choice;
}

BlockChoice choose_blocks(Estimator estimator, std::size_t n, std::size_t m, double tau_x, double tau_y) {
  require_case(n, m, tau_x, tau_y);
  const PerSample<std::size_t> k = default_counts(estimator, n, m, tau_x, tau_y);
  BlockChoice choice = describe_blocks(estimator, k, n, m, tau_x, tau_y);
  choice.warnings = warnings_for(estimator, n, m, tau_x, tau_y, choice);
  return choice;
}

}  // namespace motmot
