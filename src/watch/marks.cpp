#include "watch/marks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace motmot {
namespace {

constexpr std::size_t steps = 24, most_marks = Marks::none;
constexpr double half_a_row = 0.5;

struct Pooled {
  PointsView held, chunk;
  [[nodiscard]] std::size_t rows() const { return held.n + chunk.n; }
  [[nodiscard]] double operator()(std::size_t row, std::size_t k) const {
    return row < held.n ? held(row, k) : chunk(row - held.n, k);
  }
};

/// Ties have the step of their mean rank.
std::vector<std::uint8_t> steps_of(const Pooled& points, std::size_t coordinate, const RowList& present) {
  RowList order = present;
  const auto value = [&](std::uint32_t row) { return points(row, coordinate); };
  std::ranges::sort(order, {}, value);
  std::vector<std::uint8_t> of(points.rows(), Marks::none);
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    while (to < order.size() && value(order[to]) == value(order[from])) ++to;
    const std::size_t step = (from + to) * steps / (2 * order.size());
    for (std::size_t k = from; k < to; ++k) of[order[k]] = static_cast<std::uint8_t>(step);
  }
  return of;
}

/// The coordinate of the row's level; `none` where it has none of these.
std::uint8_t level_of(const Pooled& points, std::size_t row, std::size_t first, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k)
    if (points(row, first + k) != 0) return static_cast<std::uint8_t>(std::min(k, most_marks - 1));
  return Marks::none;
}

void add_marks(std::vector<Marks>& all, std::vector<std::uint8_t> of, bool is_ordered) {
  std::array<std::size_t, most_marks> count{};
  std::size_t present = 0;
  for (const std::uint8_t mark : of)
    if (mark != Marks::none) {
      ++count[mark];
      ++present;
    }
  std::size_t last = most_marks;
  while (last > 0 && count[last - 1] == 0) --last;
  if (std::ranges::count_if(count, [](std::size_t c) { return c > 0; }) < 2) return;
  Marks marks{.of = std::move(of), .share = std::vector<double>(last), .is_ordered = is_ordered};
  for (std::size_t mark = 0; mark < last; ++mark)
    marks.share[mark] = static_cast<double>(count[mark]) / static_cast<double>(present);
  all.push_back(std::move(marks));
}

}  // namespace

std::vector<Marks> marks_of(PointsView held, PointsView chunk, const Coding& coding) {
  const Pooled points{held, chunk};
  std::vector<Marks> all;
  std::size_t first = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t width = column.width();
    std::vector<std::uint8_t> levels(points.rows());
    if (column.kind == Kind::category) {
      for (std::size_t row = 0; row < levels.size(); ++row) levels[row] = level_of(points, row, first, width);
      add_marks(all, std::move(levels), false);
    } else {
      RowList present;
      for (std::uint32_t row = 0; row < points.rows(); ++row) {
        levels[row] = column.has_missing && points(row, first + 1) != 0 ? 1 : 0;
        if (levels[row] == 0) present.push_back(row);
      }
      add_marks(all, steps_of(points, first, present), true);
      add_marks(all, std::move(levels), false);
    }
    first += width;
  }
  return all;
}

double apart(const Marks& marks, std::span<const std::uint32_t> rows) {
  std::array<double, most_marks + 1> count{};
  for (const std::uint32_t row : rows) count[marks.of[row]] += 1;
  double present = 0;
  for (std::size_t mark = 0; mark < marks.share.size(); ++mark) present += count[mark];
  if (present == 0) return 0;
  double sum = 0, here = 0, everywhere = 0;
  for (std::size_t mark = 0; mark < marks.share.size(); ++mark) {
    const double share = marks.share[mark];
    if (share == 0) continue;
    if (!marks.is_ordered) {
      const double expected = share * present;
      sum += (count[mark] - expected) * (count[mark] - expected) / (expected + half_a_row);
      continue;
    }
    here += count[mark] / present;
    everywhere += share;
    if (mark + 1 < marks.share.size())
      sum += present * share * (here - everywhere) * (here - everywhere) / (everywhere * (1 - everywhere));
  }
  return std::sqrt(sum);
}

}  // namespace motmot
