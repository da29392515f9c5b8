#include "inference/company.hpp"

#include <array>
#include <numeric>

#include "data/without.hpp"
#include "inference/lone_rows.hpp"
#include "inference/score_gap.hpp"
#include "inference/strangers.hpp"
#include "inference/tails.hpp"
#include "motmot/data.hpp"
#include "support/support.hpp"

namespace motmot::test {
namespace {

using Rows = std::vector<std::uint32_t>;

constexpr PerSample<double> ten_percent{0.1, 0.1};

PerSample<Company> keep(PointsView x, PointsView y, const PerSample<double>& tau = ten_percent) {
  Team team(2);
  return keep_company(x, y, tau, team);
}

/// By the rule for one sample.
Rows left_out_alone(PointsView z, double tau = 0.1) {
  Team team(2);
  Passes passes({});
  return lone_rows(z, std::array{tau}, team, passes).front().rows;
}

Rows shuffled(std::size_t n, Rng& rng) {
  Rows order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = n; i > 1; --i)
    std::swap(order[i - 1], order[rng.below(static_cast<std::uint32_t>(i))]);
  return order;
}

Points permuted(PointsView points, const Rows& order) {
  Points result(points.n, points.d);
  for (std::size_t i = 0; i < points.n; ++i) std::ranges::copy(points.row(order[i]), result.row(i).begin());
  return result;
}

/// How many of `rows` are among `wanted`; both ascend.
std::size_t common(const Rows& rows, const Rows& wanted) {
  Rows both;
  std::ranges::set_intersection(rows, wanted, std::back_inserter(both));
  return both.size();
}

ToySample toy(Toy which, std::size_t n, std::size_t d, double tau, std::uint64_t seed) {
  return generate({.toy = which, .n = n, .m = n, .d = d, .tau_x = tau, .seed = seed});
}

// -------------------------------------------------------------------------------------- properties

TEST(Company, FollowsTheRowsWhereverTheyStand) {
  for_each_seed(6, [](Rng& rng) {
    const Toy which = names<Toy>[rng.below(names<Toy>.size())].value;
    const ToySample sample = toy(which, 150, 1 + rng.below(3), 0.08, rng.below(1000));
    const Rows order = shuffled(150, rng);
    const auto before = keep(sample.x, sample.y), after = keep(permuted(sample.x, order), sample.y);
    Rows moved;
    for (const std::uint32_t row : after.x.left_out) moved.push_back(order[row]);
    std::ranges::sort(moved);
    EXPECT_EQ(moved, before.x.left_out);
    EXPECT_EQ(after.y.left_out, before.y.left_out);
  });
}

// Whole numbers: most scores are equal.
TEST(Company, PutsRowsOfEqualScoresInTheSameOrderWhereverTheyStand) {
  for_each_seed(20, [](Rng& rng) {
    Points x(60, 2), y(50, 2);
    for (Points* sample : {&x, &y})
      for (std::size_t i = 0; i < sample->rows(); ++i)
        for (double& value : sample->row(i)) value = static_cast<double>(rng.below(4));
    const Rows of_x = shuffled(60, rng), of_y = shuffled(50, rng);
    const auto rows_of = [](const Points& z, const Company& company) {
      return permuted(z, company.by_remoteness);
    };
    const Points px = permuted(x, of_x), py = permuted(y, of_y);
    const auto before = keep(x, y), after = keep(px, py);
    EXPECT_TRUE(std::ranges::equal(rows_of(x, before.x).values(), rows_of(px, after.x).values()));
    EXPECT_TRUE(std::ranges::equal(rows_of(y, before.y).values(), rows_of(py, after.y).values()));
  });
}

TEST(Company, IsTheSameWithTheSamplesExchanged) {
  for (const auto& [name, which] : names<Toy>) {
    const ToySample sample = toy(which, 120, 2, 0.07, 3);
    const auto there = keep(sample.x, sample.y, {0.1, 0.05}), back = keep(sample.y, sample.x, {0.05, 0.1});
    EXPECT_EQ(there.x.left_out, back.y.left_out) << name;
    EXPECT_EQ(there.y.left_out, back.x.left_out) << name;
    EXPECT_EQ(there.x.by_remoteness, back.y.by_remoteness) << name;
  }
}

TEST(Company, DoesNotDependOnUnitsOrOrigin) {
  for (const double scale : {0x1p-900, 0x1p-30, 0x1p40, 0x1p950}) {
    const ToySample sample = toy(Toy::t3, 200, 3, 0.08, 5);
    Points scaled(200, 3);
    for (std::size_t i = 0; i < 200; ++i)
      for (std::size_t k = 0; k < 3; ++k) scaled(i, k) = scale * sample.x(i, k);
    EXPECT_EQ(left_out_alone(scaled), left_out_alone(sample.x)) << scale;
  }
  const ToySample sample = toy(Toy::d1, 200, 2, 0.08, 6);
  Points shifted = sample.x;
  for (std::size_t i = 0; i < 200; ++i) shifted(i, 0) += 1000;
  EXPECT_EQ(left_out_alone(shifted), left_out_alone(sample.x));
}

TEST(Company, IsTheSameForAnyNumberOfThreads) {
  const ToySample sample = toy(Toy::lognormal, 900, 2, 0.08, 7);
  Team one(1), seven(7);
  const auto a = keep_company(sample.x, sample.y, ten_percent, one);
  const auto b = keep_company(sample.x, sample.y, ten_percent, seven);
  EXPECT_EQ(a.x.left_out, b.x.left_out);
  EXPECT_EQ(a.x.score, b.x.score);
}

TEST(Company, NeverLeavesOutMoreThanTheShareTau) {
  for_each_seed(60, [](Rng& rng) {
    const std::size_t n = 10 + rng.below(60), d = 1 + rng.below(3);
    Points x(n, d), y(n, d);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < d; ++k) {
        x(i, k) = rng.below(3) ? rng.cauchy() : std::round(rng.cauchy());
        y(i, k) = std::round(rng.normal());
      }
    const double tau = 0.3 * rng.uniform();
    const auto kept = keep(x, y, {tau, tau});
    const auto most = static_cast<std::size_t>(tau * static_cast<double>(n));
    EXPECT_LE(kept.x.left_out.size(), most);
    EXPECT_LE(kept.y.left_out.size(), most);
    EXPECT_TRUE(std::ranges::is_sorted(kept.x.left_out));
    Rows all = kept.x.by_remoteness;
    const Rows first(all.begin(), all.begin() + static_cast<long>(kept.x.left_out.size()));
    EXPECT_EQ(common(kept.x.left_out,
                     [&] {
                       Rows s = first;
                       std::ranges::sort(s);
                       return s;
                     }()),
              first.size());
    std::ranges::sort(all);
    EXPECT_EQ(all, rows_without(n, Rows{}));
  });
}

