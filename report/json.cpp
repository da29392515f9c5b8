// Results for programs: JSON, from the lists of fields.hpp. Parts are objects, what was not computed is null.
#include <nlohmann/json.hpp>

#include "motmot/fields.hpp"
#include "motmot/report.hpp"
#include "report/html_text.hpp"
#include "report/study_report.hpp"

namespace motmot {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const std::string& text) { return text.empty() ? Json(nullptr) : Json(valid_utf8(text)); }
Json json_of(const Interval& interval) { return {interval.low, interval.high}; }
template <class T>
Json json_of(const T& value);

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? json_of(*value) : Json(nullptr);
}
template <class T>
Json json_of(const PerSample<T>& both) {
  return {{"x", json_of(both.x)}, {"y", json_of(both.y)}};
}
template <class T>
Json json_of(const std::vector<T>& values) {
  Json json = Json::array();
  for (const T& value : values) json.push_back(json_of(value));
  return json;
}

template <class T>
Json json_of(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return name(value);
  } else if constexpr (std::tuple_size_v<decltype(fields<T>)> == 0) {
    return value;  // what is not finite is written as null
  } else {
    Json json = Json::object();
    for_each_field<T>(
        [&](const auto& field) { json[std::string(field.name)] = json_of(value.*field.member); });
    return json;
  }
}

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

Json claim_json(const Claim& c) {
  return {{"claim", c.quote},
          {"test", c.test},
          {"measured", c.measured},
          {"verdict", name(c.verdict)},
          {"condition", c.condition}};
}

}  // namespace

std::string distance_json(const Distance& w, const PerSample<RowNumbers>& from) {
  Json json = json_of(w);
  json["left_out"] = {{"x", numbers(w.left_out.x, from.x)}, {"y", numbers(w.left_out.y, from.y)}};
  json["schema"] = distance_schema;
  json["run"]["version"] = version();
  return json.dump(2) + "\n";
}

std::string matrix_json(const Matrix& m, std::span<const RowNumbers> from) {
  Json json = json_of(m);
  for (std::size_t k = 0; k < m.samples.size(); ++k)
    json["samples"][k]["left_out"] = numbers(m.samples[k].left_out, from.empty() ? RowNumbers{} : from[k]);
  json["schema"] = matrix_schema;
  json["run"]["version"] = version();
  return json.dump(2) + "\n";
}

std::string compare_json(const Comparison& c) {
  Json json = json_of(c);
  json["schema"] = compare_schema;
  json["run"]["version"] = version();
  return json.dump(2) + "\n";
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
  return json.dump(2) + "\n";
}

std::string doctor_json(const Checkup& checkup) {
  Json json = json_of(checkup);
  json["schema"] = doctor_schema;
  json["version"] = version();
  return json.dump(2) + "\n";
}

std::string advice_json(const Advice& advice) { return json_of(advice).dump(2) + "\n"; }

std::string study_json(const StudyResult& result, const std::vector<Claim>& claims) {
  Json json{{"study", name(result.options.study)}, {"version", version()}, {"cells", result.cells}};
  json["settings"] = settings(result.options);
  json["summary"] = Json::array();
  for (const StudySummary& s : result.summary) json["summary"].push_back(summary_json(s));
  json["claims"] = Json::array();
  for (const Claim& claim : claims) json["claims"].push_back(claim_json(claim));
  return json.dump(1) + "\n";
}

}  // namespace motmot
