/// A result as JSON, from the lists of fields.hpp: parts are objects, what was not computed is null.
#pragma once

#include <nlohmann/json.hpp>

#include "motmot/fields.hpp"

namespace motmot {

using Json = nlohmann::ordered_json;

template <class T>
Json json_of(const T& value);

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}
template <class T>
Json json_of(const PerSample<T>& both) {
  return {{"x", json_of(both.x)}, {"y", json_of(both.y)}};
}
template <class T>
Json json_of(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(json_of(value));
  return json;
}
inline Json json_of(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

template <class T>
Json json_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return name(value);
  } else if constexpr (std::tuple_size_v<decltype(fields<T>)> == 0) {
    return value;  // what is not finite is written as null
  } else {
    Json json = Json::object();
    for_each_field<T>(
        [&](const auto& field) { json[std::string(field.name)] = json_of(value.*field.member); });
    return json;
  }
}

}  // namespace motmot
