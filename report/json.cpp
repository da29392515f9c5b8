// Results for programs: JSON, from the lists of fields.hpp. Parts are objects, what was not computed is null.
#include "motmot/report.hpp"
#include "report/claims.hpp"
#include "report/study_report.hpp"
#include "watch/json_of.hpp"

namespace motmot {
namespace {

Json numbers(const std::vector<std::uint32_t>& rows, const RowNumbers& in_file) {
  Json json = Json::array();
  for (const std::uint32_t row : rows) json.push_back(in_file[row]);
  return json;
}

Json settings(const StudyOptions& o) {
  Json json{{"data", json_of(o.data)},
            {"tau", o.tau},
            {"blocks", o.blocks},
            {"estimators", json_of(o.estimators)},
            {"repetitions", o.repetitions},
            {"n", o.n},
            {"seed", o.seed}};
  if (o.study == Study::breakdown) return json;
  json["hidden"] = o.hidden;
  json["steps"] = o.steps;
  if (o.study == Study::convergence) json["epochs"] = o.epochs;
  return json;
}

Json summary_json(const StudySummary& s) {
  return {{"data", name(s.data)}, {"tau", s.tau},     {"method", s.method},
          {"blocks", s.k},        {"epoch", s.epoch}, {"repetitions", s.repetitions},
          {"mean", s.mean},       {"sd", s.sd},       {"q25", s.q25},
          {"median", s.median},   {"q75", s.q75},     {"reference", s.reference}};
}

Json distance_object(const Distance& w, const PerSample<RowNumbers>& from) {
  Json json = json_of(w);
  json["left_out"] = {{"x", numbers(w.left_out.x, from.x)}, {"y", numbers(w.left_out.y, from.y)}};
  json["schema"] = distance_schema;
  json["run"]["version"] = version();
  return json;
}

}  // namespace

std::string distance_json(const Distance& w, const PerSample<RowNumbers>& from) {
  return dumped(distance_object(w, from), 2) + "\n";
}

std::string matrix_json(const Matrix& m, std::span<const RowNumbers> from) {
  Json json = json_of(m);
  for (std::size_t k = 0; k < m.samples.size(); ++k)
    json["samples"][k]["left_out"] = numbers(m.samples[k].left_out, from.empty() ? RowNumbers{} : from[k]);
  json["schema"] = matrix_schema;
  json["run"]["version"] = version();
  return dumped(json, 2) + "\n";
}

std::string compare_json(const Comparison& c) {
  Json json = json_of(c);
  json["schema"] = compare_schema;
  json["run"]["version"] = version();
  return dumped(json, 2) + "\n";
}

std::string outliers_json(const Outliers& found, const PerSample<RowNumbers>& from) {
  Json json = json_of(found);
  for (Json& row : json["rows"])
    row["row"] = (row["sample"] == "x" ? from.x : from.y)[row["row"].get<std::size_t>()];
  const auto renumber = [](Json& sample, const RowNumbers& numbers) {
    if (sample.is_null()) return;
    for (Json& row : sample["suspects"]) row = numbers[row.get<std::size_t>()];
  };
  renumber(json["x"], from.x);
  renumber(json["y"], from.y);
  json["schema"] = outliers_schema;
  json["run"].erase("solves");
  json["run"]["version"] = version();
  return dumped(json, 2) + "\n";
}

std::string doctor_json(const Checkup& checkup) {
  Json json = json_of(checkup);
  json["schema"] = doctor_schema;
  json["version"] = version();
  return dumped(json, 2) + "\n";
}

std::string reference_json(const Reference& reference) {
  Json columns = Json::array();
  for (const CodedColumn& column : reference.coding.columns) {
    const bool words = column.kind == Kind::category;
    columns.push_back(
        {{"name", column.name},
         {"kind", name(column.kind)},
         {"unit", words ? Json(nullptr) : Json(column.unit)},
         {"time_unit", column.kind == Kind::time ? Json(name(column.time_unit)) : Json(nullptr)},
         {"levels", column.levels},
         {"pooled", column.pooled}});
  }
  const Json json{{"name", reference.name},
                  {"digest", reference.digest},
                  {"rows", reference.rows.n()},
                  {"source_rows", reference.source_rows},
                  {"rows_dropped", reference.rows.rows_dropped},
                  {"tau", reference.tau},
                  {"missing", name(reference.missing)},
                  {"scale", reference.coding.scale},
                  {"category_weight", reference.coding.category_weight},
                  {"columns", std::move(columns)},
                  {"columns_left_out", json_of(reference.coding.left_out)},
                  {"own", json_of(reference.own)},
                  {"seed", reference.seed},
                  {"schema", reference_schema},
                  {"version", version()}};
  return dumped(json, 2) + "\n";
}

std::string check_json(const Check& check, const RowNumbers& y) {
  Json json = json_of(check);
  json["distance"] = distance_object(check.distance, {{}, y});
  json["schema"] = check_schema;
  json["version"] = version();
  return dumped(json, 2) + "\n";
}

std::string monitored_json(const Monitored& series) {
  Json json = json_of(series);
  json["alarms"] = series.alarms();
  json["not_judged"] = series.not_judged();
  json["schema"] = monitor_schema;
  json["version"] = version();
  return dumped(json, 2) + "\n";
}

std::string advice_json(const Advice& advice) { return dumped(json_of(advice), 2) + "\n"; }

std::string study_json(const StudyResult& result, const std::vector<Claim>& claims) {
  Json json{{"study", name(result.options.study)}, {"version", version()}, {"cells", result.cells}};
  json["settings"] = settings(result.options);
  json["summary"] = Json::array();
  for (const StudySummary& s : result.summary) json["summary"].push_back(summary_json(s));
  json["claims"] = claims_json(claims);
  return dumped(json, 1) + "\n";
}

}  // namespace motmot
