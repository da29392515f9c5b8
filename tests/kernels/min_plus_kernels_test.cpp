#include "kernels/min_plus_kernels.hpp"

#include "support/support.hpp"

namespace motmot::kernels {
namespace {

std::vector<float> floats(Rng& rng, std::size_t count) {
  std::vector<float> values(count);
  // Few distinct numbers, so that minima tie.
  for (float& value : values) value = static_cast<float>(rng.below(40)) / 8;
  return values;
}

TEST(MinPlusKernels, FindTheMinimumAndItsFirstPlaceAtEveryLength) {
  test::for_each_seed(20, [](Rng& rng) {
    for (std::size_t length = 0; length <= 20 * min_plus_pad; length += min_plus_pad) {
      const std::vector<float> cost = floats(rng, length), g = floats(rng, length);
      const MinAt got = min_plus_kernels().min_plus(cost.data(), g.data(), length);
      const MinAt want = scalar_min_plus_kernels().min_plus(cost.data(), g.data(), length);
      ASSERT_EQ(got.value, want.value) << length;
      ASSERT_EQ(got.at, want.at) << length;
    }
  });
}

TEST(MinPlusKernels, LowerHasTheBitsOfTheDefinition) {
  Rng rng(2, Purpose::test);
  for (std::size_t length = 0; length <= 4 * min_plus_pad; length += min_plus_pad) {
    const std::vector<float> cost = floats(rng, length);
    std::vector<float> got = floats(rng, length), want = got;
    min_plus_kernels().lower(cost.data(), 0.3f, length, got.data());
    scalar_min_plus_kernels().lower(cost.data(), 0.3f, length, want.data());
    ASSERT_EQ(got, want);
  }
}

TEST(MinPlusKernels, ScanAgreesWithTheDefinitionAtEverySize) {
  Rng rng(3, Purpose::test);
  for (const std::size_t d : {1u, 2u, 3u, 10u})
    for (std::size_t rows = 0; rows <= 9; ++rows)
      for (std::size_t anchors = 1; anchors <= 70; anchors += 23) {
        const std::size_t stride = min_plus_padded(anchors);
        const std::vector<double> x = test::normals(rng, rows * d), y = test::normals(rng, d * stride);
        std::vector<double> offset = test::normals(rng, stride), got(rows), want(rows);
        std::fill(offset.begin() + static_cast<long>(anchors), offset.end(), no_anchor_double);
        DistanceScan scan{x.data(), rows, d, y.data(), stride, offset.data(), got.data()};
        min_plus_kernels().scan(scan);
        scan.out = want.data();
        scalar_min_plus_kernels().scan(scan);
        for (std::size_t r = 0; r < rows; ++r) ASSERT_NEAR(got[r], want[r], 1e-14);
      }
}

TEST(MinPlusKernels, GiveARowTheSameBitsInEveryPlace) {
  Rng rng(4, Purpose::test);
  const std::vector<double> row = test::normals(rng, 3), y = test::normals(rng, 3 * 64);
  const std::vector<double> offset = test::normals(rng, 64);
  std::vector<double> rows, out(7);
  for (int r = 0; r < 7; ++r) rows.insert(rows.end(), row.begin(), row.end());
  min_plus_kernels().scan({rows.data(), 7, 3, y.data(), 64, offset.data(), out.data()});
  for (const double value : out) EXPECT_EQ(value, out[0]);
}

}  // namespace
}  // namespace motmot::kernels
