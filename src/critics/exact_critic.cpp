#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/require.hpp"
#include "critics/min_plus.hpp"
#include "critics/model.hpp"

namespace motmot {
namespace {

/// The min-plus critic in the units of the data: scale * min_j (|z - y_j| - g_j), z = (row - centre) / scale.
class ExactModel final : public Critic::Model {
 public:
  explicit ExactModel(ExactCriticParts parts) : parts_(std::move(parts)), anchors_(parts_.anchors) {}
  [[nodiscard]] std::string_view kind() const override { return "exact"; }
  [[nodiscard]] std::size_t dimension() const override { return parts_.centre.size(); }

  [[nodiscard]] std::vector<double> evaluate(PointsView rows) const override {
    const Points scaled = within_reach(to_scale(rows));
    std::vector<double> phi(rows.rows());
    Team alone(1);
    anchors_.min_plus(scaled, parts_.g, phi, alone);
    for (double& value : phi) value *= parts_.scale;
    return phi;
  }

  [[nodiscard]] nlohmann::json to_json() const override {
    return {{"centre", parts_.centre},
            {"scale", parts_.scale},
            {"anchors", parts_.anchors.values()},
            {"g", parts_.g}};
  }

 private:
  [[nodiscard]] Points to_scale(PointsView rows) const {
    Points scaled(rows.rows(), rows.cols());
    for (std::size_t i = 0; i < rows.rows(); ++i)
      for (std::size_t k = 0; k < rows.cols(); ++k) {
        require(std::isfinite(rows(i, k)), Errc::numeric, "row ", i + 1, ", column ", k + 1,
                " of the data is not finite");
        // Halves: the difference of two numbers near the ends of double does not fit into one.
        scaled(i, k) = (rows(i, k) / 2 - parts_.centre[k] / 2) / parts_.scale * 2;
      }
    return scaled;
  }

  ExactCriticParts parts_;
  Anchors anchors_;
};

}  // namespace

Critic exact_critic(ExactCriticParts parts) {
  parts.anchors = within_reach(parts.anchors);
  return Critic(std::make_shared<ExactModel>(std::move(parts)));
}

Critic exact_critic_from_json(const nlohmann::json& json) {
  ExactCriticParts parts{.anchors = {},
                         .g = json.at("g").get<std::vector<double>>(),
                         .centre = json.at("centre").get<std::vector<double>>(),
                         .scale = json.at("scale").get<double>()};
  auto anchors = json.at("anchors").get<std::vector<double>>();
  const std::size_t d = parts.centre.size();
  require(d >= 1 && !parts.g.empty(), Errc::io, "it has ", d, " columns and ", parts.g.size(), " anchors");
  require(anchors.size() == parts.g.size() * d, Errc::io, "it needs ", parts.g.size() * d,
          " coordinates of anchors, the file has ", anchors.size());
  require(parts.scale > 0 && std::isfinite(parts.scale), Errc::io, "its scale ", parts.scale,
          " is not positive");
  parts.anchors = Points(std::move(anchors), d);
  return exact_critic(std::move(parts));
}

}  // namespace motmot
