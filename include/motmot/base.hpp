/// What every room shares: names of enum values, the error type, the version, progress.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace motmot {

/// One value of an enum, as people write it.
template <class E>
struct Named {
  std::string_view name;
  E value;
};

/// All values of an enum with their names, in the order in which help lists them. Every enum that people name
/// specialises this beside its declaration; nothing else spells the names.
template <class E>
inline constexpr auto names = nullptr;

/// The names of an enum that counts from 0, one for each value in the order of its declaration.
template <class E, class... Words>
consteval auto names_in_order(Words... words) {
  int value = 0;
  return std::array{Named<E>{words, static_cast<E>(value++)}...};
}

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  names<E>.size();
};

template <NamedEnum E>
[[nodiscard]] constexpr std::string_view name(E wanted) noexcept {
  for (const auto& [name, value] : names<E>)
    if (value == wanted) return name;
  return "?";
}

/// The value of that name, if there is one.
template <NamedEnum E>
[[nodiscard]] constexpr std::optional<E> named(std::string_view wanted) noexcept {
  for (const auto& [name, value] : names<E>)
    if (name == wanted) return value;
  return std::nullopt;
}

enum class Errc {
  invalid_argument,  ///< an option or the shape of the data breaks a rule
  io,                ///< a file cannot be read, written or understood
  numeric,           ///< values that the method cannot work with (NaN, overflow)
  unsupported,       ///< right in principle, not offered
};

template <>
inline constexpr auto names<Errc> = names_in_order<Errc>("invalid_argument", "io", "numeric", "unsupported");

/// The only exception that leaves the library on purpose. what() is one sentence that names the
/// rule and the values (file, row, column, option) that broke it, on one line: control characters of names
/// and cells are shown as \x0a.
class Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& message);
  [[nodiscard]] Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

/// "0.2.0"
[[nodiscard]] std::string_view version() noexcept;

/// One thing for each of the two samples: tau.x and tau.y, blocks.x and blocks.y, ...
template <class T>
struct PerSample {
  T x{};
  T y{};
  friend bool operator==(const PerSample&, const PerSample&) = default;
};

/// Called now and then, from the calling thread, with the share of the work that is done, in
/// [0, 1]. Returning false stops the run: the result is the best so far, flagged as stopped.
using Progress = std::function<bool(double)>;

}  // namespace motmot
