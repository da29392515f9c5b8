/// Named arrays in one file, which NumPy reads too: numpy.load("final.npz"). Written whole or not at all.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "data/complaint.hpp"

namespace motmot::gan {

class NpzWriter {
 public:
  explicit NpzWriter(const std::string& path) : path_(path), file_(path) {}

  /// An array of this shape; by default it has one dimension.
  template <class T>
  void add(const std::string& name, std::span<const T> values, std::vector<std::uint64_t> shape = {}) {
    static_assert(std::endian::native == std::endian::little, "the type codes say little-endian");
    if (shape.empty()) shape = {values.size()};
    const char kind = std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
    const std::string type{sizeof(T) == 1 ? '|' : '<', kind, static_cast<char>('0' + sizeof(T))};
    add_bytes(name, type, shape, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  void add_text(const std::string& name, std::string_view text) {
    add_bytes(name, "|u1", {text.size()}, text);
  }
  void commit();

 private:
  void add_bytes(const std::string& name, std::string_view type, const std::vector<std::uint64_t>& shape,
                 std::string_view bytes);

  std::string path_, directory_;
  OutputFile file_;
  std::uint64_t offset_ = 0;  ///< bytes written so far
  std::uint16_t members_ = 0;
};

/// Every value of an array in such a file, in C order.
[[nodiscard]] std::vector<double> read_numbers(const std::string& path, const std::string& name);
/// The same into `out`, whose size it must have.
template <class T>
void read_into(const std::string& path, const std::string& name, std::span<T> out) {
  const std::vector<double> values = read_numbers(path, name);
  require(values.size() == out.size(), Errc::io, name_of(path), ", array '", name, "': ", values.size(),
          " numbers where ", out.size(), " belong");
  for (std::size_t i = 0; i < out.size(); ++i) {
    // Others would be undefined as a whole number. The greatest one may be no double.
    if constexpr (std::is_integral_v<T>)
      require(values[i] >= static_cast<double>(std::numeric_limits<T>::min()) &&
                  values[i] < std::ldexp(1.0, std::numeric_limits<T>::digits),
              Errc::io, name_of(path), ", array '", name, "': ", values[i], " is not a number of its kind");
    out[i] = static_cast<T>(values[i]);
  }
}
[[nodiscard]] std::string read_text(const std::string& path, const std::string& name);

}  // namespace motmot::gan
