// What people ask of a distance: if some rows are wrong, is it more than chance, which columns moved.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/sentences.hpp"
#include "base/text.hpp"
#include "report/distance_parts.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_bars = 15;           ///< columns drawn
constexpr std::size_t fewest_in_histogram = 8;  ///< fewer values say nothing of their spread

std::string rows_label(std::size_t x, std::size_t y) {
  return fmt::format("{} of X, {} of Y left out", counted(x, "row"), y);
}

Guide answer_guide(const Distance& w, bool vertical = false) {
  return {.at = w.value, .label = "distance " + Lengths(w.value)(w.value), .vertical = vertical};
}

/// The distance over the share of rows that may be wrong, where it was computed.
Chart tau_chart(const Distance& w) {
  Series line{.name = "distance"};
  for (const TauPoint& point : w.tau_path) {
    if (!point.value) continue;
    line.x.push_back(100 * point.tau);
    line.y.push_back(*point.value);
    line.labels.push_back(rows_label(point.x, point.y));
  }
  return {
      .title = "The distance, by the share of rows that may be wrong",
      .x_label = "% of each sample that may be left out (tau)",
      .y_label = "distance",
      .series = {line},
      .guides = {answer_guide(w),
                 {.at = 100 * w.tau_x, .label = "tau " + percent(w.tau_x), .vertical = true}},
      .note =
          "Rows that stand alone are left out, up to this share. A level stretch is a value that does not "
          "depend on the share; a step is a group of rows that is seen only from there on."};
}

Chart profile_chart(const Distance& w) {
  Series line{.name = "distance"};
  const auto rows = static_cast<double>(w.asked.n + w.asked.m);
  for (const ProfilePoint& point : w.profile) {
    line.x.push_back(100 * static_cast<double>(point.x + point.y) / rows);
    line.y.push_back(point.value);
    line.labels.push_back(rows_label(point.x, point.y));
  }
  return {
      .title = "The distance as the most remote rows go",
      .x_label = "% of all rows left out, the most remote first",
      .y_label = "distance",
      .series = {line},
      .guides = {answer_guide(w)},
      .note =
          "Whether or not they stand alone. A steep start is a few rows that carry much of the distance."};
}

/// The distance at several sizes, and the fit from the smallest to all rows.
Chart size_chart(const Distance& w) {
  const Subsampling& s = *w.subsampling;
  const auto rows = [](const PerSample<std::size_t>& of) {
    return 2 / (1 / static_cast<double>(of.x) + 1 / static_cast<double>(of.y));
  };
  Series found{.name = "distance", .mark = Series::Mark::points, .highlight = true};
  Series chance{.name = "chance alone", .mark = Series::Mark::points, .muted = true};
  for (const SizePoint& size : s.sizes) {
    const double sd = size.draws > 1 ? size.sd : s.spread;
    found.x.push_back(rows(size.rows));
    found.y.push_back(size.value);
    found.low.push_back(size.value - sd);
    found.high.push_back(size.value + sd);
    chance.x.push_back(rows(size.rows));
    chance.y.push_back(size.chance);
  }
  const auto [read_x, read_y] = w.asked.rows_read;
  const double first = found.x.front(), last = found.x.back(),
               all = rows({read_x > 0 ? read_x : w.asked.n, read_y > 0 ? read_y : w.asked.m});
  const double chance_last = s.sizes.back().chance;
  const auto chance_at = [&](double n) { return chance_last * std::pow(last / n, s.power); };
  const double square = s.all_rows * s.all_rows - s.slope * chance_at(all) * chance_at(all);
  Series fit{.name = "fit"};
  constexpr int steps = 40;
  for (int k = 0; k <= steps; ++k) {
    fit.x.push_back(first * std::pow(all / first, static_cast<double>(k) / steps));
    const double of_chance = chance_at(fit.x.back());
    fit.y.push_back(std::sqrt(std::max(0.0, square + s.slope * of_chance * of_chance)));
  }
  return {.title = "The distance, by the number of rows compared",
          .x_label = "rows of each sample",
          .y_label = "distance",
          .x_log = true,
          .series = {fit, found, chance},
          .guides = {{.at = s.all_rows, .label = "all rows, by the fit"}},
          .note =
              "Fewer rows lie farther apart, the more so the more columns there are. Whiskers: one standard "
              "deviation between draws of rows."};
}

