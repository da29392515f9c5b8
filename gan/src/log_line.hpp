/// Lines of log.jsonl, which a run writes and later ones read.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace motmot::gan {

/// The number of that name in a line; nothing where it has none, or where the line is torn.
[[nodiscard]] inline std::optional<double> number_in(const std::string& line, const std::string& name) {
  const auto object = nlohmann::json::parse(line, nullptr, false);
  if (!object.is_object() || !object.contains(name) || !object[name].is_number()) return std::nullopt;
  return object[name].get<double>();
}

}  // namespace motmot::gan
