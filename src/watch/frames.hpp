/// Tables cut, drawn from, told apart and made points of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motmot/tables.hpp"

namespace motmot {

using RowList = std::vector<std::uint32_t>;

/// These rows, in this order, with their numbers in the source; levels without a row are gone.
[[nodiscard]] Frame rows_of(const Frame& frame, std::span<const std::uint32_t> rows);

[[nodiscard]] Points rows_of(PointsView points, std::span<const std::uint32_t> rows);

/// Names and levels as UTF-8, other bytes as U+FFFD: files and logs hold nothing else.
[[nodiscard]] Frame as_utf8(Frame frame);

/// first .. first + count - 1
[[nodiscard]] RowList stretch(std::size_t first, std::size_t count);

/// Number of a row in its source, from 1.
[[nodiscard]] std::uint64_t source_row(const Frame& frame, std::size_t row);

/// SHA-256 of names, kinds and values; how levels are numbered does not matter.
[[nodiscard]] std::string digest_of(const Frame& frame);

/// Two tables as points, without the coordinates for levels and missing values that neither of them needs.
struct Coded {
  Coding coding{};
  Points x{}, y{};
};
[[nodiscard]] Coded without_idle(const Coding& coding, PointsView x, PointsView y);

/// What was learned from one table has no spread to divide a number or a time by that has one value there.
/// Where x has one value of it, it is now divided by robust_unit() of both tables.
[[nodiscard]] Coding with_units_of_both(Coding coding, const Frame& x, const Frame& y);

}  // namespace motmot