TEST(Company, LeavesNothingOutWhereNoRowMayBeWrongOrFewAreThere) {
  Points x(60, 2);
  for (std::size_t i = 0; i < 60; ++i) x(i, 0) = std::sin(static_cast<double>(i)), x(i, 1) = i == 7 ? 1e6 : 0;
  EXPECT_EQ(left_out_alone(x), Rows{7});
  EXPECT_TRUE(left_out_alone(x, 0).empty());
  EXPECT_TRUE(left_out_alone(x, 0.0166).empty());  // tau n < 1
  EXPECT_EQ(left_out_alone(x, 0.017), Rows{7});
  const PointsView nine{x.values().data(), 9, 2};
  EXPECT_TRUE(left_out_alone(nine, 0.3).empty());
  EXPECT_NE(error_of([&] { (void)keep(x, x, {0.5, 0}); }).find("[0, 1/2)"), std::string::npos);
}

TEST(Company, StopsWhenAskedToAndLeavesNothingOut) {
  const ToySample sample = toy(Toy::far, 3000, 2, 0.08, 7);
  Team team(1);
  const auto kept = keep_company(sample.x, sample.y, ten_percent, team, [](double) { return false; });
  EXPECT_TRUE(kept.x.left_out.empty());
  double last = 0;
  const auto whole = keep_company(sample.x, sample.y, ten_percent, team, [&](double done) {
    EXPECT_LE(last, done);
    EXPECT_LE(done, 1);
    last = done;
    return true;
  });
  EXPECT_EQ(whole.x.left_out, sample.outliers_x);
}

// -------------------------------------------------------------------------------------- what it finds

TEST(Company, FindsTheOutliersOfTheToys) {
  // Missed or lost rows in % of n, measured over seeds 0-5: at most 1 but for tails.
  for (const auto& [name, which] : names<Toy>)
    for (const std::size_t d : {2u, 5u}) {
      if (which == Toy::lognormal || which == Toy::t3) continue;
      const ToySample sample = toy(which, 400, d, 0.08, 11);
      const Rows found = keep(sample.x, sample.y).x.left_out;
      const std::size_t right = common(found, sample.outliers_x);
      EXPECT_LE(sample.outliers_x.size() - right, 4u) << name << ' ' << d;
      EXPECT_LE(found.size() - right, 4u) << name << ' ' << d;
    }
}

TEST(Company, FindsOutliersOfSeveralMagnitudes) {
  Rng rng(5, Purpose::test);
  Points x = gaussian(rng, 300, 2);
  for (std::size_t i = 0; i < 24; ++i) x(i, 0) += 20 * std::pow(1000.0, static_cast<double>(i % 3));
  Rows first(24);
  std::iota(first.begin(), first.end(), 0u);
  EXPECT_EQ(left_out_alone(x), first);
}

