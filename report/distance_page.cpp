// The page of one estimate: what it says, from the answer down to the settings.
#include "report/distance_page.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/require.hpp"
#include "motmot/report.hpp"
#include "report/distance_parts.hpp"
#include "report/words.hpp"

namespace motmot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string four(double value) { return fmt::format("{:.4g}", value); }

bool in_units(const Distance& e) { return e.asked.critic != CriticKind::clipped; }

std::string plain_words(const Distance& e) {
  if (!e.beside.plain || e.asked.estimator == Estimator::plain || !(e.value > 0)) return "";
  const double more = 100 * (*e.beside.plain / e.value - 1);
  if (std::abs(more) < 1)
    return fmt::format(" All rows taken at face value give {}, nearly the same.", four(*e.beside.plain));
  return fmt::format(" All rows taken at face value give {}, {:.0f} % {}.", four(*e.beside.plain),
                     std::abs(more), more > 0 ? "more" : "less");
}

std::string suspects_words(std::size_t x, std::size_t y) {
  if (x + y == 0) return " No row looks like an outlier.";
  if (y == 0)
    return fmt::format(" {} of X look{} like {}.", counted(x, "row"), x == 1 ? "s" : "",
                       x == 1 ? "an outlier" : "outliers");
  if (x == 0)
    return fmt::format(" {} of Y look{} like {}.", counted(y, "row"), y == 1 ? "s" : "",
                       y == 1 ? "an outlier" : "outliers");
  return fmt::format(" {} of X and {} of Y look like outliers.", counted(x, "row"), y);
}

std::string lead(const Distance& e, std::size_t suspects_x, std::size_t suspects_y) {
  std::string text;
  if (!in_units(e))
    text = fmt::format(
        "The value is {:.5g}: the distance between the two samples times a constant that clipping leaves "
        "unknown. Compare it with values of the same settings only.",
        e.value);
  else if (e.asked.estimator == Estimator::plain)
    text = fmt::format("The two samples are {} apart, all rows taken at face value: this is not robust.",
                       four(e.value));
  else
    text = fmt::format("The {} are {} apart, {}.",
                       e.target == Target::population ? "laws behind the inliers of the two samples"
                                                      : "inliers of the two samples",
                       four(e.value) + bar_words(e, "±"), assuming(e));
  text += plain_words(e);
  if (!e.rows.x.phi.empty()) text += suspects_words(suspects_x, suspects_y);
  return text;
}

std::vector<Highlight> highlights(const Distance& e) {
  std::vector<Highlight> list;
  if (!in_units(e)) return {{"value", fmt::format("{:.5g}", e.value), "in a unit of its own", true}};
  if (e.asked.estimator == Estimator::plain) return {{"plain", four(e.value), "all rows, not robust", true}};
  list.push_back({"robust", four(e.value) + bar_words(e, "±"),
                  e.error_bar ? "with what outliers may have done" : "no error bar for these blocks", true});
  const auto add = [&](const char* label, const std::optional<double>& value, const char* note) {
    if (value) list.push_back({label, four(*value), note});
  };
  add("plain", e.beside.plain, "all rows");
  add("corrected", e.beside.corrected, "less the outliers' shift");
  add("trim", e.beside.trim, "without the suspects");
  add("partial", e.bounds.partial, "not below this, certified");
  if (e.beside.network) list.push_back({"laws", four(e.beside.network->value), "by a network, from below"});
  return list;
}

std::vector<Fact> facts(const Distance& e, const PageSample& x, const PageSample& y) {
  std::string columns;
  for (std::size_t j = 0; j < x.columns.size() && j < 12; ++j) columns += (j == 0 ? "" : ", ") + x.columns[j];
  if (x.columns.size() > 12) columns += fmt::format(", … ({} in all)", x.columns.size());
  const auto sample = [&](const PageSample& s, std::size_t k, std::size_t b) {
    std::string text = s.name + (s.name.empty() ? "" : ": ") + rows_words(s.points.n, s.left_out);
    if (e.asked.estimator != Estimator::plain)
      text += fmt::format(", {} of {}", counted(k, "block"),
                          counted(b, e.asked.scheme == Scheme::pairs ? "pair" : "row"));
    return text;
  };
  std::vector<Fact> list{{"X", sample(x, e.asked.blocks.x, e.asked.block_size.x)},
                         {"Y", sample(y, e.asked.blocks.y, e.asked.block_size.y)},
                         {"columns", columns.empty() ? std::to_string(e.asked.d) : columns},
                         {"estimator", std::string(estimator_words(e.asked.estimator))},
                         {"critic", std::string(critic_words(e.asked.critic))},
                         {"blocks", std::string(name(e.asked.scheme))},
                         {"tau", e.asked.tau.x == e.asked.tau.y ? percent(e.asked.tau.x)
                                                                : percent(e.asked.tau.x) + " in X, " +
                                                                      percent(e.asked.tau.y) + " in Y"}};
  if (!e.asked.why_critic.empty()) list.push_back({"why this critic", e.asked.why_critic});
  if (!e.asked.why_tau.empty()) list.push_back({"why this tau", e.asked.why_tau});
  if (e.bounds.lipschitz)
    list.push_back({"Lipschitz", fmt::format("{:.7g}, certified", *e.bounds.lipschitz)});
  if (e.run.gap) list.push_back({"gap", fmt::format("{:.2g} of the value", *e.run.gap)});
  list.push_back({"run", work_words(e)});
  list.push_back({"time", fmt::format("{:.3g} s on {}", e.run.seconds, counted(e.run.threads, "thread"))});
  list.push_back({"seed", std::to_string(e.asked.seed)});
  list.push_back({"version", std::string(version())});
  return list;
}

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

/// The values beside each other, each with what is known of its error.
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

void add_part(Page& page, Section part) {
  if (!part.heading.empty()) page.sections.push_back(std::move(part));
}

}  // namespace

Page distance_page(const Distance& e, const PageSample& x, const PageSample& y, const std::string& command) {
  require(x.points.n == e.asked.n && y.points.n == e.asked.m && x.points.d == e.asked.d &&
              y.points.d == e.asked.d,
          Errc::invalid_argument, "the page needs the samples of the estimate: ", e.asked.n, " and ",
          e.asked.m, " rows of ", e.asked.d, " columns");
  const Suspects suspects_x = suspects_of(x.points, e.rows.x), suspects_y = suspects_of(y.points, e.rows.y);
  Page page{.title = fmt::format("Distance between {} and {}", x.name.empty() ? "X" : x.name,
                                 y.name.empty() ? "Y" : y.name),
            .lead = lead(e, suspects_x.rows.size(), suspects_y.rows.size()),
            .highlights = highlights(e),
            .warnings = e.run.warnings,
            .json = distance_json(e, {{x.rows, x.left_out}, {y.rows, y.left_out}})};
  add_part(page, values_part(e));
  add_part(page, data_part(x, y, suspects_x, suspects_y));
  add_part(page, blocks_part(e));
  add_part(page, ascent_part(e));
  add_part(page, suspects_part(x, y, suspects_x, suspects_y));
  page.sections.push_back({.heading = "Settings", .facts = facts(e, x, y)});
  if (!command.empty())
    page.sections.push_back({.heading = "The same run again",
                             .paragraphs = {"The same seed gives the same bits on any number of threads."},
                             .code = command});
  return page;
}

}  // namespace motmot
