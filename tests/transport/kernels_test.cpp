// Every vector kernel against its scalar twin.
#include "kernels/transport_kernels.hpp"
#include "support/support.hpp"

namespace motmot::test {
namespace {

using kernels::GaugeRow;
using kernels::TwoSmallest;

std::vector<float> floats(Rng& rng, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

void expect_same(const TwoSmallest& p, const TwoSmallest& q) {
  EXPECT_EQ(p.first, q.first);
  EXPECT_EQ(p.second, q.second);
  EXPECT_EQ(p.at, q.at);
}

TEST(TransportKernels, AgreeWithTheScalarTwins) {
  const auto& fast = kernels::transport_kernels();
  const auto& plain = kernels::scalar_transport_kernels();
  for_each_seed(200, [&](Rng& rng) {
    const std::size_t count = 64 * (1 + rng.below(6));
    const std::size_t d = 1 + rng.below(9);
    const auto x = floats(rng, d);
    const auto y = floats(rng, d * count);
    std::vector<float> s(count, 0);
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t k = 0; k < d; ++k) s[j] += y[k * count + j] * y[k * count + j];
      s[j] = std::sqrt(s[j]);
    }
    float r = 0;
    for (const float value : x) r += value * value;
    const GaugeRow row{x.data(), std::sqrt(r), y.data(), count, s.data(), d};
    std::vector<float> p(count);
    std::vector<float> q(count);
    fast.gauge_row(row, count, p.data());
    plain.gauge_row(row, count, q.data());
    for (std::size_t j = 0; j < count; ++j) EXPECT_NEAR(p[j], q[j], 1e-5);
    fast.gauge_row_far(row, count, p.data());
    for (std::size_t j = 0; j < count; ++j) EXPECT_NEAR(p[j], q[j], 1e-5);
    plain.gauge_row_far(row, count, p.data());
    for (std::size_t j = 0; j < count; ++j) EXPECT_NEAR(p[j], q[j], 1e-5);

    const auto price = floats(rng, count);
    expect_same(fast.two_smallest(q.data(), price.data(), count),
                plain.two_smallest(q.data(), price.data(), count));
    const float bound = plain.near_bound(q.data(), price.data(), count);
    EXPECT_NEAR(fast.near_bound(q.data(), price.data(), count), bound, 1e-5);
    std::vector<std::uint32_t> here(count);
    std::vector<std::uint32_t> there(count);
    const std::size_t found = plain.collect(q.data(), price.data(), count, bound, there.data());
    EXPECT_EQ(fast.collect(q.data(), price.data(), count, bound, here.data()), found);
    EXPECT_TRUE(std::equal(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(found), there.begin()));
    EXPECT_GE(found, 8u);

    std::vector<std::uint32_t> index(48);
    for (auto& at : index) at = rng.below(static_cast<std::uint32_t>(count));
    const std::size_t length = 16 * (1 + rng.below(3));
    const auto costs = floats(rng, length);
    expect_same(fast.list_two_smallest(costs.data(), index.data(), length, price.data()),
                plain.list_two_smallest(costs.data(), index.data(), length, price.data()));

    std::vector<std::uint32_t> boxes;
    for (std::uint32_t b = 0; b < count / kernels::transport_box; b += 1 + rng.below(3)) boxes.push_back(b);
    const TwoSmallest in_boxes = fast.boxes_two_smallest(row, price.data(), boxes.data(), boxes.size());
    const TwoSmallest twin = plain.boxes_two_smallest(row, price.data(), boxes.data(), boxes.size());
    EXPECT_NEAR(in_boxes.first, twin.first, 1e-5);
    EXPECT_NEAR(in_boxes.second, twin.second, 1e-5);

    const std::vector<double> fine_x(x.begin(), x.end()), fine_y(y.begin(), y.end()),
        fine_s(s.begin(), s.end());
    const kernels::FineRow fine{fine_x.data(), fine_y.data(), count, fine_s.data(), d};
    std::vector<double> here_fine(count), there_fine(count);
    fast.fine_row(fine, count, here_fine.data());
    plain.fine_row(fine, count, there_fine.data());
    for (std::size_t j = 0; j < count; ++j) EXPECT_NEAR(here_fine[j], there_fine[j], 1e-14);

    const auto high = floats(rng, d * count);
    fast.box_bounds(x.data(), y.data(), high.data(), count, d, price.data(), count, p.data());
    plain.box_bounds(x.data(), y.data(), high.data(), count, d, price.data(), count, q.data());
    for (std::size_t j = 0; j < count; ++j) EXPECT_NEAR(p[j], q[j], 1e-5);
  });
}

// The bound that the exact finish relies on when it skips pairs.
TEST(TransportKernels, FloatCostsStayWithinTheStatedError) {
  for_each_seed(200, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(60);
    const std::size_t count = 64;
    const double spread = std::pow(10.0, rng.uniform(-6, 6));
    std::vector<double> x = normals(rng, d);
    std::vector<double> y = normals(rng, d * count);
    for (double& value : y) value *= spread;
    if (rng.below(3) == 0)
      for (std::size_t k = 0; k < d; ++k) y[k * count] = x[k];
    const std::vector<float> xf(x.begin(), x.end());
    const std::vector<float> yf(y.begin(), y.end());
    double r = 0;
    for (const double value : x) r += value * value;
    r = std::sqrt(r);
    std::vector<double> s(count);
    std::vector<float> sf(count);
    for (std::size_t j = 0; j < count; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < d; ++k) sum += y[k * count + j] * y[k * count + j];
      s[j] = std::sqrt(sum);
      sf[j] = static_cast<float>(s[j]);
    }
    const GaugeRow row{xf.data(), static_cast<float>(r), yf.data(), count, sf.data(), d};
    for (const auto* kernel : {&kernels::transport_kernels(), &kernels::scalar_transport_kernels()}) {
      std::vector<float> near(count);
      std::vector<float> far(count);
      kernel->gauge_row(row, count, near.data());
      kernel->gauge_row_far(row, count, far.data());
      const double dd = static_cast<double>(d);
      for (std::size_t j = 0; j < count; ++j) {
        long double sum = 0;
        for (std::size_t k = 0; k < d; ++k) {
          const long double diff =
              static_cast<long double>(x[k]) - static_cast<long double>(y[k * count + j]);
          sum += diff * diff;
        }
        const auto exact = static_cast<double>(std::sqrt(sum) - static_cast<long double>(r) -
                                               static_cast<long double>(s[j]));
        const double slop = 1e-15 * (r + s[j]);
        EXPECT_LE(std::abs(static_cast<double>(near[j]) - exact), 0x1p-24 * (dd / 2 + 8) * (r + s[j]) + slop);
        EXPECT_LE(std::abs(static_cast<double>(far[j]) - exact),
                  0x1p-24 * (3 * dd + 16) * std::min(r, s[j]) + slop);
      }
    }
  });
}

}  // namespace
}  // namespace motmot::test
