/// Why a row stands out, in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "motmot/outliers.hpp"
#include "outliers/looks.hpp"
#include "tables/sentinels.hpp"

namespace motmot {

/// A sample that was judged, as its reasons need it.
struct Judged {
  const Frame& table;
  PointsView points;
  const std::vector<std::uint32_t>& suspects;           ///< ascending
  bool are_strangers = false;                           ///< suspects that have company in their own sample
  std::size_t neighbour = 0;                            ///< as OutlierSample's
  std::vector<double> distances{};                      ///< of every row to that one
  std::vector<std::optional<Unexpected>> unexpected{};  ///< of every row
};

/// Rows that one value gives away, ascending: a sentinel, or a level that no other row of either table has,
/// where every other level has 10 rows or more and such rows are at most 1 % (or one); or a number where all
/// but so few rows have another (find_odd_values()).
[[nodiscard]] std::vector<std::uint32_t> rows_by_value(const Frame& table, const Frame* other,
                                                       const Coding& coding);

/// What is known of the columns of one sample, and what it says of rows.
class Reasons {
 public:
  /// `other` is the other sample's table, if there is one; all that is handed over must stay.
  Reasons(const Judged& judged, const Coding& coding, const Frame* other);

  [[nodiscard]] OutlierRow of(std::uint32_t row) const;

 private:
  /// The values of a number or a time among the rows kept.
  struct Law {
    double median = 0, spread = 0, low = 0, high = 0;
    std::vector<Sentinel> sentinels{};
  };
  struct Off {
    std::size_t column = 0;
    double units = 0;
  };

  [[nodiscard]] const Column& column(std::size_t k) const;
  [[nodiscard]] double value(std::size_t k, std::uint32_t row) const { return column(k).numbers[row]; }
  [[nodiscard]] std::string cell(std::size_t k, std::uint32_t row) const;
  [[nodiscard]] bool is_missing(std::size_t k, std::uint32_t row) const;
  [[nodiscard]] Law law_of(std::size_t k) const;
  [[nodiscard]] std::vector<double> from_company(std::uint32_t row) const;
  [[nodiscard]] std::optional<OutlierRow> sentinel(std::uint32_t row) const;
  [[nodiscard]] std::optional<OutlierRow> off(std::uint32_t row) const;
  [[nodiscard]] std::optional<OutlierRow> level(std::uint32_t row) const;
  [[nodiscard]] std::optional<OutlierRow> odd(std::uint32_t row) const;
  [[nodiscard]] std::optional<OutlierRow> related(std::uint32_t row) const;
  [[nodiscard]] std::optional<OutlierRow> missing(std::uint32_t row, const std::vector<double>& parts) const;
  [[nodiscard]] OutlierRow alone(std::uint32_t row, const std::vector<double>& parts) const;

  const Judged& judged_;
  const Coding& coding_;
  std::vector<std::uint32_t> kept_;
  std::vector<Law> laws_;                         ///< of each coded column
  std::vector<std::vector<std::size_t>> counts_;  ///< of each coded category: rows of each level, both tables
  std::vector<std::optional<OddValues>> odd_;     ///< of each coded column; rows of both tables
  double usual_distance_ = 0;                     ///< the median over the rows kept
};

}  // namespace motmot
