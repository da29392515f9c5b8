#include "answer/subsampling.hpp"

#include <cmath>

#include "support/support.hpp"

namespace motmot {
namespace {

/// Sizes that follow the model exactly: value^2 = laws^2 + slope chance^2, chance = c rows^-power.
std::vector<SizePoint> exact_sizes(double laws, double slope, double c, double power) {
  std::vector<SizePoint> sizes;
  for (const std::size_t rows : {625u, 1250u, 2500u, 5000u, 10000u}) {
    const double chance = c * std::pow(static_cast<double>(rows), -power);
    sizes.push_back({.rows = {rows, rows},
                     .draws = rows == 10000u ? 1u : 8u,
                     .value = std::hypot(laws, std::sqrt(slope) * chance),
                     .sd = 0.3 / std::sqrt(static_cast<double>(rows)),
                     .chance = chance});
  }
  return sizes;
}

TEST(FitSizes, FindsTheCurveThatTheSizesLieOn) {
  for (const double laws : {0.0, 0.05, 1.0, 20.0})
    for (const double slope : {0.3, 1.0})
      for (const double power : {0.5, 1.0 / 3, 0.1}) {
        const Subsampling fit = fit_sizes(exact_sizes(laws, slope, 3, power), 1e7);
        const double chance = 3 * std::pow(1e7, -power);
        EXPECT_NEAR(fit.power, power, 1e-9);
        EXPECT_NEAR(fit.all_rows, std::hypot(laws, std::sqrt(slope) * chance), 1e-6 * (1 + laws));
        EXPECT_NEAR(fit.spread, 0.3 / 100, 1e-12);
        EXPECT_GE(fit.all_rows_sd, 0);
      }
}

TEST(FitSizes, NeverGoesBelowZeroAndNeverUpwards) {
  std::vector<SizePoint> sizes = exact_sizes(0, 1, 3, 0.5);
  for (SizePoint& size : sizes) size.value -= 0.01;  // more than chance can explain
  Subsampling fit = fit_sizes(sizes, 1e7);
  EXPECT_GE(fit.all_rows, 0);
  sizes = exact_sizes(1, 1, 3, 0.5);
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i].value = 1 + 0.001 * static_cast<double>(i);
  fit = fit_sizes(sizes, 1e7);
  EXPECT_EQ(fit.slope, 0);
  EXPECT_NEAR(fit.all_rows, 1.002, 0.002);
}

SubsamplingTask task_of(const Points& x, const Points& y, std::size_t used) {
  return {
      .x = x, .y = y, .used = {used, used}, .read = {x.rows(), y.rows()}, .value = 1.5, .unit = 2, .seed = 4};
}

TEST(LookAtSizes, HasTheSameBitsForAnyNumberOfThreads) {
  Rng rng(1, Purpose::test);
  const Points x = test::gaussian(rng, 5000, 2), y = test::gaussian(rng, 4000, 2);
  std::optional<Subsampling> first;
  for (const std::size_t threads : {1u, 2u, 5u}) {
    Team team(threads);
    const Progress none;
    Watch watch(none, 0);
    const std::optional<Subsampling> found = look_at_sizes(task_of(x, y, 2000), team, watch, 0.9);
    ASSERT_TRUE(found);
    if (!first) first = found;
    EXPECT_EQ(found->all_rows, first->all_rows);
    EXPECT_EQ(found->spread, first->spread);
    for (std::size_t k = 0; k < found->sizes.size(); ++k)
      EXPECT_EQ(found->sizes[k].value, first->sizes[k].value);
  }
  ASSERT_EQ(first->sizes.size(), 5u);
  EXPECT_EQ(first->sizes.front().rows.x, 125u);
  EXPECT_EQ(first->sizes.back().value, 3);  // the answer itself, in the data's units
  // Few rows lie farther apart than many: by more than chance at these sizes.
  EXPECT_GT(first->sizes[0].value, first->sizes[3].value);
  EXPECT_GT(first->sizes[0].chance, first->sizes[3].chance);
}

TEST(LookAtSizes, SaysNothingOfFewRows) {
  Rng rng(1, Purpose::test);
  const Points x = test::gaussian(rng, 100, 2);
  Team team(1);
  const Progress none;
  Watch watch(none, 0);
  EXPECT_FALSE(look_at_sizes(task_of(x, x, 100), team, watch, 0.9));
}

}  // namespace
}  // namespace motmot
