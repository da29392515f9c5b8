#include <nlohmann/json.hpp>

#include "motmot/report.hpp"

namespace motmot {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(Outliers out) { return {{"x", out.x}, {"y", out.y}}; }

Json json_of(const RuleAdvice& rule) {
  const BlockChoice& b = rule.blocks;
  return {{"rule", name(rule.rule)},
          {"k_x", b.k_x},
          {"k_y", b.k_y},
          {"b_x", b.b_x},
          {"b_y", b.b_y},
          {"p_x", b.p_x},
          {"p_y", b.p_y},
          {"p", b.p},
          {"bias_per_sigma", rule.bias},  // infinite becomes null
          {"tolerated_worst_case", json_of(rule.tolerance.worst_case)},
          {"tolerated_on_average", json_of(rule.tolerance.on_average)},
          {"clean_majority", name(rule.majority)},
          {"warnings", b.warnings}};
}

Json json_of(const Bound& bound) {
  return {{"statement", bound.statement},         {"bounded", bound.bounded}, {"value", number(bound.value)},
          {"log_delta", number(bound.log_delta)}, {"vacuous", bound.vacuous}, {"notes", bound.notes}};
}

Json json_of(const EstimatorAdvice& advice) {
  Json conditions = Json::array();
  for (const Condition& c : advice.admission.conditions)
    conditions.push_back({{"text", c.text}, {"holds", c.holds}});
  Json rules = Json::array();
  for (const RuleAdvice& rule : advice.rules) rules.push_back(json_of(rule));
  Json bounds = Json::array();
  for (const Bound& bound : advice.bounds) bounds.push_back(json_of(bound));
  return {{"estimator", name(advice.estimator)},
          {"admitted", advice.admission.all()},
          {"conditions", conditions},
          {"recommended", name(advice.rules.front().rule)},
          {"rules", rules},
          {"gamma_x", advice.gamma_x},
          {"gamma_y", advice.gamma_y},
          {"bounds", bounds}};
}

}  // namespace

std::string advice_json(const Advice& advice) {
  const AdviseOptions& o = advice.options;
  Json json{{"n", o.n},
            {"m", o.m},
            {"d", o.bounds.d},
            {"tau_x", o.tau_x},
            {"tau_y", o.tau_y},
            {"expected_outliers", json_of(advice.expected)},
            {"diameter", o.bounds.diameter},
            {"c_l", o.bounds.c_l},
            {"delta", o.bounds.delta},
            {"alpha_o", number(o.bounds.alpha_o)},
            {"c_o", number(o.bounds.c_o)},
            {"beta", o.bounds.beta},
            {"estimators", Json::array()}};
  for (const EstimatorAdvice& estimator : advice.estimators) json["estimators"].push_back(json_of(estimator));
  return json.dump(2) + "\n";
}

}  // namespace motmot
