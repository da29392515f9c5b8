#include <cmath>
#include <nlohmann/json.hpp>

#include "base/require.hpp"
#include "critics/model.hpp"

namespace motmot {
namespace {

class ClippedModel final : public Critic::Model {
 public:
  explicit ClippedModel(Mlp mlp) : mlp_(std::move(mlp)) {}
  [[nodiscard]] std::string_view kind() const override { return "clipped"; }
  [[nodiscard]] std::size_t dimension() const override { return mlp_.dimension(); }
  [[nodiscard]] nlohmann::json to_json() const override { return mlp_to_json(mlp_); }

  [[nodiscard]] std::vector<double> evaluate(PointsView rows) const override {
    const FeatureMajor data = to_feature_major(rows, "the data");
    Mlp::Workspace workspace(mlp_);
    std::vector<float> phi(data.ld());
    for (std::size_t t = 0; t < data.tiles(); ++t)
      mlp_.evaluate(data.tile(t), data.ld(), phi.data() + t * kernels::tile_rows, workspace);
    return {phi.begin(), phi.begin() + static_cast<std::ptrdiff_t>(rows.rows())};
  }

 private:
  Mlp mlp_;
};

}  // namespace

Critic clipped_critic(Mlp mlp) { return Critic(std::make_shared<ClippedModel>(std::move(mlp))); }

nlohmann::json mlp_to_json(const Mlp& mlp) {
  return {{"dimension", mlp.dimension()},
          {"hidden", mlp.hidden()},
          {"weights", std::vector<float>(mlp.weights().begin(), mlp.weights().end())}};
}

Mlp mlp_from_json(const nlohmann::json& json, Nonlinearity between) {
  const auto dimension = json.at("dimension").get<std::size_t>();
  const auto hidden = json.at("hidden").get<std::vector<std::size_t>>();
  const auto weights = json.at("weights").get<std::vector<float>>();
  constexpr std::size_t largest = 1 << 20;
  require(1 <= dimension && dimension <= largest, Errc::io, "dimension ", dimension, " is out of range");
  for (const std::size_t size : hidden)
    require(1 <= size && size <= largest, Errc::io, "a hidden layer of ", size, " units is out of range");
  std::size_t wanted = 0;
  std::size_t inputs = dimension;
  for (const std::size_t outputs : hidden) wanted += (std::exchange(inputs, outputs) + 1) * outputs;
  wanted += inputs + 1;
  require(weights.size() == wanted, Errc::io, "the network needs ", wanted, " weights, the file has ",
          weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    require(std::isfinite(weights[i]), Errc::io, "weight ", i + 1, " of ", weights.size(),
            " is beyond the range of float32");
  Mlp mlp(dimension, hidden, between);
  std::ranges::copy(weights, mlp.weights().begin());
  return mlp;
}

}  // namespace motmot
