#include "inference/block_w1.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/euclidean.hpp"

namespace motmot {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Shortest augmenting paths (Kuhn 1955, Munkres 1957, in the O(b^3) form with row and column prices).
/// Index 0 stands for "none", so that rows and columns count from 1.
class Assignment {
 public:
  explicit Assignment(std::span<const double> cost, std::size_t b) : cost_(cost), b_(b) {
    for (std::size_t i = 1; i <= b_; ++i) add_row(i);
  }

  [[nodiscard]] double total() const noexcept {
    double sum = 0;
    for (std::size_t j = 1; j <= b_; ++j) sum += cost(row_of_[j], j);
    return sum;
  }

 private:
  static constexpr std::size_t places = BlockW1::max_assigned + 1;

  [[nodiscard]] double cost(std::size_t i, std::size_t j) const noexcept {
    return cost_[(i - 1) * b_ + j - 1];
  }

  void add_row(std::size_t i) {
    std::array<double, places> slack;
    std::array<bool, places> seen{};
    slack.fill(infinity);
    row_of_[0] = i;
    std::size_t at = 0;
    do {
      seen[at] = true;
      at = nearest(at, slack, seen);
    } while (row_of_[at] != 0);
    for (; at != 0; at = before_[at]) row_of_[at] = row_of_[before_[at]];
  }

  /// Relaxes the columns from column `at` and moves the prices so that the next one comes in reach.
  std::size_t nearest(std::size_t at, std::array<double, places>& slack,
                      const std::array<bool, places>& seen) {
    const std::size_t row = row_of_[at];
    double least = infinity;
    std::size_t next = 0;
    for (std::size_t j = 1; j <= b_; ++j) {
      if (seen[j]) continue;
      const double reduced = cost(row, j) - u_[row] - v_[j];
      if (reduced < slack[j]) {
        slack[j] = reduced;
        before_[j] = at;
      }
      if (next == 0 || slack[j] < least) {
        least = slack[j];
        next = j;
      }
    }
    for (std::size_t j = 0; j <= b_; ++j) {
      if (seen[j]) {
        u_[row_of_[j]] += least;
        v_[j] -= least;
      } else {
        slack[j] -= least;
      }
    }
    return next;
  }

  std::span<const double> cost_;
  std::size_t b_;
  std::array<double, places> u_{}, v_{};
  std::array<std::size_t, places> row_of_{}, before_{};
};

}  // namespace

double BlockW1::assign(std::size_t b) {
  if (b == 1) return cost_[0];
  if (b == 2) return std::min(cost_[0] + cost_[3], cost_[1] + cost_[2]) / 2;
  return Assignment(cost_, b).total() / static_cast<double>(b);
}

double BlockW1::operator()(PointsView x, PointsView y) {
  const bool one_point = x.n == 1 || y.n == 1;
  if (!one_point && (x.n != y.n || x.n > max_assigned))
    return transport(workspace_, x, y, {}, {}, {.want_plan = false, .want_potentials = false}).cost;
  cost_.resize(x.n * y.n);
  for (std::size_t i = 0; i < x.n; ++i)
    for (std::size_t j = 0; j < y.n; ++j) cost_[i * y.n + j] = euclidean(x.row(i), y.row(j));
  if (!one_point) return assign(x.n);
  double sum = 0;
  for (const double c : cost_) sum += c;
  return sum / static_cast<double>(cost_.size());
}

}  // namespace motmot
