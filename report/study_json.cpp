#include <nlohmann/json.hpp>

#include "report/study_report.hpp"

namespace motmot {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json names(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) list.push_back(name(value));
  return list;
}

Json settings(const StudyOptions& o) {
  Json json{{"data", names(o.data)},
            {"tau", o.tau},
            {"blocks", o.blocks},
            {"estimators", names(o.estimators)},
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
