/// Values as JSON and back, by the lists of fields.hpp. Parts are objects; what was not computed, what is not
/// finite and empty words are null.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/whole.hpp"
#include "motmot/fields.hpp"

namespace motmot {

using Json = nlohmann::ordered_json;

/// As text; bytes that are not UTF-8 become U+FFFD.
inline std::string dumped(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

inline Json json_of(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
inline Json json_of(const Interval& interval) { return {interval.low, interval.high}; }
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

template <class T>
inline constexpr bool is_listed = std::tuple_size_v<std::remove_cvref_t<decltype(fields<T>)>> != 0;

template <class T>
Json json_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return name(value);
  } else if constexpr (!is_listed<T>) {
    return value;  // what is not finite is written as null
  } else {
    Json json = Json::object();
    for_each_field<T>(
        [&](const auto& field) { json[std::string(field.name)] = json_of(value.*field.member); });
    return json;
  }
}

// What json_of() gave. Throws exceptions where it is something else.
inline void read_json(const Json& json, double& value) {
  value = json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}
inline void read_json(const Json& json, std::string& text) {
  text = json.is_null() ? std::string() : json.get<std::string>();
}
inline void read_json(const Json& json, Interval& ends) {
  ends = {json.at(0).get<double>(), json.at(1).get<double>()};
}
template <class T>
void read_json(const Json& json, T& value);
template <class T>
void read_json(const Json& json, std::optional<T>& value) {
  value.reset();
  if (!json.is_null()) read_json(json, value.emplace());
}
template <class T>
void read_json(const Json& json, std::vector<T>& values) {
  values.clear();
  for (const Json& value : json) read_json(value, values.emplace_back());
}

template <class T>
void read_json(const Json& json, T& value) {
  if constexpr (std::is_enum_v<T>) {
    const std::optional<T> found = named<T>(json.get<std::string>());
    if (!found) throw std::out_of_range("an unknown word");
    value = *found;
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    value = whole<T>(json);
  } else if constexpr (!is_listed<T>) {
    value = json.get<T>();
  } else {
    for_each_field<T>(
        [&](const auto& field) { read_json(json.at(std::string(field.name)), value.*field.member); });
  }
}

}  // namespace motmot
