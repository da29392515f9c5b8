#include "report/schemes_report.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "motmot/base.hpp"
#include "report/claims.hpp"

namespace motmot {
namespace {

PageTable schemes_table(const SchemesResult& r) {
  PageTable table{
      .caption = fmt::format(
          "n = m = {}, d = {}, {:g} % outliers in each sample, {}; errors and spreads in % of "
          "the inliers' W1, seconds of CPU",
          r.options.n, r.options.d, 100 * r.options.tau, counted(r.options.repetitions, "repetition")),
      .columns = {"law", "estimator", "scheme", "K", "size", "mean error", "sd between samples",
                  "sd over draws", "seconds"}};
  for (const SchemeSummary& s : r.summary)
    table.rows.push_back({std::string(name(s.law)), std::string(name(s.estimator)),
                          std::string(name(s.scheme)), std::to_string(s.k), std::to_string(s.size),
                          fmt::format("{:+.2f}", s.error), fmt::format("{:.2f}", s.between),
                          fmt::format("{:.2f}", s.over_draws), fmt::format("{:.3f}", s.seconds)});
  return table;
}

}  // namespace

std::string schemes_csv(const SchemesResult& result) {
  std::string text = "law,estimator,scheme,blocks,size,repetitions,error,between,over_draws,seconds\n";
  for (const SchemeSummary& s : result.summary)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", name(s.law), name(s.estimator), name(s.scheme),
                        s.k, s.size, s.repetitions, s.error, s.between, s.over_draws, s.seconds);
  return text;
}

std::string schemes_json(const SchemesResult& result, const std::vector<Claim>& claims) {
  const SchemesOptions& o = result.options;
  Json json{{"study", "schemes"}, {"version", version()}, {"cells", result.cells}};
  json["settings"] = {{"laws", json_of(o.laws)},
                      {"estimators", json_of(o.estimators)},
                      {"schemes", json_of(o.schemes)},
                      {"blocks", o.blocks},
                      {"sizes", o.sizes},
                      {"n", o.n},
                      {"d", o.d},
                      {"tau", o.tau},
                      {"repetitions", o.repetitions},
                      {"seed", o.seed}};
  json["summary"] = Json::array();
  for (const SchemeSummary& s : result.summary)
    json["summary"].push_back({{"law", name(s.law)},
                               {"estimator", name(s.estimator)},
                               {"scheme", name(s.scheme)},
                               {"blocks", s.k},
                               {"size", s.size},
                               {"error", s.error},
                               {"between", s.between},
                               {"over_draws", s.over_draws},
                               {"seconds", s.seconds}});
  json["claims"] = claims_json(claims);
  return dumped(json, 1) + "\n";
}

std::string schemes_markdown(const SchemesResult& result) { return table_markdown(schemes_table(result)); }

StudyFigure schemes_figure(const SchemesResult& r) {
  Figure figure{
      .title = "Spread over draws of blocks, by scheme and K",
      .note = fmt::format("sd of the value over draws of blocks, in % of the inliers' W1, mean over {}; "
                          "n = m = {}; blocks of n / K rows (pairs).",
                          counted(r.options.repetitions, "repetition"), r.options.n),
      .columns = r.options.estimators.size(),
      .panels = {}};
  for (const RateLaw law : r.options.laws)
    for (const Estimator estimator : r.options.estimators) {
      Chart chart{.title = fmt::format("{}, {}", name(law), name(estimator)),
                  .x_label = "number of blocks K",
                  .y_label = "sd, % of W1",
                  .x_log = true};
      for (const Scheme scheme : r.options.schemes) {
        Series series{.name = std::string(name(scheme))};
        for (const SchemeSummary& s : r.summary)
          if (s.law == law && s.estimator == estimator && s.scheme == scheme && s.size == r.options.n / s.k) {
            series.x.push_back(static_cast<double>(s.k));
            series.y.push_back(s.over_draws);
          }
        if (!series.x.empty()) chart.series.push_back(std::move(series));
      }
      figure.panels.push_back(std::move(chart));
    }
  return {"schemes.svg", std::move(figure)};
}

Page schemes_page(const SchemesResult& result, const std::vector<Claim>& claims, const std::string& command) {
  Page page{.title = "motmot reproduce schemes",
            .lead = fmt::format("{} cells. {}", result.cells, claims_lead(claims))};
  const StudyFigure f = schemes_figure(result);
  page.sections.push_back(
      {.heading = f.figure.title, .paragraphs = {f.figure.note}, .charts = f.figure.panels});
  page.sections.push_back({.heading = "Error, spread and cost", .tables = {schemes_table(result)}});
  for (Section& section : claims_sections(claims)) page.sections.push_back(std::move(section));
  page.sections.push_back({.heading = "To make this page again", .code = command});
  page.json = schemes_json(result, claims);
  return page;
}

}  // namespace motmot
