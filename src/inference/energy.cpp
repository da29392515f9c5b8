#include "inference/energy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
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

  [[nodiscard]] double operator()(double value, std::size_t k) const {
    return std::ldexp(value / 2 - half_centre[k], -exponent);
  }
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

/// Of two rows of the pooled sample: for a Gaussian in any number of columns, the median. Where most rows lie
/// in one place, the mean.
double typical_distance(const Pooled& points, const Frame& frame) {
  std::vector<double> from_centre(points.rows());
  for (std::size_t row = 0; row < from_centre.size(); ++row) {
    double squares = 0;
    for (std::size_t k = 0; k < points.x.d; ++k) {
      const double at = frame(points(row, k), k);
      squares += at * at;
    }
    from_centre[row] = std::sqrt(squares);
  }
  const double median = median_of(from_centre);
  std::ranges::sort(from_centre);  // a sum that does not depend on the order of the rows
  return std::numbers::sqrt2 * (median > 0 ? median : mean_of(from_centre));
}

double sharpness_of(const Pooled& points, const Frame& frame) {
  const double typical = typical_distance(points, frame);
  const double squared = std::max(typical * typical, 1e-30);  // rows that are all equal, or nearly
  return static_cast<double>(std::min<std::size_t>(points.x.d, 4)) / squared;
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
    sharpness_ = static_cast<float>(sharpness_of(points, frame));
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t k = 0; k < d_; ++k)
        by_row_[i * d_ + k] = by_column_[k * stride_ + i] = static_cast<float>(frame(points(rows[i], k), k));
  }

  [[nodiscard]] std::size_t rows() const { return n_; }

  /// Distances from row i to `count` rows (a multiple of 16) from row `first` on. Beyond the last row they
  /// mean nothing, but may be written.
  void distances(std::size_t i, std::size_t first, std::size_t count, float* out) const {
    kernels::transport_kernels().gauge_row(
        {by_row_.data() + i * d_, 0.0f, by_column_.data() + first, stride_, zeros_.data() + first, d_}, count,
        out);
  }

  [[nodiscard]] float kernel(float distance) const { return 1 / (1 + sharpness_ * (distance * distance)); }

  /// Room for runs of 16 from any row on.
  static std::size_t padded(std::size_t rows) { return rows + 16 - rows % 16 + 16; }

 private:
  std::size_t n_, d_, stride_;
  float sharpness_ = 0;
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
std::vector<float> weights_of(std::span<const Labelling> labellings, std::size_t n, std::size_t m) {
  const double all = static_cast<double>(n + m);
  const auto called_x = static_cast<float>(static_cast<double>(m) / all);
  const auto called_y = static_cast<float>(-static_cast<double>(n) / all);
  std::vector<float> weights((n + m) * tile_rows);
  for (std::size_t b = 0; b < labellings.size(); ++b) {
    for (std::size_t row = 0; row < n + m; ++row) weights[row * tile_rows + b] = called_y;
    for (const std::uint32_t row : labellings[b]) weights[row * tile_rows + b] = called_x;
  }
  return weights;
}

/// Some rows of a symmetric matrix over all pairs.
struct Strip {
  const float* values;
  std::size_t stride;
  std::size_t first, count;  ///< rows
  std::size_t all;           ///< columns
};

