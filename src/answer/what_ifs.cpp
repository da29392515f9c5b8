#include "answer/what_ifs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/statistics.hpp"
#include "critics/min_plus.hpp"
#include "inference/beside.hpp"
#include "inference/interval.hpp"

namespace motmot {
namespace {

/// How much is asked: a fixed function of the sizes, so that large samples stay affordable.
struct Effort {
  std::vector<double> profile;  ///< shares of the rows that may go
  std::size_t upper_solves;     ///< of the upper end
  std::size_t mixed;            ///< times that rows are mixed, as the profile's reference
};

Effort effort_for(const Sides& used) {
  const double pairs = static_cast<double>(used.x.points.rows()) * static_cast<double>(used.y.points.rows());
  if (pairs <= 1e6) return {{0, 0.25, 0.5, 0.75, 1}, 8, 5};
  if (pairs <= 2.5e7) return {{0, 0.5, 1}, 3, 2};
  return {{0, 1}, 1, 1};
}

/// Points of the profile without their values.
std::vector<ProfilePoint> profile_points(const Sides& used, const Effort& effort) {
  std::vector<ProfilePoint> points;
  for (const double share : effort.profile) {
    const ProfilePoint point{share_of(share, used.x.may_go), share_of(share, used.y.may_go)};
    if (points.empty() || point.x != points.back().x || point.y != points.back().y) points.push_back(point);
  }
  return points;
}

/// Rows left out of a sample that have something in common.
struct Group {
  Sample sample;
  const RowList* rows;
  std::size_t met = 0;
  bool copies = false;
};

std::vector<Group> groups_of(const PerSample<LyingTogether>& together, const PerSample<RowList>& copies) {
  std::vector<Group> groups{{Sample::x, &together.x.rows, together.x.met},
                            {Sample::y, &together.y.rows, together.y.met},
                            {.sample = Sample::x, .rows = &copies.x, .copies = true},
                            {.sample = Sample::y, .rows = &copies.y, .copies = true}};
  std::erase_if(groups, [](const Group& group) { return group.rows->empty(); });
  return groups;
}

/// Places of what is left out when these rows, given by their numbers, go too.
RowList with_rows(const Side& side, const RowList& rows) {
  RowList places;
  std::ranges::set_union(side.left_out, side.places_of(rows), std::back_inserter(places));
  return places;
}

/// Places of what is still left out when these rows, given by their numbers, are put back.
RowList without_group(const Side& side, const RowList& back) {
  const RowList places = side.places_of(back);
  RowList still_out;
  std::ranges::set_difference(side.left_out, places, std::back_inserter(still_out));
  return still_out;
}

/// Numbers of problems in a batch, for one kind of question; none where it is not asked.
using Numbers = std::vector<std::optional<std::size_t>>;

/// In the data's units.
std::optional<double> answer_to(const WhatIfTask& t, const W1Batch& batch,
                                const std::optional<std::size_t>& number) {
  if (!number || !batch[*number]) return {};
  return t.unit * *batch[*number];
}

std::optional<MixedProfile> mixed_profile(const WhatIfTask& t, const W1Batch& batch, const Numbers& whole,
                                          const Numbers& trimmed) {
  std::vector<double> wholes, shares;
  for (std::size_t draw = 0; draw < whole.size(); ++draw) {
    const std::optional<double> all = answer_to(t, batch, whole[draw]),
                                left = answer_to(t, batch, trimmed[draw]);
    if (!all || !left || *all == 0) return {};
    wholes.push_back(*all);
    shares.push_back(*left / *all);
  }
  if (wholes.empty()) return {};
  // One draw has no spread; 2 % is what was seen in the plane.
  const double mean = mean_of(shares), sd = shares.size() > 1 ? sd_of(shares, mean) : 0.02;
  return MixedProfile{mean_of(wholes), mean, sd};
}

Numbers ask_mixed(const WhatIfTask& t, bool trim, std::size_t draws, W1Batch& batch) {
  Numbers numbers;
  for (std::size_t draw = 0; draw < draws; ++draw) numbers.emplace_back(batch.add_mixed(trim, t.seed, draw));
  return numbers;
}

/// How often rows are mixed: where none was left out, for then remote rows may be wrong ones.
std::size_t mixed_draws(const WhatIfTask& t, const Effort& effort) {
  const Side &x = t.used.x, &y = t.used.y;
  return x.left_out.empty() && y.left_out.empty() && x.spare() + y.spare() > 0 ? effort.mixed : 0;
}

/// The potential on all used rows.
Phi on_used_rows(const WhatIfTask& t, const Transport& solved, Team& team) {
  const Anchors anchors(t.kept.y);
  Phi phi{std::vector<double>(t.used.x.points.rows()), std::vector<double>(t.used.y.points.rows())};
  anchors.min_plus(t.used.x.points, solved.v, phi.x, team);
  anchors.min_plus(t.used.y.points, solved.v, phi.y, team);
  return phi;
}

bool solves_lower(const Sides& used) {
  return std::max(used.x.points.rows(), used.y.points.rows()) <= most_rows_solved_for_lower;
}

}  // namespace

WhatIfs ask_what_ifs(const WhatIfTask& t, PermutedSolves& permuted, Team& team, Watch& watch) {
  const Effort effort = effort_for(t.used);
  const PerSample<std::size_t> spare{t.used.x.spare(), t.used.y.spare()};
  const std::vector<ProfilePoint> points = profile_points(t.used, effort);
  const std::vector<Group> groups = groups_of(t.together, t.copies);
  W1Batch batch(t.used);
  Numbers of_profile, of_groups, of_taus;
  for (const ProfilePoint& point : points)
    of_profile.emplace_back(
        batch.add_without({t.used.x.most_remote(point.x), t.used.y.most_remote(point.y)}));
  for (const Group& group : groups) {
    const RowList none;
    of_groups.emplace_back(
        batch.add_without({without_group(t.used.x, group.sample == Sample::x ? *group.rows : none),
                           without_group(t.used.y, group.sample == Sample::y ? *group.rows : none)}));
  }
  std::optional<std::size_t> of_suspects;
  if (!t.suspects.x.empty() || !t.suspects.y.empty())
    of_suspects = batch.add_without({with_rows(t.used.x, t.suspects.x), with_rows(t.used.y, t.suspects.y)});
  for (const TauGridPoint& point : t.other_taus)
    of_taus.emplace_back(
        batch.add_without({t.used.x.places_of(point.left_out.x), t.used.y.places_of(point.left_out.y)}));
  const std::size_t draws = mixed_draws(t, effort);
  const Numbers of_mixed = ask_mixed(t, false, draws, batch), of_trimmed = ask_mixed(t, true, draws, batch);

  WhatIfs found{.solves = batch.solves() + effort.upper_solves};
  const auto lower = [&](const Phi& phi, const Progress& progress) {
    found.lower = t.unit * certified_lower(t.kept.x, t.kept.y, spare, phi, progress);
  };
  const auto partial = [&](const Phi& phi, const Progress& progress) {
    found.partial = t.unit * certified_lower(t.used.x.points, t.used.y.points,
                                             {t.used.x.may_go, t.used.y.may_go}, phi, progress);
  };
  // The longest first: the upper end starts from the value's potential.
  std::vector<std::function<void(const Progress&)>> ends{[&](const Progress& progress) {
    found.solved = transport(t.kept.x, t.kept.y, {}, {}, {.progress = progress});
    found.upper = t.unit * attained_upper(t.kept.x, t.kept.y, spare, found.solved, effort.upper_solves,
                                          t.seed, progress);
  }};
  const bool by_solving = solves_lower(t.used);
  if (by_solving) {
    ends.emplace_back([&](const Progress& progress) { lower({}, progress); });
    ends.emplace_back([&](const Progress& progress) { partial({}, progress); });
  }
  const std::size_t others = ends.size() + permuted.beside_others();
  watch.run_by_worker(team, others + batch.size(), 0.25, 0.7,
                      [&](std::size_t task, std::size_t worker, const Progress& progress) {
                        if (task < ends.size()) ends[task](progress);
                        else if (task < others) permuted.solve(task - ends.size(), worker, progress);
                        else batch.solve(task - others, progress);
                      });
  batch.set_kept_cost(found.solved.cost);
  if (!by_solving) {
    lower(potential(found.solved), {});
    partial(on_used_rows(t, found.solved, team), {});
  }

  found.plain = answer_to(t, batch, of_profile.front());  // the profile begins with all rows
  found.mixed = mixed_profile(t, batch, of_mixed, of_trimmed);
  found.without_suspects = answer_to(t, batch, of_suspects);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const std::optional<double> value = answer_to(t, batch, of_profile[i]))
      found.profile.push_back({points[i].x, points[i].y, *value});
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (const std::optional<double> value = answer_to(t, batch, of_groups[i]))
      found.readings.push_back({.sample = groups[i].sample,
                                .rows = groups[i].rows->size(),
                                .if_real = *value,
                                .if_wrong = t.unit * found.solved.cost,
                                .near_other = groups[i].met,
                                .strangers = t.strangers && !groups[i].copies,
                                .copies = groups[i].copies});
  for (const auto& number : of_taus) found.other_taus.push_back(answer_to(t, batch, number));
  return found;
}

}  // namespace motmot
