#include "inference/energy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/statistics.hpp"
#include "blocks/sampler.hpp"
#include "kernels/kernels.hpp"
#include "kernels/transport_kernels.hpp"

namespace motmot {
namespace {

using kernels::tile_rows;

/// X and Y as one sample, X first.
struct Pooled {
  PointsView x, y;
  [[nodiscard]] std::size_t rows() const { return x.n + y.n; }
  [[nodiscard]] double operator()(std::size_t row, std::size_t k) const {
    return row < x.n ? x(row, k) : y(row - x.n, k);
  }
};

/// What takes coordinates to numbers of size 1 at most: half of (value - centre), times 2^-exponent. The
/// halves keep differences within the range of double.
struct Frame {
  std::vector<double> half_centre;
  int exponent = 0;
};

Frame frame_of(const Pooled& points) {
  Frame frame{.half_centre = std::vector<double>(points.x.d)};
  double largest = 0;
  std::vector<double> column(points.rows());
  for (std::size_t k = 0; k < points.x.d; ++k) {
    for (std::size_t row = 0; row < column.size(); ++row) column[row] = points(row, k) / 2;
    const auto [least, most] = std::ranges::minmax(column);
    const double centre = upper_median(column);
    frame.half_centre[k] = centre;
    largest = std::max({largest, most - centre, centre - least});
  }
  if (largest > 0) frame.exponent = std::ilogb(largest) + 1;
  return frame;
}

/// Chosen pooled rows in float32, in the order asked for: once row after row, once coordinate after
/// coordinate.
class FloatRows {
 public:
  FloatRows(const Pooled& points, std::span<const std::uint32_t> rows)
      : n_(rows.size()),
        d_(points.x.d),
        stride_(padded(rows.size())),
        by_row_(n_ * d_),
        by_column_(stride_ * d_),
        zeros_(stride_) {
    const Frame frame = frame_of(points);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t k = 0; k < d_; ++k) {
        const double at = std::ldexp(points(rows[i], k) / 2 - frame.half_centre[k], -frame.exponent);
        by_row_[i * d_ + k] = by_column_[k * stride_ + i] = static_cast<float>(at);
      }
  }

  [[nodiscard]] std::size_t rows() const { return n_; }

  /// Distances from row i to `count` rows (a multiple of 16) from row `first` on. Beyond the last row they
  /// mean nothing, but may be written.
  void distances(std::size_t i, std::size_t first, std::size_t count, float* out) const {
    kernels::transport_kernels().gauge_row(
        {by_row_.data() + i * d_, 0.0f, by_column_.data() + first, stride_, zeros_.data() + first, d_}, count,
        out);
  }

  /// Room for runs of 16 from any row on.
  static std::size_t padded(std::size_t rows) { return rows + 16 - rows % 16 + 16; }