/// Three modes 30 apart, the smallest about as large as what may be left out.
Points with_small_mode(Rng& rng, std::size_t n, std::size_t d) {
  Points points = gaussian(rng, n, d);
  for (std::size_t i = 0; i < n; ++i) {
    const double u = rng.uniform();
    if (u < 0.4) points(i, 0) += 30;
    if (u < 0.095) points(i, d - 1) += 30;
  }
  return points;
}

// By chance a mode of 9.5 % is above 10 % of one sample, where it stays, and below that of the other, where
// it must not go alone. Seeds are fixed; some pairs, whose modes differ much in size, still lose it on one
// side.
TEST(Company, LeavesAModeOfBothSamplesOutOfNeitherOrOfBoth) {
  std::size_t out_of_both = 0, out_of_one = 0;
  for_each_seed(100, [&](Rng& rng) {
    const std::size_t n = 100 + rng.below(300), d = 2 + rng.below(20);
    const Points x = with_small_mode(rng, n, d), y = with_small_mode(rng, n, d);
    const PerSample<Company> kept = keep(x, y);
    const bool of_x = kept.x.left_out.size() > n / 50, of_y = kept.y.left_out.size() > n / 50;
    out_of_both += of_x && of_y ? 1 : 0;
    out_of_one += of_x != of_y ? 1 : 0;
  });
  EXPECT_LE(out_of_one, 5u);
  EXPECT_GT(out_of_both, 10u);  // both times within 10 %
}

/// Gaussian rows, the first `in_mode` of them with `away` added in the first column.
Points with_mode(Rng& rng, std::size_t n, std::size_t d, std::size_t in_mode, double away) {
  Points points = gaussian(rng, n, d);
  for (std::size_t i = 0; i < in_mode; ++i) points(i, 0) += away;
  return points;
}

// The third row of a mode that has three in a small sample is across the gap. One or two of them are left out
// of that sample as well.
TEST(Company, KeepsAModeThatASmallSampleHasFewRowsOf) {
  for (const std::size_t d : {2u, 5u})
    for (const std::size_t few : {3u, 5u}) {
      std::size_t kept = 0, stays_wrong = 0;
      for_each_seed(40, [&](Rng& rng) {
        const Points x = with_mode(rng, 20, d, few, 17), y = with_mode(rng, 150, d, 15, 17),
                     wrong = with_mode(rng, 150, d, 15, -17);
        kept += keep(x, y).y.left_out.size() <= 8 ? 1 : 0;  // some of its outskirts may go
        stays_wrong += keep(x, wrong).y.left_out.size() >= 15 ? 1 : 0;
      });
      EXPECT_GE(kept, 38u);
      EXPECT_GE(stays_wrong, 38u);
    }
}

// In one column a mode widens the body whose ends the other sample is held against.
TEST(Company, KeepsAModeOfOneColumnThatTheOtherSampleHasMoreOf) {
  std::size_t kept = 0;
  for_each_seed(40, [&](Rng& rng) {
    const Points x = with_mode(rng, 100, 1, 6, 12), y = with_mode(rng, 100, 1, 16, 12);
    kept += keep(x, y).x.left_out.size() <= 3 ? 1 : 0;
  });
  EXPECT_GE(kept, 38u);
}

TEST(Company, StillLeavesOutAGroupThatOneSampleHasAlone) {
  for_each_seed(20, [](Rng& rng) {
    const std::size_t n = 200, d = 2 + rng.below(10);
    Points x = with_small_mode(rng, n, d);
    const Points y = with_small_mode(rng, n, d);
    for (std::size_t i = 0; i < n / 20; ++i)
      for (std::size_t k = 0; k < d; ++k) x(i, k) = -40 + rng.normal();
    Rows wrong(n / 20);
    std::iota(wrong.begin(), wrong.end(), 0u);
    EXPECT_EQ(common(keep(x, y).x.left_out, wrong), wrong.size());
  });
}

TEST(Tails, APartOfBothHasHalfToThreeTimesTheShare) {
  EXPECT_TRUE(is_part_of_both(90, 1000, 100, 1000));
  EXPECT_TRUE(is_part_of_both(90, 1000, 45, 1000));
  EXPECT_FALSE(is_part_of_both(90, 1000, 44, 1000));
  EXPECT_TRUE(is_part_of_both(90, 1000, 270, 1000));
  EXPECT_FALSE(is_part_of_both(90, 1000, 600, 1000));
  EXPECT_FALSE(is_part_of_both(90, 1000, 0, 1000));
}

TEST(Company, FindsACompactGroupBetweenModesOfUnequalSpread) {
  Rng rng(8, Purpose::test);
  Points x = gaussian(rng, 400, 2);
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      if (i >= 200) x(i, k) = 100 + 20 * x(i, k);  // a wide mode beside a narrow one
      if (i < 32) x(i, k) = 12 + 0.1 * x(i, k);
    }
  const Rows found = left_out_alone(x);
  EXPECT_LE(found.size(), 34u);
  EXPECT_EQ(std::ranges::count_if(found, [](std::uint32_t row) { return row < 32; }), 32);
}

