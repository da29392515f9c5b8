#include "transport/copies.hpp"

#include <algorithm>
#include <numeric>

#include "neighbours/neighbours.hpp"
#include "transport/engine.hpp"

namespace motmot {
namespace solver {

Copies Copies::of(std::span<const std::uint32_t> kept, std::span<const Mass> masses,
                  std::span<const std::uint32_t> first) {
  constexpr std::uint32_t unseen = ~0u;
  std::vector<std::uint32_t> point_of_first(first.size(), unseen), point(kept.size());
  Copies copies;
  copies.begin = {0};
  for (std::size_t k = 0; k < kept.size(); ++k) {
    std::uint32_t& known = point_of_first[first[kept[k]]];
    if (known == unseen) {
      known = static_cast<std::uint32_t>(copies.points());
      copies.begin.push_back(0);
    }
    point[k] = known;
    ++copies.begin[known + 1];
  }
  std::partial_sum(copies.begin.begin(), copies.begin.end(), copies.begin.begin());
  std::vector<std::uint32_t> next = copies.begin;
  copies.rows.resize(kept.size());
  copies.masses.resize(kept.size());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const std::uint32_t at = next[point[k]]++;
    copies.rows[at] = kept[k];
    copies.masses[at] = masses[k];
  }
  return copies;
}

std::vector<std::uint32_t> Copies::first_rows() const {
  std::vector<std::uint32_t> firsts;
  for (std::size_t p = 0; p < points(); ++p) firsts.push_back(rows[begin[p]]);
  return firsts;
}

std::vector<Mass> Copies::sums() const {
  std::vector<Mass> all;
  for (std::size_t p = 0; p < points(); ++p)
    all.push_back(std::accumulate(masses.begin() + begin[p], masses.begin() + begin[p + 1], Mass{0}));
  return all;
}

std::vector<FlowEntry> between_rows(std::span<const FlowEntry> flows, const Copies& x, const Copies& y) {
  std::vector<std::uint32_t> next_x = x.begin, next_y = y.begin;
  std::vector<Mass> left_x = x.masses, left_y = y.masses;
  std::vector<FlowEntry> entries;
  for (const FlowEntry& flow : flows) {
    if (flow.row >= x.points() || flow.col >= y.points()) continue;
    std::uint32_t &i = next_x[flow.row], &j = next_y[flow.col];
    const std::uint32_t last_i = x.begin[flow.row + 1] - 1, last_j = y.begin[flow.col + 1] - 1;
    for (Mass amount = flow.amount; amount > 0;) {
      while (left_x[i] <= 0 && i < last_i) ++i;
      while (left_y[j] <= 0 && j < last_j) ++j;
      // The last copy takes whatever comes: flows of a simplex may be some units too large.
      const Mass part = std::min({amount, i < last_i ? left_x[i] : amount, j < last_j ? left_y[j] : amount});
      entries.push_back({x.rows[i], y.rows[j], part});
      amount -= part;
      left_x[i] -= part;
      left_y[j] -= part;
    }
  }
  return entries;
}

}  // namespace solver

using namespace solver;

// Tables of whole numbers or categories have few points with many rows each, which is the worst that can
// happen to an assignment: every bid is a tie.
void TransportEngine::put_copies_together() {
  copies_x_ = Copies::of(masses_.rows, masses_.a, first_identical(x_));
  copies_y_ = Copies::of(masses_.cols, masses_.b, first_identical(y_));
  const std::size_t rows = masses_.rows.size() + masses_.cols.size(),
                    points = copies_x_.points() + copies_y_.points();
  const bool by_tree = tree_pays(std::min(copies_x_.points(), copies_y_.points()));
  const double most = by_tree ? settings.copies_leave_in_tree : masses_.equal ? settings.copies_leave : 1;
  together_ = settings.put_copies_together && settings.finish == Finish::automatic && points < rows &&
              static_cast<double>(points) <= most * static_cast<double>(rows);
  if (!together_) return;
  const auto put = [](const Copies& copies, std::vector<std::uint32_t>& rows_with_mass,
                      std::vector<Mass>& masses) {
    std::vector<Mass> sums = copies.sums();
    sums.insert(sums.end(), masses.begin() + static_cast<std::ptrdiff_t>(rows_with_mass.size()),
                masses.end());
    rows_with_mass = copies.first_rows();
    masses = std::move(sums);
  };
  put(copies_x_, masses_.rows, masses_.a);
  put(copies_y_, masses_.cols, masses_.b);
  masses_.compare();
}

// Between the rows of the caller, without what is left out.
std::vector<FlowEntry> TransportEngine::caller_plan() const {
  if (!together_) {
    std::vector<FlowEntry> entries;
    for (const FlowEntry& entry : plan_)
      if (entry.row < masses_.rows.size() && entry.col < cols_.size())
        entries.push_back({masses_.rows[entry.row], cols_[entry.col], entry.amount});
    return entries;
  }
  // The geometry may have its columns in another order than the copies.
  std::vector<std::uint32_t> place(y_.rows());
  for (std::uint32_t k = 0; k < masses_.cols.size(); ++k) place[masses_.cols[k]] = k;
  std::vector<FlowEntry> flows;
  for (const FlowEntry& entry : plan_)
    if (entry.col < cols_.size()) flows.push_back({entry.row, place[cols_[entry.col]], entry.amount});
  return between_rows(flows, copies_x_, copies_y_);
}

}  // namespace motmot
