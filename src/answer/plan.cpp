#include "answer/plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"
#include "theory/theory.hpp"

namespace motmot {
namespace {

void require_count(std::size_t k, std::size_t n, const char* option, const char* rows, Scheme scheme) {
  if (scheme == Scheme::swor || scheme == Scheme::pairs) return;  // blocks overlap: any number will do
  require(k <= n, Errc::invalid_argument, "need ", option, " <= ", rows, ", got ", option, " = ", k, ", ",
          rows, " = ", n);
}

void require_agreement(const BlockPlan& plan, const DistanceOptions& options) {
  require(options.estimator != Estimator::plain || (plan.k_x == 1 && plan.k_y == 1), Errc::invalid_argument,
          "estimator plain has no blocks, got K_X = ", plan.k_x, ", K_Y = ", plan.k_y);
  require(options.estimator != Estimator::mou_diag || plan.k_x == plan.k_y, Errc::invalid_argument,
          "estimator mou-diag needs K_X = K_Y, got ", plan.k_x, " and ", plan.k_y);
  require(options.scheme != Scheme::pairs || plan.k_x == plan.k_y, Errc::invalid_argument,
          "scheme pairs has one number of blocks, got K_X = ", plan.k_x, " and K_Y = ", plan.k_y);
}

std::size_t block_size(std::size_t asked, std::size_t n, std::size_t k, const char* option) {
  if (asked == 0) return std::max<std::size_t>(1, n / k);
  require(asked <= n, Errc::invalid_argument, "need ", option, " <= rows, got ", option, " = ", asked,
          ", rows = ", n);
  return asked;
}

/// What choose_blocks() says of its own choice is said here of an explicit one.
std::vector<Warning> doubts_about(const BlockPlan& plan, const PerSample<double>& tau, Estimator estimator,
                                  const SampleNames& names) {
  const double p =
      dirty_chance(estimator, dirty_block_chance(tau.x, plan.b_x), dirty_block_chance(tau.y, plan.b_y));
  if (p <= max_dirty_chance) return {};
  const std::string blocks = plan.k_x == plan.k_y
                                 ? streamed("K = ", plan.k_x)
                                 : streamed("K_", names.x, " = ", plan.k_x, ", K_", names.y, " = ", plan.k_y);
  return {{WarningCode::blocks,
           streamed("with ", blocks, " and tau = ", tau.x, " in ", names.x, ", ", tau.y, " in ", names.y,
                    " a block holds an outlier with chance ", std::round(1000 * p) / 1000,
                    p >= 0.5 ? ": dirty blocks are the majority and the value cannot be trusted"
                             : ": above 0.4 the clean majority is not safe")}};
}

std::vector<Warning> doubts_about_one_block(const BlockPlan& plan, const PerSample<double>& tau,
                                            const SampleNames& names) {
  const bool x = plan.k_x == 1 && tau.x > 0, y = plan.k_y == 1 && tau.y > 0;
  if (!x && !y) return {};
  const std::string who = x && y ? "X and Y have" : std::string(1, x ? names.x : names.y) + " has";
  return {
      {WarningCode::blocks, who + " one block only: a single outlier there moves the value without limit"}};
}

}  // namespace

CriticChoice choose_critic(std::size_t n, std::size_t m) {
  const std::string size = std::to_string(n) + " x " + std::to_string(m) + " rows ";
  if (affordable(n, m)) return {.critic = CriticKind::exact, .why = size + "suit exact transport"};
  return {.critic = CriticKind::lipschitz, .why = size + "are too many for exact transport"};
}

Planned plan_blocks(std::size_t n, std::size_t m, const DistanceOptions& options,
                    const PerSample<double>& tau, const SampleNames& names) {
  const bool chosen = options.blocks.x == 0 && options.blocks.y == 0;
  const BlockChoice choice = choose_blocks(options.estimator, n, m, tau.x, tau.y);
  BlockPlan plan{.scheme = options.scheme,
                 .k_x = options.blocks.x > 0 ? options.blocks.x : choice.k_x,
                 .k_y = options.blocks.y > 0 ? options.blocks.y : choice.k_y};
  require_count(plan.k_x, n, "K_X", "n", plan.scheme);
  require_count(plan.k_y, m, "K_Y", "m", plan.scheme);
  require_agreement(plan, options);
  if (plan.scheme == Scheme::pairs) {
    plan.b_x = plan.b_y = block_size(options.pairs, std::min(n, m), plan.k_x, "M");
  } else {
    plan.b_x = block_size(options.block_size.x, n, plan.k_x, "B_X");
    plan.b_y = block_size(options.block_size.y, m, plan.k_y, "B_Y");
  }
  std::vector<Warning> said;
  if (chosen || options.estimator == Estimator::plain)
    for (const std::string& warning : choice.warnings) said.push_back({WarningCode::blocks, warning});
  else said = doubts_about(plan, tau, options.estimator, names);
  if (options.estimator != Estimator::plain)
    for (Warning& doubt : doubts_about_one_block(plan, tau, names)) said.push_back(std::move(doubt));
  return {.blocks = plan, .warnings = std::move(said)};
}

}  // namespace motmot
