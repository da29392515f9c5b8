/// Whole numbers of files that people may have written by hand.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

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

}  // namespace motmot
