#include <cmath>
#include <set>

#include "motmot/data.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;

struct Moments {
  double mean = 0;
  double sd = 0;
};

/// Of column j, over the rows listed or over all others.
Moments moments(const Points& points, const std::vector<std::uint32_t>& rows, bool listed, std::size_t j) {
  const std::set<std::uint32_t> set(rows.begin(), rows.end());
  double count = 0, sum = 0, squares = 0;
  for (std::uint32_t i = 0; i < points.rows(); ++i)
    if (set.contains(i) == listed) {
      ++count;
      sum += points(i, j);
      squares += points(i, j) * points(i, j);
    }
  const double mean = sum / count;
  return {mean, std::sqrt(squares / count - mean * mean)};
}

double column_median(const Points& points, const std::vector<std::uint32_t>& rows, std::size_t j) {
  std::vector<double> values;
  for (const std::uint32_t i : rows) values.push_back(points(i, j));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

TEST(Toy, HasAsManyOutliersAsAskedAndListsThemInOrder) {
  for_each_seed(100, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(200);
    const std::size_t m = 1 + rng.below(200);
    const double tau_x = rng.uniform();
    const double tau_y = rng.uniform();
    for (const auto& [word, toy] : names<Toy>) {
      const ToySample s =
          generate({.toy = toy, .n = n, .m = m, .d = 3, .tau_x = tau_x, .tau_y = tau_y, .seed = rng()});
      EXPECT_EQ(s.x.rows(), n);
      EXPECT_EQ(s.y.rows(), m);
      EXPECT_EQ(s.x.cols(), 3u);
      EXPECT_EQ(s.outliers_x.size(), static_cast<std::size_t>(std::round(tau_x * static_cast<double>(n))));
      EXPECT_EQ(s.outliers_y.size(), static_cast<std::size_t>(std::round(tau_y * static_cast<double>(m))));
      for (const auto* rows : {&s.outliers_x, &s.outliers_y}) {
        EXPECT_TRUE(std::ranges::is_sorted(*rows));
        EXPECT_EQ(std::ranges::adjacent_find(*rows), rows->end());
      }
      EXPECT_TRUE(s.outliers_x.empty() || s.outliers_x.back() < n);
      EXPECT_TRUE(s.outliers_y.empty() || s.outliers_y.back() < m);
    }
  });
}

// Outliers at 1000 cannot be mistaken: the list names them all and nothing else.
TEST(Toy, ListsExactlyTheOutliers) {
  const ToySample s = generate({.toy = Toy::far, .n = 300, .m = 200, .tau_x = 0.07, .tau_y = 0.2, .seed = 5});
  const auto listed = [](const std::vector<std::uint32_t>& rows, std::uint32_t i) {
    return std::ranges::binary_search(rows, i);
  };
  for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(s.x(i, 0) > 500, listed(s.outliers_x, i)) << i;
  for (std::uint32_t i = 0; i < 200; ++i) EXPECT_EQ(s.y(i, 1) > 500, listed(s.outliers_y, i)) << i;
}

// A mean of 20000 has a standard error of sd / 141, a standard deviation one of about sd / 200 for
// Gaussian rows; all tolerances are 5 standard errors. The seed is fixed.
TEST(Toy, HasTheMomentsOfSection42) {
  const ToySample d1 = generate({.toy = Toy::d1, .n = 40000, .m = 20000, .d = 2, .tau_x = 0.5, .seed = 1});
  for (std::size_t j = 0; j < 2; ++j) {
    const Moments inliers = moments(d1.x, d1.outliers_x, false, j);
    EXPECT_NEAR(inliers.mean, 0, 0.036);
    EXPECT_NEAR(inliers.sd, 1, 0.025);
    const Moments outliers = moments(d1.x, d1.outliers_x, true, j);
    EXPECT_NEAR(outliers.mean, 0, 1.03);
    EXPECT_NEAR(outliers.sd, 100 / std::sqrt(12.0), 0.66);
    const Moments y = moments(d1.y, {}, false, j);
    EXPECT_NEAR(y.mean, 5, 0.036);
    EXPECT_NEAR(y.sd, 1, 0.025);
  }
  // The Cauchy law has no mean; its median has standard error pi / 2 / 141.
  const ToySample d2 = generate({.toy = Toy::d2, .n = 40000, .m = 10, .d = 2, .tau_x = 0.5, .seed = 1});
  EXPECT_NEAR(column_median(d2.x, d2.outliers_x, 0), 25, 0.056);
}

