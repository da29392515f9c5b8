#include "inference/tails.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/statistics.hpp"
#include "inference/score_gap.hpp"

namespace motmot {
namespace {

constexpr double standard_errors = 2;
constexpr double least_slope = 0.03;

/// The tail in units of the body.
struct Units {
  std::vector<double> u{};  ///< largest first: half of what lies beyond the body
  std::size_t rows = 0;     ///< of the whole sample
};

/// `rising`: logarithms of scores, ascending.
Units units_of(std::span<const double> rising, std::size_t most) {
  const double end = body_end(rising.size(), most);
  const double place = sorted_quantile(rising, end);
  const double slope = std::max(sorted_body_slope(rising, most), least_slope);
  Units units{.rows = rising.size()};
  const auto count = static_cast<std::size_t>((1 - end) * static_cast<double>(rising.size()) / 2);
  for (std::size_t i = 1; i <= count; ++i) units.u.push_back((rising[rising.size() - i] - place) / slope);
  return units;
}

bool fits(const Units& own, const Units& other) {
  for (std::size_t i = 1; i <= own.u.size(); ++i) {
    const std::size_t j = (i * other.rows + own.rows - 1) / own.rows;
    if (j > other.u.size()) break;
    const double error = std::sqrt(1 / static_cast<double>(i) + 1 / static_cast<double>(j));
    if (own.u[i - 1] > other.u[j - 1] + standard_errors * error) return false;
  }
  return true;
}

std::size_t rows_beyond(std::span<const double> rising, std::size_t most, const Units& other) {
  for (std::size_t r = 0; r <= most; ++r) {
    const std::size_t kept = rising.size() - r;
    if (r > 0 && rising[kept] == rising[kept - 1]) continue;  // equal rows go together or not at all
    if (fits(units_of(rising.first(kept), most), other)) return r;
  }
  return 0;
}

}  // namespace

PerSample<std::size_t> rows_beyond_the_other_tail(PerSample<Tail> tails) {
  std::ranges::sort(tails.x.logs);
  std::ranges::sort(tails.y.logs);
  return {rows_beyond(tails.x.logs, tails.x.most, units_of(tails.y.logs, tails.y.most)),
          rows_beyond(tails.y.logs, tails.y.most, units_of(tails.x.logs, tails.x.most))};
}

}  // namespace motmot