 private:
  std::size_t n_, d_, stride_;
  std::vector<float> by_row_, by_column_, zeros_;
};

constexpr std::size_t up_to_16(std::size_t count) { return (count + 15) / 16 * 16; }

bool go_on(const Progress& progress) { return !progress || progress(0); }

// ------------------------------------------------------------------------------- any labelling of rows

/// Columns of D in one product in float32: its rounding stays that of so many terms, the rest is in double.
constexpr std::size_t chunk = 256;
/// Rows of D that are there at a time.
constexpr std::size_t strip = 64;

/// The weights w of up to tile_rows labellings, row after row: n m / (n + m) times 1/n or -1/m.
std::vector<float> weights_of(std::span<const Labelling> labellings, std::size_t n, std::size_t m,
                              std::size_t padded) {
  const double all = static_cast<double>(n + m);
  const auto called_x = static_cast<float>(static_cast<double>(m) / all);
  const auto called_y = static_cast<float>(-static_cast<double>(n) / all);
  std::vector<float> weights(padded * tile_rows);
  for (std::size_t b = 0; b < labellings.size(); ++b) {
    for (std::size_t row = 0; row < n + m; ++row) weights[row * tile_rows + b] = called_y;
    for (const std::uint32_t row : labellings[b]) weights[row * tile_rows + b] = called_x;
  }
  return weights;
}

/// sum over i in the strip and all j of w_i D_ij w_j, for each labelling of a tile.
void add_products(const float* distances, std::size_t stride, std::size_t first, std::size_t count,
                  std::size_t all, const std::vector<float>& weights, double* out) {
  std::vector<double> sums(count * tile_rows, 0.0);
  std::vector<float> part(count * tile_rows);
  for (std::size_t from = 0; from < all; from += chunk) {
    kernels::table().dense({.w = distances + from,
                            .w_out = stride,
                            .w_in = 1,
                            .inputs = std::min(chunk, all - from),
                            .outputs = count,
                            .in = weights.data() + from * tile_rows,
                            .in_ld = tile_rows,
                            .out = part.data(),
                            .out_ld = tile_rows});
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += static_cast<double>(part[k]);
  }
  for (std::size_t o = 0; o < count; ++o)
    for (std::size_t b = 0; b < tile_rows; ++b)
      out[b] += static_cast<double>(weights[(first + o) * tile_rows + b]) * sums[o * tile_rows + b];
}

}  // namespace

Labelling observed_labelling(std::size_t n) {
  Labelling rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

Labelling random_labelling(std::size_t n, std::size_t m, Rng& rng) {
  Labelling rows = observed_labelling(n + m);
  for (std::size_t i = 0; i < n; ++i)
    std::swap(rows[i], rows[i + rng.below(static_cast<std::uint32_t>(n + m - i))]);
  rows.resize(n);
  std::ranges::sort(rows);
  return rows;
}

double energy_unit(PointsView x, PointsView y) { return std::ldexp(2.0, frame_of({x, y}).exponent); }

std::vector<double> energies(PointsView x, PointsView y, std::span<const Labelling> labellings, Team& team,
                             Watch& watch, double done) {
  const std::size_t all = x.n + y.n, tiles = (labellings.size() + tile_rows - 1) / tile_rows;
  const FloatRows rows({x, y}, observed_labelling(all));
  std::vector<std::vector<float>> weights(tiles);
  for (std::size_t t = 0; t < tiles; ++t) {
    const std::size_t from = t * tile_rows;
    weights[t] =
        weights_of(labellings.subspan(from, std::min(tile_rows, labellings.size() - from)), x.n, y.n, all);
  }
  const std::size_t strips = (all + strip - 1) / strip, stride = up_to_16(all);
  std::vector<double> products(strips * tiles * tile_rows, 0.0);
  std::vector<std::vector<float>> buffers(team.size());
  watch.run_by_worker(team, strips, done, [&](std::size_t s, std::size_t worker, const Progress& progress) {
    if (!go_on(progress)) return;
    std::vector<float>& distances = buffers[worker];
    distances.resize(strip * stride);
    const std::size_t first = s * strip, count = std::min(strip, all - first);
    for (std::size_t i = 0; i < count; ++i)
      rows.distances(first + i, 0, stride, distances.data() + i * stride);
    for (std::size_t t = 0; t < tiles; ++t)
      add_products(distances.data(), stride, first, count, all, weights[t],
                   products.data() + (s * tiles + t) * tile_rows);
  });
  // w was n m / (n + m) times larger.
  const double shrink = static_cast<double>(all) / (static_cast<double>(x.n) * static_cast<double>(y.n));
  std::vector<double> values(labellings.size(), 0.0);
  for (std::size_t s = 0; s < strips; ++s)
    for (std::size_t b = 0; b < values.size(); ++b) values[b] -= products[s * tiles * tile_rows + b];
  for (double& value : values) value *= shrink * shrink;
  return values;
}

// ------------------------------------------------------------------------------------------ one column

LineStatistics line_statistics(PointsView x, PointsView y, std::span<const Labelling> labellings,
                               Team& team) {
  const Pooled points{x, y};
  const std::size_t all = points.rows();
  std::vector<std::uint32_t> order = observed_labelling(all);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return points(row, 0); });
  const auto n = static_cast<std::int64_t>(x.n), m = static_cast<std::int64_t>(y.n);
  const double unit = 1 / (static_cast<double>(n) * static_cast<double>(m));
  LineStatistics found{std::vector<double>(labellings.size()), std::vector<double>(labellings.size())};
  team.run(labellings.size(), [&](std::size_t b, std::size_t) {
    std::vector<bool> called_x(all, false);
    for (const std::uint32_t row : labellings[b]) called_x[row] = true;
    std::int64_t apart = 0;  // n m (F - G), a whole number
    double w1 = 0, energy = 0;
    for (std::size_t k = 0; k + 1 < all; ++k) {
      apart += called_x[order[k]] ? m : -n;
      const double gap = points(order[k + 1], 0) / 2 - points(order[k], 0) / 2;  // half: never infinite
      const double share = static_cast<double>(apart) * unit;
      w1 += gap * std::abs(share);
      energy += gap * share * share;
    }
    found.w1[b] = 2 * w1;
    found.energy[b] = 4 * energy;
  });
  return found;
}

