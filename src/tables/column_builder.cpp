#include "tables/column_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "data/readers.hpp"

namespace motmot {
namespace {

using Element = ElementType::Kind;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

NumberLayout layout_of(Element kind, unsigned width) {
  const ElementType type{.kind = kind, .size = width, .big_endian = std::endian::native == std::endian::big};
  return {.decode = decoder_of(type), .width = width, .is_integer = kind != Element::floating};
}

/// Integers of 16 or 32 bytes: words of 64 bits, the lowest first; of a signed one the last has the sign.
template <std::size_t words, class Last>
void decode_wide(const char* bytes, std::size_t count, double* values) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t word[words];
    std::memcpy(word, bytes + i * sizeof word, sizeof word);
    const bool negative = std::is_signed_v<Last> && static_cast<std::int64_t>(word[words - 1]) < 0;
    // By size and sign: -1 is a row of ones, which would not add up to -1 in doubles.
    double size = 0;
    std::uint64_t carry = negative ? 1 : 0;
    double place = 1;
    for (std::uint64_t part : word) {
      if (negative) part = ~part + carry;
      if (part != 0) carry = 0;
      size += static_cast<double>(part) * place;
      place *= 0x1p64;
    }
    values[i] = negative ? -size : size;
  }
}

NumberLayout wide_layout(Decoder decode, std::size_t width) {
  return {.decode = decode, .width = width, .is_integer = true};
}

bool is_plain(const NumberLayout& layout) {
  return layout.factor == 1 && layout.divisor == 1 && !std::isfinite(layout.limit);
}

void convert(std::span<double> values, const NumberLayout& layout) {
  for (double& value : values)
    value = std::abs(value) < layout.limit ? value * layout.factor / layout.divisor : missing;
}

void blank(std::span<double> values, Presence presence) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!presence(i)) values[i] = missing;
}

/// Infinities become missing values; says whether the others are all integers.
bool screen(std::span<double> values) {
  bool whole = true;
  for (double& value : values) {
    if (!std::isfinite(value)) value = missing;
    else whole = whole && value == std::floor(value);
  }
  return whole;
}

}  // namespace

NumberLayout signed_layout(unsigned width) {
  if (width == 16) return wide_layout(&decode_wide<2, std::int64_t>, 16);
  if (width == 32) return wide_layout(&decode_wide<4, std::int64_t>, 32);
  return layout_of(Element::signed_integer, width);
}

NumberLayout unsigned_layout(unsigned width) {
  if (width == 16) return wide_layout(&decode_wide<2, std::uint64_t>, 16);
  return layout_of(Element::unsigned_integer, width);
}

NumberLayout floating_layout(unsigned width) { return layout_of(Element::floating, width); }

NumberLayout times(NumberLayout layout, double factor) {
  layout.factor = factor;
  return layout;
}

NumberLayout divided(NumberLayout layout, double divisor) {
  layout.divisor = divisor;
  return layout;
}

void ColumnBuilder::reserve(std::size_t rows) {
  if (column_.kind != Kind::category) reserve_if_possible(column_.numbers, static_cast<double>(rows));
  else reserve_if_possible(column_.codes, static_cast<double>(rows));
}

void ColumnBuilder::add_numbers(const NumberLayout& layout, const void* values, std::size_t count,
                                Presence presence) {
  if (fresh_.size() < count) fresh_.resize(count);
  const std::span<double> fresh = std::span(fresh_).first(count);
  layout.decode(static_cast<const char*>(values), count, fresh.data());
  if (!is_plain(layout)) convert(fresh, layout);
  if (!presence.is_whole()) blank(fresh, presence);
  if (!layout.is_integer || !is_plain(layout)) is_whole_ = screen(fresh) && is_whole_;
  column_.numbers.insert(column_.numbers.end(), fresh.begin(), fresh.end());
}

void ColumnBuilder::add_number(double value) {
  column_.numbers.push_back(value);
  is_whole_ = screen(std::span(column_.numbers).last(1)) && is_whole_;
}

void ColumnBuilder::add_missing(std::size_t count) {
  if (column_.kind == Kind::category) column_.codes.insert(column_.codes.end(), count, Column::no_level);
  else column_.numbers.insert(column_.numbers.end(), count, missing);
}

void ColumnBuilder::add_codes(std::span<const std::uint32_t> codes) {
  column_.codes.insert(column_.codes.end(), codes.begin(), codes.end());
}

std::uint32_t ColumnBuilder::code(std::string_view level) {
  const auto known = codes_.find(level);
  if (known != codes_.end()) return known->second;
  const auto fresh = static_cast<std::uint32_t>(levels_.size());
  codes_.emplace(levels_.emplace_back(level), fresh);
  return fresh;
}

Column ColumnBuilder::finish() && {
  codes_.clear();
  column_.levels.assign(std::make_move_iterator(levels_.begin()), std::make_move_iterator(levels_.end()));
  column_.is_whole = column_.kind == Kind::number && is_whole_;
  return std::move(column_);
}

void append(Column& to, Column&& from) {
  to.is_whole = to.is_whole && from.is_whole;
  to.numbers.insert(to.numbers.end(), from.numbers.begin(), from.numbers.end());
  from.numbers = {};
  std::unordered_map<std::string_view, std::uint32_t> codes;
  for (std::uint32_t k = 0; k < to.levels.size(); ++k) codes.emplace(to.levels[k], k);
  std::vector<std::uint32_t> code_of;
  std::vector<std::string> fresh;
  for (std::string& level : from.levels) {
    const auto known = codes.find(level);
    code_of.push_back(known != codes.end() ? known->second
                                           : static_cast<std::uint32_t>(to.levels.size() + fresh.size()));
    if (known == codes.end()) fresh.push_back(std::move(level));
  }
  to.levels.insert(to.levels.end(), std::make_move_iterator(fresh.begin()),
                   std::make_move_iterator(fresh.end()));
  const std::size_t before = to.codes.size();
  to.codes.resize(before + from.codes.size());
  std::ranges::transform(from.codes, to.codes.data() + before,
                         [&](std::uint32_t code) { return code == Column::no_level ? code : code_of[code]; });
}

std::string_view boolean_level(std::size_t value) { return value != 0 ? "true" : "false"; }

}  // namespace motmot
