#include "critics/lipschitz_mlp.hpp"

#include "support/support.hpp"

namespace motmot {
namespace {

using kernels::tile_rows;
using test::for_each_seed;

std::vector<std::size_t> random_hidden(Rng& rng) {
  std::vector<std::size_t> hidden(rng.below(4));
  for (std::size_t& size : hidden) size = 1 + rng.below(20);
  return hidden;
}

double weighted_sum(const Mlp& mlp, const Points& x, std::span<const WeightedRow> rows) {
  const std::vector<double> phi = evaluate_in_double(mlp, x.values());
  double sum = 0;
  for (const WeightedRow& row : rows) sum += static_cast<double>(row.weight) * phi[row.row];
  return sum;
}

TEST(LipschitzMlp, EvaluatesTheSameByKernelsAndInDouble) {
  for_each_seed(40, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(6), n = 1 + rng.below(120);
    const Mlp mlp = lipschitz_mlp(d, random_hidden(rng), rng);
    const Points x = test::gaussian(rng, n, d);
    const FeatureMajor data = to_feature_major(x);
    const std::vector<double> want = evaluate_in_double(mlp, x.values());
    Mlp::Workspace workspace(mlp);
    std::vector<float> phi(data.ld());
    for (std::size_t t = 0; t < data.tiles(); ++t)
      mlp.evaluate(data.tile(t), data.ld(), phi.data() + t * tile_rows, workspace);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(phi[i], want[i], 1e-5);
  });
}

// Through the orthonormalisation: the slope of W -> phi(polar factor of W + h H), biases too.
TEST(LipschitzMlp, HasTheGradientThatDifferencesThroughBjorckSee) {
  for_each_seed(30, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(4), n = 1 + rng.below(70);
    const Mlp mlp = lipschitz_mlp(d, random_hidden(rng), rng);
    const Points x = test::gaussian(rng, n, d);
    std::vector<WeightedRow> rows;
    for (std::uint32_t i = 0; i < n; ++i) rows.push_back({i, static_cast<float>(rng.uniform(-1, 1))});
    Mlp::Workspace workspace(mlp);
    std::vector<float> gradient(mlp.weights().size());
    mlp.add_gradient(to_feature_major(x), rows, gradient, workspace);
    std::vector<float> direction(gradient.size());
    for (float& entry : direction) entry = static_cast<float>(rng.normal() / std::sqrt(gradient.size()));
    const auto after = [&](float h) {
      Mlp moved = mlp;
      for (std::size_t i = 0; i < direction.size(); ++i) moved.weights()[i] += h * direction[i];
      for (const Mlp::Layer& layer : moved.layers())
        Stiefel(layer.outputs, layer.inputs)
            .retract(moved.weights().subspan(layer.w, layer.inputs * layer.outputs));
      return weighted_sum(moved, x, rows);
    };
    for (const Mlp::Layer& layer : mlp.layers())
      Stiefel(layer.outputs, layer.inputs)
          .project(mlp.weights().subspan(layer.w, layer.inputs * layer.outputs),
                   std::span(gradient).subspan(layer.w, layer.inputs * layer.outputs));
    double slope = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i)
      slope += static_cast<double>(gradient[i]) * static_cast<double>(direction[i]);
    constexpr float h = 0x1p-9f;
    // A pair that changes its order inside [-h, h] bends the difference by a share of one row's slope.
    EXPECT_NEAR((after(h) - after(-h)) / (2.0 * static_cast<double>(h)), slope,
                0.02 * std::sqrt(static_cast<double>(n)) + 2e-3);
  });
}

TEST(LipschitzMlp, IsNeverSteeperThanItsCertificate) {
  for_each_seed(30, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(12);
    Mlp mlp = lipschitz_mlp(d, random_hidden(rng), rng);
    // Whatever the weights are, not only orthonormal ones.
    if (rng.below(2) == 0)
      for (float& weight : mlp.weights()) weight += static_cast<float>(rng.uniform(-1, 1));
    if (rng.below(2) == 0) normalise(mlp);
    const double certified = lipschitz_bound(mlp);
    for (const double length : {1e-4, 1e-1, 1e2}) {
      const Points x = test::gaussian(rng, 200, d);
      Points y = x;
      for (std::size_t i = 0; i < 200; ++i)
        for (double& value : y.row(i)) value += length * rng.normal();
      const std::vector<double> at_x = evaluate_in_double(mlp, x.values());
      const std::vector<double> at_y = evaluate_in_double(mlp, y.values());
      for (std::size_t i = 0; i < 200; ++i) {
        double squares = 0;
        for (std::size_t j = 0; j < d; ++j) squares += std::pow(x(i, j) - y(i, j), 2);
        ASSERT_LE(std::abs(at_x[i] - at_y[i]), certified * std::sqrt(squares) + 1e-13);
      }
    }
  });
}

TEST(LipschitzMlp, IsCertifiedToBe1LipschitzOnceNormalised) {
  for_each_seed(20, [](Rng& rng) {
    Mlp mlp = lipschitz_mlp(1 + rng.below(60), {64, 64}, rng);
    EXPECT_NEAR(lipschitz_bound(mlp), 1, 1e-5);
    const double certified = normalise(mlp);
    EXPECT_LE(certified, 1);
    EXPECT_GE(certified, 1 - 2e-6);
    EXPECT_EQ(certified, lipschitz_bound(mlp));
  });
}

TEST(OrthonormalAdam, KeepsLayersOrthonormalAtAnyRate) {
  for (const double rate : {1e-3, 0.1, 100.0}) {
    Rng rng(3, Purpose::test);
    Mlp mlp = lipschitz_mlp(5, {32, 9}, rng);
    OrthonormalAdam rule(mlp, rate, 20);
    std::vector<float> gradient(mlp.weights().size());
    const float last_bias = mlp.weights().back();
    for (int step = 0; step < 20; ++step) {
      for (float& entry : gradient) entry = static_cast<float>(rng.normal());
      rule.ascend(mlp.weights(), gradient);
      ASSERT_NEAR(lipschitz_bound(mlp), 1, 1e-5) << "rate " << rate;
    }
    EXPECT_EQ(mlp.weights().back(), last_bias);
  }
}

template <class T>
void expect_published_steps() {
  std::vector<T> w{0, 0};
  const std::vector<T> g{T(2), T(-3e-3)};
  Adam<T> rule(2, 0);
  rule.ascend(w, g, 0.1);
  EXPECT_NEAR(w[0], 0.1, 1e-6);  // the first step has length `rate` whatever the gradient's size
  EXPECT_NEAR(w[1], -0.1, 1e-6);
  rule.ascend(w, g, 0.05);
  EXPECT_NEAR(w[0], 0.15, 1e-6);
  rule.ascend(w, g, 0);
  EXPECT_NEAR(w[0], 0.15, 1e-6);
}

TEST(Adam, TakesItsFirstStepsAsPublishedInBothPrecisions) {
  expect_published_steps<float>();
  expect_published_steps<double>();
}

TEST(Adam, RatesFallAlongACosine) {
  EXPECT_EQ(cosine_decay(0), 1);
  EXPECT_NEAR(cosine_decay(0.5), 0.5, 1e-15);
  EXPECT_EQ(cosine_decay(1), 0);
  EXPECT_EQ(cosine_decay(2), 0);
}

}  // namespace
}  // namespace motmot
