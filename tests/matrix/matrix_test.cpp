#include "motmot/matrix.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <set>
#include <sstream>

#include "data/without.hpp"
#include "motmot/transport.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::for_each_seed;
using test::gaussian;

struct Samples {
  std::vector<Points> points;
  std::vector<std::string> names;

  void add(Points sample) {
    names.push_back("s" + std::to_string(points.size()));
    points.push_back(std::move(sample));
  }
  [[nodiscard]] Matrix matrix(const MatrixOptions& options = {}) const {
    const std::vector<PointsView> views(points.begin(), points.end());
    return motmot::matrix(views, names, options);
  }
};

/// Gaussian samples of different sizes, the k-th shifted by k / 2, with wrong rows in every other one.
Samples some(Rng& rng, std::size_t count, std::size_t d = 2, bool dirty = true) {
  Samples samples;
  for (std::size_t k = 0; k < count; ++k) {
    Points sample = gaussian(rng, 30 + rng.below(40), d, 0.5 * static_cast<double>(k));
    if (dirty && k % 2 == 0)
      for (std::size_t i = 0; i < 2; ++i) sample(i, 0) = 1e4 + static_cast<double>(i);
    samples.add(std::move(sample));
  }
  return samples;
}

void expect_same(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t k = 0; k < a.pairs.size(); ++k) {
    EXPECT_EQ(a.pairs[k].value, b.pairs[k].value);
    EXPECT_EQ(a.pairs[k].floor, b.pairs[k].floor);
    EXPECT_EQ(a.pairs[k].energy, b.pairs[k].energy);
    EXPECT_EQ(a.pairs[k].p_value, b.pairs[k].p_value);
    EXPECT_EQ(a.pairs[k].q_value, b.pairs[k].q_value);
  }
  EXPECT_EQ(a.order, b.order);
  for (std::size_t k = 0; k < a.map.size(); ++k) EXPECT_EQ(a.map[k].x, b.map[k].x);
}

// May, June, July: days that lie apart are no news, and can hide what is.
TEST(Matrix, SaysWhenAColumnOfTimesAloneTellsSamplesApart) {
  Rng rng(1, Purpose::test);
  const auto month = [&](double first) {
    Column when{.name = "when", .kind = Kind::time}, value{.name = "value"};
    for (std::size_t i = 0; i < 30; ++i) {
      when.numbers.push_back(86400 * rng.uniform(first, first + 30));
      value.numbers.push_back(rng.normal());
    }
    return Frame{.columns = {when, value}};
  };
  const Frame may = month(0), june = month(31), july = month(61), also_may = month(0);
  const auto warnings = [](const Frame& a, const Frame& b, const Frame& c) {
    return matrix(std::vector<NamedFrame>{{"a", &a}, {"b", &b}, {"c", &c}}, {.scale = "robust"}).warnings;
  };
  ASSERT_EQ(warnings(may, june, july).size(), 1u);
  EXPECT_EQ(warnings(may, june, july).front(),
            "when alone tells 3 of 3 pairs apart; --exclude 'when' compares the rest");
  EXPECT_EQ(warnings(may, june, also_may).size(), 1u);
  EXPECT_TRUE(warnings(may, also_may, may).empty());
}

TEST(Matrix, EntriesAreExactDistancesOfTheRowsKept) {
  for_each_seed(5, [](Rng& rng) {
    const Samples samples = some(rng, 5);
    const Matrix m = samples.matrix();
    ASSERT_EQ(m.pairs.size(), 10u);
    for (const MatrixPair& pair : m.pairs) {
      const Points a = without(samples.points[pair.first], m.samples[pair.first].left_out);
      const Points b = without(samples.points[pair.second], m.samples[pair.second].left_out);
      EXPECT_NEAR(pair.value, transport(a, b).cost, 1e-12 * pair.value);
    }
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_EQ(m.samples[k].rows_used + m.samples[k].left_out.size(), samples.points[k].rows());
      if (k % 2 == 0) {
        EXPECT_EQ(m.samples[k].left_out, (std::vector<std::uint32_t>{0, 1}));
      }
    }
  });
}

TEST(Matrix, IsSymmetricWithAZeroDiagonalAndObeysTheTriangle) {
  for_each_seed(10, [](Rng& rng) {
    const Matrix m = some(rng, 6, 1 + rng.below(3)).matrix();
    for (std::size_t a = 0; a < 6; ++a)
      for (std::size_t b = 0; b < 6; ++b) {
        EXPECT_EQ(m.between(a, b), m.between(b, a));
        EXPECT_EQ(*m.between(a, a), 0);
        // Each sample is one set of rows, whatever it is compared with: this is W1 of six fixed laws.
        for (std::size_t c = 0; c < 6; ++c)
          EXPECT_LE(*m.between(a, c), *m.between(a, b) + *m.between(b, c) + 1e-9);
      }
  });
}

