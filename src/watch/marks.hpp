/// Columns alone: how the values of some rows are spread over the steps or the levels of a column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motmot/tables.hpp"
#include "watch/frames.hpp"

namespace motmot {

/// One column of pooled rows as small whole numbers: levels, whether a value is missing, or for numbers the
/// step of their rank (24 steps of equal shares), which no single value can move far.
struct Marks {
  static constexpr std::uint8_t none = 255;
  std::vector<std::uint8_t> of{};  ///< of every row; `none`: a missing number has no step
  std::vector<double> share{};     ///< of every mark among the rows that have one
  bool is_ordered = false;
};

/// Of every column, and for columns of numbers with missing ones of that, too; columns with one mark are not
/// there. At most 255 levels have a mark of their own, the others share one.
[[nodiscard]] std::vector<Marks> marks_of(PointsView held, PointsView chunk, const Coding& coding);

/// How far the marks of these rows are from those of all. Levels: the root of Pearson's chi-squared with half
/// a row added to what is expected, so that one row of a rare level is not much. Steps: the root of the
/// number of rows times Anderson's and Darling's mean square of F - G over F (1 - F). O(rows + marks).
[[nodiscard]] double apart(const Marks& marks, std::span<const std::uint32_t> rows);

}  // namespace motmot