/// One or two permuted values are no histogram: bars beside each other then.
Chart chance_chart(const Distance& w) {
  const std::vector<double>& permuted = w.floor->permuted;
  if (permuted.size() < fewest_in_histogram || std::ranges::min(permuted) == std::ranges::max(permuted))
    return {.title = "The distance and what chance gives",
            .y_label = "distance",
            .categories = {"distance", "chance alone"},
            .series = {{.x = {0, 1}, .y = {w.floor->value, w.floor->level}, .mark = Series::Mark::bars}},
            .horizontal = true};
  return {
      .title = fmt::format("What chance alone gives, {} times", permuted.size()),
      .x_label = "distance",
      .y_label = "times",
      .series = {histogram("mixed rows", permuted)},
      .guides = {answer_guide(w, true)},
      .note =
          "The rows of both samples are mixed and dealt anew: the distances that come out are chance alone."};
}

}  // namespace

Series histogram(const std::string& name, const std::vector<double>& values) {
  const auto [low, high] = std::ranges::minmax(values);
  const std::size_t bins = std::min<std::size_t>(25, 5 + values.size() / 10);
  const double width = (high - low) / static_cast<double>(bins);
  Series bars{.name = name,
              .x = std::vector<double>(bins),
              .y = std::vector<double>(bins),
              .mark = Series::Mark::bars};
  for (std::size_t b = 0; b < bins; ++b) bars.x[b] = low + (static_cast<double>(b) + 0.5) * width;
  for (const double value : values)
    ++bars.y[std::min(bins - 1, static_cast<std::size_t>((value - low) / width))];
  return bars;
}

Section wrong_rows_part(const Distance& w) {
  if (w.asked.estimator != Estimator::company) return {};
  Section part{.heading = "If some rows are wrong",
               .paragraphs = {left_out_sentence(w), interval_sentence(w)}};
  std::ranges::copy(reading_sentences(w), std::back_inserter(part.paragraphs));
  part.paragraphs.push_back(subsample_sentence(w));
  std::erase(part.paragraphs, "");
  for (const Chart& chart : {tau_chart(w), profile_chart(w)})
    if (chart.series[0].x.size() > 1) part.charts.push_back(chart);
  return part;
}

Section chance_part(const Distance& w) {
  if (!w.floor) return {};
  Section part{.heading = "Is it more than chance?",
               .paragraphs = {verdict_sentence(w), population_sentence(w)},
               .charts = {chance_chart(w)}};
  if (w.subsampling) {
    part.paragraphs.push_back(size_sentence(w));
    part.charts.push_back(size_chart(w));
  }
  std::erase(part.paragraphs, "");
  return part;
}

Section columns_part(const Distance& w) {
  const std::vector<ColumnMove> columns = columns_by_share(w);
  if (columns.empty()) return {};
  Chart chart{.title = "Share of the distance, by column",
              .y_label = "% of the distance above chance",
              .series = {{.name = "share", .mark = Series::Mark::bars}},
              .horizontal = true};
  const bool scaled = !units_sentence(w).empty();
  PageTable table{.caption = "How the columns moved",
                  .columns = {"column", "share", "moved by"},
                  .folded = columns.size() > most_bars};
  if (scaled) table.columns.emplace_back("divided by");
  for (const ColumnMove& column : columns) {
    table.rows.push_back({column.name, fmt::format("{:.1f} %", 100 * *column.share), moved_words(column, 4)});
    if (scaled) table.rows.back().push_back(unit_words(column, 4));
    if (chart.categories.size() == most_bars) continue;
    chart.series[0].x.push_back(static_cast<double>(chart.categories.size()));
    chart.series[0].y.push_back(100 * *column.share);
    chart.categories.push_back(column.name);
  }
  if (columns.size() > most_bars) chart.note = fmt::format("The first {} of {}.", most_bars, columns.size());
  Section part{
      .heading = "Which columns moved",
      .paragraphs = {"The share is that of the distance beyond what chance gives in the column; moved by is "
                     "the mean of Y less the mean of X, of the rows kept, in the column's own units.",
                     shares_sentence(w), units_sentence(w)},
      .charts = {std::move(chart)},
      .tables = {std::move(table)}};
  std::ranges::copy(kinds_sentences(w), std::back_inserter(part.paragraphs));
  std::erase(part.paragraphs, "");
  return part;
}

}  // namespace motmot