// ------------------------------------------------------------------------------------- whole blocks

namespace {

constexpr std::size_t fewer_blocks = 200, most_blocks = 400;

/// Rows in the order [blocks of X][blocks of Y][rest of X][rest of Y].
struct BlockOrder {
  std::vector<std::uint32_t> rows;
  std::size_t size = 1;              ///< rows of a block
  PerSample<std::size_t> blocks{};   ///< how many
  PerSample<std::size_t> sampled{};  ///< rows that take part

  [[nodiscard]] std::size_t all_blocks() const { return blocks.x + blocks.y; }
  [[nodiscard]] std::size_t blocked() const { return all_blocks() * size; }
  [[nodiscard]] std::size_t rest_x() const { return sampled.x - blocks.x * size; }
};

BlockOrder draw_blocks(std::size_t n, std::size_t m, std::size_t d, std::uint64_t seed) {
  BlockOrder order;
  order.sampled = {std::min(n, most_energy_rows(d)), std::min(m, most_energy_rows(d))};
  order.size = (std::min(order.sampled.x, order.sampled.y) + fewer_blocks - 1) / fewer_blocks;
  order.blocks = {std::min(most_blocks, order.sampled.x / order.size),
                  std::min(most_blocks, order.sampled.y / order.size)};
  Rng rng(seed, Purpose::permutation);
  const std::vector<std::uint32_t> x = partition_blocks(n, 1, rng).index;
  std::vector<std::uint32_t> y = partition_blocks(m, 1, rng).index;
  for (std::uint32_t& row : y) row += static_cast<std::uint32_t>(n);
  const auto take = [&](const std::vector<std::uint32_t>& from, std::size_t first, std::size_t last) {
    order.rows.insert(order.rows.end(), from.data() + first, from.data() + last);
  };
  take(x, 0, order.blocks.x * order.size);
  take(y, 0, order.blocks.y * order.size);
  take(x, order.blocks.x * order.size, order.sampled.x);
  take(y, order.blocks.y * order.size, order.sampled.y);
  return order;
}

/// Distances summed over pairs of blocks.
struct BlockSums {
  std::vector<double> blocks;              ///< all_blocks^2, symmetric
  PerSample<std::vector<double>> to_rest;  ///< from each block to the rows that stay
};

/// Distances from all rows of block `b` to row j, for j from the block's own first row on.
void sum_distances_from(const FloatRows& rows, std::size_t b, std::size_t size, std::vector<float>& sums) {
  constexpr std::size_t tile = 1024;  // columns whose coordinates stay in the nearest memory
  float distances[tile];
  const std::size_t first = b * size, count = rows.rows() - first;
  sums.assign(up_to_16(count), 0.0f);
  for (std::size_t from = 0; from < count; from += tile) {
    const std::size_t now = up_to_16(std::min(tile, count - from));
    for (std::size_t i = first; i < first + size; ++i) {
      rows.distances(i, first + from, now, distances);
      for (std::size_t j = 0; j < now; ++j) sums[from + j] += distances[j];
    }
  }
}

BlockSums sum_over_blocks(const FloatRows& rows, const BlockOrder& order, Team& team, Watch& watch,
                          double done) {
  const std::size_t all = order.all_blocks();
  BlockSums sums{std::vector<double>(all * all), {std::vector<double>(all), std::vector<double>(all)}};
  std::vector<std::vector<float>> buffers(team.size());
  watch.run_by_worker(team, all, done, [&](std::size_t b, std::size_t worker, const Progress& progress) {
    if (!go_on(progress)) return;
    std::vector<float>& from_block = buffers[worker];
    sum_distances_from(rows, b, order.size, from_block);
    const auto sum = [&](std::size_t first, std::size_t count) {  // rows as ordered, none before block b
      const float* values = from_block.data() + first - b * order.size;
      return std::accumulate(values, values + count, 0.0);
    };
    for (std::size_t other = b; other < all; ++other)
      sums.blocks[b * all + other] = sum(other * order.size, order.size);
    const std::size_t rest_y = order.blocked() + order.rest_x();
    sums.to_rest.x[b] = sum(order.blocked(), order.rest_x());
    sums.to_rest.y[b] = sum(rest_y, order.rows.size() - rest_y);
  });
  for (std::size_t b = 0; b < all; ++b)
    for (std::size_t other = 0; other < b; ++other)
      sums.blocks[b * all + other] = sums.blocks[other * all + b];
  return sums;
}

/// -w^T D w but for the part that no labelling of blocks changes.
double block_energy(const BlockSums& sums, const BlockOrder& order, const Labelling& called_x) {
  const double of_x = 1 / static_cast<double>(order.sampled.x),
               of_y = -1 / static_cast<double>(order.sampled.y);
  const std::size_t all = order.all_blocks();
  std::vector<double> w(all, of_y);
  for (const std::uint32_t b : called_x) w[b] = of_x;
  double total = 0;
  for (std::size_t b = 0; b < all; ++b) {
    const double* row = sums.blocks.data() + b * all;
    const double to_blocks = std::inner_product(w.begin(), w.end(), row, 0.0);
    total += w[b] * (to_blocks + 2 * (of_x * sums.to_rest.x[b] + of_y * sums.to_rest.y[b]));
  }
  return -total;
}

}  // namespace

std::size_t most_energy_rows(std::size_t d) {
  // Two samples of r rows have 2 r^2 pairs, each of about d + 10 steps of arithmetic: 20 000 rows in ten
  // columns.
  constexpr double steps = 1.6e10;
  const double rows = std::sqrt(steps / (2 * static_cast<double>(d + 10)));
  return std::max<std::size_t>(2000, static_cast<std::size_t>(rows));
}

BlockEnergies block_energies(PointsView x, PointsView y, std::size_t permutations, std::uint64_t seed,
                             Team& team, Watch& watch, double done) {
  const BlockOrder order = draw_blocks(x.n, y.n, x.d, seed);
  const BlockSums sums = sum_over_blocks(FloatRows({x, y}, order.rows), order, team, watch, done);
  BlockEnergies found{.observed = block_energy(sums, order, observed_labelling(order.blocks.x)),
                      .permuted = std::vector<double>(permutations),
                      .rows = order.sampled,
                      .block_size = order.size};
  team.run(permutations, [&](std::size_t b, std::size_t) {
    Rng rng(seed, Purpose::permutation, b + 1);
    found.permuted[b] = block_energy(sums, order, random_labelling(order.blocks.x, order.blocks.y, rng));
  });
  return found;
}

}  // namespace motmot
