// Remark 7: the estimators over the unit ball of a kernel.
#include "base/euclidean.hpp"
#include "critics/kernel_fit.hpp"
#include "motmot/answer.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

constexpr Metric kernel_metrics[] = {Metric::mmd, Metric::energy};
constexpr Estimator block_estimators[] = {Estimator::mom, Estimator::mou, Estimator::mou_diag};

/// The sum over all pairs of rows, written as it is defined.
double directly(Metric metric, double bandwidth, const Points& x, const Points& y) {
  const auto mean = [&](const Points& a, const Points& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < a.rows(); ++i)
      for (std::size_t j = 0; j < b.rows(); ++j) {
        const double r = euclidean(a.row(i), b.row(j));
        sum += metric == Metric::energy ? -r : std::exp(-r * r / (2 * bandwidth * bandwidth));
      }
    return sum / static_cast<long double>(a.rows() * b.rows());
  };
  return std::sqrt(static_cast<double>(mean(x, x) + mean(y, y) - 2 * mean(x, y)));
}

struct Pair {
  Points x, y;
};

Pair shifted_pair(std::uint64_t seed, std::size_t n, std::size_t m, double shift) {
  Rng rng(seed, Purpose::test);
  Points x = test::gaussian(rng, n, 2);
  return {std::move(x), test::gaussian(rng, m, 2, shift)};
}

/// The first rows of X far away on one side.
Points dirty(Points x, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) x(i, 0) = x(i, 1) = 1000 + static_cast<double>(i);
  return x;
}

DistanceOptions asked(Estimator estimator, Metric metric, std::size_t k) {
  return {.estimator = estimator, .metric = metric, .tau = {0.05, 0.05}, .blocks = {k, k}, .seed = 3};
}

TEST(KernelMetrics, AreTheDirectSumWhenThereIsOneBlock) {
  const auto [x, y] = shifted_pair(1, 90, 71, 0.7);
  for (const Metric metric : kernel_metrics) {
    for (const Estimator estimator :
         {Estimator::plain, Estimator::mom, Estimator::mou, Estimator::mou_diag}) {
      const Distance w = distance(x, y, asked(estimator, metric, 1));
      const double right = directly(metric, w.asked.bandwidth.value_or(0), x, y);
      EXPECT_NEAR(w.value, right, 1e-12 * std::max(1.0, right)) << name(metric) << ' ' << name(estimator);
      EXPECT_NEAR(*w.plain, right, 1e-12 * std::max(1.0, right));
    }
    DistanceOptions given = asked(Estimator::plain, metric, 1);
    if (metric == Metric::mmd) given.bandwidth = 0.37;
    EXPECT_NEAR(distance(x, y, given).value, directly(metric, 0.37, x, y), 1e-12 * 10);
  }
}

TEST(KernelMetrics, WithstandOutliersThatRuinThePlainValue) {
  const auto [x, y] = shifted_pair(2, 300, 300, 1);
  for (const Metric metric : kernel_metrics)
    for (const Estimator estimator : block_estimators) {
      DistanceOptions options = asked(estimator, metric, 0);
      const double clean = *distance(x, y, options).plain;
      const Distance w = distance(dirty(x, 15), y, options);
      EXPECT_NEAR(w.value, clean, 0.3 * clean) << name(metric) << ' ' << name(estimator);
      ASSERT_TRUE(w.interval);
      EXPECT_LT(w.interval->low, clean);
      EXPECT_GT(w.interval->high, clean);
      if (metric == Metric::energy) {
        EXPECT_GT(*w.plain, 2 * clean);
      }
    }
}

TEST(KernelMetrics, LieInTheirBracketAndOneEndIsAttained) {
  const auto [x, y] = shifted_pair(4, 150, 120, 1);
  for (const Metric metric : kernel_metrics)
    for (const Estimator estimator : block_estimators) {
      DistanceOptions options = asked(estimator, metric, 21);
      options.scheme = Scheme::partition;
      options.certify = true;
      const Distance w = distance(dirty(x, 5), y, options);
      const PaperEstimate& e = *w.neighbours.paper;
      ASSERT_TRUE(e.lower && e.upper);
      EXPECT_NEAR(*e.fixed_partition_value, w.value, 1e-9 * w.value);
      EXPECT_NEAR(*e.lower, w.value, 1e-9 * w.value);
      EXPECT_GE(*e.upper, w.value * (1 - 1e-12));
      EXPECT_LT(*e.upper, 20 * w.value);  // whatever the outliers
    }
}

