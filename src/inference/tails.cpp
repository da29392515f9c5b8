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

}  // namespace motmot