/// sum over i in the strip and all j of w_i M_ij w_j, for each labelling of a tile.
void add_products(const Strip& m, const std::vector<float>& weights, double* out) {
  std::vector<double> sums(m.count * tile_rows, 0.0);
  std::vector<float> part(m.count * tile_rows);
  for (std::size_t from = 0; from < m.all; from += chunk) {
    kernels::table().dense({.w = m.values + from,
                            .w_out = m.stride,
                            .w_in = 1,
                            .inputs = std::min(chunk, m.all - from),
                            .outputs = m.count,
                            .in = weights.data() + from * tile_rows,
                            .in_ld = tile_rows,
                            .out = part.data(),
                            .out_ld = tile_rows});
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += static_cast<double>(part[k]);
  }
  for (std::size_t o = 0; o < m.count; ++o)
    for (std::size_t b = 0; b < tile_rows; ++b)
      out[b] += static_cast<double>(weights[(m.first + o) * tile_rows + b]) * sums[o * tile_rows + b];
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

PairScale pair_scale(PointsView x, PointsView y) {
  const Frame frame = frame_of({x, y});
  return {.unit = std::ldexp(2.0, frame.exponent), .sharpness = sharpness_of({x, y}, frame)};
}

PairStatistics pair_statistics(PointsView x, PointsView y, std::span<const Labelling> labellings, Team& team,
                               Watch& watch, double done) {
  const std::size_t all = x.n + y.n, tiles = (labellings.size() + tile_rows - 1) / tile_rows;
  const FloatRows rows({x, y}, observed_labelling(all));
  std::vector<std::vector<float>> weights(tiles);
  for (std::size_t t = 0; t < tiles; ++t) {
    const std::size_t from = t * tile_rows;
    weights[t] =
        weights_of(labellings.subspan(from, std::min(tile_rows, labellings.size() - from)), x.n, y.n);
  }
  const std::size_t strips = (all + strip - 1) / strip, stride = up_to_16(all), padded = tiles * tile_rows;
  std::vector<double> distance_products(strips * padded, 0.0), kernel_products = distance_products;
  std::vector<std::vector<float>> buffers(team.size());
  watch.run_by_worker(team, strips, done, [&](std::size_t s, std::size_t worker, const Progress& progress) {
    if (!go_on(progress)) return;
    std::vector<float>& values = buffers[worker];
    values.resize(strip * stride);
    const Strip part{values.data(), stride, s * strip, std::min(strip, all - s * strip), all};
    const auto add_to = [&](std::vector<double>& products) {
      for (std::size_t t = 0; t < tiles; ++t)
        add_products(part, weights[t], products.data() + s * padded + t * tile_rows);
    };
    for (std::size_t i = 0; i < part.count; ++i)
      rows.distances(part.first + i, 0, stride, values.data() + i * stride);
    add_to(distance_products);
    for (float& value : values) value = rows.kernel(value);
    add_to(kernel_products);
  });
  // w was n m / (n + m) times larger.
  const double shrink = static_cast<double>(all) / (static_cast<double>(x.n) * static_cast<double>(y.n));
  const auto total = [&](const std::vector<double>& products, double sign) {
    std::vector<double> values(labellings.size(), 0.0);
    for (std::size_t s = 0; s < strips; ++s)
      for (std::size_t b = 0; b < values.size(); ++b) values[b] += products[s * padded + b];
    for (double& value : values) value *= sign * shrink * shrink;
    return values;
  };
  return {.energy = total(distance_products, -1), .kernel = total(kernel_products, 1)};
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
  [[nodiscard]] std::size_t rest_of_x() const { return all_blocks() * size; }  ///< where it begins
  [[nodiscard]] std::size_t rest_of_y() const { return rest_of_x() + sampled.x - blocks.x * size; }
  [[nodiscard]] PerSample<double> weights() const {
    return {1 / static_cast<double>(sampled.x), -1 / static_cast<double>(sampled.y)};
  }
};

BlockOrder draw_blocks(std::size_t n, std::size_t m, std::size_t d, std::uint64_t seed) {
  BlockOrder order;
  order.sampled = {std::min(n, most_paired_rows(d)), std::min(m, most_paired_rows(d))};
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

/// Some rows in the order of a BlockOrder: a block, or a part of the rest of one sample.
struct Group {
  std::size_t first, count;
};

std::vector<Group> groups_of(const BlockOrder& order) {
  std::vector<Group> groups;
  for (std::size_t b = 0; b < order.all_blocks(); ++b) groups.push_back({b * order.size, order.size});
  const auto add_rest = [&](std::size_t first, std::size_t last) {
    constexpr std::size_t most = 64;
    for (; first < last; first += most) groups.push_back({first, std::min(most, last - first)});
  };
  add_rest(order.rest_of_x(), order.rest_of_y());
  add_rest(order.rest_of_y(), order.rows.size());
  return groups;
}

/// From the rows of a group to each row from its own first one on: distances and kernels, summed over the
/// group.
struct FromGroup {
  std::vector<float> distance, kernel;
};

void sum_from(const FloatRows& rows, const Group& group, FromGroup& sums) {
  constexpr std::size_t tile = 1024;  // columns whose coordinates stay in the nearest memory
  float distances[tile];
  const std::size_t count = rows.rows() - group.first;
  sums.distance.assign(up_to_16(count), 0.0f);
  sums.kernel.assign(up_to_16(count), 0.0f);
  for (std::size_t from = 0; from < count; from += tile) {
    const std::size_t now = up_to_16(std::min(tile, count - from));
    for (std::size_t i = group.first; i < group.first + group.count; ++i) {
      rows.distances(i, group.first + from, now, distances);
      for (std::size_t j = 0; j < now; ++j) sums.distance[from + j] += distances[j];
      for (std::size_t j = 0; j < now; ++j) sums.kernel[from + j] += rows.kernel(distances[j]);
    }
  }
}

/// A matrix M over pairs of rows, in as much detail as permuting blocks needs.
struct BlockSums {
  std::vector<double> blocks;   ///< M summed over pairs of blocks: all_blocks^2, symmetric
  std::vector<double> to_rest;  ///< w_j M_ij summed over i in a block and j in the rest
  double rest = 0;              ///< w_i M_ij w_j summed over the rest
};

/// M summed over the rows i of a group is given for each row j from the group's first one on.
void add_group(const std::vector<float>& from_group, const Group& group, std::size_t index,
               const BlockOrder& order, BlockSums& sums, std::vector<double>& rest_parts) {
  const auto sum = [&](std::size_t first, std::size_t last) {
    const float* values = from_group.data();
    return std::accumulate(values + (first - group.first), values + (last - group.first), 0.0);
  };
  const auto [of_x, of_y] = order.weights();
  const std::size_t rest_x = order.rest_of_x(), rest_y = order.rest_of_y(), end = order.rows.size();
  const std::size_t all = order.all_blocks();
  if (index < all) {
    for (std::size_t other = index; other < all; ++other)
      sums.blocks[index * all + other] = sums.blocks[other * all + index] =
          sum(other * order.size, (other + 1) * order.size);
    sums.to_rest[index] = of_x * sum(rest_x, rest_y) + of_y * sum(rest_y, end);
    return;
  }
  const std::size_t next = group.first + group.count;  // rows after the group meet it in both orders
  const double own = group.first < rest_y ? of_x : of_y;
  double later = of_y * sum(std::max(next, rest_y), end);
  if (next < rest_y) later += of_x * sum(next, rest_y);
  rest_parts[index - all] = own * (own * sum(group.first, next) + 2 * later);
}

/// D first, K second.
std::pair<BlockSums, BlockSums> sum_over_blocks(const FloatRows& rows, const BlockOrder& order, Team& team,
                                                Watch& watch, double done) {
  const std::size_t all = order.all_blocks();
  const std::vector<Group> groups = groups_of(order);
  BlockSums distance{std::vector<double>(all * all), std::vector<double>(all)}, kernel = distance;
  std::vector<double> distance_rest(groups.size() - all), kernel_rest = distance_rest;
  std::vector<FromGroup> buffers(team.size());
  watch.run_by_worker(team, groups.size(), done,
                      [&](std::size_t g, std::size_t worker, const Progress& progress) {
                        if (!go_on(progress)) return;
                        FromGroup& from = buffers[worker];
                        sum_from(rows, groups[g], from);
                        add_group(from.distance, groups[g], g, order, distance, distance_rest);
                        add_group(from.kernel, groups[g], g, order, kernel, kernel_rest);
                      });
  distance.rest = std::accumulate(distance_rest.begin(), distance_rest.end(), 0.0);
  kernel.rest = std::accumulate(kernel_rest.begin(), kernel_rest.end(), 0.0);
  return {std::move(distance), std::move(kernel)};
}

/// w^T M w.
double product(const BlockSums& m, const BlockOrder& order, const Labelling& called_x) {
  const auto [of_x, of_y] = order.weights();
  const std::size_t all = order.all_blocks();
  std::vector<double> w(all, of_y);
  for (const std::uint32_t b : called_x) w[b] = of_x;
  double total = m.rest;
  for (std::size_t b = 0; b < all; ++b)
    total +=
        w[b] * (std::inner_product(w.begin(), w.end(), m.blocks.data() + b * all, 0.0) + 2 * m.to_rest[b]);
  return total;
}

}  // namespace

std::size_t most_paired_rows(std::size_t d) {
  // Two samples of r rows have 2 r^2 pairs, each of about d + 10 steps of arithmetic: 20 000 rows in ten
  // columns.
  constexpr double steps = 1.6e10;
  const double rows = std::sqrt(steps / (2 * static_cast<double>(d + 10)));
  return std::max<std::size_t>(2000, static_cast<std::size_t>(rows));
}

BlockStatistics block_statistics(PointsView x, PointsView y, std::size_t permutations, std::uint64_t seed,
                                 Team& team, Watch& watch, double done) {
  const BlockOrder order = draw_blocks(x.n, y.n, x.d, seed);
  const auto [distance, kernel] = sum_over_blocks(FloatRows({x, y}, order.rows), order, team, watch, done);
  std::vector<double> energy(permutations + 1), kernels(permutations + 1);
  team.run(permutations + 1, [&, &distance = distance, &kernel = kernel](std::size_t b, std::size_t) {
    Rng rng(seed, Purpose::permutation, b);
    const Labelling called_x =
        b == 0 ? observed_labelling(order.blocks.x) : random_labelling(order.blocks.x, order.blocks.y, rng);
    energy[b] = -product(distance, order, called_x);
    kernels[b] = product(kernel, order, called_x);
  });
  return {.values = {std::move(energy), std::move(kernels)}, .rows = order.sampled, .block_size = order.size};
}

}  // namespace motmot