TEST(Toy, HasTheLawsItNames) {
  const auto draw = [](Toy toy) {
    return generate({.toy = toy, .n = 20000, .m = 20000, .tau_x = 0, .seed = 2});
  };
  const auto expect = [&](Toy toy, double mean_x, double sd_x, double mean_y, double sd_y) {
    const ToySample s = draw(toy);
    const Moments x = moments(s.x, {}, false, 0);
    const Moments y = moments(s.y, {}, false, 0);
    EXPECT_NEAR(x.mean, mean_x, 5 * sd_x / 141) << name(toy);
    EXPECT_NEAR(y.mean, mean_y, 5 * sd_y / 141) << name(toy);
    EXPECT_NEAR(x.sd / sd_x, 1, 0.05) << name(toy);
    EXPECT_NEAR(y.sd / sd_y, 1, 0.05) << name(toy);
  };
  expect(Toy::shape, 0, 1, 0, 2);
  expect(Toy::skewed, 1, 1, 6, 1);
  expect(Toy::bimodal, 2, std::sqrt(17.0), 7, std::sqrt(17.0));  // 1 + 100 * 0.2 * 0.8
  expect(Toy::shares, 3, std::sqrt(22.0), 6, 5);                 // 1 + 21, 1 + 24
  // Heavy tails: medians and quartiles. t with 3 degrees of freedom has its quartile at 0.7649.
  const ToySample t3 = draw(Toy::t3);
  std::vector<double> values;
  for (std::size_t i = 0; i < t3.x.rows(); ++i) values.push_back(t3.x(i, 1));
  std::ranges::sort(values);
  EXPECT_NEAR(values[10000], 0, 0.05);
  EXPECT_NEAR(values[15000], 0.7649, 0.05);
  const ToySample lognormal = draw(Toy::lognormal);
  values.clear();
  for (std::size_t i = 0; i < lognormal.y.rows(); ++i) values.push_back(lognormal.y(i, 1));
  std::ranges::sort(values);
  EXPECT_NEAR(values[10000], 6, 0.05);
}

TEST(Toy, PutsOutliersBehindOrInsideTheOtherSample) {
  const ToyOptions options{.n = 4000, .m = 4000, .tau_x = 0.5, .tau_y = 0.5, .seed = 3};
  const auto means = [&](Toy toy) {
    ToyOptions these = options;
    these.toy = toy;
    const ToySample s = generate(these);
    return std::pair(moments(s.x, s.outliers_x, true, 1).mean, moments(s.y, s.outliers_y, true, 1).mean);
  };
  EXPECT_NEAR(means(Toy::behind).first, 10, 0.12);
  EXPECT_NEAR(means(Toy::behind).second, -5, 0.12);
  EXPECT_NEAR(means(Toy::inside).first, 5, 0.12);
  EXPECT_NEAR(means(Toy::inside).second, 0, 0.12);
}

TEST(Toy, IsAFunctionOfItsSeed) {
  for (const auto& [word, toy] : names<Toy>) {
    const ToySample one = generate({.toy = toy, .seed = 9});
    const ToySample two = generate({.toy = toy, .seed = 9});
    const ToySample other = generate({.toy = toy, .seed = 10});
    EXPECT_EQ(one.x.values(), two.x.values());
    EXPECT_EQ(one.y.values(), two.y.values());
    EXPECT_EQ(one.outliers_x, two.outliers_x);
    EXPECT_NE(one.x.values(), other.x.values());
    EXPECT_NE(one.outliers_x, other.outliers_x);
  }
}

