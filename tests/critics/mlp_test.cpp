#include "critics/mlp.hpp"

#include "critics/update_rules.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using kernels::tile_rows;
using test::for_each_seed;

/// phi by its definition, in double.
double plain_phi(const Mlp& mlp, std::span<const double> row) {
  std::vector<double> in(row.begin(), row.end());
  for (const Mlp::Layer& layer : mlp.layers()) {
    std::vector<double> out(layer.outputs);
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      out[o] = mlp.weights()[layer.bias + o];
      for (std::size_t i = 0; i < layer.inputs; ++i)
        out[o] += static_cast<double>(mlp.weights()[layer.w + o * layer.inputs + i]) * in[i];
      if (&layer != &mlp.layers().back()) out[o] = std::max(out[o], 0.0);
    }
    in = out;
  }
  return in[0];
}

std::vector<std::size_t> random_hidden(Rng& rng) {
  std::vector<std::size_t> hidden(rng.below(4));
  for (std::size_t& size : hidden) size = 1 + rng.below(20);
  return hidden;
}

TEST(Mlp, EvaluatesItsDefinition) {
  for_each_seed(50, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(6), n = 1 + rng.below(120);
    const Mlp mlp(d, random_hidden(rng), rng);
    const Points x = test::gaussian(rng, n, d);
    const FeatureMajor data = to_feature_major(x);
    Mlp::Workspace workspace(mlp);
    std::vector<float> phi(data.ld()), listed(tile_rows);
    for (std::size_t t = 0; t < data.tiles(); ++t)
      mlp.evaluate(data.tile(t), data.ld(), phi.data() + t * tile_rows, workspace);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(phi[i], plain_phi(mlp, x.row(i)), 2e-5);
    const std::vector<std::uint32_t> rows{static_cast<std::uint32_t>(n - 1), 0};
    mlp.evaluate(data, rows, listed.data(), workspace);
    EXPECT_EQ(listed[0], phi[n - 1]);  // the same bits wherever a row lies
    EXPECT_EQ(listed[1], phi[0]);
  });
}

TEST(Mlp, StartsWithinTheUsualBounds) {
  const Mlp mlp(4, {9}, Rng(1, Purpose::weights));
  const auto first = mlp.weights().first(4 * 9 + 9), second = mlp.weights().subspan(4 * 9 + 9);
  EXPECT_TRUE(std::ranges::all_of(first, [](float w) { return std::abs(w) <= 0.5f; }));
  EXPECT_TRUE(std::ranges::all_of(second, [](float w) { return std::abs(w) <= 1.0f / 3; }));
  EXPECT_GT(*std::ranges::max_element(first), 0.4f);
}

TEST(Mlp, HasTheGradientThatDifferencesSee) {
  for_each_seed(20, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(4), n = 1 + rng.below(70);
    Mlp mlp(d, random_hidden(rng), rng);
    const Points x = test::gaussian(rng, n, d);
    const FeatureMajor data = to_feature_major(x);
    std::vector<WeightedRow> rows;
    for (std::uint32_t i = 0; i < n; ++i) rows.push_back({i, static_cast<float>(rng.uniform(-1, 1))});
    Mlp::Workspace workspace(mlp);
    std::vector<float> gradient(mlp.weights().size());
    mlp.add_gradient(data, rows, gradient, workspace);
    const auto sum = [&] {
      double total = 0;
      for (const WeightedRow& row : rows)
        total += static_cast<double>(row.weight) * plain_phi(mlp, x.row(row.row));
      return total;
    };
    for (int probe = 0; probe < 10; ++probe) {
      const std::uint32_t w = rng.below(static_cast<std::uint32_t>(gradient.size()));
      const float kept = mlp.weights()[w];
      constexpr float h = 0x1p-11f;
      mlp.weights()[w] = kept + h;
      const double above = sum();
      mlp.weights()[w] = kept - h;
      const double below = sum();
      mlp.weights()[w] = kept;
      // A row whose ReLU switches inside [-h, h] bends the difference by up to its own share.
      EXPECT_NEAR(gradient[w], (above - below) / (2.0 * h), 0.02 * std::sqrt(static_cast<double>(n)) + 1e-3);
    }
  });
}

TEST(ClippedRmsProp, ClipsAfterTheStep) {
  std::vector<float> w{0.0099f, -0.0099f, 0.0f};
  const std::vector<float> g{1, -1, 0};
  ClippedRmsProp rule(3, {.rate = 5e-5f, .alpha = 0.99f, .eps = 1e-8f, .clip = 0.01f});
  for (int step = 0; step < 10; ++step) rule.ascend(w, g);
  EXPECT_EQ(w, (std::vector<float>{0.01f, -0.01f, 0.0f}));
}

TEST(FeatureMajorData, RefusesWhatFloat32CannotHold) {
  Points x(3, 2);
  x(2, 1) = 1e300;
  EXPECT_EQ(
      test::error_of([&] { to_feature_major(x); }),
      "row 3, column 2 of X is 1e+300, which float32 cannot hold; the network takes the data as they are");
}

}  // namespace
}  // namespace motmot