TEST(Matrix, DoesNotDependOnTheOrderOfTheSamples) {
  for_each_seed(5, [](Rng& rng) {
    const Samples samples = some(rng, 4);
    Samples turned;
    turned.points.assign(samples.points.rbegin(), samples.points.rend());
    turned.names.assign(samples.names.rbegin(), samples.names.rend());
    const Matrix a = samples.matrix(), b = turned.matrix();
    for (const MatrixPair& pair : a.pairs) {
      const auto other = std::ranges::find_if(b.pairs, [&](const MatrixPair& p) {
        return p.first == 3 - pair.second && p.second == 3 - pair.first;
      });
      ASSERT_NE(other, b.pairs.end());
      EXPECT_EQ(pair.value, other->value);
      EXPECT_EQ(pair.q_value, other->q_value);
    }
  });
}

TEST(Matrix, HasTheSameBitsForAnyNumberOfThreadsAndInParts) {
  Rng rng(1, Purpose::test);
  const Samples samples = some(rng, 7);
  const Matrix one = samples.matrix({.threads = 1});
  for (const std::size_t threads : {2u, 3u}) expect_same(one, samples.matrix({.threads = threads}));
  expect_same(one, samples.matrix({.progress = [](double) { return true; }}));
}

TEST(Matrix, HoldsOneAgainstAll) {
  Rng rng(2, Purpose::test);
  const Samples samples = some(rng, 5);
  const Matrix all = samples.matrix(), one = samples.matrix({.against = "s2"});
  EXPECT_EQ(one.against, 2u);
  ASSERT_EQ(one.pairs.size(), 4u);
  for (const MatrixPair& pair : one.pairs) EXPECT_EQ(all.between(pair.first, pair.second), pair.value);
  EXPECT_FALSE(one.between(0, 1));
  EXPECT_TRUE(one.order.empty());
}

TEST(Matrix, FloorIsNearWhatChanceGives) {
  Rng rng(3, Purpose::test);
  Samples samples;
  for (int k = 0; k < 8; ++k) samples.add(gaussian(rng, 200, 2));
  const Matrix m = samples.matrix({.tau = 0});
  double floor = 0, value = 0;
  for (const MatrixPair& pair : m.pairs) {
    floor += *pair.floor;
    value += pair.value;
  }
  EXPECT_NEAR(floor / value, 1, 0.12);
}

// 400 pairs of samples of one law: at 5 %, a right level rejects 20 +- 3 sd = 13; at 1 %, 4 + 6. With the
// seed fixed it cannot fail by chance.
TEST(Matrix, PValuesHaveTheirLevel) {
  for (const std::size_t d : {1u, 2u, 5u}) {
    Rng rng(d, Purpose::test);
    int below5 = 0, below1 = 0;
    for (int run = 0; run < 400; ++run) {
      Samples samples;
      samples.add(gaussian(rng, 40, d));
      samples.add(gaussian(rng, 60, d));
      const double p = samples.matrix({.tau = 0, .threads = 1}).pairs.front().p_value;
      below5 += p <= 0.05 ? 1 : 0;
      below1 += p <= 0.01 ? 1 : 0;
    }
    EXPECT_NEAR(below5, 20, 13) << d;
    EXPECT_LE(below1, 10) << d;
  }
}

TEST(Matrix, TellsSamplesThatDifferFromThoseThatDoNot) {
  Rng rng(4, Purpose::test);
  Samples samples;
  for (const double shift : {0.0, 0.0, 1.5, 1.5, 0.0}) samples.add(gaussian(rng, 80, 2, shift));
  const Matrix m = samples.matrix();
  for (const MatrixPair& pair : m.pairs) {
    const auto is_shifted = [](std::size_t k) { return k == 2 || k == 3; };
    EXPECT_EQ(pair.differ, is_shifted(pair.first) != is_shifted(pair.second));
  }
  EXPECT_EQ(m.merges.back().size, 5u);
}

TEST(Matrix, SeesThatAColumnOfConstantsDiffers) {
  Rng rng(4, Purpose::test);
  Samples samples;
  for (const double vat : {19.0, 19.0, 20.0, 21.0}) {
    Points points = gaussian(rng, 80, 2, 0);
    for (std::size_t i = 0; i < 80; ++i) points(i, 1) = vat;
    samples.add(std::move(points));
  }
  const Matrix m = samples.matrix({.scale = "robust"});
  for (const MatrixPair& pair : m.pairs) {
    EXPECT_EQ(pair.differ, pair.second > 1);
    EXPECT_GE(pair.value, pair.second > 1 ? 1 - 1e-9 : 0);
  }
}

TEST(Matrix, TakesASubsampleWhereAskedAndSaysSo) {
  Rng rng(5, Purpose::test);
  const Matrix m = some(rng, 3).matrix({.most_rows = 20});
  for (const MatrixSample& sample : m.samples) EXPECT_EQ(sample.rows_used, 20u);
  ASSERT_EQ(m.warnings.size(), 1u);
  EXPECT_NE(m.warnings[0].find("20 rows, drawn by the seed"), std::string::npos);
}

