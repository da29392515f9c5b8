// Pages for people who watch data.
#include "report/watch_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "answer/sentences.hpp"
#include "base/text.hpp"
#include "motmot/report.hpp"
#include "report/distance_page.hpp"

namespace motmot {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

std::string three(double value) { return fmt::format("{:.3g}", value); }
std::string three(const std::optional<double>& value) { return value ? three(*value) : ""; }

Section again(const std::string& command) {
  return {.heading = "The same run again",
          .paragraphs = {"The same seed gives the same bits on any number of threads."},
          .code = command};
}

/// What text() says up to its first blank line, or in so many lines.
std::string lead_of(const std::string& words, std::size_t most_lines = 10) {
  std::string lead;
  std::istringstream lines(words);
  for (std::string line; most_lines > 0 && std::getline(lines, line) && !line.empty(); --most_lines)
    lead += (lead.empty() ? "" : " ") + line.substr(2);
  return lead;
}

// ----------------------------------------------------------------------------------------------- reference

Section columns_of(const Coding& coding) {
  PageTable table{.caption = "How columns are compared", .columns = {"column", "kind", "unit", "levels"}};
  for (const CodedColumn& column : coding.columns) {
    const bool words = column.kind == Kind::category;
    const std::string unit = words ? "" : readable(column.unit, 3);
    table.rows.push_back(
        {column.name, std::string(name(column.kind)),
         column.kind == Kind::time ? unit + " " + std::string(name(column.time_unit)) : unit,
         words ? fmt::format("{}{}", fmt::join(column.levels, ", "),
                             column.pooled > 0 ? fmt::format(" and {} rare ones", column.pooled) : "")
               : ""});
  }
  Section part{.heading = "Columns", .tables = {std::move(table)}};
  for (const ColumnLeftOut& column : coding.left_out)
    part.paragraphs.push_back("Not compared: " + column.name + " " + column.why + ".");
  return part;
}

Section own_part(const OwnChunks& own) {
  Series distances{.name = "distance from the other rows", .mark = Series::Mark::points};
  for (std::size_t i = 0; i < own.count(); ++i) {
    distances.x.push_back(static_cast<double>(i + 1));
    distances.y.push_back(own.distance[i]);
  }
  return {.heading = "Its own chunks",
          .paragraphs = {fmt::format("Stretches of {} rows, in the order of the table: what a chunk without "
                                     "drift gives. {}",
                                     own.rows,
                                     own.are_restless()
                                         ? "They differ by more than random rows do: limits of a series are "
                                           "as wide as that asks for."
                                         : "They differ by no more than random rows do: limits of a series "
                                           "come from random rows.")},
          .charts = {{.title = "Chunks of the reference",
                      .x_label = "chunk",
                      .y_label = "distance",
                      .series = {std::move(distances)},
                      .note = "A trend or a jump here is drift within the reference itself."}}};
}

// ------------------------------------------------------------------------------------------------- monitor

struct Lines {
  Lines(std::string what, std::string band_is)
      : value{.name = std::move(what), .mark = Series::Mark::points},
        band{.name = std::move(band_is), .muted = true} {}

  Series value, band, alarm{.name = "alarm", .mark = Series::Mark::points, .highlight = true};
  std::vector<std::string> names{};

