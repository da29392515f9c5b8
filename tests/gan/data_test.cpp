#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "motmot/base.hpp"
#include "motmot/gan/images.hpp"
#include "picture.hpp"

namespace motmot::gan {
namespace {

DataSet toy(std::size_t n, std::size_t classes) {
  DataSet data{.kind = DataKind::array, .name = "toy"};
  for (std::size_t i = 0; i < n; ++i) {
    data.train.bytes.insert(data.train.bytes.end(), data.train.values_per_image(),
                            static_cast<std::uint8_t>(i % 251));
    data.train.labels.push_back(static_cast<std::int32_t>(i % classes));
  }
  return data;
}

TEST(Contaminate, ListsExactlyTheRowsThatItPutIn) {
  const DataSet data = toy(400, 4);
  const TrainingSet set =
      contaminate(data, {.amount = 0.1, .inliers = "0-2", .outliers = "class:3", .seed = 5});
  EXPECT_EQ(set.images.size(), 333u);
  EXPECT_EQ(set.dirty_count(), 33u);
  EXPECT_EQ(set.dirty_class, 3);
  std::set<std::string> sources;
  for (std::size_t i = 0; i < set.images.size(); ++i) {
    EXPECT_TRUE(sources.insert(set.sources[i]).second) << "no row twice";
    if (set.dirty[i] != 0) continue;
    const std::size_t row = std::stoul(set.sources[i].substr(6)) - 1;
    EXPECT_EQ(set.images[i][0], static_cast<std::uint8_t>(row % 251));
    EXPECT_NE(data.train.labels[row], 3);
  }
}

TEST(Contaminate, IsAFunctionOfItsSeed) {
  const DataSet data = toy(100, 2);
  const auto dirty = [&](std::uint64_t seed) { return contaminate(data, {.amount = 7, .seed = seed}).dirty; };
  EXPECT_EQ(dirty(1), dirty(1));
  EXPECT_NE(dirty(1), dirty(2));
}

TEST(Contaminate, AddsNothingByDefaultToOnesOwnData) {
  const TrainingSet set = contaminate(toy(50, 2), {});
  EXPECT_EQ(set.dirty_count(), 0u);
  EXPECT_EQ(set.images.size(), 50u);
  EXPECT_TRUE(set.held_out_is_train);
}

TEST(Contaminate, RefusesMoreOutliersThanThereAre) {
  EXPECT_THROW((void)contaminate(toy(40, 4), {.amount = 11, .inliers = "0-2", .outliers = "class:3"}), Error);
}

TEST(Resized, KeepsTheMeanWhenShrinkingAndConstantsAlways) {
  Picture picture{.height = 70, .width = 96, .channels = 1, .bytes = std::vector<std::uint8_t>(70 * 96, 137)};
  for (const std::size_t size : {5u, 32u, 64u, 90u})
    for (const std::uint8_t byte : resized(picture, size).bytes) EXPECT_EQ(byte, 137);
  for (std::size_t i = 0; i < picture.bytes.size(); ++i) picture.bytes[i] = i / 96 % 2 == 0 ? 0 : 200;
  for (const std::uint8_t byte : resized(picture, 35).bytes) EXPECT_EQ(byte, 100);
}

TEST(Pictures, ComeBackFromPng) {
  const std::string path = std::filesystem::temp_directory_path() / "motmot_gan_picture.png";
  std::vector<std::uint8_t> bytes(5 * 7 * 3);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(37 * i);
  write_png(path, bytes, 5, 7, 3);
  const Picture back = read_picture(path);
  EXPECT_EQ(back.height, 5u);
  EXPECT_EQ(back.width, 7u);
  EXPECT_EQ(back.bytes, bytes);
  std::filesystem::remove(path);
}

TEST(FashionMnist, HasTheSettingOfThePaper) {
  if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist"))
    GTEST_SKIP() << "dataset-fashion-mnist is not installed";
  const TrainingSet set = contaminate(read_data_set("fashion-mnist"), {});
  EXPECT_EQ(set.images.size(), 30457u);  // 30 000 images of classes 0-4, and sandals for 1.5 % of the whole
  EXPECT_EQ(set.dirty_count(), 457u);
  EXPECT_EQ(set.held_out.size(), 5000u);
  EXPECT_EQ(set.dirty_class, 5);
  for (std::size_t p = 0; p < side; ++p) EXPECT_EQ(set.images[0][p], 0) << "the frame is black";
}

}  // namespace
}  // namespace motmot::gan
