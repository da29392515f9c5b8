#include "answer/plan.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/require.hpp"
#include "motmot/theory.hpp"

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

/// What choose_blocks() says of its own choice is said here of an explicit one.
void warn_about(const BlockPlan& plan, const DistanceOptions& options, std::vector<std::string>& warnings) {
  if (options.estimator == Estimator::plain) return;
  const double p = dirty_chance(options.estimator, dirty_block_chance(options.tau_x, plan.b_x),
                                dirty_block_chance(options.tau_y, plan.b_y));
  if (p <= max_dirty_chance) return;
  std::ostringstream text;
  text << "with " << (plan.k_x == plan.k_y ? "K = " : "K_X = ") << plan.k_x;
  if (plan.k_x != plan.k_y) text << ", K_Y = " << plan.k_y;
  text << " and tau_x = " << options.tau_x << ", tau_y = " << options.tau_y
       << " a block holds an outlier with chance " << std::round(1000 * p) / 1000
       << (p >= 0.5 ? ": dirty blocks are the majority and the value cannot be trusted"
                    : ": above 0.4 the clean majority is not safe");
  warnings.push_back(text.str());
}

void warn_about_one_block(const BlockPlan& plan, const DistanceOptions& options,
                          std::vector<std::string>& warnings) {
  if (options.estimator == Estimator::plain) return;
  const bool x = plan.k_x == 1 && options.tau_x > 0, y = plan.k_y == 1 && options.tau_y > 0;
  if (!x && !y) return;
  warnings.push_back(std::string(x && y ? "X and Y have"
                                 : x    ? "X has"
                                        : "Y has") +
                     " one block only: a single outlier there moves the value without limit");
}

std::size_t block_size(std::size_t asked, std::size_t n, std::size_t k, const char* option) {
  if (asked == 0) return std::max<std::size_t>(1, n / k);
  require(asked <= n, Errc::invalid_argument, "need ", option, " <= rows, got ", option, " = ", asked,
          ", rows = ", n);
  return asked;
}

}  // namespace

BlockPlan plan_blocks(std::size_t n, std::size_t m, const DistanceOptions& options,
                      std::vector<std::string>& warnings) {
  BlockPlan plan{.scheme = options.scheme, .k_x = options.k_x, .k_y = options.k_y};
  const bool chosen = plan.k_x == 0 && plan.k_y == 0;
  if (plan.k_x == 0 || plan.k_y == 0) {
    const BlockChoice choice = choose_blocks(options.estimator, n, m, options.tau_x, options.tau_y);
    if (plan.k_x == 0) plan.k_x = choice.k_x;
    if (plan.k_y == 0) plan.k_y = choice.k_y;
    if (chosen) warnings.insert(warnings.end(), choice.warnings.begin(), choice.warnings.end());
  }
  require_count(plan.k_x, n, "K_X", "n", plan.scheme);
  require_count(plan.k_y, m, "K_Y", "m", plan.scheme);
  require_agreement(plan, options);
  if (plan.scheme == Scheme::pairs) {
    plan.b_x = plan.b_y = block_size(options.pairs, std::min(n, m), plan.k_x, "M");
  } else {
    plan.b_x = block_size(options.b_x, n, plan.k_x, "B_X");
    plan.b_y = block_size(options.b_y, m, plan.k_y, "B_Y");
  }
  if (!chosen) warn_about(plan, options, warnings);
  warn_about_one_block(plan, options, warnings);
  return plan;
}

}  // namespace motmot