  /// `line`: drawn within the band.
  void add(const Judgement& one, const std::optional<double>& seen, double low, double line, double high) {
    const auto x = static_cast<double>(names.size());
    names.push_back(one.name);
    band.x.push_back(x);
    band.y.push_back(line);
    band.low.push_back(low);
    band.high.push_back(high);
    Series& to = one.alarm ? alarm : value;
    to.x.push_back(x);
    to.y.push_back(seen.value_or(no_number));
  }
  [[nodiscard]] Chart chart(std::string title, std::string label, std::string note) const {
    Chart made{.title = std::move(title),
               .x_label = "",
               .y_label = std::move(label),
               .categories = names,
               .series = {band, value},
               .note = std::move(note)};
    if (!alarm.x.empty()) made.series.push_back(alarm);
    return made;
  }
};

Section series_part(const Monitored& series) {
  Lines distances("distance", "own chunks"), scores("score", "limit");
  for (const Judgement& one : series.chunks) {
    if (!one.value) continue;
    distances.add(one, one.value, one.band->low, (one.band->low + one.band->high) / 2, one.band->high);
    scores.add(one, one.score, std::min(0.0, *one.limit), *one.limit, *one.limit);
  }
  if (distances.names.empty()) return {};
  return {
      .heading = "The series",
      .charts = {distances.chart("Distance", "distance",
                                 fmt::format("The band holds the reference's own chunks, but for one in {} "
                                             "on either side.",
                                             series.one_in)),
                 scores.chart("Score", "sds of random chunks",
                              "The score decides: how far the columns together, or the one that moved most, "
                              "stand out from what chance gives. An alarm is one above the band.")}};
}

Section chunks_part(const Monitored& series) {
  PageTable table{.caption = "Chunks",
                  .columns = {"chunk", "rows", "compared", "distance", "p", "score", "limit", "verdict"}};
  for (const Judgement& one : series.chunks)
    table.rows.push_back({one.name, std::to_string(one.rows), std::to_string(one.rows_used), three(one.value),
                          three(one.p_value), three(one.score), three(one.limit),
                          !one.why_not.empty() ? one.why_not
                          : one.alarm          ? "alarm"
                                               : "no difference"});
  return {.heading = "Chunks", .tables = {std::move(table)}};
}

Section alarm_part(const Judgement& one) {
  PageTable table{.caption = "Columns of " + one.name, .columns = {"column", "share", "moved by"}};
  for (const ColumnMove& column : one.columns)
    table.rows.push_back(
        {column.name, column.share ? fmt::format("{:.0f} %", 100 * *column.share) : "", moved_words(column)});
  Section part{.heading = "Alarm: " + one.name, .tables = {std::move(table)}};
  part.paragraphs.push_back(fmt::format("Rows that pull most: {}.", fmt::join(one.rows_behind, ", ")));
  if (!one.rows_left_out.empty())
    part.paragraphs.push_back(
        fmt::format("Rows that stand alone and were left out: {}.", fmt::join(one.rows_left_out, ", ")));
  if (one.low > 0.0)
    part.paragraphs.push_back(fmt::format("The laws are at least {} apart.", three(*one.low)));
  return part;
}

}  // namespace

Page reference_page(const Reference& reference, const std::string& command) {
  Page page{.title = "Reference " + reference.name, .lead = lead_of(text(reference))};
  page.highlights = {
      {"rows kept", std::to_string(reference.rows.n()), fmt::format("of {}", reference.source_rows), true},
      {"own chunks", std::to_string(reference.own.count()), fmt::format("of {} rows", reference.own.rows)}};
  page.sections = {own_part(reference.own),
                   columns_of(reference.coding),
                   {.heading = "Settings",
                    .facts = {{"units", reference.coding.scale},
                              {"tau", percent(reference.tau)},
                              {"missing values", std::string(name(reference.missing))},
                              {"SHA-256", reference.digest},
                              {"version", std::string(version())}}}};
  if (!command.empty()) page.sections.push_back(again(command));
  return page;
}

Page check_page(const Checked& checked, const std::string& command) {
  Page page = distance_page(checked.distance, {checked.coded.x, {checked.x.rows}, &checked.x},
                            {checked.coded.y, {checked.y.rows}, &checked.y}, command);
  const Check& check = checked.check;
  page.title = fmt::format("{} held against the reference {}", check.distance.asked.files.y, check.reference);
  page.lead = lead_of(text(check), 1) + " " + page.lead;
  page.json = check_json(check);
  return page;
}

Page monitored_page(const Monitored& series, const std::string& command) {
  Page page{.title = "Series held against the reference " + series.reference,
            .lead = lead_of(text(series)),
            .json = monitored_json(series)};
  page.highlights = {{"alarms", std::to_string(series.alarms()), "among new chunks", true},
                     {"chunks", std::to_string(series.chunks.size()), "with those judged before"},
                     {"rate", fmt::format("1 in {}", series.one_in), "alarms without drift"}};
  for (Section& part : std::vector{series_part(series), chunks_part(series)})
    if (!part.heading.empty()) page.sections.push_back(std::move(part));
  for (const Judgement& one : series.chunks)
    if (one.alarm && !one.columns.empty()) page.sections.push_back(alarm_part(one));
  page.sections.push_back(
      {.heading = "Settings",
       .facts = {{"reference", series.reference},
                 {"its SHA-256", series.digest},
                 {"own chunks", fmt::format("{} of {} rows", series.own.count(), series.own.rows)},
                 {"units", series.scale},
                 {"version", std::string(version())}}});
  if (!command.empty()) page.sections.push_back(again(command));
  return page;
}

}  // namespace motmot
