#include "critics/spectral.hpp"

#include "support/support.hpp"

namespace motmot {
namespace {

using test::for_each_seed;

TEST(SpectralNormBound, IsThatOfKnownMatrices) {
  const auto expect = [](const std::vector<double>& matrix, std::size_t rows, double norm) {
    const double bound = spectral_norm_bound(matrix, rows, matrix.size() / rows);
    EXPECT_GE(bound, norm * (1 - 1e-15));
    EXPECT_LE(bound, norm * (1 + 1e-12) + 1e-150);
  };
  expect({1, 1, 1, 0}, 2, (1 + std::sqrt(5.0)) / 2);
  expect({3, 0, 0, 0, -7, 0}, 2, 7);
  expect({1, 2, 2}, 1, 3);
  expect({1, 2, 2}, 3, 3);
  expect({1, 2, 2, 4, 3, 6}, 3, std::sqrt(70.0));
  expect(std::vector<double>(4), 2, 0);
}

// The Hilbert matrix of order 5; its largest singular value from its characteristic polynomial.
TEST(SpectralNormBound, SurvivesBadConditioning) {
  std::vector<double> hilbert;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) hilbert.push_back(1.0 / (i + j + 1));
  EXPECT_NEAR(spectral_norm_bound(hilbert, 5, 5), 1.5670506910982311, 1e-12);
}

TEST(SpectralNormBound, LiesAboveWhatAnyVectorAttainsAndBarely) {
  for_each_seed(40, [](Rng& rng) {
    const std::size_t rows = 1 + rng.below(40), cols = 1 + rng.below(40);
    const std::vector<double> a = test::normals(rng, rows * cols);
    const double bound = spectral_norm_bound(a, rows, cols);
    double largest = 0;
    std::vector<double> v = test::normals(rng, cols);
    for (int power = 0; power < 2000; ++power) {  // a bound from below
      std::vector<double> av(rows), next(cols);
      double before = 0, after = 0;
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) av[r] += a[r * cols + c] * v[c];
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) next[c] += a[r * cols + c] * av[r];
      for (const double entry : v) before += entry * entry;
      for (const double entry : av) after += entry * entry;
      largest = std::sqrt(after / before);
      ASSERT_LE(largest, bound * (1 + 1e-15));
      v = next;
      for (double& entry : v) entry /= after;
    }
    EXPECT_GE(largest, bound * (1 - 1e-6));  // the power method is slow where two values are close
  });
}

TEST(SpectralNormBound, IsExactEnoughOnRotationsOfKnownValues) {
  for_each_seed(10, [](Rng& rng) {
    // Householder reflections on both sides of diag(5, 1, ..., 1).
    const std::size_t n = 2 + rng.below(30);
    std::vector<double> a(n * n);
    for (std::size_t i = 0; i < n; ++i) a[i * n + i] = i == 0 ? 5 : 1;
    for (const bool left : {true, false}) {
      const std::vector<double> u = test::normals(rng, n);
      double squares = 0;
      for (const double entry : u) squares += entry * entry;
      for (std::size_t k = 0; k < n; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += u[i] * (left ? a[i * n + k] : a[k * n + i]);
        for (std::size_t i = 0; i < n; ++i) (left ? a[i * n + k] : a[k * n + i]) -= 2 * sum / squares * u[i];
      }
    }
    EXPECT_NEAR(spectral_norm_bound(a, n, n), 5, 1e-10);
  });
}

TEST(SpectralNormBound, CertifiesNothingWithoutNumbers) {
  EXPECT_EQ(spectral_norm_bound(std::vector<double>{1, std::nan(""), 0, 1}, 2, 2),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace motmot
