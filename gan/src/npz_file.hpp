/// Arrays with names in one file that NumPy reads: numpy.load("final.npz"). Written whole or not at all.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/zip_archive.hpp"

namespace motmot::gan {

class NpzWriter {
 public:
  explicit NpzWriter(std::string path) : path_(std::move(path)) {}

  void add(const std::string& name, std::span<const float> values, const std::vector<std::int64_t>& shape);
  void add(const std::string& name, std::span<const double> values);
  void add(const std::string& name, std::span<const std::int64_t> values);
  void add(const std::string& name, std::span<const std::uint8_t> values);
  void add_text(const std::string& name, std::string_view text);
  void commit();

 private:
  void add_bytes(const std::string& name, std::string_view type, const std::vector<std::int64_t>& shape,
                 std::string_view bytes);

  std::string path_, body_, directory_;
  std::uint16_t members_ = 0;
};

class NpzReader {
 public:
  explicit NpzReader(const std::string& path) : path_(path), archive_(path) {}

  [[nodiscard]] bool has(const std::string& name) const;
  /// Every value of the member, in C order. A complaint names the file and the member.
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const;
  /// The same, which must be `size` many.
  template <class T>
  void read_into(const std::string& name, std::span<T> out) const {
    const std::vector<double> values = numbers(name);
    check_size(name, values.size(), out.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(values[i]);
  }
  [[nodiscard]] std::string text(const std::string& name) const;

 private:
  void check_size(const std::string& name, std::size_t got, std::size_t wanted) const;

  std::string path_;
  ZipArchive archive_;
};

}  // namespace motmot::gan