TEST(Matrix, CutsLongNamesBetweenLetters) {
  Rng rng(7, Purpose::test);
  Samples samples = some(rng, 2);
  samples.names[0] = "aöööööööööööö";
  const std::string words = text(samples.matrix());
  EXPECT_NE(words.find("aöööö.."), std::string::npos) << words;
  EXPECT_EQ(words.find("\xc3.."), std::string::npos) << words;
}

TEST(Matrix, PrintsTheLastDigitsOfAColumnBelowEachOther) {
  Rng rng(8, Purpose::test);
  const std::string words = text(some(rng, 4).matrix());
  std::set<std::vector<std::size_t>> ends;  // of the numbers of a line, which has one for each sample
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  s")) continue;
    std::vector<std::size_t> digits;
    for (std::size_t i = 4; i < line.size(); ++i)
      if (std::isdigit(line[i]) && (i + 1 == line.size() || line[i + 1] == ' ' || line[i + 1] == '*'))
        digits.push_back(i);
    ends.insert(digits);
  }
  EXPECT_EQ(ends.size(), 1u) << words;
}

TEST(Matrix, SaysWhichColumnRulesTheDistances) {
  Rng rng(6, Purpose::test);
  Samples samples;
  for (std::size_t k = 0; k < 3; ++k) {
    Points points = gaussian(rng, 40, 2);
    for (std::size_t i = 0; i < 40; ++i) points(i, 1) *= 50;
    samples.add(std::move(points));
  }
  ASSERT_EQ(samples.matrix().warnings.size(), 1u);
  EXPECT_NE(samples.matrix().warnings[0].find("rules the distance; --scale robust"), std::string::npos);
  EXPECT_TRUE(samples.matrix({.scale = "robust"}).warnings.empty());
}

TEST(Matrix, ComparesTablesOfAnyKindByOneCoding) {
  std::vector<Frame> frames(3);
  for (std::size_t k = 0; k < 3; ++k) {
    Column city{.name = "city", .kind = Kind::category, .levels = {"Rome", "Oslo"}}, age{.name = "age"};
    for (std::uint32_t i = 0; i < 40; ++i) {
      city.codes.push_back(k == 2 ? 0 : i % 2);
      age.numbers.push_back(i % 10 == 0 ? NAN : 20 + i);
    }
    frames[k].columns = {city, age};
  }
  const std::vector<NamedFrame> tables{{"a", &frames[0]}, {"b", &frames[1]}, {"c", &frames[2]}};
  const Matrix m = matrix(tables, {.tau = 0});
  const Coding coding = learn_coding(tables, {.missing = Missing::level});
  EXPECT_EQ(*m.between(0, 1), 0);
  EXPECT_NEAR(*m.between(0, 2), transport(encode(frames[0], coding), encode(frames[2], coding)).cost, 1e-12);
  EXPECT_GT(*m.between(0, 2), 0.49);  // half of the rows change their level
  EXPECT_EQ(m.scale, "robust");
  EXPECT_EQ(m.kinds, (std::vector{Kind::category, Kind::number}));
}

TEST(Matrix, SamplesOfOneRowHaveADistance) {
  Samples samples;
  samples.add(Points({0, 0}, 2));
  samples.add(Points({3, 4}, 2));
  samples.add(Points({0, 0, 0, 0}, 2));
  const Matrix m = samples.matrix();
  EXPECT_EQ(*m.between(0, 1), 5);
  EXPECT_EQ(*m.between(0, 2), 0);
  EXPECT_FALSE(m.pairs[0].floor);
}

TEST(Matrix, StopsWhenToldAndListsWhatItHas) {
  Rng rng(6, Purpose::test);
  int asked = 0;
  const Matrix m = some(rng, 6).matrix({.threads = 1, .progress = [&](double) { return ++asked < 40; }});
  EXPECT_TRUE(m.run.stopped);
  EXPECT_LT(m.pairs.size(), 15u);
  EXPECT_TRUE(m.order.empty());
}

TEST(Matrix, ComplainsInOneSentence) {
  Samples samples;
  samples.add(Points({0, 1}, 1));
  EXPECT_EQ(error_of([&] { (void)samples.matrix(); }), "a matrix needs two samples or more, got 1");
  samples.add(Points({0, 1}, 1));
  EXPECT_EQ(error_of([&] { (void)samples.matrix({.against = "x"}); }),
            "no sample is called 'x'; there are 's0', 's1'");
  EXPECT_EQ(error_of([&] { (void)samples.matrix({.tau = 0.5}); }), "tau must lie in [0, 1/2), got 0.5");
  samples.add(Points({0, 1, 2, 3}, 2));
  EXPECT_EQ(error_of([&] { (void)samples.matrix(); }),
            "s0 and s2 must have the same number of columns, got 1 and 2");
  samples.names[1] = "s0";
  EXPECT_EQ(error_of([&] { (void)samples.matrix(); }), "two samples are called 's0'");
}

}  // namespace
}  // namespace motmot
