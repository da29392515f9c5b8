/// Whole numbers of files that people may have written by hand.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

namespace motmot {

/// The JSON library casts whatever number stands there, which is undefined where T does not have it; here
/// that is one of its own exceptions.
template <std::integral T, class Json>
[[nodiscard]] T whole(const Json& json) {
  if (!json.is_number_unsigned() ||
      json.template get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
    throw Json::out_of_range::create(406, "not a whole number of this size", &json);
  return json.template get<T>();
}

/// Of an object, whose key is named.
template <std::integral T, class Json>
[[nodiscard]] T whole(const Json& object, const std::string& key) {
  const Json& json = object.at(key);
  try {
    return whole<T>(json);
  } catch (const typename Json::out_of_range&) {
    throw Json::out_of_range::create(406, "'" + key + "' is not a whole number of its size", &json);
  }
}

}  // namespace motmot