TEST(Company, FindsASentinelAmongCountsAndAmongZeros) {
  Rng rng(6, Purpose::test);
  Points counts(300, 2), zeros(300, 1);
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t k = 0; k < 2; ++k) counts(i, k) = std::floor(4 * rng.uniform() * rng.uniform());
    zeros(i, 0) = rng.below(5) ? 0.0 : 1.0 + rng.below(3);
  }
  EXPECT_TRUE(left_out_alone(counts).empty());
  EXPECT_TRUE(left_out_alone(zeros).empty());
  for (std::size_t i = 0; i < 15; ++i) counts(20 * i, 1) = 99, zeros(20 * i, 0) = 50;
  Rows wrong;
  for (std::uint32_t i = 0; i < 15; ++i) wrong.push_back(20 * i);
  EXPECT_EQ(left_out_alone(counts), wrong);
  EXPECT_EQ(left_out_alone(zeros), wrong);
}

TEST(Company, LeavesIdenticalRowsAlone) {
  EXPECT_TRUE(left_out_alone(Points(50, 2)).empty());
  Points two(100, 1);  // two values, the rarer one of a share above tau
  for (std::size_t i = 0; i < 15; ++i) two(i, 0) = 1;
  EXPECT_TRUE(left_out_alone(two).empty());
}

TEST(Company, FindsWhatStandsFarFromOneValueWhereTheOtherSampleHasOneCloseBy) {
  Points x(std::vector<double>(100, 5.0), 1);
  const Points y(std::vector<double>(100, 6.0), 1);
  x(7, 0) = 1e6;
  EXPECT_EQ(keep(x, y).x.left_out, Rows{7});
  EXPECT_EQ(keep(y, x).y.left_out, Rows{7});
  Points two(std::vector<double>(200, 5.0), 2);
  const Points other(std::vector<double>(200, 6.0), 2);
  for (std::size_t i = 0; i < 10; ++i) two(i, 0) = two(i, 1) = -999;
  EXPECT_EQ(keep(two, other).x.left_out.size(), 10u);
}

// A flag is as far from 0 as 1 is, whatever its share in the other sample.
TEST(Company, KeepsFlagsAndCountsThatAreMostlyZero) {
  for_each_seed(30, [](Rng& rng) {
    for (const std::size_t values : {1, 3})
      for (const double share : {0.0, 0.05, 0.2, 0.95}) {
        Points x(200, 1), y(200, 1);
        for (std::size_t i = 0; i < 200; ++i) {
          if (rng.uniform() < 0.05) x(i, 0) = static_cast<double>(1 + rng.below(values));
          if (rng.uniform() < share) y(i, 0) = static_cast<double>(1 + rng.below(values));
        }
        EXPECT_TRUE(keep(x, y).x.left_out.empty()) << values << ' ' << share;
        EXPECT_TRUE(keep(y, x).y.left_out.empty()) << values << ' ' << share;
      }
  });
}

// Clean rows lost over 40 samples of each law, in % of all rows; fixed seeds. Where coordinates have two
// modes each, some of their combinations are rarer than tau.
TEST(Company, LosesFewCleanRows) {
  struct Law {
    const char* name;
    double (*draw)(Rng&);
    double most;
  };
  const std::array<Law, 6> laws{
      {{"normal", [](Rng& rng) { return rng.normal(); }, 0.05},
       {"exponential", [](Rng& rng) { return -std::log1p(-rng.uniform()); }, 0.05},
       {"lognormal", [](Rng& rng) { return std::exp(rng.normal()); }, 0.7},
       {"counts", [](Rng& rng) { return std::floor(-2 * std::log1p(-rng.uniform())); }, 0.05},
       {"modes", [](Rng& rng) { return rng.normal() + 10 * (rng.below(4) == 0); }, 0.5},
       {"uniform", [](Rng& rng) { return rng.uniform(); }, 0.05}}};
  for (const auto& [name, draw, most] : laws)
    for (const std::size_t d : {1u, 3u}) {
      std::size_t lost = 0;
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Rng rng(seed, Purpose::test, d);
        Points x(200, d), y(200, d);
        for (Points* points : {&x, &y})
          for (std::size_t i = 0; i < 200; ++i)
            for (std::size_t k = 0; k < d; ++k) (*points)(i, k) = draw(rng);
        const auto kept = keep(x, y);
        lost += kept.x.left_out.size() + kept.y.left_out.size();
      }
      EXPECT_LE(static_cast<double>(lost) / (40 * 200) * 100, most) << name << " d = " << d;
    }
}

