// One dimension: the plan of the sorted samples is optimal, and the potential has slope +-1 by which of the
// two distribution functions is ahead.
#include <algorithm>
#include <cmath>

#include "transport/engine.hpp"

namespace motmot::solver {
namespace {

// A point of either sample; mass counts positive for x, negative for y, zero for rows left out.
struct Mark {
  double at;
  Mass mass;
  std::uint32_t index;
  bool of_x;
};

std::vector<Mark> sorted_marks(PointsView x, PointsView y, const Masses& masses) {
  std::vector<Mark> marks;
  marks.reserve(x.rows() + y.rows());
  for (std::uint32_t i = 0; i < x.rows(); ++i) marks.push_back({x(i, 0), 0, i, true});
  for (std::uint32_t j = 0; j < y.rows(); ++j) marks.push_back({y(j, 0), 0, j, false});
  for (std::size_t k = 0; k < masses.rows.size(); ++k) marks[masses.rows[k]].mass = masses.a[k];
  for (std::size_t k = 0; k < masses.cols.size(); ++k) marks[x.rows() + masses.cols[k]].mass = -masses.b[k];
  std::ranges::stable_sort(marks, {}, &Mark::at);
  return marks;
}

// phi(t) = integral of sign(G - F), zero at the middle mark: far points do not spoil the others.
std::vector<double> potential(const std::vector<Mark>& marks) {
  std::vector<int> slope(marks.size());
  Mass ahead = 0;
  for (std::size_t k = 0; k < marks.size(); ++k) {
    ahead += marks[k].mass;
    slope[k] = ahead > 0 ? -1 : ahead < 0 ? 1 : 0;
  }
  std::vector<double> phi(marks.size(), 0);
  const std::size_t middle = marks.size() / 2;
  for (std::size_t k = middle + 1; k < marks.size(); ++k)
    phi[k] = phi[k - 1] + slope[k - 1] * (marks[k].at - marks[k - 1].at);
  for (std::size_t k = middle; k-- > 0;) phi[k] = phi[k + 1] - slope[k] * (marks[k + 1].at - marks[k].at);
  return phi;
}

}  // namespace

Transport solve_one_dimension(PointsView x, PointsView y, const Masses& masses,
                              const TransportOptions& options) {
  const std::vector<Mark> marks = sorted_marks(x, y, masses);
  const std::vector<double> phi = potential(marks);
  Transport result;
  const double unit = 1 / static_cast<double>(masses.total);
  // Two walkers over the marks, one for each sample.
  std::size_t p = 0;
  std::size_t q = 0;
  Mass left_p = 0;
  Mass left_q = 0;
  const auto advance = [&](std::size_t& at, Mass& left, bool of_x) {
    while (left == 0 && at < marks.size()) {
      if (marks[at].of_x == of_x) left = std::abs(marks[at].mass);
      if (left == 0) ++at;
    }
  };
  for (;;) {
    advance(p, left_p, true);
    advance(q, left_q, false);
    if (left_p == 0 || left_q == 0) break;
    const Mass moved = std::min(left_p, left_q);
    const double mass = static_cast<double>(moved) * unit;
    const double distance = std::abs(marks[p].at - marks[q].at);
    result.cost += mass * distance;
    result.gap += mass * std::max(0.0, distance - (phi[p] - phi[q]));
    if (options.want_plan) result.plan.push_back({marks[p].index, marks[q].index, mass});
    left_p -= moved;
    left_q -= moved;
    if (left_p == 0) ++p;
    if (left_q == 0) ++q;
  }
  if (!options.want_potentials) return result;
  result.u.resize(x.rows());
  result.v.resize(y.rows());
  for (std::size_t k = 0; k < marks.size(); ++k)
    (marks[k].of_x ? result.u : result.v)[marks[k].index] = marks[k].of_x ? phi[k] : -phi[k];
  return result;
}

}  // namespace motmot::solver
