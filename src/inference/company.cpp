#include "inference/company.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>

#include "base/euclidean.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "data/without.hpp"
#include "inference/lone_rows.hpp"
#include "inference/strangers.hpp"
#include "inference/tails.hpp"
#include "inference/widest_line.hpp"
#include "neighbours/neighbours.hpp"

namespace motmot {
namespace {

using Rows = std::vector<std::uint32_t>;

/// Both samples at one tau, and whether the rows left out are strangers to the other sample.
struct LeftOut {
  PerSample<Rows> rows{};
  bool are_strangers = false;
};

/// Both samples, and what is asked of both together, found once.
class Pair {
 public:
  Pair(PointsView x, PointsView y) : x_(x), y_(y) {}
  [[nodiscard]] PointsView x() const { return x_; }
  [[nodiscard]] PointsView y() const { return y_; }
  const PerSample<Apart>& apart(Team& team, Passes& passes) {
    if (!apart_) apart_ = distances_apart(x_, y_, team, passes);
    return *apart_;
  }
  /// The widest line of X beside Y and of Y beside X.
  const PerSample<AlongLine>& lines() {
    if (!lines_) lines_ = {along_widest_line(x_, y_), along_widest_line(y_, x_)};
    return *lines_;
  }

 private:
  PointsView x_, y_;
  std::optional<PerSample<Apart>> apart_;
  std::optional<PerSample<AlongLine>> lines_;
};

/// Rows left out first, then by falling score; of equal scores by the coordinates, so that the order of the
/// rows does not count.
Rows by_remoteness(PointsView z, const Rows& left_out, std::span<const double> scores) {
  constexpr double rounding = 1e-9;
  Rows order(z.n);
  std::iota(order.begin(), order.end(), 0u);
  if (scores.empty()) return order;
  const auto body = std::stable_partition(order.begin(), order.end(), [&](std::uint32_t row) {
    return std::ranges::binary_search(left_out, row);
  });
  const auto sort_part = [&](auto first, auto last) {
    std::stable_sort(first, last, [&](std::uint32_t i, std::uint32_t j) { return scores[i] > scores[j]; });
    while (first != last) {  // scores that only rounding tells apart
      const auto differs = [&](std::uint32_t i, std::uint32_t j) {
        return scores[i] - scores[j] > rounding * scores[i];
      };
      auto end = std::adjacent_find(first, last, differs);
      if (end != last) ++end;
      std::stable_sort(first, end, [&](std::uint32_t i, std::uint32_t j) {
        return std::ranges::lexicographical_compare(z.row(i), z.row(j));
      });
      first = end;
    }
  };
  sort_part(order.begin(), body);
  sort_part(body, order.end());
  return order;
}

Tail tail_of(const LoneRows& lone) {
  Tail tail{.logs = log_scores(lone.scores), .most = lone.most};
  std::ranges::sort(tail.logs);
  return tail;
}

/// Along a line a longer tail is one row after the other where the other sample has none: the scores must
/// agree.
bool is_stranger_by_scores(const LoneRows& own, const LoneRows& other) {
  constexpr double standard_errors = 3;
  if (!own.is_line() && !other.is_line()) return true;
  return own.most > 0 && other.most > 0 && is_heavier(tail_of(own), tail_of(other), standard_errors);
}

/// The rows of largest score that the other sample's tail does not explain.
Rows rows_of_heavier_tail(PointsView z, const LoneRows& own, const LoneRows& other) {
  if (own.is_line() || other.is_line() || own.most == 0 || other.most == 0) return {};
  Rows rows = by_remoteness(z, {}, own.scores);
  rows.resize(rows_beyond_the_other_tail(tail_of(own), tail_of(other)));
  std::ranges::sort(rows);
  return rows;
}

/// Groups that stand apart along one line; in few dimensions distances show every group.
PerSample<Rows> groups_along_lines(Pair& pair, const LoneRows& of_x, const LoneRows& of_y) {
  constexpr double many_dimensions = 8;
  if (std::min(of_x.dimension, of_y.dimension) < many_dimensions) return {};
  const PerSample<AlongLine>& lines = pair.lines();
  return {group_along(lines.x, pair.x(), of_x.most), group_along(lines.y, pair.y(), of_y.most)};
}

/// What the ends of the other sample do not explain, in one column.
PerSample<Rows> rows_beyond_ends(PointsView x, PointsView y, const PerSample<std::size_t>& most) {
  const std::span<const double> of_x(x.data, x.n), of_y(y.data, y.n);
  return {rows_beyond_the_other_ends(of_x, of_y, most.x), rows_beyond_the_other_ends(of_y, of_x, most.y)};
}

/// All of them, unless they are too many: then the first ones.
Rows both_within(const Rows& rows, const Rows& more, std::size_t most) {
  Rows both;
  std::ranges::set_union(rows, more, std::back_inserter(both));
  return both.size() <= most || rows.empty() ? both : rows;
}

/// Those of `rows` for which the test says yes, in their order.
template <class Test>
Rows rows_where(const Rows& rows, Team& team, const Test& test) {
  std::vector<char> chosen(rows.size());
  team.run(rows.size(), [&](std::size_t i, std::size_t) { chosen[i] = test(rows[i]) ? 1 : 0; });
  Rows found;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (chosen[i] != 0) found.push_back(rows[i]);
  return found;
}

/// Those of `rows` that have three of the others within reach, themselves not counted.
Rows rows_with_company(PointsView z, const Rows& rows, PointsView other, const Rows& others, double reach,
                       Team& team) {
  return rows_where(rows, team, [&](std::uint32_t row) {
    std::size_t missing = 3;
    for (std::size_t j = 0; j < others.size() && missing > 0; ++j) {
      const bool is_itself = z.data == other.data && others[j] == row;
      if (!is_itself && euclidean(z.row(row), other.row(others[j])) <= reach) --missing;
    }
    return missing == 0;
  });
}

/// Those of `rows` within reach of a centre.
Rows rows_near(PointsView z, const Rows& rows, const Rows& centres, double reach, Team& team) {
  return rows_where(rows, team, [&](std::uint32_t row) {
    return std::ranges::any_of(centres,
                               [&](std::uint32_t c) { return euclidean(z.row(row), z.row(c)) <= reach; });
  });
}

/// Distances from some rows to their k-th nearest of others.
std::vector<double> distances_to(const Points& rows, const Points& others, std::size_t k, Team& team,
                                 Passes& passes) {
  return unless_stopped(kth_distances_to(rows, others, std::array{k}, team, passes.next())).front();
}

/// Of the rows left out of `z` those that have company among the kept rows of the other sample, if as large a
/// part of that one has company among them, nearer than the rest of `z` or as near as rows of `z` usually
/// have it: a mode of both, or its outskirts. Company is three rows, fewer where such a mode has few in a
/// small sample; as near as kept rows have it, or a fifth nearer than the kept rows of `z` are (and no more
/// than twice as far as these have it): in many dimensions a mode is not much wider than its distance from
/// others.
Rows part_of_both(PointsView z, const Rows& out, std::span<const double> scores, PointsView other,
                  const Rows& other_out, Team& team, Passes& passes) {
  constexpr std::size_t enough = 2000, fewest = 2;
  constexpr double nearly_all = 0.98, clearly_nearer = 0.8;
  const std::size_t company = std::clamp<std::size_t>(out.size() * other.n / (2 * z.n), 1, 3);
  if (out.size() < fewest || other.n < other_out.size() + company + 1) return {};
  const Points left_out = without(z, rows_without(z.n, out)), own = without(z, out),
               kept = without(other, other_out),
               some = without(kept, rows_without(kept.rows(), spread_rows(kept, enough)));
  const double typical = median_of(without(scores, out));
  std::vector<double> usual = distances_to(some, kept, company + 1, team, passes);  // each is its own nearest
  std::ranges::sort(usual);
  const double near = std::max(typical, sorted_quantile(usual, nearly_all));
  const std::vector<double> to_kept = distances_to(left_out, kept, company, team, passes),
                            to_own = distances_to(left_out, own, company, team, passes);
  Rows met;
  double reach = near;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (to_kept[i] > std::max(near, std::min(2 * typical, clearly_nearer * to_own[i]))) continue;
    met.push_back(out[i]);
    reach = std::max(reach, to_kept[i]);
  }
  if (met.size() < fewest) return {};
  const std::vector<double> to_met = distances_to(some, without(z, rows_without(z.n, met)), 1, team, passes),
                            to_rest = distances_to(some, own, 1, team, passes);
  std::size_t there = 0;
  for (std::size_t i = 0; i < some.rows(); ++i)
    there += to_met[i] <= std::min(reach, std::max(typical, to_rest[i])) ? 1 : 0;
  return is_part_of_both(met.size(), z.n, there, some.rows()) ? met : Rows();
}

/// Without what the other sample has as much of among its kept rows: to leave a mode that both have out of
/// one of them would make a difference where there is none. What was left out of both stays out, for it may
/// be the same mistake in both.
PerSample<Rows> modes_put_back(Pair& pair, PerSample<Rows> out, const LoneRows& of_x, const LoneRows& of_y,
                               Team& team, Passes& passes) {
  const auto take = [](Rows& rows, const Rows& some) {
    Rows rest;
    std::ranges::set_difference(rows, some, std::back_inserter(rest));
    rows = std::move(rest);
  };
  // What is put back into one sample may be what rows of the other meet.
  for (;;) {
    const PerSample<Rows> back{part_of_both(pair.x(), out.x, of_x.scores, pair.y(), out.y, team, passes),
                               part_of_both(pair.y(), out.y, of_y.scores, pair.x(), out.x, team, passes)};
    if (back.x.empty() && back.y.empty()) return out;
    take(out.x, back.x);
    take(out.y, back.y);
  }
}

/// The rows of each sample above gaps; and in one column the rows beyond the ends of the other
/// sample, in many dimensions a group above a gap along one line; where neither sample has any of these,
/// those that lie where the other sample has none; and at last those of a tail that is too heavy beside the
/// other. Gaps alone on tied data, where a rare value of one sample is easily missing in the other. Modes
/// that both samples have are kept.
LeftOut rows_left_out(Pair& pair, const LoneRows& of_x, const LoneRows& of_y, Team& team, Passes& passes) {
  LeftOut out;
  if (of_x.most == 0 && of_y.most == 0) return out;
  out.rows = modes_put_back(pair, {of_x.rows, of_y.rows}, of_x, of_y, team, passes);
  if (of_x.is_tied || of_y.is_tied) return out;
  const PerSample<Rows> aside = pair.x().d == 1 ? rows_beyond_ends(pair.x(), pair.y(), {of_x.most, of_y.most})
                                                : groups_along_lines(pair, of_x, of_y);
  out.rows = {both_within(out.rows.x, aside.x, of_x.most), both_within(out.rows.y, aside.y, of_y.most)};
  if (pair.x().d == 1) out.rows = modes_put_back(pair, out.rows, of_x, of_y, team, passes);
  if (!out.rows.x.empty() || !out.rows.y.empty()) return out;
  out.rows = strangers(pair.apart(team, passes), {of_x.most, of_y.most});
  if (!is_stranger_by_scores(of_x, of_y)) out.rows.x.clear();
  if (!is_stranger_by_scores(of_y, of_x)) out.rows.y.clear();
  out.are_strangers = !out.rows.x.empty() || !out.rows.y.empty();
  if (!out.are_strangers)
    out.rows = modes_put_back(
        pair, {rows_of_heavier_tail(pair.x(), of_x, of_y), rows_of_heavier_tail(pair.y(), of_y, of_x)}, of_x,
        of_y, team, passes);
  return out;
}

/// Rows that are nearly strangers; where there are none within tau, a purer group of up to a quarter of a
/// sample, along a line too.
PerSample<Rows> suspects(Pair& pair, const LoneRows& of_x, const LoneRows& of_y, Team& team, Passes& passes) {
  constexpr StrangerRule nearly{.standard_errors = 2.2}, of_a_quarter{.standard_errors = 2.6, .purity = 0.8};
  if (of_x.is_tied || of_y.is_tied || (of_x.most == 0 && of_y.most == 0)) return {};
  const PerSample<Apart>& apart = pair.apart(team, passes);
  PerSample<Rows> rows = strangers(apart, {of_x.most, of_y.most}, nearly);
  if (!is_stranger_by_scores(of_x, of_y)) rows.x.clear();
  if (!is_stranger_by_scores(of_y, of_x)) rows.y.clear();
  if (!rows.x.empty() || !rows.y.empty()) return rows;
  const auto quarter = [](const LoneRows& lone) { return std::max(lone.most, lone.scores.size() / 4); };
  return strangers(apart, {quarter(of_x), quarter(of_y)}, of_a_quarter);
}

Company company_of(PointsView z, Rows left_out, std::vector<double> scores, bool are_strangers = false) {
  Rows order = by_remoteness(z, left_out, scores);
  return {.left_out = std::move(left_out),
          .are_strangers = are_strangers,
          .score = std::move(scores),
          .by_remoteness = std::move(order)};
}

void require_shares(const PerSample<double>& tau) {
  for (const double share : {tau.x, tau.y})
    require(share >= 0 && share < 0.5, Errc::invalid_argument, "tau must lie in [0, 1/2), got ", share);
}

PerSample<Company> keep_company_or_throw(PointsView x, PointsView y, const PerSample<double>& tau, Team& team,
                                         Passes& passes) {
  PerSample<std::vector<LoneRows>> at_tau =
      lone_rows({x, y}, {std::span(&tau.x, 1), std::span(&tau.y, 1)}, team, passes);
  PerSample<LoneRows> lone{std::move(at_tau.x.front()), std::move(at_tau.y.front())};
  Pair pair(x, y);
  LeftOut out = rows_left_out(pair, lone.x, lone.y, team, passes);
  PerSample<Rows> doubted;
  if (out.rows.x.empty() && out.rows.y.empty()) doubted = suspects(pair, lone.x, lone.y, team, passes);
  PerSample<Company> company{
      company_of(x, std::move(out.rows.x), std::move(lone.x.scores), out.are_strangers),
      company_of(y, std::move(out.rows.y), std::move(lone.y.scores), out.are_strangers)};
  company.x.suspects = std::move(doubted.x);
  company.y.suspects = std::move(doubted.y);
  return company;
}

constexpr std::array<double, 9> grid_of_tau{.01, .02, .03, .05, .075, .1, .15, .2, .25};

}  // namespace

