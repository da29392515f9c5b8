// Rows split over ranks: the same bits on any number of them, and the same numbers as without a split.
#include "critics/row_split.hpp"

#include <mutex>

#include "critics/ascent.hpp"
#include "critics/lipschitz.hpp"
#include "support/support.hpp"
#include "support/thread_ranks.hpp"

namespace motmot {
namespace {

constexpr std::size_t n = 203, m = 150, d = 6, leaves = 8;

struct Samples {
  Points x, y;
};

Samples samples() {
  Rng rng_x(4, Purpose::toy_x), rng_y(4, Purpose::toy_y);
  return {test::gaussian(rng_x, n, d), test::gaussian(rng_y, m, d, 1)};
}

struct Ran {
  std::vector<float> weights;
  AscentRun run;
};

/// A few steps of the paper's network on the rows that this rank has.
Ran clipped(const Samples& s, const RowSplit& split, Estimator estimator, const BlockPlan& plan,
            std::size_t steps, Checkpoint* checkpoint = nullptr, const Progress& progress = {}) {
  const SamplePart x = rows_here(whole(s.x), split.x), y = rows_here(whole(s.y), split.y);
  const FeatureMajor data = to_feature_major(x.rows, y.rows);
  Mlp network(d, {8, 4}, Rng(1, Purpose::weights));
  ClippedRmsProp rule(network.weights().size(), {.rate = 0.01f, .clip = 0.5f});
  Team team(1);
  AscentRun run = ascend(network, rule,
                         {.data = data,
                          .split = split,
                          .estimator = estimator,
                          .plan = plan,
                          .steps = steps,
                          .tail = 3,
                          .keep_trace = true,
                          .seed = 9,
                          .checkpoint = checkpoint},
                         team, progress);
  return {{network.weights().begin(), network.weights().end()}, std::move(run)};
}

struct Case {
  Estimator estimator;
  BlockPlan plan;
};

const std::vector<Case> cases{
    {Estimator::mom, {.scheme = Scheme::shuffle, .k_x = 7, .k_y = 6, .b_x = n / 7, .b_y = m / 6}},
    {Estimator::mou, {.scheme = Scheme::partition, .k_x = 5, .k_y = 4, .b_x = n / 5, .b_y = m / 4}},
    {Estimator::mou_diag, {.scheme = Scheme::swor, .k_x = 4, .k_y = 4, .b_x = 9, .b_y = 7}},
    {Estimator::mou, {.scheme = Scheme::pairs, .k_x = 5, .k_y = 5, .b_x = 8, .b_y = 8}},
    {Estimator::mom, {.scheme = Scheme::shuffle, .k_x = 3, .k_y = 3, .b_x = 10, .b_y = 10, .mini = true}},
    {Estimator::plain, {.scheme = Scheme::shuffle, .k_x = 1, .k_y = 1, .b_x = n, .b_y = m}}};

TEST(RowSplit, AnAscentHasTheSameBitsOnAnyNumberOfRanks) {
  const Samples s = samples();
  for (const Case& c : cases) {
    const Ran one = clipped(s, split_rows(n, m, leaves, alone()), c.estimator, c.plan, 5);
    EXPECT_FALSE(one.run.bytes_a_step.has_value());
    for (const std::size_t ranks : {2u, 3u, 5u, 8u})
      on_ranks(ranks, [&](Communicator& here) {
        const Ran ran = clipped(s, split_rows(n, m, leaves, here), c.estimator, c.plan, 5);
        EXPECT_EQ(ran.weights, one.weights) << name(c.plan.scheme) << ", " << ranks << " ranks";
        EXPECT_EQ(ran.run.trace, one.run.trace);
        EXPECT_GT(ran.run.bytes_a_step.value_or(0), 0);
      });
  }
}

struct Step {
  std::vector<double> means;
  std::vector<float> gradient;
};

/// What the third step sees, with the weights of the start.
Step step(const Samples& s, const RowSplit& split, const Case& c) {
  const FeatureMajor data = to_feature_major(s.x, s.y);
  const Mlp network(d, {8, 4}, Rng(1, Purpose::weights));
  Team team(1);
  BlockEvaluator<Mlp> blocks(data, split, c.plan, 9, team, network);
  MedianGradient<Mlp> gradient(network, split, team);
  blocks.evaluate(network, 2);
  const Estimator over = c.plan.scheme == Scheme::pairs ? Estimator::mou_diag : c.estimator;
  const MedianPair median = median_pair(over, blocks.means_x(), blocks.means_y(), EvenMedian::upper);
  const auto through = gradient(network, data, blocks.blocks_x(), blocks.blocks_y(), median);
  Step seen{.means = {blocks.means_x().begin(), blocks.means_x().end()},
            .gradient = {through.begin(), through.end()}};
  seen.means.insert(seen.means.end(), blocks.means_y().begin(), blocks.means_y().end());
  return seen;
}

// (Ascents themselves drift apart: RMSProp makes a full step of a gradient that is rounding error alone.)
TEST(RowSplit, MeansAndGradientAreThoseOfWholeSamplesUpToRounding) {
  const Samples s = samples();
  for (const Case& c : cases) {
    const Step plain = step(s, unsplit_rows(n, m), c), split = step(s, split_rows(n, m, leaves, alone()), c);
    ASSERT_EQ(split.means.size(), plain.means.size());
    for (std::size_t k = 0; k < plain.means.size(); ++k) EXPECT_NEAR(split.means[k], plain.means[k], 1e-12);
    for (std::size_t i = 0; i < plain.gradient.size(); ++i)
      EXPECT_NEAR(split.gradient[i], plain.gradient[i], 1e-6) << name(c.plan.scheme);
  }
}

TEST(RowSplit, TheLipschitzCriticAndItsHeldOutValueHaveTheSameBits) {
  const Samples s = samples();
  const auto fit = [&](Communicator& here) {
    RowSplit split = split_rows(n, m, leaves, here);
    const SamplePart x = rows_here(whole(s.x), split.x), y = rows_here(whole(s.y), split.y);
    Team team(1);
    return fit_lipschitz({.x = x,
                          .y = y,
                          .plan = {.k_x = 31, .k_y = 31, .b_x = n / 31, .b_y = m / 31},
                          .split = std::move(split),
                          .ranks = &here,
                          .hidden = {8, 8},
                          .steps = 20,
                          .draws = 11,
                          .held_out = true,
                          .seed = 5},
                         team, {});
  };
  const LipschitzFit one = fit(alone());
  for (const std::size_t ranks : {2u, 3u, 8u})
    on_ranks(ranks, [&](Communicator& here) {
      const LipschitzFit found = fit(here);
      EXPECT_EQ(found.value, one.value) << ranks;
      EXPECT_EQ(found.sd, one.sd);
      EXPECT_EQ(found.held_out, one.held_out);
      EXPECT_EQ(found.phi_x, one.phi_x);
      EXPECT_EQ(found.phi_y, one.phi_y);
    });
}

// Rows that stay where they are; and of y so few that some ranks hold one that a half does not list.
TEST(RowSplit, TheLipschitzCriticHasTheSameBitsWithoutACopy) {
  const Samples s = samples();
  for (const std::size_t rows_y : {m, std::size_t{9}}) {
    const PointsView y = PointsView{PointsView(s.y).data, rows_y, d};
    const auto fit = [&](Communicator& here, std::size_t copy_values) {
      RowSplit split = split_rows(n, rows_y, leaves, here);
      const SamplePart x_here = rows_here(whole(s.x), split.x), y_here = rows_here(whole(y), split.y);
      Team team(1);
      const std::size_t k = std::min<std::size_t>(31, rows_y / 3);
      return fit_lipschitz({.x = x_here,
                            .y = y_here,
                            .plan = {.k_x = 31, .k_y = k, .b_x = n / 31, .b_y = rows_y / k},
                            .split = std::move(split),
                            .ranks = &here,
                            .hidden = {8, 8},
                            .steps = 20,
                            .mini_rows = 40,
                            .mini_above = 60,
                            .draws = 11,
                            .copy_values = copy_values,
                            .held_out = true,
                            .seed = 5},
                           team, {});
    };
    const LipschitzFit one = fit(alone(), 1 << 24);
    for (const std::size_t ranks : {1u, 2u, 3u, 8u})
      on_ranks(ranks, [&](Communicator& here) {
        const LipschitzFit found = fit(here, 0);
        EXPECT_EQ(found.value, one.value) << ranks;
        EXPECT_EQ(found.held_out, one.held_out);
        EXPECT_EQ(found.phi_x, one.phi_x);
        EXPECT_EQ(found.phi_y, one.phi_y);
      });
  }
}

TEST(RowSplit, ARankNeedsAPart) {
  on_ranks(3, [](Communicator& here) { EXPECT_THROW((void)split_rows(100, 100, 2, here), Error); });
}

TEST(Checkpoint, ARunThatStoppedGoesOnWithTheSameBitsOnOtherRanks) {
  const Samples s = samples();
  const Case& c = cases[0];
  const test::TempDir folder;
  const std::string path = folder / "state";
  const Ran whole_run = clipped(s, split_rows(n, m, leaves, alone()), c.estimator, c.plan, 48);
  {
    Checkpoint checkpoint({.path = path, .run = "a", .seconds = 1e9}, alone());
    const Ran stopped = clipped(s, split_rows(n, m, leaves, alone()), c.estimator, c.plan, 48, &checkpoint,
                                [](double) { return false; });
    EXPECT_EQ(stopped.run.steps, 16u);
  }
  on_ranks(3, [&](Communicator& here) {
    Checkpoint checkpoint({.path = path, .run = "a", .seconds = 0}, here);
    const Ran ran = clipped(s, split_rows(n, m, leaves, here), c.estimator, c.plan, 48, &checkpoint);
    EXPECT_EQ(ran.weights, whole_run.weights);
    EXPECT_EQ(ran.run.trace, whole_run.run.trace);
    EXPECT_EQ(ran.run.value, whole_run.run.value);
  });
  EXPECT_THROW(Checkpoint({.path = path, .run = "b", .seconds = 0}, alone()), Error);
}

}  // namespace
}  // namespace motmot
