/// Columns that grow as a source hands over its values, in the layouts that Arrow and DuckDB share.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/array_reader.hpp"
#include "motmot/tables.hpp"

namespace motmot {

/// Which values are there: bit i of a mask, counted from `offset`; all of them where there is no mask.
class Presence {
 public:
  Presence() = default;
  Presence(const void* bits, std::uint64_t offset)
      : bits_(static_cast<const std::uint8_t*>(bits)), offset_(offset) {}

  [[nodiscard]] bool is_whole() const noexcept { return bits_ == nullptr; }
  [[nodiscard]] bool operator()(std::size_t i) const noexcept {
    const std::uint64_t at = offset_ + i;
    return bits_ == nullptr || (bits_[at / 8] >> (at % 8) & 1) != 0;
  }

 private:
  const std::uint8_t* bits_ = nullptr;
  std::uint64_t offset_ = 0;
};

/// How numbers lie in memory and what they count.
struct NumberLayout {
  Decoder decode = nullptr;
  std::size_t width = 8;  ///< bytes of each
  bool is_integer = false;
  double factor = 1;                                       ///< the number is what is stored times this,
  double divisor = 1;                                      ///< divided by this
  double limit = std::numeric_limits<double>::infinity();  ///< from here on, what is stored means "infinite"
};

[[nodiscard]] NumberLayout signed_layout(unsigned width);
[[nodiscard]] NumberLayout unsigned_layout(unsigned width);  ///< up to 16 bytes, as the signed ones
[[nodiscard]] NumberLayout floating_layout(unsigned width);
[[nodiscard]] NumberLayout times(NumberLayout layout, double factor);
[[nodiscard]] NumberLayout divided(NumberLayout layout, double divisor);

class ColumnBuilder {
 public:
  ColumnBuilder(std::string name, Kind kind) : column_{.name = std::move(name), .kind = kind} {}

  /// A place for as many rows, where that can be had.
  void reserve(std::size_t rows);
  void add_numbers(const NumberLayout& layout, const void* values, std::size_t count, Presence presence);
  void add_number(double value);
  void add_missing(std::size_t count);
  /// The code of a level, which is a new one if it has not been seen.
  [[nodiscard]] std::uint32_t code(std::string_view level);
  void add_code(std::uint32_t code) { column_.codes.push_back(code); }
  void add_codes(std::span<const std::uint32_t> codes);

  [[nodiscard]] const Column& so_far() const noexcept { return column_; }
  [[nodiscard]] Column finish() &&;

 private:
  Column column_;
  std::vector<double> fresh_;  ///< numbers on their way into the column
  bool is_whole_ = true;
  std::deque<std::string> levels_;  ///< never move, so that the keys of codes_ stay
  std::unordered_map<std::string_view, std::uint32_t> codes_;
};

/// Adds rows that a source gives as places in its own list of levels: each is looked up once.
class Recoder {
 public:
  explicit Recoder(std::size_t levels) : codes_(levels, Column::no_level) {}
  [[nodiscard]] std::size_t size() const noexcept { return codes_.size(); }
  /// text(place) is the source's level.
  template <class Text>
  void add(ColumnBuilder& column, std::size_t place, const Text& text) {
    if (codes_[place] == Column::no_level) codes_[place] = column.code(text(place));
    column.add_code(codes_[place]);
  }

 private:
  std::vector<std::uint32_t> codes_;
};

/// Adds the rows of the same column in a later part of its source.
void append(Column& to, Column&& from);

/// The columns that readers of them have read.
template <class Reader>
[[nodiscard]] std::vector<Column> finish_all(std::vector<Reader> readers) {
  std::vector<Column> columns;
  columns.reserve(readers.size());
  for (Reader& reader : readers) columns.push_back(std::move(reader).finish());
  return columns;
}

/// The levels of a boolean: false, true.
[[nodiscard]] std::string_view boolean_level(std::size_t value);

}  // namespace motmot