// Counts beside prices: two columns, but the rows spread along a line, where the scores of a tail hang
// together.
TEST(Company, KeepsTheTailOfATableThatOneColumnRules) {
  std::size_t lost = 0;
  for_each_seed(6, [&](Rng& rng) {
    Points x(350, 2), y(350, 2);
    for (Points* points : {&x, &y})
      for (std::size_t i = 0; i < 350; ++i) {
        (*points)(i, 0) = rng.below(2);
        (*points)(i, 1) = std::exp(0.4 * rng.normal() + 3);
      }
    const auto kept = keep(x, y);
    lost += kept.x.left_out.size() + kept.y.left_out.size();
  });
  EXPECT_LE(lost, 8u);  // of 4200
}

// One skewed column beside four that are not: far out, rows lie along that column alone, and their scores
// grow faster than the body says. Without looking at the other sample's tail 1.5 % of these rows were lost.
TEST(Company, KeepsATailThatTheOtherSampleHasToo) {
  std::size_t lost = 0, found = 0, wrong = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed, Purpose::test, 5);
    Points x = gaussian(rng, 300, 5), y = gaussian(rng, 300, 5);
    for (Points* points : {&x, &y})
      for (std::size_t i = 0; i < 300; ++i) (*points)(i, 4) = 1.5 * std::exp((*points)(i, 4));
    const auto kept = keep(x, y);
    lost += kept.x.left_out.size() + kept.y.left_out.size();
    Rows typed(24);
    std::iota(typed.begin(), typed.end(), 0u);
    for (const std::uint32_t row : typed) x(row, 0) = -99;
    found += common(keep(x, y).x.left_out, typed);
    wrong += typed.size();
  }
  EXPECT_LE(lost, 72u) << "1 % of 7200";
  EXPECT_EQ(found, wrong);
}

// ------------------------------------------------------------------------------- where the other has none

TEST(Company, FindsAClassThatTouchesTheOthers) {
  Rng rng(9, Purpose::test);
  Points x = gaussian(rng, 400, 6), y = gaussian(rng, 400, 6);
  for (std::size_t i = 0; i < 32; ++i) x(i, 0) += 4.5;  // within reach of the others: no gap
  const auto kept = keep(x, y);
  EXPECT_TRUE(kept.x.are_strangers);
  EXPECT_GE(std::ranges::count_if(kept.x.left_out, [](std::uint32_t row) { return row < 32; }), 20);
  EXPECT_LE(kept.x.left_out.size(), 40u);
  EXPECT_TRUE(kept.y.left_out.empty());
  EXPECT_TRUE(keep(y, y).x.left_out.empty());
}

TEST(Company, TakesADifferenceBetweenTheLawsForWhatItIs) {
  for_each_seed(4, [](Rng& rng) {
    const Points x = gaussian(rng, 300, 3);
    Points wider = gaussian(rng, 300, 3), shifted = gaussian(rng, 300, 3, 0.5);
    for (std::size_t i = 0; i < 300; ++i)
      for (std::size_t k = 0; k < 3; ++k) wider(i, k) *= 2;
    for (const Points* y : {&wider, &shifted}) {
      const auto kept = keep(x, *y);
      EXPECT_TRUE(kept.x.left_out.empty());
      EXPECT_TRUE(kept.y.left_out.empty());
    }
  });
}

TEST(Company, FindsStrangersInSamplesOfDifferentSize) {
  Rng rng(10, Purpose::test);
  Points x = gaussian(rng, 250, 5), y = gaussian(rng, 700, 5);
  EXPECT_TRUE(keep(x, y).x.left_out.empty());
  EXPECT_TRUE(keep(x, y).y.left_out.empty());
  for (std::size_t i = 0; i < 50; ++i) y(i, 1) += 4.5;
  const auto kept = keep(x, y);
  EXPECT_TRUE(kept.x.left_out.empty());
  EXPECT_GE(std::ranges::count_if(kept.y.left_out, [](std::uint32_t row) { return row < 50; }), 30);
}

/// Without thinning: each row against its nearest.
Apart nearest_only(std::vector<double> distance) {
  return {.distance = {std::move(distance)}, .weight = {1}};
}

TEST(CountStrangers, CountsTheExcess) {
  std::vector<double> own, other;
  for (int i = 0; i < 200; ++i) other.push_back(i);
  for (int i = 0; i < 180; ++i) own.push_back(i * 200.0 / 180);
  for (int i = 0; i < 20; ++i) own.push_back(300 + i);
  EXPECT_EQ(count_strangers(nearest_only(own), nearest_only(other), 25), 20u);
  EXPECT_EQ(count_strangers(nearest_only(other), nearest_only(own), 25), 0u);
  // More than the budget is a difference between the laws.
  EXPECT_EQ(count_strangers(nearest_only(own), nearest_only(other), 12), 0u);
  EXPECT_EQ(count_strangers(nearest_only(own), nearest_only(other), 0), 0u);
  // Where the other sample has rows too, it is a tail.
  for (int i = 0; i < 6; ++i) other[static_cast<std::size_t>(i)] = 305 + 2 * i;
  EXPECT_EQ(count_strangers(nearest_only(own), nearest_only(other), 25), 0u);
}