PerSample<Company> keep_company(PointsView x, PointsView y, const PerSample<double>& tau, Team& team,
                                const Progress& progress) {
  require_shares(tau);
  Passes passes(progress);
  try {
    return keep_company_or_throw(x, y, tau, team, passes);
  } catch (const Stopped&) {
    return {company_of(x, {}, {}), company_of(y, {}, {})};
  }
}

LyingTogether lying_together(PointsView z, const Company& company, PointsView other, Team& team) {
  const Rows& out = company.left_out;
  const std::size_t fewest = std::max<std::size_t>(5, (z.n + 99) / 100);
  if (out.size() < fewest) return {};
  const double reach = median_of(without(std::span<const double>(company.score), out));
  const Rows cores = rows_with_company(z, out, z, out, reach, team);
  if (cores.size() < fewest) return {};
  // The outer rows of a group have fewer others around them than its core.
  LyingTogether together{.rows = rows_near(z, out, cores, 2 * reach, team), .reach = reach};
  const Rows all = rows_without(other.n, {});
  together.met = rows_with_company(z, together.rows, other, all, reach, team).size();
  return together;
}

bool lie_in_one_place(PointsView x, const LyingTogether& of_x, PointsView y, const LyingTogether& of_y,
                      Team& team) {
  if (of_x.rows.empty() || of_y.rows.empty()) return false;
  const double reach = std::max(of_x.reach, of_y.reach);
  return 2 * rows_with_company(x, of_x.rows, y, of_y.rows, reach, team).size() >= of_x.rows.size() &&
         2 * rows_with_company(y, of_y.rows, x, of_x.rows, reach, team).size() >= of_y.rows.size();
}

