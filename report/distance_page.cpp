// The page of one estimate: what it says, from the answer down to the settings.
#include "report/distance_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>

#include "answer/sentences.hpp"
#include "base/require.hpp"
#include "report/distance_parts.hpp"

namespace motmot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string four(double value) { return fmt::format("{:.4g}", value); }

bool is_company(const Distance& w) { return w.asked.estimator == Estimator::company; }

bool in_units(const Distance& w) {
  return !w.neighbours.paper || is_company(w) || w.neighbours.paper->critic != CriticKind::clipped;
}

std::string lead(const Distance& w) {
  if (is_company(w)) return apart_sentence(w) + " " + verdict_sentence(w);
  if (!in_units(w))
    return fmt::format(
        "The value is {:.5g}: the distance between the two samples times a constant that clipping leaves "
        "unknown. Compare it with values of the same settings only.",
        w.value);
  if (w.asked.estimator == Estimator::plain)
    return fmt::format("The two samples are {} apart, all rows taken at face value: this is not robust.",
                       four(w.value));
  std::string text = fmt::format("The {} are {}{} apart, assuming that at most {} are wrong.",
                                 w.neighbours.paper->target == Target::population
                                     ? "laws behind the inliers of the two samples"
                                     : "inliers of the two samples",
                                 four(w.value), bar_words(*w.neighbours.paper, "±"), of_each(w));
  if (w.plain) text += fmt::format(" All rows taken at face value give {}.", four(*w.plain));
  return text;
}

std::vector<Highlight> company_highlights(const Distance& w) {
  const Lengths length(w.value);
  const auto [x, y] = rest_of_tau(w);
  const std::string p = w.p_value ? fmt::format("p = {:.2g}", *w.p_value) : "";
  std::vector<Highlight> list{{"distance", length(w.value), "rows that stand alone left out", true}};
  if (w.floor) list.push_back({"chance alone", length(w.floor->level), p});
  if (w.interval && x + y > 0)
    list.push_back({"between", length(w.interval->low) + " – " + length(w.interval->high),
                    fmt::format("if another {} + {} rows are wrong", x, y)});
  if (w.needed && *w.needed > 0) list.push_back({"needed", needed_words(w), "wrong rows to explain it"});
  if (w.plain) list.push_back({"all rows", length(*w.plain), "with none left out"});
  return list;
}

std::vector<Highlight> highlights(const Distance& w) {
  if (is_company(w)) return company_highlights(w);
  if (!in_units(w)) return {{"value", fmt::format("{:.5g}", w.value), "in a unit of its own", true}};
  if (w.asked.estimator == Estimator::plain) return {{"plain", four(w.value), "all rows, not robust", true}};
  const PaperEstimate& paper = *w.neighbours.paper;
  std::vector<Highlight> list{
      {"robust", four(w.value) + bar_words(paper, "±"),
       paper.error_bar ? "with what outliers may have done" : "no error bar for these blocks", true}};
  if (w.plain) list.push_back({"plain", four(*w.plain), "all rows"});
  if (w.partial) list.push_back({"partial", four(*w.partial), "not below this, given tau"});
  return list;
}

std::string columns_words(const std::vector<std::string>& columns) {
  constexpr std::size_t most = 12;
  const auto shown = std::span(columns).first(std::min(columns.size(), most));
  const std::string text = fmt::format("{}", fmt::join(shown, ", "));
  return columns.size() > most ? text + fmt::format(", … ({} in all)", columns.size()) : text;
}

std::vector<Fact> facts(const Distance& w) {
  const auto& paper = w.neighbours.paper;
  const bool blocks = paper && !is_company(w) && w.asked.estimator != Estimator::plain;
  const auto sample = [&](const std::string& file, std::size_t rows, std::size_t dropped, Sample which) {
    return file + (file.empty() ? "" : ": ") + rows_words(rows, dropped) +
           (blocks ? ", " + blocks_words(*paper, which) : "");
  };
  const Asked& asked = w.asked;
  std::vector<Fact> list{{"X", sample(asked.files.x, asked.n, asked.rows_dropped.x, Sample::x)},
                         {"Y", sample(asked.files.y, asked.m, asked.rows_dropped.y, Sample::y)},
                         {"columns", columns_words(asked.columns)},
                         {"kinds", fmt::format("{}", fmt::join(kinds_sentences(w), " "))},
                         {"units", asked.scale},
                         {"tau", "at most " + of_each(w)},
                         {"why this tau", asked.why_tau},
                         {"estimator", std::string(estimator_words(asked.estimator))}};
  if (paper && !is_company(w)) {
    if (asked.metric == Metric::w1) list.push_back({"critic", std::string(critic_words(paper->critic))});
    else list.push_back({"metric", fmt::format("{}, over {}", name(asked.metric), kernel_words(asked))});
    list.push_back({"why this critic", w.asked.why_critic});
    if (blocks) list.push_back({"blocks", std::string(name(paper->scheme))});
    if (paper->lipschitz) list.push_back({"Lipschitz", fmt::format("{:.7g}, certified", *paper->lipschitz)});
    if (paper->gap) list.push_back({"gap", fmt::format("{:.2g} of the value", *paper->gap)});
  }
  list.push_back({"run", run_words(w)});
  list.push_back({"version", std::string(version())});
  std::erase_if(list, [](const Fact& fact) { return fact.value.empty(); });
  return list;
}