TEST(CountStrangers, AsksForAsMuchAsTheRuleSays) {
  std::vector<double> own, other;
  for (int i = 0; i < 100; ++i) other.push_back(i);
  for (int i = 0; i < 92; ++i) own.push_back(i * 100.0 / 92);
  for (int i = 0; i < 8; ++i) own.push_back(300 + i);
  const auto count = [&](const StrangerRule& rule) {
    return count_strangers(nearest_only(own), nearest_only(other), 10, rule);
  };
  EXPECT_EQ(count({}), 0u);  // 8 against 0 of 100 are 2.9 standard errors
  EXPECT_NEAR(static_cast<double>(count({.standard_errors = 2.2})), 8, 1);
  EXPECT_EQ(count({.standard_errors = 2.2, .purity = 1}), 0u);  // the peak has a row of the other sample
}

// ---------------------------------------------------------------------------------- nearly strangers, kept

/// Of 40 pairs, in how many rows are suspected; `wrong` of 100 rows of x are a class that touches the others.
std::size_t pairs_with_suspects(std::size_t wrong, double away) {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed, Purpose::test);
    Points x = gaussian(rng, 100, 10);
    const Points y = gaussian(rng, 100, 10);
    for (std::size_t i = 0; i < wrong; ++i) x(i, 0) += away;
    const auto kept = keep(x, y);
    pairs += !kept.x.suspects.empty() || !kept.y.suspects.empty();
    if (!kept.x.suspects.empty()) {
      EXPECT_TRUE(kept.x.left_out.empty() && kept.y.left_out.empty());
    }
    EXPECT_LE(kept.x.suspects.size(), 25u);
  }
  return pairs;
}

TEST(Company, NamesRowsThatAreNearlyStrangersMoreOftenThanChanceDoes) {
  const std::size_t clean = pairs_with_suspects(0, 0), some = pairs_with_suspects(7, 4);
  EXPECT_LE(clean, 10u);
  EXPECT_GE(some, clean + 5);
}

TEST(Company, NamesNoSuspectsWhereRowsWereLeftOut) {
  const auto sample = generate({.toy = Toy::far, .n = 200, .m = 200, .seed = 5});
  const auto kept = keep(sample.x, sample.y);
  EXPECT_FALSE(kept.x.left_out.empty());
  EXPECT_TRUE(kept.x.suspects.empty() && kept.y.suspects.empty());
}

TEST(CountStrangers, ThinsTheLargerSample) {
  // Rows of a sample and of one three times as dense: thinned, both are equally far apart.
  Rng rng(12, Purpose::test);
  Team team(1);
  Passes passes({});
  const Points x = gaussian(rng, 300, 2), y = gaussian(rng, 900, 2);
  const PerSample<Apart> apart = distances_apart(x, y, team, passes);
  EXPECT_NEAR(std::accumulate(apart.x.weight.begin(), apart.x.weight.end(), 0.0), 1, 1e-12);
  EXPECT_EQ(apart.y.weight.size(), 1u);
  double mean_x = 0, mean_y = 0;
  for (std::size_t k = 0; k < apart.x.weight.size(); ++k)
    for (const double distance : apart.x.distance[k]) mean_x += apart.x.weight[k] * distance / 300;
  for (const double distance : apart.y.distance[0]) mean_y += distance / 900;
  EXPECT_NEAR(mean_x / mean_y, 1, 0.1);
}

TEST(Tails, AreHeldAgainstEachOtherInUnitsOfTheBody) {
  for_each_seed(40, [](Rng& rng) {
    const auto sorted = [](std::vector<double> values) {
      std::ranges::sort(values);
      return values;
    };
    std::vector<double> values = normals(rng, 300);
    const Tail other{sorted(normals(rng, 400)), 40};
    EXPECT_FALSE(is_heavier({sorted(values), 30}, other, 3.5));
    for (double& value : values) value = 5 + 3 * value;
    EXPECT_EQ(rows_beyond_the_other_tail({sorted(values), 30}, other), 0u);
    for (std::size_t i = 0; i < 20; ++i) values[i] = 25 + static_cast<double>(i);
    const Tail heavy{sorted(values), 30};
    EXPECT_TRUE(is_heavier(heavy, other, 3.5));
    EXPECT_FALSE(is_heavier(other, heavy, 3.5));
    EXPECT_NEAR(static_cast<double>(rows_beyond_the_other_tail(heavy, other)), 20, 4);
    EXPECT_EQ(rows_beyond_the_other_tail({sorted(values), 5}, other), 0u);  // more than may be left out
  });
}

