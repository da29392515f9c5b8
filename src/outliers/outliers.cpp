#include "motmot/outliers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "answer/copies.hpp"
#include "base/memory.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "data/complaint.hpp"
#include "data/without.hpp"
#include "inference/company.hpp"
#include "inference/lone_rows.hpp"
#include "outliers/falloff.hpp"
#include "outliers/looks.hpp"
#include "outliers/reasons.hpp"

namespace motmot {
namespace {

using Rows = std::vector<std::uint32_t>;

/// A right row reaches the cut in so many of all tables.
constexpr double alpha = 0.05;

/// What the rule for rows without company says of one sample.
struct LeftAlone {
  Rows rows{};  ///< ascending
  bool are_strangers = false;
};

void validate(const Frame& x, const Frame& y, const OutlierOptions& o) {
  for (const double tau : {o.tau.x, o.tau.y})
    require(tau >= 0 && tau < 0.5, Errc::invalid_argument, "tau must lie in [0, 1/2), got ", tau);
  require(x.n() > 0, Errc::invalid_argument, "X has no rows");
  require(y.n() > 0, Errc::invalid_argument, "Y has no rows");
}

std::size_t most_of(std::size_t n, double tau) {
  return static_cast<std::size_t>(tau * static_cast<double>(n) * (1 + 1e-12));
}

Rows joined(const Rows& a, const Rows& b) {
  Rows all;
  std::ranges::set_union(a, b, std::back_inserter(all));
  return all;
}

/// The cut and what is expected of it, from the distances.
void set_cut(const std::vector<double>& distances, const Rows& alone, OutlierSample& sample) {
  const std::vector<double> logs = log_scores(distances);
  const std::size_t most = most_of(sample.n, sample.tau);
  const Falloff falloff = falloff_of(logs, sample.suspects, most - std::min(sample.suspects.size(), most));
  const double cut = falloff.where_expected(alpha);
  const double lift = std::exp(logs.front()) - distances.front();  // log_scores() adds the same to each
  sample.cut = std::max(0.0, std::exp(cut) - lift);
  if (alone.empty()) return;
  double least = logs[alone.front()];
  for (const std::uint32_t row : alone) least = std::min(least, logs[row]);
  sample.expected_false = falloff.expected_beyond(least);
  sample.false_share = std::min(1.0, sample.expected_false / static_cast<double>(sample.suspects.size()));
}

/// One sample on its way through.
struct Side {
  const Frame& table;
  const Frame* other;
  Points points;
  LeftAlone alone{};
  Rows by_value{};  ///< a value gives them away
  OutlierSample sample{};
  std::vector<double> distances{};
  Looks looks{};
};

void judge(Side& side, const Coding& coding, Team& team, Passes& passes) {
  OutlierSample& sample = side.sample;
  const std::size_t most = most_of(sample.n, sample.tau);
  sample.suspects = side.by_value.size() <= most ? joined(side.alone.rows, side.by_value) : side.alone.rows;
  const std::size_t kept = sample.n - sample.suspects.size();
  const std::size_t still = most - std::min(most, sample.suspects.size());
  sample.neighbour = std::max<std::size_t>(1, std::min(still + 1, kept - std::min<std::size_t>(kept, 1)));
  side.distances = distances_to_kept(side.points, sample.suspects, sample.neighbour, team, passes);
  set_cut(side.distances, side.alone.rows, sample);
  side.looks = look_at({.points = side.points,
                        .coding = coding,
                        .suspects = sample.suspects,
                        .still_wrong = still,
                        .distances = side.distances},
                       team, passes);
  sample.scores = side.looks.scores;
}

bool ranks_before(const OutlierRow& a, const OutlierRow& b) {
  if (a.suspect != b.suspect) return a.suspect;
  if (a.score != b.score) return a.score > b.score;
  return a.sample != b.sample ? a.sample < b.sample : a.row < b.row;
}

/// All rows of a sample, without reasons.
void add_rows(Sample which, const OutlierSample& sample, std::vector<OutlierRow>& rows) {
  for (std::uint32_t i = 0; i < sample.n; ++i)
    rows.push_back({.sample = which,
                    .row = i,
                    .suspect = std::ranges::binary_search(sample.suspects, i),
                    .score = sample.scores[i]});
}

std::vector<OutlierRow> ranked(const Side& x, const Side* y, std::size_t list) {
  std::vector<OutlierRow> rows;
  add_rows(Sample::x, x.sample, rows);
  if (y != nullptr) add_rows(Sample::y, y->sample, rows);
  const std::size_t suspects = x.sample.suspects.size() + (y == nullptr ? 0 : y->sample.suspects.size());
  const std::size_t listed = std::min(rows.size(), std::max(list, suspects));
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(listed), rows.end(),
                    ranks_before);
  rows.resize(listed);
  return rows;
}

void explain(const Side& side, Sample which, const Coding& coding, Team& team,
             std::vector<OutlierRow>& rows) {
  const Judged judged{.table = side.table,
                      .points = side.points,
                      .suspects = side.sample.suspects,
                      .are_strangers = side.alone.are_strangers,
                      .neighbour = side.sample.neighbour,
                      .distances = side.distances,
                      .unexpected = side.looks.unexpected};
  const Reasons reasons(judged, coding, side.other);
  team.run(rows.size(), [&](std::size_t i, std::size_t) {
    if (rows[i].sample != which) return;
    OutlierRow found = reasons.of(rows[i].row);
    found.sample = which;
    found.row = rows[i].row;
    found.suspect = rows[i].suspect;
    found.score = rows[i].score;
    rows[i] = std::move(found);
  });
}

std::string note_on(const CodedColumn& coded, const std::string& value, std::size_t rows,
                    const std::string& table, bool own_elsewhere) {
  return shown(coded.name) + " is " + value + " in " + counted(rows, "row") + " of " + table +
         ", more than tau allows to be wrong: " +
         (coded.kind == Kind::time || own_elsewhere ? "make" : "--na " + value + " makes") +
         " it a missing value.";
}

/// Copies of a row that others do not have: each has company in the others.
std::string copies_note(const Side& side, PointsView other, const std::string& table) {
  const std::size_t alike = 1 + copies_of_a_row(side.points, other).size();
  if (alike == 1 || alike == side.sample.n) return "";
  return std::to_string(alike) + " rows of " + table +
         " are one and the same, other rows do not repeat: copies, or a default value? They are company for "
         "each other, so none of them stands out by that.";
}

std::vector<std::string> notes_on(const Side& side, PointsView other, const std::string& table,
                                  const Coding& coding) {
  std::vector<std::string> notes;
  const OutlierSample& sample = side.sample;
  if (std::string copies = copies_note(side, other, table); !copies.empty())
    notes.push_back(std::move(copies));
  if (sample.n < least_rows_for_company || most_of(sample.n, sample.tau) == 0)
    notes.push_back(table + " has " + counted(sample.n, "row") + ": with tau " + significant(sample.tau, 3) +
                    " none can be said to have no company; rows are ranked all the same.");
  if (side.by_value.size() <= most_of(sample.n, sample.tau)) return notes;
  for (const CodedColumn& coded : coding.columns)
    for (const Sentinel& found : find_sentinels(side.table.columns[coded.place]))
      notes.push_back(note_on(
          coded, cell_text(side.table.columns[coded.place], found.rows.front()), found.rows.size(), table,
          is_own_elsewhere(side.table, coded.place, found.value) ||
              (side.other != nullptr && is_own_elsewhere(*side.other, coded.place, found.value))));
  return notes;
}

LeftAlone rows_alone(const Points& points, double tau, Team& team, Passes& passes) {
  return {.rows = lone_rows(points, std::array{tau}, team, passes).front().rows};
}

Outliers found_in(Side& x, Side* y, const Coding& coding, const OutlierOptions& o, Team& team) {
  Outliers found{.scale = coding.scale, .columns_left_out = coding.left_out};
  for (const CodedColumn& column : coding.columns) {
    found.columns.push_back(column.name);
    found.kinds.push_back(column.kind);
  }
  Passes passes(o.progress);
  if (y == nullptr) {
    x.alone = rows_alone(x.points, o.tau.x, team, passes);
  } else {
    PerSample<Company> company = keep_company(x.points, y->points, o.tau, team, passes.next());
    x.alone = {std::move(company.x.left_out), company.x.are_strangers};
    y->alone = {std::move(company.y.left_out), company.y.are_strangers};
  }
  for (Side* side : {&x, y}) {
    if (side == nullptr) continue;
    judge(*side, coding, team, passes);
    const PointsView other = y == nullptr ? PointsView{} : PointsView(side == &x ? y->points : x.points);
    const std::vector<std::string> notes = notes_on(*side, other, side == &x ? "X" : "Y", coding);
    found.notes.insert(found.notes.end(), notes.begin(), notes.end());
  }
  found.rows = ranked(x, y, o.list);
  explain(x, Sample::x, coding, team, found.rows);
  if (y != nullptr) explain(*y, Sample::y, coding, team, found.rows);
  found.x = std::move(x.sample);
  if (y != nullptr) found.y = std::move(y->sample);
  return found;
}

Outliers outliers_of(const Frame& x, const Frame* y, const OutlierOptions& o) {
  const auto start = std::chrono::steady_clock::now();
  const Frame& second = y == nullptr ? x : *y;
  validate(x, second, o);
  const auto called = [](const std::string& file, const char* name) {
    return file.empty() ? name : name_of(file);
  };
  const Coding coding = learn_coding(
      x, second, {o.scale, o.category_weight, o.missing, {called(o.files.x, "X"), called(o.files.y, "Y")}});
  require_memory(outlier_bytes(x.n(), y == nullptr ? 0 : y->n(), coding.width(), o), o.memory_limit);
  Team team(o.threads);
  const auto side_of = [&](const Frame& table, const Frame* other, const std::string& file,
                           std::size_t dropped, double tau) {
    return Side{.table = table,
                .other = other,
                .points = encode(table, coding),
                .by_value = rows_by_value(table, other, coding),
                .sample = {.file = file, .n = table.n(), .rows_dropped = dropped, .tau = tau}};
  };
  Outliers found;
  try {
    Side side_x = side_of(x, y, o.files.x, o.rows_dropped.x, o.tau.x);
    if (y == nullptr) {
      found = found_in(side_x, nullptr, coding, o, team);
    } else {
      Side side_y = side_of(*y, &x, o.files.y, o.rows_dropped.y, o.tau.y);
      found = found_in(side_x, &side_y, coding, o, team);
    }
  } catch (const Stopped&) {
    found.run.stopped = true;
  }
  found.run.threads = team.size();
  found.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return found;
}

}  // namespace

double outlier_bytes(std::size_t n, std::size_t m, std::size_t d, const OutlierOptions& options) {
  constexpr double to_spare = 1.2, copies = 7.3, a_thread = 1e6;
  const double bytes_a_row = d <= 3 ? 550 : 250;
  return to_spare *
         (process_bytes + copies * sample_bytes(n + m, d) + bytes_a_row * static_cast<double>(n + m) +
          a_thread * static_cast<double>(thread_count(options.threads)));
}

Outliers outliers(const Frame& x, const OutlierOptions& options) { return outliers_of(x, nullptr, options); }

Outliers outliers(const Frame& x, const Frame& y, const OutlierOptions& options) {
  return outliers_of(x, &y, options);
}

}  // namespace motmot