TEST(Toy, KeepsItsInliersWhenTauOrNGrow) {
  const ToySample clean = generate({.toy = Toy::t3, .n = 200, .tau_x = 0, .seed = 4});
  const ToySample some = generate({.toy = Toy::t3, .n = 200, .tau_x = 0.1, .seed = 4});
  const ToySample more = generate({.toy = Toy::t3, .n = 200, .tau_x = 0.3, .seed = 4});
  const ToySample longer = generate({.toy = Toy::t3, .n = 300, .tau_x = 0, .seed = 4});
  EXPECT_TRUE(std::ranges::includes(more.outliers_x, some.outliers_x));
  for (std::uint32_t i = 0; i < 200; ++i) {
    EXPECT_EQ(longer.x(i, 0), clean.x(i, 0));
    EXPECT_EQ(some.x(i, 0) == clean.x(i, 0), !std::ranges::binary_search(some.outliers_x, i)) << i;
  }
}

// Chi-square over ten bins of positions with 2000 outliers, 9 degrees of freedom; 27.9 is exceeded
// with chance 0.001. The seeds are fixed.
TEST(Toy, SpreadsItsOutliersEvenly) {
  std::vector<double> bins(10);
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const std::uint32_t row : generate({.n = 100, .m = 1, .tau_x = 0.1, .seed = seed}).outliers_x)
      ++bins.at(row / 10);
  double chi2 = 0;
  for (const double count : bins) chi2 += (count - 200) * (count - 200) / 200;
  EXPECT_LT(chi2, 27.9);
}

TEST(Toy, ContaminatesYOnlyWhenAskedOrWhenItSaysBoth) {
  EXPECT_TRUE(generate({.toy = Toy::d1}).outliers_y.empty());
  EXPECT_EQ(generate({.toy = Toy::both}).outliers_y.size(), 50u);
  EXPECT_EQ(generate({.toy = Toy::both, .tau_y = 0.02}).outliers_y.size(), 10u);
}

TEST(Toy, KnowsItsPopulationDistance) {
  EXPECT_NEAR(generate({.toy = Toy::d1}).population_w1, std::sqrt(50.0), 1e-14);
  EXPECT_NEAR(population_w1(Toy::t3, 1), 5, 1e-15);
  // E|Z|: sqrt(2/pi) in one dimension, sqrt(pi/2) in two, 3.084 in ten (the study's table).
  EXPECT_NEAR(population_w1(Toy::shape, 1), std::sqrt(2 / M_PI), 1e-14);
  EXPECT_NEAR(population_w1(Toy::shape, 2), std::sqrt(M_PI / 2), 1e-14);
  EXPECT_NEAR(population_w1(Toy::shape, 10), 3.084, 5e-4);
  EXPECT_NEAR(population_w1(Toy::shares, 4), 6, 1e-14);
}

// In one dimension W1 is the mean gap between sorted values. Its standard error is below 0.04 for
// these laws at 20000 rows; the seed is fixed and the tolerance is 4 of them.
TEST(Toy, HasThatDistanceInOneDimension) {
  for (const auto& [word, toy] : names<Toy>) {
    const ToySample s = generate({.toy = toy, .n = 20000, .m = 20000, .d = 1, .tau_x = 0, .seed = 6});
    std::vector<double> x = s.x.values();
    std::vector<double> y = s.y.values();
    std::ranges::sort(x);
    std::ranges::sort(y);
    double cost = 0;
    for (std::size_t i = 0; i < x.size(); ++i) cost += std::abs(x[i] - y[i]) / static_cast<double>(x.size());
    EXPECT_NEAR(cost, s.population_w1, 0.16) << name(toy);
  }
}

TEST(Toy, HasNamesThatLeadBack) {
  for (const auto& [word, toy] : names<Toy>) EXPECT_EQ(named<Toy>(name(toy)), toy);
  EXPECT_FALSE(named<Toy>("d3"));
}

TEST(Toy, RefusesWhatItCannotDraw) {
  EXPECT_EQ(error_of([] { (void)generate({.tau_x = 1.5}); }), "tau must lie in [0, 1], got 1.5");
  EXPECT_NE(error_of([] { (void)generate({.n = 0}); }), "");
  EXPECT_NE(error_of([] { (void)generate({.d = 0}); }), "");
}

}  // namespace
}  // namespace motmot
