#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "critics/model.hpp"
#include "motmot/critics.hpp"

namespace motmot {
namespace {

constexpr int file_version = 1;

Critic positive_critic_of(const nlohmann::json& json) {
  require(json.at("motmot_critic").get<int>() == file_version, Errc::io, "its version is not ", file_version);
  const auto kind = json.at("kind").get<std::string>();
  if (kind == "clipped") return clipped_critic(mlp_from_json(json));
  if (kind == "lipschitz") return lipschitz_critic_from_json(json);
  if (kind == "exact") return exact_critic_from_json(json);
  fail(Errc::io, "its kind '", kind, "' is unknown");
}

Critic critic_of(const nlohmann::json& json) {
  const Critic critic = positive_critic_of(json);
  return json.value("sign", 1) < 0 ? critic.negated() : critic;
}

/// `source` is a stream or a text; `what` is how a complaint calls it.
template <class Source>
Critic parse_critic(Source&& source, const std::string& what) {
  try {
    return critic_of(nlohmann::json::parse(source));
  } catch (const nlohmann::json::exception& error) {
    const std::string said = error.what();  // "[json.exception.type_error.302] type must be ..."
    fail(Errc::io, what, " is not a critic that motmot wrote: ", said.substr(said.find("] ") + 2));
  } catch (const Error& error) {
    fail(Errc::io, what, " is not a critic that motmot can read: ", error.what());
  }
}

}  // namespace

std::string_view Critic::kind() const { return model_->kind(); }

std::size_t Critic::dimension() const { return model_->dimension(); }

std::vector<double> Critic::operator()(PointsView rows) const {
  require(rows.cols() == dimension(), Errc::invalid_argument, "the critic takes ", dimension(),
          " columns, the data have ", rows.cols());
  std::vector<double> phi = model_->evaluate(rows);
  for (std::size_t i = 0; i < phi.size(); ++i)
    require(std::isfinite(phi[i]), Errc::numeric, "the critic's value at row ", i + 1,
            " overflows: the row or the critic has numbers that are too large");
  if (sign_ < 0)
    for (double& value : phi) value = -value;
  return phi;
}

std::string Critic::to_json() const {
  nlohmann::json json = model_->to_json();
  json["motmot_critic"] = file_version;
  json["kind"] = kind();
  if (sign_ < 0) json["sign"] = -1;
  return json.dump() + "\n";
}

void Critic::save(const std::string& path) const {
  OutputFile file(path);
  file.stream() << to_json();
  file.commit();
}

Critic Critic::load(const std::string& path) {
  std::ifstream file(path);
  require(file.good(), Errc::io, "cannot read critic '", path, "': ", std::strerror(errno));
  return parse_critic(file, "'" + path + "'");
}

Critic Critic::from_json(const std::string& text) { return parse_critic(text, "the text"); }

}  // namespace motmot
