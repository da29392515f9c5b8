#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "motmot/report.hpp"

namespace motmot {
namespace {

nlohmann::ordered_json or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json population_json(const std::optional<PopulationEstimate>& p) {
  if (!p) return nullptr;
  return {{"value", p->value},
          {"sd", p->sd},
          {"lipschitz", p->lipschitz},
          {"held_out", or_null(p->held_out)},
          {"settled", p->settled}};
}

/// Rows count from 1; a field that the critic does not have stays empty.
void add_rows(std::string_view sample, const RowDiagnostics& rows, std::string& text) {
  for (std::size_t i = 0; i < rows.phi.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{},{},{},", sample, i + 1, rows.phi[i]);
    if (!rows.frequency.empty()) fmt::format_to(std::back_inserter(text), "{}", rows.frequency[i]);
    text += ',';
    if (!rows.dropped.empty()) text += rows.dropped[i] ? '1' : '0';
    text += '\n';
  }
}

}  // namespace

std::string distance_json(const Distance& e) {
  nlohmann::ordered_json json{{"value", e.value},
                              {"sd", e.sd},
                              {"error_bar", or_null(e.error_bar)},
                              {"corrected", or_null(e.corrected)},
                              {"plain", or_null(e.plain)},
                              {"trim", or_null(e.trim)},
                              {"partial", or_null(e.partial)},
                              {"lower", or_null(e.lower)},
                              {"upper", or_null(e.upper)},
                              {"fixed_partition_value", or_null(e.fixed_partition_value)},
                              {"target", name(e.target)},
                              {"scale", e.scale},
                              {"stationarity_gap", or_null(e.stationarity_gap)},
                              {"lipschitz", or_null(e.lipschitz)},
                              {"held_out", or_null(e.held_out)},
                              {"population", population_json(e.population)},
                              {"estimator", name(e.estimator)},
                              {"critic", name(e.critic_kind)},
                              {"scheme", name(e.scheme)},
                              {"k_x", e.k_x},
                              {"k_y", e.k_y},
                              {"b_x", e.b_x},
                              {"b_y", e.b_y},
                              {"tau_x", e.tau_x},
                              {"tau_y", e.tau_y},
                              {"n", e.n},
                              {"m", e.m},
                              {"d", e.d},
                              {"trimmed_x", e.trimmed_x},
                              {"trimmed_y", e.trimmed_y},
                              {"steps", e.steps},
                              {"solves", e.solves},
                              {"settled", e.settled},
                              {"stopped", e.stopped},
                              {"seconds", e.seconds},
                              {"threads", e.threads},
                              {"seed", e.seed},
                              {"version", version()},
                              {"warnings", e.warnings}};
  if (!e.why_critic.empty()) json["why_critic"] = e.why_critic;
  if (!e.why_tau.empty()) json["why_tau"] = e.why_tau;
  return json.dump(2) + "\n";
}

std::string rows_csv(const Distance& e) {
  std::string text = "sample,row,phi,median_frequency,trimmed\n";
  add_rows("x", e.rows_x, text);
  add_rows("y", e.rows_y, text);
  return text;
}

std::string trace_csv(const Distance& e) {
  std::string text = "step,epoch,value\n";
  const std::size_t epoch = std::max(e.k_x, e.k_y);
  for (std::size_t t = 0; t < e.trace.size(); ++t)
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", t + 1, t / epoch + 1, e.trace[t]);
  return text;
}

}  // namespace motmot
