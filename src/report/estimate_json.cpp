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

}  // namespace

std::string estimate_json(const Estimate& e) {
  const nlohmann::ordered_json json{{"value", e.value},
                                    {"sd", e.sd},
                                    {"plain", or_null(e.plain)},
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
                                    {"steps", e.steps},
                                    {"settled", e.settled},
                                    {"stopped", e.stopped},
                                    {"seconds", e.seconds},
                                    {"threads", e.threads},
                                    {"seed", e.seed},
                                    {"version", version()},
                                    {"warnings", e.warnings}};
  return json.dump(2) + "\n";
}

std::string trace_csv(const Estimate& e) {
  std::string text = "step,epoch,value\n";
  const std::size_t epoch = std::max(e.k_x, e.k_y);
  for (std::size_t t = 0; t < e.trace.size(); ++t)
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", t + 1, t / epoch + 1, e.trace[t]);
  return text;
}

}  // namespace motmot
