/// Columns as tests write them down.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "motmot/tables.hpp"
#include "support/support.hpp"

namespace motmot::test {

inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Equal where NaN is equal to NaN.
inline testing::AssertionResult same_numbers(const std::vector<double>& found,
                                             const std::vector<double>& wanted) {
  if (found.size() != wanted.size())
    return testing::AssertionFailure() << found.size() << " numbers instead of " << wanted.size();
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != wanted[i] && !(std::isnan(found[i]) && std::isnan(wanted[i])))
      return testing::AssertionFailure() << "row " << i << ": " << found[i] << " instead of " << wanted[i];
  return testing::AssertionSuccess();
}

/// The text of each row of a category, "(missing)" where it has none.
inline std::vector<std::string> texts(const Column& column) {
  std::vector<std::string> all;
  for (const std::uint32_t code : column.codes)
    all.push_back(code == Column::no_level ? "(missing)" : column.levels.at(code));
  return all;
}

/// Levels are distinct, and in the order of their first row.
inline void expect_sound(const Frame& frame) {
  for (const Column& column : frame.columns) {
    SCOPED_TRACE(column.name);
    EXPECT_EQ(column.rows(), frame.n());
    EXPECT_TRUE(column.kind == Kind::category ? column.numbers.empty() : column.codes.empty());
    std::size_t seen = 0;
    for (const std::uint32_t code : column.codes) {
      if (code == Column::no_level) continue;
      ASSERT_LE(code, seen);
      if (code == seen) ++seen;
    }
    EXPECT_EQ(seen, column.levels.size());
  }
}

inline bool same(const Frame& a, const Frame& b) {
  if (a.columns.size() != b.columns.size() || a.weights != b.weights) return false;
  for (std::size_t j = 0; j < a.columns.size(); ++j) {
    const Column& left = a.columns[j];
    const Column& right = b.columns[j];
    if (left.name != right.name || left.kind != right.kind || left.codes != right.codes ||
        left.levels != right.levels || left.is_whole != right.is_whole ||
        !same_numbers(left.numbers, right.numbers))
      return false;
  }
  return true;
}

}  // namespace motmot::test
