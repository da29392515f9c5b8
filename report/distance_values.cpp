// The values beside each other, each with what is known of its error.
#include <fmt/format.h>

#include <limits>

#include "report/distance_parts.hpp"

namespace motmot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Two series on common categories: the answer, and what it is compared with.
struct Rows {
  Chart chart{.x_label = "", .y_label = "distance", .horizontal = true};
  Series answer{.name = "robust", .mark = Series::Mark::bars},
      rest{.name = "for comparison", .mark = Series::Mark::bars, .muted = true};

  void add(Series& to, const char* name, double value, double low, double high) {
    to.x.push_back(static_cast<double>(chart.categories.size()));
    to.y.push_back(value);
    to.low.push_back(low);
    to.high.push_back(high);
    chart.categories.emplace_back(name);
  }
  void add(const char* name, const std::optional<double>& value, double around = 0) {
    if (value)
      add(rest, name, *value, around > 0 ? *value - around : nan, around > 0 ? *value + around : nan);
  }
};

std::string bracket_words(const Distance& e) {
  return fmt::format(
      "Proved on one fixed partition of the rows: the estimator lies in [{:.6g}, {:.6g}]; the fitted critic "
      "has {:.6g} there. The answer, a mean over many partitions, may lie outside.",
      *e.bounds.lower, *e.bounds.upper, *e.bounds.fixed_partition_value);
}

}  // namespace

Section values_part(const Distance& e) {
  if (e.asked.critic == CriticKind::clipped || e.asked.estimator == Estimator::plain) return {};
  Rows rows;
  rows.add("plain", e.beside.plain);
  rows.add(rows.answer, "robust", e.value, e.low.value_or(nan), e.high.value_or(nan));
  rows.add("corrected", e.beside.corrected);
  rows.add("trim", e.beside.trim);
  rows.add("partial", e.bounds.partial);
  if (e.bounds.lower && e.bounds.upper)
    rows.add(rows.rest, "certificate", *e.bounds.fixed_partition_value, *e.bounds.lower, *e.bounds.upper);
  if (e.beside.network) rows.add("laws", e.beside.network->value, e.beside.network->sd);
  rows.add("held out", e.beside.held_out);
  rows.chart.title = "Plain against robust";
  rows.chart.series = {rows.answer, rows.rest};
  rows.chart.note =
      e.error_bar ? "The whisker on the robust value is its error bar: how far outliers and skew may have "
                    "moved it, given the outliers assumed."
                  : "No error bar: these blocks give none.";
  Section part{
      .heading = "The answer and its neighbours",
      .paragraphs =
          {"Plain uses all rows: one outlier far enough away can make it anything. Robust compares "
           "medians of block means; corrected removes the shift that outlying rows explain; trim "
           "leaves the suspects out. Partial is certified: the inliers' distance is not below it, if "
           "no more rows are outliers than assumed."},
      .charts = {rows.chart}};
  if (e.bounds.lower && e.bounds.upper) part.paragraphs.push_back(bracket_words(e));
  return part;
}

}  // namespace motmot
