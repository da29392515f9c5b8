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
Mlp mlp_from_json(const nlohmann::json& json);
nlohmann::json mlp_to_json(const Mlp& mlp);

}  // namespace motmot
