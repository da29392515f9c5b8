#include "kernels/kernels.hpp"

#include "support/support.hpp"

namespace motmot::kernels {
namespace {

std::vector<float> floats(Rng& rng, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(rng.uniform(-1, 1));
  return values;
}

void expect_close(const std::vector<float>& got, const std::vector<float>& want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], tolerance) << "at " << i;
}

// Sums of k products of numbers in [-1, 1]: each rounding is at most 2^-24 of a partial sum <= k.
double rounding(std::size_t k) { return static_cast<double>((k + 2) * (k + 2)) * 0x1p-23; }

TEST(Dense, AgreesWithTheDefinitionAtEveryLength) {
  Rng rng(1, Purpose::test);
  for (std::size_t size = 0; size <= 65; ++size) {
    const std::size_t inputs = size;
    const std::size_t outputs = size == 0 ? 1 : size;
    const std::vector<float> w = floats(rng, inputs * outputs), bias = floats(rng, outputs);
    const std::vector<float> in = floats(rng, inputs * tile_rows), mask = floats(rng, outputs * tile_rows);
    for (const Activation activation : {Activation::none, Activation::relu, Activation::relu_mask,
                                        Activation::max_min, Activation::max_min_back}) {
      for (const bool transposed : {false, true}) {
        std::vector<float> got(outputs * tile_rows), want(outputs * tile_rows);
        std::vector<float> got_order(outputs / 2 * tile_rows), want_order(outputs / 2 * tile_rows);
        Dense args{.w = w.data(),
                   .w_out = transposed ? 1 : inputs,
                   .w_in = transposed ? outputs : 1,
                   .bias = transposed ? nullptr : bias.data(),
                   .inputs = inputs,
                   .outputs = outputs,
                   .in = in.data(),
                   .in_ld = tile_rows,
                   .out = got.data(),
                   .out_ld = tile_rows,
                   .activation = activation,
                   .mask = mask.data(),
                   .order = got_order.data()};
        table().dense(args);
        args.out = want.data();
        args.order = want_order.data();
        scalar_table.dense(args);
        expect_close(got, want, rounding(inputs));
        expect_close(got_order, want_order, 2 * rounding(inputs));
      }
    }
  }
}

TEST(Dense, SortsPairsAndPutsThemBack) {
  const std::vector<float> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Rng rng(5, Purpose::test);
  const std::vector<float> in = floats(rng, 3 * tile_rows);
  std::vector<float> sorted(in.size()), back(in.size()), order(tile_rows);
  Dense args{.w = identity.data(),
             .w_out = 3,
             .w_in = 1,
             .inputs = 3,
             .outputs = 3,
             .in = in.data(),
             .in_ld = tile_rows,
             .out = sorted.data(),
             .out_ld = tile_rows,
             .activation = Activation::max_min,
             .order = order.data()};
  table().dense(args);
  for (std::size_t r = 0; r < tile_rows; ++r) {
    EXPECT_EQ(sorted[r], std::max(in[r], in[tile_rows + r]));
    EXPECT_EQ(sorted[tile_rows + r], std::min(in[r], in[tile_rows + r]));
    EXPECT_EQ(sorted[2 * tile_rows + r], in[2 * tile_rows + r]);  // the odd one
  }
  args.in = sorted.data();
  args.out = back.data();
  args.activation = Activation::max_min_back;
  args.mask = order.data();
  table().dense(args);
  EXPECT_EQ(back, in);
}

TEST(Dense, GivesARowTheSameBitsInEveryPlaceOfATile) {
  Rng rng(2, Purpose::test);
  const std::vector<float> w = floats(rng, 7 * 33), bias = floats(rng, 7), row = floats(rng, 33);
  std::vector<float> in(33 * tile_rows), out(7 * tile_rows);
  for (std::size_t i = 0; i < 33; ++i)
    std::fill_n(in.begin() + static_cast<long>(i * tile_rows), tile_rows, row[i]);
  table().dense({.w = w.data(),
                 .w_out = 33,
                 .w_in = 1,
                 .bias = bias.data(),
                 .inputs = 33,
                 .outputs = 7,
                 .in = in.data(),
                 .in_ld = tile_rows,
                 .out = out.data(),
                 .out_ld = tile_rows});
  for (std::size_t o = 0; o < 7; ++o)
    for (std::size_t r = 1; r < tile_rows; ++r) ASSERT_EQ(out[o * tile_rows + r], out[o * tile_rows]);
}

TEST(Outer, AgreesWithTheDefinitionAtEveryLength) {
  Rng rng(3, Purpose::test);
  for (std::size_t size = 0; size <= 65; ++size) {
    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, size}) {
      const std::size_t inputs = size, outputs = 65 - size;
      const std::vector<float> delta = floats(rng, rows * outputs), in = floats(rng, rows * inputs);
      std::vector<float> got = floats(rng, inputs * outputs), want = got;
      std::vector<float> got_bias = floats(rng, outputs), want_bias = got_bias;
      table().outer({delta.data(), in.data(), rows, outputs, inputs, got.data(), got_bias.data()});
      scalar_table.outer({delta.data(), in.data(), rows, outputs, inputs, want.data(), want_bias.data()});
      expect_close(got, want, rounding(rows));
      expect_close(got_bias, want_bias, rounding(rows));
    }
  }
}

TEST(RmsProp, HasTheBitsOfTheDefinitionAtEveryLength) {
  Rng rng(4, Purpose::test);
  for (std::size_t size = 0; size <= 65; ++size) {
    std::vector<float> w = floats(rng, size), s(size, 0.01f), w2 = w, s2 = s;
    const std::vector<float> g = floats(rng, size);
    for (int step = 0; step < 3; ++step) {
      table().rmsprop({w.data(), s.data(), g.data(), size, 0.3f, 0.99f, 1e-8f, 0.9f});
      scalar_table.rmsprop({w2.data(), s2.data(), g.data(), size, 0.3f, 0.99f, 1e-8f, 0.9f});
    }
    EXPECT_EQ(w, w2);
    EXPECT_EQ(s, s2);
    for (const float value : w) EXPECT_LE(std::abs(value), 0.9f);
  }
}

}  // namespace
}  // namespace motmot::kernels
