/// Named arrays in one file, which NumPy reads too: numpy.load("final.npz"). Written whole or not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "data/complaint.hpp"

namespace motmot::gan {

class NpzWriter {
 public:
  explicit NpzWriter(const std::string& path) : path_(path), file_(path) {}

  /// An array of this shape; by default it has one dimension.
  void add(const std::string& name, std::span<const float> values, std::vector<std::int64_t> shape = {});
  void add(const std::string& name, std::span<const double> values);
  void add(const std::string& name, std::span<const std::int64_t> values);
  void add(const std::string& name, std::span<const std::uint8_t> values);
  void add_text(const std::string& name, std::string_view text);
  void commit();

 private:
  void add_bytes(const std::string& name, std::string_view type, const std::vector<std::int64_t>& shape,
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
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(values[i]);
}
[[nodiscard]] std::string read_text(const std::string& path, const std::string& name);

}  // namespace motmot::gan