/// Two series on common categories: the answer, and what it is compared with.
struct Rows {
  Chart chart{.x_label = "", .y_label = "distance", .horizontal = true};
  Series answer{.name = "the answer", .mark = Series::Mark::bars},
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

std::string bracket_words(const PaperEstimate& paper) {
  if (!paper.lower || !paper.upper) return "";
  return fmt::format(
      "Proved on one fixed partition of the rows: the estimator lies in [{:.6g}, {:.6g}]; the fitted critic "
      "has {:.6g} there. The answer, a mean over many partitions, may lie outside.",
      *paper.lower, *paper.upper, paper.fixed_partition_value.value_or(nan));
}

void add_paper(const Distance& w, Rows& rows) {
  if (!w.neighbours.paper) return;
  const PaperEstimate& paper = *w.neighbours.paper;
  if (is_company(w))
    rows.add(rows.rest, "paper (mom)", paper.value, paper.low.value_or(nan), paper.high.value_or(nan));
  if (paper.lower && paper.upper)
    rows.add(rows.rest, "certificate", paper.fixed_partition_value.value_or(nan), *paper.lower, *paper.upper);
  rows.add("held out", paper.held_out);
}

/// The answer beside other values, each with what is known of its error.
Section values_part(const Distance& w) {
  if (!in_units(w) || w.asked.estimator == Estimator::plain) return {};
  Rows rows;
  rows.add(rows.answer, is_company(w) ? "distance" : "robust", w.value, w.interval ? w.interval->low : nan,
           w.interval ? w.interval->high : nan);
  rows.add("all rows", w.plain);
  rows.add("partial", w.partial);
  add_paper(w, rows);
  if (w.neighbours.network)
    rows.add("network", w.neighbours.network->held_out.value_or(w.neighbours.network->value),
             w.neighbours.network->sd);
  rows.chart.title = "The answer and other estimates";
  rows.chart.series = {rows.answer, rows.rest};
  rows.chart.note = is_company(w) ? "The whisker on the distance spans what it may be if more rows are wrong."
                    : w.interval
                        ? "The whisker on the robust value is its error bar: how far outliers and skew may "
                          "have moved it, given the outliers assumed."
                        : "No error bar: these blocks give none.";
  std::string words;
  if (w.plain) words = "All rows: one wrong row far enough away can make it anything.";
  if (w.partial)
    words +=
        " Partial: the distance of the right rows is not below it if at most " + of_each(w) + " are wrong.";
  if (is_company(w) && w.neighbours.paper) words += " Paper: its median of block means, with its error bar.";
  if (w.neighbours.network) words += " Network: the distance of the laws that the rows come from.";
  Section part{.heading = "Other estimates",
               .paragraphs = {words, w.neighbours.paper ? bracket_words(*w.neighbours.paper) : ""},
               .charts = {rows.chart}};
  std::erase(part.paragraphs, "");
  return part;
}

std::vector<std::string> warning_texts(const Distance& w) {
  std::vector<std::string> texts;
  for (const Warning& warning : w.warnings) texts.push_back(warning.text);
  return texts;
}

}  // namespace

Page distance_page(const Distance& w, const PageSample& x, const PageSample& y, const std::string& command) {
  const auto fits = [&](const PageSample& sample) {
    return sample.table != nullptr || sample.points.d == w.asked.d;
  };
  require(
      x.points.n == w.asked.n && y.points.n == w.asked.m && x.points.d == y.points.d && fits(x) && fits(y),
      Errc::invalid_argument, "the page needs the samples of the answer: ", w.asked.n, " and ", w.asked.m,
      " rows of ", w.asked.d, " columns");
  Page page{
      .title = fmt::format("Distance between {} and {}", w.asked.files.x.empty() ? "X" : w.asked.files.x,
                           w.asked.files.y.empty() ? "Y" : w.asked.files.y),
      .lead = lead(w),
      .highlights = highlights(w),
      .warnings = warning_texts(w),
      .json = distance_json(w, {x.rows, y.rows})};
  for (Section& part : std::array{wrong_rows_part(w), chance_part(w), columns_part(w), data_part(w, x, y),
                                  left_out_part(w, x, y), blocks_part(w), ascent_part(w), values_part(w)})
    if (!part.heading.empty()) page.sections.push_back(std::move(part));
  page.sections.push_back({.heading = "Settings", .facts = facts(w)});
  if (!command.empty())
    page.sections.push_back({.heading = "The same run again",
                             .paragraphs = {"The same seed gives the same bits on any number of threads."},
                             .code = command});
  return page;
}

}  // namespace motmot
