#include "inference/tails.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/statistics.hpp"
#include "inference/score_gap.hpp"

namespace motmot {
namespace {

/// The tail in units of the body.
struct Units {
  std::vector<double> u{};  ///< largest first: half of what lies beyond the body
  std::size_t rows = 0;     ///< of the whole sample
};

Units units_of(std::span<const double> sorted, std::size_t most) {
  constexpr double least_slope = 0.03;
  const double end = body_end(sorted.size(), most);
  const double place = sorted_quantile(sorted, end);
  const double slope = std::max(sorted_body_slope(sorted, most), least_slope);
  const auto count = static_cast<std::size_t>((1 - end) * static_cast<double>(sorted.size()) / 2);
  Units units{.rows = sorted.size()};
  for (std::size_t i = 1; i <= count; ++i) units.u.push_back((sorted[sorted.size() - i] - place) / slope);
  return units;
}

bool is_heavier(const Units& own, const Units& other, double standard_errors) {
  for (std::size_t i = 1; i <= own.u.size(); ++i) {
    const std::size_t j = (i * other.rows + own.rows - 1) / own.rows;  // the rank of the same share
    if (j > other.u.size()) break;
    const double error = std::sqrt(1 / static_cast<double>(i) + 1 / static_cast<double>(j));
    if (own.u[i - 1] > other.u[j - 1] + standard_errors * error) return true;
  }
  return false;
}

}  // namespace

bool is_heavier(const Tail& own, const Tail& other, double standard_errors) {
  assert(std::ranges::is_sorted(own.logs) && std::ranges::is_sorted(other.logs));
  return is_heavier(units_of(own.logs, own.most), units_of(other.logs, other.most), standard_errors);
}

std::size_t rows_beyond_the_other_tail(const Tail& own, const Tail& other) {
  constexpr double to_be_seen = 3.5, to_be_left = 2;
  if (!is_heavier(own, other, to_be_seen)) return 0;
  const Units limit = units_of(other.logs, other.most);
  for (std::size_t r = 0; r <= own.most; ++r) {
    const std::size_t kept = own.logs.size() - r;
    if (r > 0 && own.logs[kept] == own.logs[kept - 1]) continue;  // equal rows go together or not at all
    if (!is_heavier(units_of(std::span(own.logs).first(kept), own.most), limit, to_be_left)) return r;
  }
  return 0;
}

namespace {

/// From the median, in units of the distance from there to the quantile of 80 %; nothing where that is 0.
std::vector<double> from_median(std::span<const double> values, double sign) {
  std::vector<double> sorted;
  for (const double value : values) sorted.push_back(sign * value);
  std::vector<double> u = sorted;
  std::ranges::sort(sorted);
  const double median = sorted_quantile(sorted, 0.5), unit = sorted_quantile(sorted, 0.8) - median;
  if (!(unit > 0)) return {};
  for (double& value : u) value = (value - median) / unit;
  return u;
}

using Rows = std::vector<std::uint32_t>;

/// At the upper end where sign = 1, at the lower one where sign = -1.
Rows rows_beyond_the_other_end(std::span<const double> own, std::span<const double> other, double sign) {
  constexpr double farther = 1.5;
  const std::vector<double> u = from_median(own, sign), limits = from_median(other, sign);
  if (u.empty() || limits.empty()) return {};
  const double limit = farther * std::ranges::max(limits);
  Rows rows;
  for (std::size_t i = 0; i < u.size(); ++i)
    if (u[i] > limit) rows.push_back(static_cast<std::uint32_t>(i));
  return rows;
}

}  // namespace

Rows rows_beyond_the_other_ends(std::span<const double> own, std::span<const double> other,
                                std::size_t most) {
  constexpr double bits_of_both = 7, bits_of_one = 5;
  const Rows lower = rows_beyond_the_other_end(own, other, -1),
             upper = rows_beyond_the_other_end(own, other, 1);
  const double bits_of_a_row =
      std::log2(1 + static_cast<double>(other.size()) / static_cast<double>(own.size()));
  const auto bits = [&](std::size_t rows) { return static_cast<double>(rows) * bits_of_a_row; };
  Rows rows;
  if (bits(lower.size() + upper.size()) >= bits_of_both)
    std::ranges::set_union(lower, upper, std::back_inserter(rows));
  else if (bits(upper.size()) >= bits_of_one) rows = upper;
  else if (bits(lower.size()) >= bits_of_one) rows = lower;
  return rows.size() <= most ? rows : Rows{};
}

bool is_part_of_both(std::size_t here, std::size_t n, std::size_t there, std::size_t m) {
  constexpr double standard_errors = 3;
  const double of_n = static_cast<double>(n), of_m = static_cast<double>(m),
               share = static_cast<double>(here) / of_n, other = static_cast<double>(there) / of_m,
               chance = standard_errors * std::sqrt(share * (1 - share) * (1 / of_n + 1 / of_m));
  return share / 2 <= other && other <= 3 * share + chance;
}

}  // namespace motmot
