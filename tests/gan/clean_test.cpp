#include "motmot/gan/clean.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/euclidean.hpp"
#include "base/random.hpp"
#include "motmot/base.hpp"

namespace motmot::gan {
namespace {

/// 90 rows around each of two places and `foreign` rows in one tight group elsewhere, at the end.
Points with_foreign_group(std::size_t foreign) {
  Points points(180 + foreign, 3);
  Rng rng(1, Purpose::test);
  for (std::size_t i = 0; i < 180 + foreign; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      points(i, j) = i < 180 ? (i % 2 == 0 ? 0 : 4) + rng.normal() : (j == 0 ? 12 : 0) + 0.01 * rng.normal();
  return points;
}

TEST(Clean, FindsAForeignGroupHoweverAlikeItsImagesAre) {
  const Cleaning cleaning = clean(with_foreign_group(20), 0.1, 1);
  EXPECT_EQ(cleaning.neighbour, 26u);
  ASSERT_EQ(cleaning.left_out.size(), 20u);
  EXPECT_EQ(std::ranges::count_if(cleaning.left_out, [](std::uint32_t row) { return row >= 180; }), 20);
}

TEST(Clean, RanksByTheDistanceToTheKthNearest) {
  const Points points = with_foreign_group(7);
  const Cleaning cleaning = clean(points, 0.05, 1);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    std::vector<double> distances;
    for (std::size_t j = 0; j < points.rows(); ++j)
      if (j != i) distances.push_back(euclidean(PointsView(points).row(i), PointsView(points).row(j)));
    std::ranges::sort(distances);
    EXPECT_NEAR(cleaning.scores[i], distances[cleaning.neighbour - 1], 1e-9);
  }
  for (std::size_t i = 1; i < cleaning.ranking.size(); ++i)
    EXPECT_GE(cleaning.scores[cleaning.ranking[i - 1]], cleaning.scores[cleaning.ranking[i]]);
  EXPECT_EQ(cleaning.left_out.size(), static_cast<std::size_t>(std::floor(0.05 * 187)));
}

TEST(Clean, RefusesSharesThatAreNone) {
  for (const double tau : {0.0, 0.5, -0.1, std::nan("")})
    EXPECT_THROW((void)clean(with_foreign_group(0), tau, 1), Error);
}

TrainingSet small_set() {
  TrainingSet set;
  set.images = noise_images(12, 1, 3);
  set.images.labels.clear();
  for (int i = 0; i < 12; ++i) {
    set.sources.push_back("a \"b\", " + std::to_string(i));
    set.dirty.push_back(i % 4 == 0 ? 1 : 0);
  }
  return set;
}

class CleanLists : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }
  std::string path_ = testing::TempDir() + "motmot_clean_list.csv";
};

TEST_F(CleanLists, AreReadBackAndLeaveTheirImagesOut) {
  const TrainingSet set = small_set();
  Cleaning cleaning{.scores = std::vector<double>(12, 1.5), .left_out = {7, 0}};
  const std::vector<std::uint32_t> rows = read_left_out(write(list_of(cleaning, set)), set);
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{0, 7}));
  const TrainingSet rest = without(set, rows);
  ASSERT_EQ(rest.images.size(), 10u);
  EXPECT_EQ(rest.dirty_count(), 2u);
  for (std::size_t i = 0, old = 1; i < 10; ++i, ++old) {
    if (old == 7) ++old;
    EXPECT_EQ(rest.sources[i], set.sources[old]);
    EXPECT_TRUE(std::ranges::equal(rest.images[i], set.images[old]));
  }
}

TEST_F(CleanLists, OfOtherDataAreRefusedWithTheirLine) {
  const TrainingSet set = small_set();
  for (const auto& [text, words] :
       std::vector<std::pair<std::string, std::string>>{{"row,source,kept\n1,elsewhere,0\n", "line 2"},
                                                        {"row,source,kept\n13,x,0\n", "only 12 images"},
                                                        {"row,source,kept\n0,x,0\n", "line 2"},
                                                        {"row,source,kept\n1,x,maybe\n", "kept"},
                                                        {"row,source\n1,x\n", "'kept'"},
                                                        {"", "cannot read"}}) {
    try {
      (void)read_left_out(write(text), set);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace motmot::gan
