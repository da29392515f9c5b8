#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>

#include "motmot/base.hpp"
#include "motmot/gan/images.hpp"
#include "picture.hpp"
#include "support/support.hpp"

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

TEST(Contaminate, RefusesOutliersThatAreInliersToo) {
  EXPECT_THROW((void)contaminate(toy(40, 4), {.amount = 3, .inliers = "0-3", .outliers = "class:3"}), Error);
  EXPECT_THROW((void)contaminate(toy(40, 4), {.amount = 3, .outliers = "class:3"}), Error) << "all are";
}

TEST(Contaminate, ComparesWithOnesOwnDataInRandomOrder) {
  const DataSet data = toy(200, 2);
  const TrainingSet set = contaminate(data, {.seed = 3});
  std::vector<int> now;
  for (std::size_t i = 0; i < set.held_out.size(); ++i) now.push_back(set.held_out[i][0]);
  EXPECT_FALSE(std::ranges::is_sorted(now));
  std::ranges::sort(now);
  std::vector<int> all(200);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(now, all);
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
  const test::TempDir folder;
  const std::string path = folder / "picture.png";
  std::vector<std::uint8_t> bytes(5 * 7 * 3);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(37 * i);
  write_png(path, bytes, 5, 7, 3);
  const Picture back = read_picture(path);
  EXPECT_EQ(back.height, 5u);
  EXPECT_EQ(back.width, 7u);
  EXPECT_EQ(back.bytes, bytes);
}

class ImageArray : public ::testing::Test {
 protected:
  /// What is read from an array of this shape and type with these values.
  Images read(const std::string& shape, const std::string& type,
              const std::function<double(std::size_t)>& value_at, std::size_t values) {
    std::string dict = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    dict.append(118 - dict.size() - 1, ' ');
    std::ofstream out(path_, std::ios::binary);
    out << std::string("\x93NUMPY\x01\x00\x76\x00", 10) << dict << '\n';
    for (std::size_t i = 0; i < values; ++i) {
      const double value = value_at(i);
      if (type == "<f8") out.write(reinterpret_cast<const char*>(&value), sizeof value);
      else out.put(static_cast<char>(static_cast<unsigned char>(value)));
    }
    out.close();
    return read_image_array(path_);
  }

 private:
  test::TempDir folder_;  // of its own: tests run side by side
  std::string path_ = folder_ / "array.npy";
};

double byte_of(std::size_t place) { return static_cast<double>(place * 7 % 256); }

TEST_F(ImageArray, ReadsChannelsFirstAndLast) {
  constexpr std::size_t pixels = side * side, values = 3 * pixels;
  const Images last = read("2, 32, 32, 3", "|u1", byte_of, 2 * values);
  const Images first = read(
      "2, 3, 32, 32", "|u1",
      [](std::size_t i) {
        const std::size_t image = i / values, channel = i % values / pixels, pixel = i % pixels;
        return byte_of(image * values + pixel * 3 + channel);
      },
      2 * values);
  ASSERT_EQ(last.size(), 2u);
  EXPECT_EQ(last.channels, 3u);
  EXPECT_EQ(last.bytes, first.bytes);
  for (std::size_t i = 0; i < last.bytes.size(); ++i)
    ASSERT_EQ(last.bytes[i], static_cast<std::uint8_t>(byte_of(i)));
}

TEST_F(ImageArray, TakesBytesUnitsAndSignedUnits) {
  const auto bytes = [](std::size_t i) { return byte_of(i); };
  const Images plain = read("1, 32, 32", "|u1", bytes, side * side);
  EXPECT_EQ(read("1, 32, 32", "<f8", bytes, side * side).bytes, plain.bytes);
  EXPECT_EQ(read(
                "1, 32, 32, 1", "<f8", [](std::size_t i) { return byte_of(i) / 255; }, side * side)
                .bytes,
            plain.bytes);
  EXPECT_EQ(read(
                "1, 1024", "<f8", [](std::size_t i) { return byte_of(i) / 127.5 - 1; }, side * side)
                .bytes,
            plain.bytes);
}

TEST_F(ImageArray, CutsTheCentralSquare) {
  const Images wide = read(
      "1, 32, 40", "|u1", [](std::size_t i) { return static_cast<double>(i % 40); }, 32 * 40);
  for (std::size_t p = 0; p < side; ++p) EXPECT_EQ(wide.bytes[p], p + 4);
}

TEST_F(ImageArray, RefusesOtherShapes) {
  for (const char* shape : {"2, 32, 32, 2", "64, 4, 4, 2, 1", "2048", "2, 2, 512", "2, 3, 3, 3"})
    EXPECT_THROW((void)read(shape, "|u1", byte_of, 2048), Error) << shape;
  EXPECT_THROW((void)read("0, 32, 32", "|u1", byte_of, 0), Error);
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
