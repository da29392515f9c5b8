// The law of the energy distance when rows are mixed: against all permutations, one by one.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/euclidean.hpp"
#include "base/statistics.hpp"
#include "inference/energy.hpp"
#include "matrix/permutation_law.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::for_each_seed;
using test::gaussian;

/// -w^T D w with the rows called X marked.
double plain_energy(const Points& rows, const std::vector<bool>& called_x) {
  const auto n = static_cast<double>(std::ranges::count(called_x, true));
  const double m = static_cast<double>(rows.rows()) - n;
  double sum = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.rows(); ++j)
      sum -= (called_x[i] ? 1 / n : -1 / m) * (called_x[j] ? 1 / n : -1 / m) *
             euclidean(rows.row(i), rows.row(j));
  return sum;
}

CentredSums sums_of(const Points& rows) {
  std::vector<double> sums(rows.rows());
  double squares = 0;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < rows.rows(); ++j) {
      sums[i] += euclidean(rows.row(i), rows.row(j));
      squares += std::pow(euclidean(rows.row(i), rows.row(j)), 2);
    }
  return centred_sums(sums, squares);
}

TEST(PermutationLaw, HasTheMomentsOfAllPermutations) {
  for_each_seed(20, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(4), m = 1 + rng.below(4);
    const Points rows = gaussian(rng, n + m, 1 + rng.below(3));
    std::vector<bool> called(n + m, false);
    std::fill(called.end() - static_cast<std::ptrdiff_t>(n), called.end(), true);  // the first in order
    std::vector<double> values;
    do values.push_back(plain_energy(rows, called));
    while (std::next_permutation(called.begin(), called.end()));
    const double mean = mean_of(values);
    double variance = 0;
    for (const double value : values)
      variance += std::pow(value - mean, 2) / static_cast<double>(values.size());
    const Moments moments = permutation_moments(sums_of(rows), n, m);
    EXPECT_NEAR(moments.mean, mean, 1e-12);
    EXPECT_NEAR(moments.variance, variance, 1e-12);
  });
}

TEST(PermutationLaw, SkewnessIsNearThatOfManyPermutations) {
  for (const std::size_t d : {1u, 2u, 6u}) {
    Rng rng(d, Purpose::test);
    const Points rows = gaussian(rng, 120, d);
    std::vector<double> cubes, values;
    for (int b = 0; b < 3000; ++b) {
      std::vector<bool> called(120, false);
      for (const std::uint32_t row : random_labelling(60, 60, rng)) called[row] = true;
      values.push_back(plain_energy(rows, called));
    }
    const double mean = mean_of(values), sd = sd_of(values, mean);
    for (const double value : values) cubes.push_back(std::pow((value - mean) / sd, 3));
    EXPECT_NEAR(permutation_skewness(rows), mean_of(cubes), 0.35)
        << d;  // sd of a sampled skewness: about 0.1
  }
}

TEST(PermutationLaw, RowsThatAreAllEqualHaveNoLaw) {
  const Points rows(std::vector<double>(12, 3.0), 2);
  EXPECT_EQ(upper_tail(0, permutation_moments(sums_of(rows), 3, 3), permutation_skewness(rows)), 1);
}

TEST(GammaTail, AgreesWithClosedForms) {
  for (const double x : {1e-6, 0.1, 0.9, 1.0, 3.0, 30.0, 300.0}) {
    EXPECT_NEAR(gamma_tail(1, x) / std::exp(-x), 1, 1e-10) << x;
    EXPECT_NEAR(gamma_tail(0.5, x) / std::erfc(std::sqrt(x)), 1, 1e-9) << x;
    EXPECT_NEAR(gamma_tail(3, x) / (std::exp(-x) * (1 + x + x * x / 2)), 1, 1e-10) << x;
  }
  EXPECT_EQ(gamma_tail(2, 0), 1);
  EXPECT_EQ(gamma_tail(2, -1), 1);
  EXPECT_NEAR(gamma_tail(1600, 1600), 0.5, 0.005);  // nearly Gaussian
}

// lgamma() would write the sign of its result there, and several threads ask for tails at once.
TEST(GammaTail, WritesToNoGlobalVariable) {
  signgam = 7;
  EXPECT_GT(gamma_tail(0.5, 0.1), gamma_tail(3, 9));
  EXPECT_EQ(signgam, 7);
}

}  // namespace
}  // namespace motmot