std::vector<TauGridPoint> company_over_tau(PointsView x, PointsView y, Team& team, const Progress& progress) {
  Passes passes(progress);
  try {
    const auto [of_x, of_y] = lone_rows({x, y}, {grid_of_tau, grid_of_tau}, team, passes);
    Pair pair(x, y);
    std::vector<TauGridPoint> grid;
    for (std::size_t t = 0; t < grid_of_tau.size(); ++t)
      grid.push_back({grid_of_tau[t], rows_left_out(pair, of_x[t], of_y[t], team, passes).rows});
    return grid;
  } catch (const Stopped&) {
    return {};
  }
}

namespace {

/// The longest run of counts that differ by at most 20 % of the largest, or by two.
Plateau longest_plateau(std::span<const std::size_t> counts) {
  Plateau best;
  for (std::size_t first = 0; first < counts.size(); ++first) {
    std::size_t low = counts[first], high = low, last = first;
    if (low == 0) continue;
    for (std::size_t t = first; t < counts.size() && counts[t] > 0; ++t) {
      low = std::min(low, counts[t]);
      high = std::max(high, counts[t]);
      if (5 * (high - low) > high && high - low > 2) break;
      last = t;
    }
    const bool is_longer = best.rows == 0 || last - first > best.last - best.first;
    if (last > first && is_longer) best = {.first = first, .last = last, .rows = counts[first]};
  }
  return best;
}

}  // namespace

PerSample<Plateau> plateau(std::span<const TauGridPoint> grid, double largest_tau) {
  PerSample<std::vector<std::size_t>> counts;
  for (const TauGridPoint& point : grid) {
    if (point.tau > largest_tau) break;
    counts.x.push_back(point.left_out.x.size());
    counts.y.push_back(point.left_out.y.size());
  }
  return {longest_plateau(counts.x), longest_plateau(counts.y)};
}

}  // namespace motmot
