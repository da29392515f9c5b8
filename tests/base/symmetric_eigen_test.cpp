#include "base/symmetric_eigen.hpp"

#include <algorithm>
#include <functional>

#include "support/support.hpp"

namespace motmot::test {
namespace {

TEST(SymmetricEigen, VectorsAreOrthonormalAndMakeTheMatrix) {
  for_each_seed(20, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(15);
    std::vector<double> a = uniforms(rng, n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];
    const EigenPairs eigen = symmetric_eigen(a, n);
    EXPECT_TRUE(std::ranges::is_sorted(eigen.values, std::greater{}));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double product = 0, entry = 0;
        for (std::size_t k = 0; k < n; ++k) {
          product += eigen.vectors[i * n + k] * eigen.vectors[j * n + k];
          entry += eigen.values[k] * eigen.vectors[k * n + i] * eigen.vectors[k * n + j];
        }
        EXPECT_NEAR(product, i == j ? 1 : 0, 1e-12);
        EXPECT_NEAR(entry, a[i * n + j], 1e-12);
      }
  });
}

}  // namespace
}  // namespace motmot::test
