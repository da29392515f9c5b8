#pragma once

#include <nlohmann/json_fwd.hpp>

#include "critics/mlp.hpp"
#include "motmot/critics.hpp"

namespace motmot {

class Critic::Model {
 public:
  virtual ~Model() = default;
  [[nodiscard]] virtual std::string_view kind() const = 0;
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  [[nodiscard]] virtual std::vector<double> evaluate(PointsView rows) const = 0;
  /// Everything that evaluate() needs; load() adds nothing to it.
  [[nodiscard]] virtual nlohmann::json to_json() const = 0;
};

/// The paper's network, as a critic to keep.
Critic clipped_critic(Mlp mlp);

/// A network from the fields "dimension", "hidden" and "weights".
Mlp mlp_from_json(const nlohmann::json& json, Nonlinearity between = Nonlinearity::relu);
nlohmann::json mlp_to_json(const Mlp& mlp);

/// A 1-Lipschitz network with its centre and scale.
Critic lipschitz_critic_from_json(const nlohmann::json& json);
/// A min-plus critic fitted to data that were centred and scaled.
struct ExactCriticParts {
  Points anchors;              ///< the rows of Y, centred and scaled
  std::vector<double> g;       ///< one for each anchor, ExactFit::g
  std::vector<double> centre;  ///< of the data, one for each column
  double scale = 1;            ///< what the centred data were divided by
};
/// Takes rows and gives phi in the units of the data; 1-Lipschitz up to rounding.
Critic exact_critic(ExactCriticParts parts);
Critic exact_critic_from_json(const nlohmann::json& json);

}  // namespace motmot