std::vector<double> spread_evenly(std::size_t n, double from, double to) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(n - 1);
  return values;
}

TEST(Ends, AreHeldAgainstThoseOfTheOtherSample) {
  const std::vector<double> other = spread_evenly(100, -3, 3);
  const auto with = [](const std::vector<double>& far) {
    std::vector<double> values = spread_evenly(100, -3, 3);
    std::ranges::copy(far, values.begin() + 40);
    return values;
  };
  const auto beyond = [&](const std::vector<double>& far, std::size_t most = 10) {
    return rows_beyond_the_other_ends(with(far), other, most);
  };
  EXPECT_EQ(beyond({5, 6, 7, 8, 9}), (Rows{40, 41, 42, 43, 44})) << "five at one end";
  EXPECT_EQ(beyond({-6, -7, -8, -9, -10}), (Rows{40, 41, 42, 43, 44}));
  EXPECT_TRUE(beyond({5, 6, 7, 8}).empty()) << "four are no proof";
  EXPECT_TRUE(beyond({5, 6, 7, -8, -9, -10}).empty()) << "three at each end neither";
  EXPECT_EQ(beyond({5, 6, 7, -8, -9, -10, -11}), (Rows{40, 41, 42, 43, 44, 45, 46}));
  EXPECT_TRUE(beyond({5, 6, 7, 8, 9}, 4).empty()) << "more than may be wrong";
  EXPECT_TRUE(beyond({3.5, 3.6, 3.7, 3.8, 3.9, 4}).empty()) << "hardly farther than the other sample";
  EXPECT_TRUE(rows_beyond_the_other_ends(other, with({5, 6, 7, 8, 9}), 10).empty());
  std::vector<double> wider = other;
  for (double& value : wider) value = 3 * value + 100;
  EXPECT_TRUE(rows_beyond_the_other_ends(wider, other, 10).empty()) << "a change of place and scale";
  const std::vector<double> few = spread_evenly(10, -3, 3), constant(50, 1);
  EXPECT_TRUE(rows_beyond_the_other_ends(with({5, 6, 7, 8, 9}), few, 10).empty()) << "ten rows say little";
  EXPECT_TRUE(rows_beyond_the_other_ends(other, constant, 10).empty());
}

/// 15 of 300 rows anywhere in 40 standard deviations. Of those beyond five (one and a half times the farthest
/// right row is about 4.5), at least nine of ten are left out in all but two of 40 runs.
TEST(Company, FindsScatteredRowsInOneColumn) {
  std::size_t failed = 0, lost = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(1300 + seed, Purpose::test);
    Points x = gaussian(rng, 300, 1), y = gaussian(rng, 300, 1);
    Rows far;
    for (std::uint32_t i = 0; i < 15; ++i) {
      x(i, 0) = rng.uniform(-20, 20);
      if (std::abs(x(i, 0)) > 5) far.push_back(i);
    }
    const PerSample<Company> company = keep(x, y);
    failed += 10 * common(company.x.left_out, far) < 9 * far.size() ? 1 : 0;
    for (const std::uint32_t row : company.x.left_out) lost += row >= 15 ? 1 : 0;
    lost += company.y.left_out.size();
  }
  EXPECT_LE(failed, 2u);
  EXPECT_LE(lost, 24u) << "0.1 % of the clean rows";
}

// Outliers of X that lie inside Y are no strangers there.
TEST(Company, FindsRowsThatLieInsideTheOtherSample) {
  for (const std::uint64_t seed : {900, 904, 917, 928}) {
    const ToySample sample = toy(Toy::inside, 300, 2, 0.1, seed);
    const auto kept = keep(sample.x, sample.y);
    EXPECT_GE(common(kept.x.left_out, sample.outliers_x), 22u) << seed;
    EXPECT_FALSE(kept.x.are_strangers);
  }
}

// -------------------------------------------------------------------------------------- gaps

TEST(AboveGap, TakesTheLowestOfTheSignificantGaps) {
  std::vector<double> values;
  for (int i = 0; i < 90; ++i) values.push_back(0.001 * i);
  for (int i = 0; i < 5; ++i) values.push_back(3);
  for (int i = 0; i < 3; ++i) values.push_back(7);
  const GapRule rule{.most = 10, .slope = 0.05};
  EXPECT_EQ(above_gap(values, values, rule).size(), 8u);
  GapRule few = rule;
  few.most = 4;
  EXPECT_EQ(above_gap(values, values, few).size(), 3u);
  GapRule many = rule;
  many.least = 9;
  EXPECT_TRUE(above_gap(values, values, many).empty());
  GapRule far = rule;
  far.need_in_score = 5;
  EXPECT_TRUE(above_gap(values, values, far).empty());
}

