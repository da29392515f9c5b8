// How far from optimal a critic is for given weights, bounded without solving a transport problem.
#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/euclidean.hpp"
#include "critics/exact_problem.hpp"

namespace motmot {
namespace {

class GreedyPlan {
 public:
  GreedyPlan(PointsView x, PointsView y, const RowWeights& w, const Phi& phi)
      : x_(x), y_(y), phi_(phi), row_left_(w.x), col_left_(w.y) {}

  void move(std::size_t i, std::size_t j, double mass) {
    mass = std::min({mass, row_left_[i], col_left_[j]});
    if (!(mass > 0)) return;
    row_left_[i] -= mass;
    col_left_[j] -= mass;
    gap_ += mass * std::max(0.0, reduced(i, j));
  }

  /// Along the old plan: first what every row and column can spare alike, then what still fits.
  void follow(std::span<const PlanEntry> plan) {
    std::vector<double> rows(row_left_.size()), cols(col_left_.size());
    for (const PlanEntry& entry : plan) {
      rows[entry.row] += entry.mass;
      cols[entry.col] += entry.mass;
    }
    const std::vector<double> want_rows = row_left_, want_cols = col_left_;
    for (const PlanEntry& e : plan)
      move(e.row, e.col, e.mass * std::min(want_rows[e.row] / rows[e.row], want_cols[e.col] / cols[e.col]));
    for (const PlanEntry& e : plan) move(e.row, e.col, 1);
  }

  /// Row after row, each to the columns that suit it best among those that want more. The costs of a row are
  /// looked at once and kept in a heap: a row that feeds many columns takes them one after the other.
  void match_the_rest() {
    std::vector<std::uint32_t> open;  // columns that want more
    for (std::uint32_t j = 0; j < col_left_.size(); ++j)
      if (col_left_[j] > 0) open.push_back(j);
    std::vector<std::pair<double, std::uint32_t>> costs;
    for (std::size_t i = 0; i < row_left_.size() && !open.empty(); ++i) {
      if (!(row_left_[i] > 0)) continue;
      costs.clear();
      for (const std::uint32_t j : open) costs.emplace_back(reduced(i, j), j);
      std::ranges::make_heap(costs, std::greater<>());
      while (row_left_[i] > 0 && !costs.empty()) {
        std::ranges::pop_heap(costs, std::greater<>());
        move(i, costs.back().second, 1);
        costs.pop_back();
      }
      std::erase_if(open, [&](std::uint32_t j) { return !(col_left_[j] > 0); });
    }
  }

  [[nodiscard]] double gap() const { return gap_; }

 private:
  [[nodiscard]] double reduced(std::size_t i, std::size_t j) const {
    return euclidean(x_.row(i), y_.row(j)) - phi_.x[i] + phi_.y[j];
  }

  PointsView x_, y_;
  const Phi& phi_;
  std::vector<double> row_left_, col_left_;
  double gap_ = 0;
};

}  // namespace

double gap_bound(PointsView x, PointsView y, std::span<const PlanEntry> plan, const RowWeights& w,
                 const Phi& phi) {
  GreedyPlan moved(x, y, w, phi);
  moved.follow(plan);
  moved.match_the_rest();
  return moved.gap();
}

}  // namespace motmot
