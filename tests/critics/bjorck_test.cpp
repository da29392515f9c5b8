#include "critics/bjorck.hpp"

#include "support/support.hpp"

namespace motmot {
namespace {

using test::for_each_seed;

std::vector<float> gaussian_matrix(Rng& rng, std::size_t size) {
  std::vector<float> w(size);
  for (float& entry : w) entry = static_cast<float>(rng.normal());
  return w;
}

/// Largest entry of |W^T W - I|, or of |W W^T - I| where rows are fewer.
double deviation(std::span<const float> w, std::size_t rows, std::size_t cols) {
  double largest = 0;
  const bool tall = rows >= cols;
  for (std::size_t i = 0; i < std::min(rows, cols); ++i) {
    for (std::size_t j = 0; j < std::min(rows, cols); ++j) {
      double sum = i == j ? -1 : 0;
      for (std::size_t k = 0; k < std::max(rows, cols); ++k)
        sum += static_cast<double>(tall ? w[k * cols + i] : w[i * cols + k]) *
               static_cast<double>(tall ? w[k * cols + j] : w[j * cols + k]);
      largest = std::max(largest, std::abs(sum));
    }
  }
  return largest;
}

TEST(Stiefel, MakesEveryShapeOrthonormal) {
  for_each_seed(60, [](Rng& rng) {
    const std::size_t rows = 1 + rng.below(70), cols = 1 + rng.below(70);
    std::vector<float> w = gaussian_matrix(rng, rows * cols);
    Stiefel(rows, cols).orthonormalise(w);
    EXPECT_LT(deviation(w, rows, cols), 2e-6) << rows << " x " << cols;
  });
}

TEST(Stiefel, LeavesAnOrthonormalMatrixAlone) {
  Rng rng(1, Purpose::test);
  std::vector<float> w = gaussian_matrix(rng, 64 * 64);
  Stiefel manifold(64, 64);
  manifold.orthonormalise(w);
  const std::vector<float> before = w;
  EXPECT_EQ(manifold.retract(w), 1);
  for (std::size_t i = 0; i < w.size(); ++i) ASSERT_NEAR(w[i], before[i], 1e-6);
}

// A step of an ascent: two or three iterations, where an arbitrary matrix needs fifteen.
TEST(Stiefel, RetractsAShortStepInAFewIterations) {
  for_each_seed(10, [](Rng& rng) {
    std::vector<float> w = gaussian_matrix(rng, 64 * 64);
    Stiefel manifold(64, 64);
    EXPECT_GT(manifold.orthonormalise(w), 8);
    for (float& entry : w) entry += rng.below(2) == 0 ? 0.005f : -0.005f;
    EXPECT_LE(manifold.retract(w), 4);
    EXPECT_LT(deviation(w, 64, 64), 2e-6);
  });
}

/// <direction, polar factor of W + h H>, the differences of which are the gradient through Bjorck.
TEST(Stiefel, ProjectsAGradientAsDifferencesThroughTheIterationSeeIt) {
  for_each_seed(30, [](Rng& rng) {
    const std::size_t rows = 1 + rng.below(12), cols = 1 + rng.below(12);
    Stiefel manifold(rows, cols);
    std::vector<float> w = gaussian_matrix(rng, rows * cols);
    manifold.orthonormalise(w);
    const std::vector<float> gradient = gaussian_matrix(rng, w.size()), h = gaussian_matrix(rng, w.size());
    std::vector<float> projected = gradient;
    manifold.project(w, projected);
    const auto after = [&](float step) {
      std::vector<float> moved = w;
      for (std::size_t i = 0; i < w.size(); ++i) moved[i] += step * h[i];
      manifold.retract(moved);
      double sum = 0;
      for (std::size_t i = 0; i < w.size(); ++i)
        sum += static_cast<double>(gradient[i]) * static_cast<double>(moved[i]);
      return sum;
    };
    double slope = 0;
    for (std::size_t i = 0; i < w.size(); ++i)
      slope += static_cast<double>(projected[i]) * static_cast<double>(h[i]);
    constexpr float step = 0x1p-7f;
    EXPECT_NEAR((after(step) - after(-step)) / (2 * static_cast<double>(step)), slope,
                0.03 * static_cast<double>(w.size()));
  });
}

}  // namespace
}  // namespace motmot
