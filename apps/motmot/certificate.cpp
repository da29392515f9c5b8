#include "certificate.hpp"

#include "watch/json_of.hpp"

namespace motmot::app {
Certificate::Certificate(const PerSample<std::string>& files, std::span<const CertifiedColumn> columns,
                         const PerSample<RowNumbers>& from)
    : from_(from) {
  json_ = {{"certificate", 1},
           {"version", version()},
           {"files", {{"x", files.x}, {"y", files.y}}},
           {"columns", Json::array()},
           {"weights", {{"x", nullptr}, {"y", nullptr}}},
           {"transport", nullptr},
           {"bounds", Json::array()}};
  for (const CertifiedColumn& column : columns)
    json_["columns"].push_back({{"name", column.name}, {"unit", column.unit}});
}

void Certificate::weights(const PerSample<std::string>& columns) {
  json_["weights"] = {{"x", json_of(columns.x)}, {"y", json_of(columns.y)}};
}

Certificate::Json Certificate::potentials(const Transport& solved,
                                          const PerSample<std::vector<std::uint32_t>>& rows) const {
  Json x = Json::array(), y = Json::array();
  for (const std::uint32_t row : rows.x) x.push_back(from_.x[row]);
  for (const std::uint32_t row : rows.y) y.push_back(from_.y[row]);
  return {{"rows", {{"x", std::move(x)}, {"y", std::move(y)}}}, {"u", solved.u}, {"v", solved.v}};
}

void Certificate::add_transport(double value, const Transport& solved,
                                const PerSample<std::vector<std::uint32_t>>& rows) {
  Json part{{"cost", value}, {"gap", solved.gap}};
  part.update(potentials(solved, rows));
  Json& plan = part["plan"] = Json::array();
  for (const PlanEntry& entry : solved.plan)
    plan.push_back({from_.x[rows.x[entry.row]], from_.y[rows.y[entry.col]], entry.mass});
  json_["transport"] = std::move(part);
}

void Certificate::add_bound(const std::string& of, double value, const Transport& solved,
                            const PerSample<std::vector<std::uint32_t>>& rows,
                            const PerSample<std::size_t>& may_go) {
  Json part{{"of", of}, {"value", value}, {"may_go", {{"x", may_go.x}, {"y", may_go.y}}}};
  part.update(potentials(solved, rows));
  json_["bounds"].push_back(std::move(part));
}

std::string Certificate::text() const { return dumped(json_, 1) + "\n"; }

}  // namespace motmot::app
