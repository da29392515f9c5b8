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
    const ProfilePoint point{share_of(share, used.x.may_be_remote), share_of(share, used.y.may_be_remote)};
    if (points.empty() || point.x != points.back().x || point.y != points.back().y) points.push_back(point);
  }
  return points;
}

/// Rows left out of a sample that have something in common.
struct Group {
  Sample sample;
  const RowList* rows;
  std::size_t met = 0;
  bool in_both = false;
  std::optional<SharedValue> shared{};
  bool copies = false;
};

std::vector<Group> groups_of(const WhatIfTask& t) {
  std::vector<Group> groups{{Sample::x, &t.together.x.rows, t.together.x.met, t.in_both, t.shared.x},
                            {Sample::y, &t.together.y.rows, t.together.y.met, t.in_both, t.shared.y},
                            {.sample = Sample::x, .rows = &t.copies.x, .copies = true},
                            {.sample = Sample::y, .rows = &t.copies.y, .copies = true}};
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
  return x.left_out.empty() && y.left_out.empty() && x.remote_kept() + y.remote_kept() > 0 ? effort.mixed : 0;
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

/// What is asked of a batch, and the numbers of the problems.
struct Questions {
  std::vector<ProfilePoint> points;
  std::vector<Group> groups;
  Numbers of_points{}, of_groups{}, of_taus{}, of_mixed{}, of_trimmed{};
  std::optional<std::size_t> of_suspects{};
};

Questions add_questions(const WhatIfTask& t, const Effort& effort, W1Batch& batch) {
  Questions asked{profile_points(t.used, effort), groups_of(t)};
  for (const ProfilePoint& point : asked.points)
    asked.of_points.emplace_back(
        batch.add_without({t.used.x.most_remote(point.x), t.used.y.most_remote(point.y)}));
  const RowList none;
  for (const Group& group : asked.groups) {
    const PerSample<const RowList*> back{group.in_both               ? &t.together.x.rows
                                         : group.sample == Sample::x ? group.rows
                                                                     : &none,
                                         group.in_both               ? &t.together.y.rows
                                         : group.sample == Sample::y ? group.rows
                                                                     : &none};
    asked.of_groups.emplace_back(
        batch.add_without({without_group(t.used.x, *back.x), without_group(t.used.y, *back.y)}));
  }
  if (!t.suspects.x.empty() || !t.suspects.y.empty())
    asked.of_suspects =
        batch.add_without({with_rows(t.used.x, t.suspects.x), with_rows(t.used.y, t.suspects.y)});
  for (const TauGridPoint& point : t.other_taus)
    asked.of_taus.emplace_back(
        batch.add_without({t.used.x.places_of(point.left_out.x), t.used.y.places_of(point.left_out.y)}));
  const std::size_t draws = mixed_draws(t, effort);
  asked.of_mixed = ask_mixed(t, false, draws, batch);
  asked.of_trimmed = ask_mixed(t, true, draws, batch);
  return asked;
}

std::vector<ProfilePoint> profile_of(const WhatIfTask& t, const Questions& asked, const W1Batch& batch) {
  std::vector<ProfilePoint> profile;
  for (std::size_t i = 0; i < asked.points.size(); ++i)
    if (const std::optional<double> value = answer_to(t, batch, asked.of_points[i]))
      profile.push_back({asked.points[i].x, asked.points[i].y, *value});
  return profile;
}

std::vector<Reading> readings_of(const WhatIfTask& t, const Questions& asked, const W1Batch& batch,
                                 double if_wrong) {
  std::vector<Reading> readings;
  for (std::size_t i = 0; i < asked.groups.size(); ++i)
    if (const std::optional<double> value = answer_to(t, batch, asked.of_groups[i]))
      readings.push_back({.sample = asked.groups[i].sample,
                          .rows = asked.groups[i].rows->size(),
                          .if_real = *value,
                          .if_wrong = if_wrong,
                          .near_other = asked.groups[i].met,
                          .in_both = asked.groups[i].in_both,
                          .strangers = t.strangers && !asked.groups[i].copies,
                          .copies = asked.groups[i].copies,
                          .shared = asked.groups[i].shared});
  return readings;
}

}  // namespace

WhatIfs ask_what_ifs(const WhatIfTask& t, PermutedSolves& permuted, Team& team, Watch& watch) {
  const Effort effort = effort_for(t.used);
  const PerSample<std::size_t> spare{t.used.x.spare(), t.used.y.spare()};
  W1Batch batch(t.used);
  const Questions asked = add_questions(t, effort, batch);
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

  found.plain = answer_to(t, batch, asked.of_points.front());  // the profile begins with all rows
  found.profile = profile_of(t, asked, batch);
  found.readings = readings_of(t, asked, batch, t.unit * found.solved.cost);
  found.mixed = mixed_profile(t, batch, asked.of_mixed, asked.of_trimmed);
  found.without_suspects = answer_to(t, batch, asked.of_suspects);
  for (const auto& number : asked.of_taus) found.other_taus.push_back(answer_to(t, batch, number));
  return found;
}

}  // namespace motmot