TEST(AboveGap, IsNoGapWhereTheOtherSampleFillsIt) {
  std::vector<double> values;
  for (int i = 0; i < 90; ++i) values.push_back(0.001 * i);
  for (int i = 0; i < 10; ++i) values.push_back(3 + 0.1 * i);
  const GapRule rule{.most = 10, .slope = 0.6, .place = 0.09};
  std::vector<double> filling = values, other = values;
  for (std::size_t i = 0; i < 10; ++i) filling[i] = 0.3 * static_cast<double>(i + 1);
  other[0] = 1.5;
  const auto found = [&](std::span<const double> second) {
    GapRule with = rule;
    const std::vector<double> units = in_units(second, rule);
    with.other = units;
    return above_gap(values, values, with).size();
  };
  EXPECT_EQ(found({}), 10u);
  EXPECT_EQ(found(values), 10u) << "the other sample has the same gap";
  EXPECT_EQ(found(other), 10u) << "one row leaves enough of it empty";
  EXPECT_EQ(found(filling), 0u);
  EXPECT_EQ(found(std::span(filling).subspan(3, 80)), 10u) << "a tail of seven rows is too short to tell";
}

// -------------------------------------------------------------------------------------- both readings

TEST(LyingTogether, TellsAGroupFromScatteredRows) {
  Team team(2);
  for (const auto& [which, together] : {std::pair{Toy::far, true}, {Toy::inside, true}, {Toy::d1, false}}) {
    const ToySample sample = toy(which, 400, 2, 0.08, 2);
    const auto kept = keep(sample.x, sample.y);
    const LyingTogether group = lying_together(sample.x, kept.x, sample.y, team);
    EXPECT_EQ(group.rows.size() >= 28, together) << name(which);
    EXPECT_EQ(group.rows.empty(), !together) << name(which);
    EXPECT_EQ(group.met > 20, which == Toy::inside) << name(which);
  }
}

// -------------------------------------------------------------------------------------- tau unknown

TEST(CompanyOverTau, ShowsTheShareOfOutliersAsAPlateau) {
  Team team(2);
  const ToySample sample = toy(Toy::far, 300, 2, 0.05, 4);
  const auto grid = company_over_tau(sample.x, sample.y, team);
  ASSERT_EQ(grid.size(), 9u);
  EXPECT_TRUE(grid[0].left_out.x.empty());
  EXPECT_EQ(grid[5].left_out.x, sample.outliers_x);
  const auto at_ten = keep(sample.x, sample.y);
  EXPECT_EQ(grid[5].left_out.x, at_ten.x.left_out);
  const auto found = plateau(grid);
  EXPECT_EQ(found.x.rows, 15u);
  EXPECT_EQ(grid[found.x.first].tau, 0.05);
  EXPECT_EQ(found.y.rows, 0u);
}

TEST(Plateau, IsTheLongestRunOfLikeCounts) {
  const auto with = [](std::initializer_list<std::size_t> counts) {
    std::vector<TauGridPoint> grid{{.tau = .01}, {.tau = .02}, {.tau = .03}, {.tau = .05}, {.tau = .075},
                                   {.tau = .1},  {.tau = .15}, {.tau = .2},  {.tau = .25}};
    for (std::size_t t = 0; t < counts.size(); ++t) grid[t].left_out.x.resize(counts.begin()[t]);
    return grid;
  };
  const auto found = plateau(with({0, 3, 3, 30, 31, 33, 30, 0, 0})).x;
  EXPECT_EQ(found.rows, 30u);
  EXPECT_EQ(found.first, 3u);
  EXPECT_EQ(found.last, 6u);
  EXPECT_EQ(plateau(with({0, 3, 3, 30, 31, 33, 30, 0, 0}), 0.05).x.rows, 3u);
  EXPECT_EQ(plateau(with({0, 0, 0, 30, 0, 0, 0, 0, 0})).x.rows, 0u);
  EXPECT_EQ(plateau(with({4, 4, 0, 30, 30, 0, 0, 0, 0})).x.rows, 4u);
  EXPECT_EQ(plateau({}).x.rows, 0u);
}

// Age beside income: two columns, but the rows spread along a line, where the scores of a tail hang together.
// Without knowing that the rule lost 2.6 % of such rows.
TEST(Company, KeepsTheTailOfIncomesBesideAges) {
  std::size_t lost = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Rng rng(seed, Purpose::test, 2);
    Points x = gaussian(rng, 150, 2), y = gaussian(rng, 150, 2);
    for (Points* points : {&x, &y})
      for (std::size_t i = 0; i < 150; ++i) (*points)(i, 1) *= 1000;
    Team team(1);
    const PerSample<Company> kept = keep_company(x, y, {0.1, 0.1}, team);
    lost += kept.x.left_out.size() + kept.y.left_out.size();
  }
  EXPECT_LE(lost, 12u) << "of 3600";
}

}  // namespace
}  // namespace motmot::test