TEST(KernelMetrics, AreAtLeastWhatAnyFunctionTriedAttains) {
  // On one partition, against the responses to every pair of blocks: each is a function of norm 1.
  const auto [x, y] = shifted_pair(5, 60, 60, 1);
  DistanceOptions options = asked(Estimator::mou_diag, Metric::energy, 9);
  options.scheme = Scheme::partition;
  const double value = distance(x, y, options).value;
  Team team(1);
  const KernelSums sums(x, y, {Metric::energy, 1}, team);
  const BlockPlan plan{.scheme = Scheme::partition, .k_x = 9, .k_y = 9, .b_x = 6, .b_y = 6};
  const PlanSampler kept = kept_partition(plan, 60, 60, options.seed);
  for (std::size_t k = 0; k < 9; ++k) {
    RowWeights w{std::vector<double>(60), std::vector<double>(60)};
    for (const std::uint32_t row : kept.x()[k]) w.x[row] = 1.0 / 6;
    for (const std::uint32_t row : kept.y()[k]) w.y[row] = 1.0 / 6;
    const Phi phi = sums.respond(w).phi;
    std::vector<double> a = block_means(phi.x, kept.x()), b = block_means(phi.y, kept.y());
    for (std::size_t l = 0; l < 9; ++l) a[l] -= b[l];
    std::ranges::sort(a);
    EXPECT_GE(value, a[4] * (1 - 0.02)) << k;
  }
}

TEST(KernelMetrics, HaveTheSameBitsForAnyNumberOfThreadsAndEveryScheme) {
  const auto [x, y] = shifted_pair(6, 130, 110, 1);
  for (const Scheme scheme : {Scheme::shuffle, Scheme::partition, Scheme::swor, Scheme::pairs}) {
    DistanceOptions options = asked(Estimator::mou, Metric::mmd, 15);
    options.scheme = scheme;
    options.threads = 1;
    const Distance one = distance(dirty(x, 4), y, options);
    EXPECT_GT(one.value, 0);
    options.threads = 5;
    EXPECT_EQ(distance(dirty(x, 4), y, options).value, one.value) << name(scheme);
  }
}

TEST(KernelMetrics, DoNotDependOnTheUnitButForItsRoot) {
  const auto [x, y] = shifted_pair(7, 100, 100, 1);
  const auto times = [](const Points& points, double unit) {
    std::vector<double> values = points.values();
    for (double& value : values) value *= unit;
    return Points(std::move(values), points.cols());
  };
  const DistanceOptions mmd = asked(Estimator::mom, Metric::mmd, 11),
                        energy = asked(Estimator::mom, Metric::energy, 11);
  const double unit = 1 << 20;
  EXPECT_NEAR(distance(times(x, unit), times(y, unit), mmd).value, distance(x, y, mmd).value, 1e-9);
  EXPECT_NEAR(distance(times(x, unit), times(y, unit), energy).value, 1024 * distance(x, y, energy).value,
              1e-6);
}

TEST(RobustBandwidth, WithstandsFourRowsInTen) {
  const auto [x, y] = shifted_pair(8, 200, 200, 0);
  Team team(1);
  const double clean = robust_bandwidth(x, y, 0, team);
  const double spoilt = robust_bandwidth(dirty(x, 80), dirty(y, 80), 0, team);
  EXPECT_GT(clean, 1);
  EXPECT_LT(clean, 3);
  EXPECT_LT(spoilt, 3 * clean);
  EXPECT_EQ(robust_bandwidth(Points(5, 2), Points(7, 2), 0, team), 1);
}

TEST(KernelMetrics, RefuseWhatTheyDoNotHave) {
  const auto [x, y] = shifted_pair(9, 20, 20, 1);
  EXPECT_EQ(test::error_of([&] { (void)distance(x, y, {.metric = Metric::mmd}); }),
            "metric mmd is for the estimators plain, mom, mou and mou-diag, got company");
  DistanceOptions clipped = asked(Estimator::mom, Metric::energy, 3);
  clipped.critic = CriticKind::clipped;
  EXPECT_EQ(test::error_of([&] { (void)distance(x, y, clipped); }),
            "metric energy takes the functions of its kernel; critic clipped is for metric w1");
  DistanceOptions narrow = asked(Estimator::mom, Metric::mmd, 3);
  narrow.bandwidth = -1;
  EXPECT_NE(test::error_of([&] { (void)distance(x, y, narrow); }).find("bandwidth"), std::string::npos);
}

TEST(KeptPartition, IsWhatValueAndBracketAreOf) {
  const auto [x, y] = shifted_pair(10, 120, 90, 3);
  for (const CriticKind critic : {CriticKind::exact, CriticKind::lipschitz})
    for (const Estimator estimator : block_estimators) {
      DistanceOptions options{.estimator = estimator, .critic = critic, .blocks = {15, 15}, .seed = 4};
      options.scheme = Scheme::partition;
      options.certify = true;
      options.ascent.steps = 60;
      const Distance w = distance(x, y, options);
      const PaperEstimate& e = *w.neighbours.paper;
      ASSERT_TRUE(e.fixed_partition_value);
      EXPECT_NEAR(*e.fixed_partition_value, w.value, 1e-5 * w.value) << name(critic) << name(estimator);
      EXPECT_LE(w.value, *e.upper * (1 + 1e-5));
      EXPECT_EQ(e.sd, 0);
    }
}

}  // namespace
}  // namespace motmot
