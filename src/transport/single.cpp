#include <algorithm>
#include <limits>

#include "transport/engine.hpp"

namespace motmot {

using namespace solver;

// One row or one column: the nearest points of the other side are served first, and where a share may be left
// out it is the farthest that are. The potential of the side with many points stops at the cost of the last
// one served.
void TransportEngine::solve_single() {
  const auto n = static_cast<std::uint32_t>(masses_.rows.size()),
             m = static_cast<std::uint32_t>(cols_.size());
  const bool slack_row = geometry_.rows() > n, slack_col = geometry_.cols() > m, one_row = n == 1;
  const std::span<const Mass> many = one_row ? std::span<const Mass>(b_) : std::span<const Mass>(masses_.a);
  const std::uint32_t count = one_row ? m : n;
  const auto true_cost = [&](std::uint32_t k) {
    const std::uint32_t i = one_row ? 0 : k, j = one_row ? k : 0;
    return geometry_.cost(i, j) + geometry_.x().apart(i) + geometry_.y().apart(j);
  };
  std::vector<double> cost(count);
  std::vector<std::uint32_t> nearest(count);
  Mass left = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    cost[k] = true_cost(k);
    nearest[k] = k;
    left += many[k];
  }
  if (one_row ? slack_row : slack_col) {
    std::ranges::stable_sort(nearest, {}, [&](std::uint32_t k) { return cost[k]; });
    left -= one_row ? masses_.a[n] : b_[m];
  }
  plan_.clear();
  double last = 0;
  for (const std::uint32_t k : nearest) {
    const Mass served = std::min(left, many[k]), rest = many[k] - served;
    if (served > 0) {
      plan_.push_back({one_row ? 0 : k, one_row ? k : 0, served});
      last = cost[k];
    }
    if (rest > 0) plan_.push_back({one_row ? n : k, one_row ? k : m, rest});
    left -= served;
  }
  // What the single point itself leaves over.
  if (one_row && slack_col) plan_.push_back({0, m, b_[m]});
  if (!one_row && slack_row) plan_.push_back({n, 0, masses_.a[n]});
  std::vector<double> potential(m);
  if (one_row)
    for (std::uint32_t j = 0; j < m; ++j) potential[j] = slack_row ? std::min(cost[j], last) : cost[j];
  else potential[0] = slack_col ? last : 0;
  std::vector<double> other(n, std::numeric_limits<double>::infinity());
  if (!one_row && slack_col)
    for (std::uint32_t i = 0; i < n; ++i) other[i] = std::min(cost[i] - last, 0.0);
  geometry_.lift_far(other, potential);
  for (std::uint32_t j = 0; j < m; ++j) v_[j] = potential[j] - geometry_.y().apart(j);
  if (slack_col) v_[m] = 0;
}

}  // namespace motmot
