#include "theory/theory.hpp"

namespace motmot {
namespace {

std::size_t rows_of(double tau, std::size_t n) {
  return static_cast<std::size_t>(std::round(tau * static_cast<double>(n)));
}

Majority majority_of(Estimator estimator, const BlockChoice& blocks, PerSample<std::size_t> expected) {
  if (always_clean_majority(estimator, {blocks.k_x, blocks.k_y}, expected)) return Majority::always;
  if (blocks.p >= 0.5) return Majority::lost;
  return blocks.p > max_dirty_chance ? Majority::barely : Majority::on_average;
}

RuleAdvice advise_rule(BlockRule rule, Estimator estimator, const AdviseOptions& o,
                       PerSample<std::size_t> expected) {
  const PerSample<std::size_t> k = blocks_by_rule(rule, estimator, o.n, o.m, o.tau.x, o.tau.y);
  RuleAdvice advice{.rule = rule,
                    .blocks = rule == BlockRule::motmot_default
                                  ? choose_blocks(estimator, o.n, o.m, o.tau.x, o.tau.y)
                                  : describe_blocks(estimator, k, o.n, o.m, o.tau.x, o.tau.y),
                    .tolerance = tolerance(estimator, k, o.n, o.m, o.tau.x, o.tau.y)};
  advice.bias = contamination_bias(estimator, 1, 1, advice.blocks);
  advice.majority = majority_of(estimator, advice.blocks, expected);
  return advice;
}

/// For mom, the paper's statements are about one sample at a time: these first, then their sum.
std::vector<Bound> bounds_for_mom(const AdviseOptions& o) {
  const Bound both =
      prop5_mom(o.n, o.m, o.tau.x, o.tau.y, o.bounds);  // first: it sees the delta that was given
  BoundOptions half = o.bounds;
  half.delta = o.bounds.delta / 2;
  std::vector<Bound> bounds{prop5_one_sample(o.n, o.tau.x, half),
                            prop5_one_sample(o.m, o.tau.y, half),
                            both,
                            theorem6_one_sample(o.n, o.tau.x, o.bounds),
                            theorem6_one_sample(o.m, o.tau.y, o.bounds),
                            theorem6_mom(o.n, o.m, o.tau.x, o.tau.y, o.bounds)};
  bounds[1].bounded = bounds[4].bounded = "W(nu_MoM, nu)";
  return bounds;
}

std::vector<Bound> bounds_for(Estimator estimator, const AdviseOptions& o) {
  if (estimator == Estimator::mom) return bounds_for_mom(o);
  if (estimator == Estimator::mou) return {};  // blocks of pairs depend on each other: left open
  return {prop5_mou_diag(o.n, o.m, o.tau.x, o.tau.y, o.bounds),
          theorem6_mou_diag(o.n, o.m, o.tau.x, o.tau.y, o.bounds)};
}

EstimatorAdvice advise_estimator(Estimator estimator, const AdviseOptions& o,
                                 PerSample<std::size_t> expected) {
  EstimatorAdvice advice{.estimator = estimator,
                         .admission = admitted(estimator, o.tau.x, o.tau.y, o.n, o.m),
                         .rules = {},
                         .bounds = {}};
  for (const auto& [name, rule] : names<BlockRule>)
    advice.rules.push_back(advise_rule(rule, estimator, o, expected));
  const PerSample<double> tau = own_tau(estimator, o.tau.x, o.tau.y);
  advice.gamma_x = gamma_factor(tau.x);
  advice.gamma_y = gamma_factor(tau.y);
  advice.bounds = bounds_for(estimator, o);
  return advice;
}

}  // namespace

Advice advise(const AdviseOptions& asked) {
  AdviseOptions o = asked;
  if (o.m == 0) o.m = o.n;
  require_case(o.n, o.m, o.tau.x, o.tau.y);
  Advice advice{.options = o, .expected = {rows_of(o.tau.x, o.n), rows_of(o.tau.y, o.m)}, .estimators = {}};
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag})
    if (o.estimator.value_or(estimator) == estimator)
      advice.estimators.push_back(advise_estimator(estimator, o, advice.expected));
  require(!advice.estimators.empty(), Errc::invalid_argument, name(*o.estimator),
          " has no blocks to advise on");
  return advice;
}

}  // namespace motmot
