#include "answer/what_ifs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/statistics.hpp"
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

/// Rows left out that lie together, and the sample they are of.
struct Group {
  Sample sample;
  const LyingTogether* found;
};

std::vector<Group> groups_of(const PerSample<LyingTogether>& together) {
  std::vector<Group> groups;
  if (!together.x.rows.empty()) groups.push_back({Sample::x, &together.x});
  if (!together.y.rows.empty()) groups.push_back({Sample::y, &together.y});
  return groups;
}

/// What is left when these rows are put back.
Points with_rows(const Side& side, const RowList& left_out, const RowList& back) {
  RowList still_out;
  std::ranges::set_difference(left_out, back, std::back_inserter(still_out));
  return side.without_rows(still_out);
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

/// Taus that leave out the same rows share a problem.
Numbers ask_other_taus(const WhatIfTask& t, W1Batch& batch) {
  Numbers numbers;
  for (std::size_t i = 0; i < t.other_taus.size(); ++i) {
    const PerSample<RowList>& left_out = t.other_taus[i].left_out;
    if (i > 0 && left_out == t.other_taus[i - 1].left_out) numbers.push_back(numbers.back());
    else
      numbers.emplace_back(batch.add([&t, &left_out] {
        return PerSample<Points>{t.used.x.without_rows(left_out.x), t.used.y.without_rows(left_out.y)};
      }));
  }
  return numbers;
}

Numbers ask_mixed(const WhatIfTask& t, bool trim, std::size_t draws, W1Batch& batch) {
  Numbers numbers;
  for (std::size_t draw = 0; draw < draws; ++draw)
    numbers.emplace_back(batch.add([&t, trim, draw] { return mixed_rows(t.used, trim, t.seed, draw); }));
  return numbers;
}

}  // namespace

WhatIfs ask_what_ifs(const WhatIfTask& t, Team& team, Watch& watch) {
  const Effort effort = effort_for(t.used);
  const PerSample<std::size_t> spare{t.used.x.spare(), t.used.y.spare()};
  const std::vector<ProfilePoint> points = profile_points(t.used, effort);
  const std::vector<Group> groups = groups_of(t.together);
  W1Batch batch;
  Numbers of_profile, of_groups;
  for (const ProfilePoint& point : points)
    of_profile.emplace_back(batch.add([&t, point] {
      return PerSample<Points>{t.used.x.without_remote(point.x), t.used.y.without_remote(point.y)};
    }));
  for (const Group& group : groups)
    of_groups.emplace_back(batch.add([&t, &group] {
      const RowList none, &back = group.found->rows;
      return PerSample<Points>{
          with_rows(t.used.x, t.company.x.left_out, group.sample == Sample::x ? back : none),
          with_rows(t.used.y, t.company.y.left_out, group.sample == Sample::y ? back : none)};
    }));
  const Numbers of_taus = ask_other_taus(t, batch);
  const std::size_t draws = spare.x + spare.y > 0 ? effort.mixed : 0;
  const Numbers of_mixed = ask_mixed(t, false, draws, batch), of_trimmed = ask_mixed(t, true, draws, batch);
  batch.solve(team, watch);

  // The profile begins with all rows.
  WhatIfs found{.plain = answer_to(t, batch, of_profile.front()),
                .mixed = mixed_profile(t, batch, of_mixed, of_trimmed),
                .solves = batch.size() + effort.upper_solves};
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const std::optional<double> value = answer_to(t, batch, of_profile[i]))
      found.profile.push_back({points[i].x, points[i].y, *value});
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (const std::optional<double> value = answer_to(t, batch, of_groups[i]))
      found.readings.push_back({.sample = groups[i].sample,
                                .rows = groups[i].found->rows.size(),
                                .if_real = *value,
                                .if_wrong = t.unit * t.solved.cost,
                                .near_other = groups[i].found->met});
  for (const auto& number : of_taus) found.other_taus.push_back(answer_to(t, batch, number));
  watch.run(team, 3, 0.4, [&](std::size_t task, const Progress& progress) {
    if (task == 0)
      found.lower = t.unit * certified_lower(t.kept.x, t.kept.y, spare, potential(t.solved), progress);
    if (task == 1)
      found.upper =
          t.unit * attained_upper(t.kept.x, t.kept.y, spare, t.solved, effort.upper_solves, t.seed, progress);
    if (task == 2)
      found.partial = t.unit * certified_lower(t.used.x.points, t.used.y.points,
                                               {t.used.x.may_go, t.used.y.may_go}, t.phi, progress);
  });
  return found;
}

}  // namespace motmot
