#include "report/rate_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.hpp"
#include "motmot/base.hpp"
#include "report/claims.hpp"
#include "study/rate.hpp"

namespace motmot {
namespace {

std::string rule_name(const RateLine& line) { return line.rule ? std::string(name(*line.rule)) : ""; }

std::string line_start(const RateLine& line) {
  return fmt::format("{},{},{},{},{}", name(line.law), line.d, outlying_key(line.outliers),
                     name(line.estimator), rule_name(line));
}

std::string or_empty(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

std::string outlying_words(const Outlying& outliers) {
  if (outliers.falling) return fmt::format("n^{:g} outliers in each sample", outliers.number);
  return outliers.number == 0 ? "no outliers"
                              : fmt::format("{:g} % outliers in each sample", 100 * outliers.number);
}

std::string grid_words(const RateResult& r) {
  return fmt::format(
      "n = m in {{{}}}, {}; outliers of X at 100 to 200 and of Y at -100 to -200 on the first "
      "axis; estimators are told the true shares.",
      fmt::join(r.options.n, ", "), counted(r.options.repetitions, "repetition"));
}

bool is_shown(const RateLine& line, BlockRule rule) { return !line.rule || *line.rule == rule; }

Chart rate_chart(const RateResult& r, RateLaw law, std::size_t d, const Outlying& outliers, BlockRule rule) {
  Chart chart{.title = fmt::format("{}, d = {}", name(law), d), .x_label = "n", .y_label = "|error|"};
  chart.x_log = chart.y_log = true;
  for (const RateCurve& c : r.curves) {
    if (c.line.law != law || c.line.d != d || c.line.outliers != outliers || !is_shown(c.line, rule))
      continue;
    Series series{.name = std::string(name(c.line.estimator))};
    for (const RatePoint& p : c.points) {
      series.x.push_back(static_cast<double>(p.n));
      series.y.push_back(std::max(1e-6, p.mean));
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

Json point_json(const RatePoint& p) {
  return {{"n", p.n},
          {"blocks_x", p.k_x},
          {"blocks_y", p.k_y},
          {"mean", p.mean},
          {"q25", p.q25},
          {"median", p.median},
          {"q75", p.q75},
          {"bound", json_of(p.bound)},
          {"vacuous", p.vacuous}};
}

}  // namespace

std::string rate_csv(const RateResult& result) {
  std::string text = "law,d,outliers,estimator,rule,n,blocks_x,blocks_y,repetition,error\n";
  for (const RateCurve& c : result.curves)
    for (const RatePoint& p : c.points)
      for (std::size_t r = 0; r < p.errors.size(); ++r)
        text += fmt::format("{},{},{},{},{},{}\n", line_start(c.line), p.n, p.k_x, p.k_y, r, p.errors[r]);
  return text;
}

std::string rate_summary_csv(const RateResult& result) {
  std::string text =
      "law,d,outliers,estimator,rule,n,blocks_x,blocks_y,repetitions,mean,q25,median,q75,bound,vacuous\n";
  for (const RateCurve& c : result.curves)
    for (const RatePoint& p : c.points)
      text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", line_start(c.line), p.n, p.k_x, p.k_y,
                          p.errors.size(), p.mean, p.q25, p.median, p.q75, or_empty(p.bound),
                          p.bound ? std::to_string(static_cast<int>(p.vacuous)) : "");
  return text;
}

std::string rate_json(const RateResult& result, const std::vector<Claim>& claims) {
  const RateOptions& o = result.options;
  Json json{{"study", "rate"}, {"version", version()}, {"cells", result.cells}};
  json["settings"] = {{"laws", json_of(o.laws)},
                      {"d", o.d},
                      {"n", o.n},
                      {"tau", o.tau},
                      {"alpha", o.alpha},
                      {"estimators", json_of(o.estimators)},
                      {"rules", json_of(o.rules)},
                      {"repetitions", o.repetitions},
                      {"seed", o.seed}};
  json["curves"] = Json::array();
  for (const RateCurve& c : result.curves) {
    Json curve{{"law", name(c.line.law)},
               {"d", c.line.d},
               {"outliers", outlying_key(c.line.outliers)},
               {"estimator", name(c.line.estimator)},
               {"rule", c.line.rule ? Json(name(*c.line.rule)) : Json()}};
    if (c.fit) curve["slope"] = {{"value", c.fit->slope}, {"low", c.fit->low}, {"high", c.fit->high}};
    curve["exponent"] = json_of(c.exponent);
    curve["printed_exponent"] = json_of(c.printed_exponent);
    curve["informative_from"] = json_of(c.informative_from);
    curve["points"] = Json::array();
    for (const RatePoint& p : c.points) curve["points"].push_back(point_json(p));
    json["curves"].push_back(std::move(curve));
  }
  json["claims"] = claims_json(claims);
  return dumped(json, 1) + "\n";
}

PageTable slopes_table(const RateResult& result) {
  PageTable table{
      .caption = "Slopes of log(mean error) over log(n), 95 % intervals by resampling repetitions",
      .columns = {"outliers", "law", "d", "estimator", "K by", "K at the ends", "error at the ends", "slope",
                  "theorem", "as printed", "bound says something from"}};
  for (const RateCurve& c : result.curves) {
    const RatePoint &first = c.points.front(), &last = c.points.back();
    const bool covered =
        std::ranges::any_of(c.points, [](const RatePoint& p) { return p.bound.has_value(); });
    table.rows.push_back(
        {outlying_key(c.line.outliers), std::string(name(c.line.law)), std::to_string(c.line.d),
         std::string(name(c.line.estimator)), rule_name(c.line),
         c.line.rule ? fmt::format("{}, {}", first.k_x, last.k_x) : "",
         fmt::format("{}, {}", significant(first.mean, 2), significant(last.mean, 2)),
         c.fit ? fmt::format("{:.2f} [{:.2f}, {:.2f}]", c.fit->slope, c.fit->low, c.fit->high) : "",
         c.exponent ? fmt::format("{:.3f}", -*c.exponent) : "",
         c.printed_exponent ? fmt::format("{:.3f}", -*c.printed_exponent) : "",
         !covered             ? ""
         : c.informative_from ? fmt::format("n = {:g}", *c.informative_from)
                              : "no n"});
  }
  return table;
}

std::string slopes_markdown(const RateResult& result) {
  PageTable table = slopes_table(result);
  table.caption += ". " + grid_words(result);
  return table_markdown(table);
}

std::vector<StudyFigure> rate_figures(const RateResult& r) {
  const RateOptions& o = r.options;
  const bool has_prop4 = std::ranges::find(o.rules, BlockRule::prop4) != o.rules.end();
  const BlockRule rule = has_prop4 ? BlockRule::prop4 : o.rules.front();
  std::vector<Outlying> kinds;
  for (const RateCurve& c : r.curves)
    if (std::ranges::find(kinds, c.line.outliers) == kinds.end()) kinds.push_back(c.line.outliers);
  std::vector<StudyFigure> figures;
  for (const Outlying& outliers : kinds) {
    Figure figure{.title = fmt::format("Error over n: {}, K by {}", outlying_words(outliers), name(rule)),
                  .note = "Mean |value - W1 of the laws|, log scales. " + grid_words(r),
                  .columns = o.d.size(),
                  .panels = {}};
    for (const RateLaw law : o.laws)
      for (const std::size_t d : o.d) figure.panels.push_back(rate_chart(r, law, d, outliers, rule));
    figures.push_back({fmt::format("rate-{}-{}.svg", outliers.falling ? "alpha" : "tau", outliers.number),
                       std::move(figure)});
  }
  return figures;
}

Page rate_page(const RateResult& result, const std::vector<Claim>& claims, const std::string& command) {
  Page page{.title = "motmot reproduce rate",
            .lead = fmt::format("{} cells. {} {}", result.cells, grid_words(result), claims_lead(claims))};
  for (const StudyFigure& f : rate_figures(result))
    page.sections.push_back(
        {.heading = f.figure.title, .paragraphs = {f.figure.note}, .charts = f.figure.panels});
  page.sections.push_back({.heading = "How fast errors fall", .tables = {slopes_table(result)}});
  for (Section& section : claims_sections(claims)) page.sections.push_back(std::move(section));
  page.sections.push_back({.heading = "To make this page again", .code = command});
  page.json = rate_json(result, claims);
  return page;
}

}  // namespace motmot
