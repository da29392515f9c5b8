#include <nlohmann/json.hpp>

#include "base/require.hpp"
#include "critics/lipschitz.hpp"
#include "critics/model.hpp"

namespace motmot {
namespace {

/// Evaluates in double, so that the slopes a user can see are those of the certificate.
class LipschitzModel final : public Critic::Model {
 public:
  LipschitzModel(Mlp network, Standard standard)
      : network_(std::move(network)), standard_(std::move(standard)) {}
  [[nodiscard]] std::string_view kind() const override { return "lipschitz"; }
  [[nodiscard]] std::size_t dimension() const override { return network_.dimension(); }

  [[nodiscard]] std::vector<double> evaluate(PointsView rows) const override {
    constexpr std::size_t chunk = 1024;
    std::vector<double> phi, standardised;
    for (std::size_t first = 0; first < rows.rows(); first += chunk) {
      const std::size_t count = std::min(chunk, rows.rows() - first);
      standardised.resize(count * rows.cols());
      for (std::size_t i = 0; i < count; ++i)
        standard_.apply(rows.row(first + i), std::span(standardised).subspan(i * rows.cols(), rows.cols()));
      for (const double value : evaluate_in_double(network_, standardised))
        phi.push_back(standard_.scale * value);
    }
    return phi;
  }

  [[nodiscard]] nlohmann::json to_json() const override {
    nlohmann::json json = mlp_to_json(network_);
    json["centre"] = standard_.centre;
    json["scale"] = standard_.scale;
    return json;
  }

 private:
  Mlp network_;
  Standard standard_;
};

}  // namespace

Critic lipschitz_critic(Mlp network, Standard standard) {
  return Critic(std::make_shared<LipschitzModel>(std::move(network), std::move(standard)));
}

Critic lipschitz_critic_from_json(const nlohmann::json& json) {
  Mlp network = mlp_from_json(json, Nonlinearity::max_min);
  Standard standard{.centre = json.at("centre").get<std::vector<double>>(),
                    .scale = json.at("scale").get<double>()};
  require(standard.centre.empty() || standard.centre.size() == network.dimension(), Errc::io,
          "the centre has ", standard.centre.size(), " numbers, the network takes ", network.dimension(),
          " columns");
  require(std::isfinite(standard.scale) && standard.scale > 0, Errc::io, "the scale ", standard.scale,
          " is not positive");
  return lipschitz_critic(std::move(network), std::move(standard));
}

}  // namespace motmot
