// The figures of a study, and where methods break as tables of colours.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "report/study_report.hpp"
#include "study/claim_tools.hpp"

namespace motmot {
namespace {

/// "hidden behind Y"
std::string toy_words(Toy data) {
  switch (data) {
    case Toy::d1:
      return "D1, uniform outliers";
    case Toy::d2:
      return "D2, outliers around 25";
    case Toy::far:
      return "one-sided, far (1000)";
    case Toy::behind:
      return "hidden behind Y";
    case Toy::inside:
      return "hidden inside Y";
    case Toy::both:
      return "both samples dirty";
    case Toy::shape:
      return "shape change";
    case Toy::shares:
      return "mode shares differ";
    default:
      return std::string(name(data));
  }
}

/// Appends a summary to a series over K or epochs, with its band.
void append(Series& series, double x, const StudySummary& s) {
  series.x.push_back(x);
  series.y.push_back(s.mean);
  series.low.push_back(s.q25);
  series.high.push_back(s.q75);
}

/// One line per tau: the mean over repetitions of |value - reference|.
Chart error_chart(const StudyResult& r, std::string_view method, Toy data) {
  Chart chart{.title = fmt::format("{}, {}", method, toy_words(data)),
              .x_label = "number of blocks K",
              .y_label = "absolute deviation",
              .x_log = true};
  for (const double tau : r.options.tau) {
    Series series{.name = fmt::format("\u03c4 = {}", tau)};
    for (const StudySummary& s : r.summary)
      if (s.data == data && s.method == method && s.tau == tau) append(series, static_cast<double>(s.k), s);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

/// One line per K.
Chart convergence_chart(const StudyResult& r, std::string_view method, Toy data, double tau) {
  Chart chart{.title = fmt::format("{}, {}", method,
                                   tau == 0 ? "no anomalies" : fmt::format("{:g} % anomalies", 100 * tau)),
              .x_label = "epoch (K steps)",
              .y_label = "value",
              .x_log = true};
  double reference = 0;
  for (const std::size_t k : r.options.blocks) {
    Series series{.name = fmt::format("K = {}", k)};
    for (const StudySummary& s : r.summary)
      if (s.data == data && s.method == method && s.tau == tau && s.k == k) {
        append(series, static_cast<double>(s.epoch), s);
        reference = s.reference;
      }
    chart.series.push_back(std::move(series));
  }
  chart.guides.push_back({.at = reference, .label = "K = 1, no anomalies, at the end"});
  return chart;
}

std::vector<std::string> methods(const StudyResult& r) {
  std::vector<std::string> list;
  for (const Estimator estimator : r.options.estimators) list.emplace_back(name(estimator));
  return list;
}

/// The paper shows mou-diag in its text and the others in its supplement.
template <class Panels>
std::vector<StudyFigure> split(const StudyResult& r, const std::string& in_text,
                               const std::string& in_supplement, Panels panels) {
  std::vector<StudyFigure> figures;
  for (const bool text : {true, false}) {
    std::vector<Chart> charts;
    for (const std::string& method : methods(r))
      if ((method == name(Estimator::mou_diag)) == text) panels(method, charts);
    if (charts.empty()) continue;
    const std::string& number = text ? in_text : in_supplement;
    figures.push_back({.file = fmt::format("figure{}.svg", number), .figure = {.panels = std::move(charts)}});
    figures.back().figure.title = fmt::format("Figure {}: ", number);
  }
  return figures;
}

std::string network(const StudyOptions& o) {
  std::string layers;
  for (const std::size_t size : o.hidden) layers += fmt::format("-{}", size);
  return fmt::format("network 2{}-1, n = m = {}", layers, o.n);
}

std::vector<StudyFigure> error_figures(const StudyResult& r) {
  std::vector<StudyFigure> figures =
      split(r, "2", "5", [&](const std::string& method, std::vector<Chart>& to) {
        for (const Toy data : r.options.data) to.push_back(error_chart(r, method, data));
      });
  for (StudyFigure& f : figures) {
    f.figure.title += "deviation from the value without outliers, over K";
    f.figure.columns = std::min<std::size_t>(2, r.options.data.size());
    f.figure.note = fmt::format(
        "Mean of |value - value of K = 1 on the same inliers without outliers| and 25-75 % band over {}; {}, "
        "{} steps. Values are distances times an unknown constant: the reference is {:.3g} on average.",
        counted(r.options.repetitions, "repetition"), network(r.options), r.options.steps,
        r.summary.empty() ? 0 : r.summary.front().reference);
  }
  return figures;
}

std::vector<StudyFigure> convergence_figures(const StudyResult& r) {
  std::vector<StudyFigure> figures =
      split(r, "3", "6", [&](const std::string& method, std::vector<Chart>& to) {
        for (const Toy data : r.options.data)
          for (const double tau : r.options.tau) to.push_back(convergence_chart(r, method, data, tau));
      });
  for (StudyFigure& f : figures) {
    f.figure.title += "value over epochs";
    f.figure.columns = std::min<std::size_t>(2, r.options.data.size() * r.options.tau.size());
    f.figure.note = fmt::format(
        "Mean and 25-75 % band over {}; {}; an epoch is K steps, its value their mean; a curve ends after {} "
        "epochs or {} steps.",
        counted(r.options.repetitions, "repetition"), network(r.options), r.options.epochs, r.options.steps);
  }
  return figures;
}

/// Error over K of the estimators and the block median, one panel per kind of outliers.
std::vector<StudyFigure> breakdown_figures(const StudyResult& r) {
  double tau = 0;
  for (const double t : r.options.tau)
    if (t <= 0.1) tau = std::max(tau, t);
  Figure figure{.title = fmt::format("Error over K at \u03c4 = {:g}, exact critic", tau), .columns = 2};
  for (const Toy data : r.options.data) {
    Chart chart{.title = toy_words(data), .x_label = "number of blocks K", .y_label = "|error|, % of W1"};
    chart.x_log = chart.y_log = true;
    std::vector<std::string> lines = methods(r);
    lines.emplace_back("block-median");
    for (const std::string& method : lines) {
      Series series{.name = method};
      for (const StudySummary& s : r.summary)
        if (s.data == data && s.tau == tau && s.method == method && s.k >= 1) {
          series.x.push_back(static_cast<double>(s.k));
          series.y.push_back(std::max(0.05, std::abs(s.mean)));
        }
      chart.series.push_back(std::move(series));
    }
    for (const StudySummary& s : r.summary)
      if (s.data == data && s.tau == tau && s.method == "plain")
        chart.guides.push_back({.at = std::max(0.05, std::abs(s.mean)), .label = "plain W1"});
    figure.panels.push_back(std::move(chart));
  }
  figure.note = fmt::format("|mean error| against exact W1 of the inliers over {}, n = m = {}; log scales.",
                            counted(r.options.repetitions, "repetition"), r.options.n);
  return {{.file = "breakdown-over-blocks.svg", .figure = std::move(figure)}};
}

struct HeatColumn {
  std::string title, method;
  std::size_t k;
};

std::optional<double> mean_error(const StudyResult& r, Toy data, double tau, const HeatColumn& column) {
  const StudySummary* found = find_summary(r, data, tau, column.method, column.k);
  return found == nullptr ? std::nullopt : std::optional(found->mean);
}

HeatTable heat(const StudyResult& r, const std::vector<HeatColumn>& columns) {
  HeatTable table;
  for (const HeatColumn& column : columns) table.columns.push_back(column.title);
  for (const Toy data : r.options.data)
    for (const double tau : r.options.tau) {
      HeatTable::Row row{.group = toy_words(data), .name = fmt::format("\u03c4 = {:g}", tau)};
      for (const HeatColumn& c : columns) row.values.push_back(mean_error(r, data, tau, c));
      table.rows.push_back(std::move(row));
    }
  return table;
}

bool has_method(const StudyResult& r, std::string_view method) {
  return std::ranges::any_of(r.summary, [&](const StudySummary& s) { return s.method == method; });
}

}  // namespace

std::vector<StudyFigure> study_figures(const StudyResult& result) {
  switch (result.options.study) {
    case Study::error:
      return error_figures(result);
    case Study::convergence:
      return convergence_figures(result);
    case Study::breakdown:
      return breakdown_figures(result);
  }
  return {};
}

HeatTable breakdown_table(const StudyResult& r) {
  if (r.options.study != Study::breakdown) return {};
  std::vector<HeatColumn> columns{{"plain W1", "plain", 1}};
  const std::size_t most = std::ranges::max(r.options.blocks);
  columns.push_back({fmt::format("block median K={}", most), "block-median", most});
  for (const Estimator estimator : r.options.estimators)
    columns.push_back({fmt::format("{} default K", name(estimator)), std::string(name(estimator)), 0});
  columns.push_back({"company", "company", 1});
  columns.push_back({"partial bound", "partial", 1});
  for (const HeatColumn& peer :
       {HeatColumn{"POT partial", "pot-partial", 1}, HeatColumn{"POT unbalanced", "pot-unbalanced", 1}})
    if (has_method(r, peer.method)) columns.push_back(peer);
  HeatTable table = heat(r, columns);
  table.title = "Where each method breaks: error in % of the inliers' W1";
  table.note = fmt::format(
      "Mean over {}, n = m = {}, exact critic. Red: too large, blue: too small, green: within {:g} %. "
      "Methods that take a share of outliers were told the true one. A dash: not offered.",
      counted(r.options.repetitions, "repetition"), r.options.n, table.mild);
  return table;
}

HeatTable blocks_table(const StudyResult& r, const std::string& method) {
  if (r.options.study != Study::breakdown) return {};
  std::vector<HeatColumn> columns;
  for (const std::size_t k : r.options.blocks) columns.push_back({fmt::format("K = {}", k), method, k});
  columns.push_back({"default K", method, 0});
  HeatTable table = heat(r, columns);
  table.title = fmt::format("{} over K: error in % of the inliers' W1", method);
  table.note = fmt::format("Mean over {}, n = m = {}, exact critic. Red: too large, blue: too small.",
                           counted(r.options.repetitions, "repetition"), r.options.n);
  return table;
}

}  // namespace motmot
