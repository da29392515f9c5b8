#include "costs/scanner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace motmot::solver {
namespace {

constexpr float far_away = 1e37f;

std::size_t most_stored(std::size_t d, std::size_t stored_costs) {
  constexpr std::size_t columns_made_fast = 16, past_the_cache = std::size_t{48} << 20;
  return d <= columns_made_fast ? std::min(stored_costs, past_the_cache) : stored_costs;
}

// Far above the price of columns that are hidden, however far away the points are.
float within_reach(double price) noexcept {
  return static_cast<float>(std::clamp<double>(price, -far_away, far_away));
}

}  // namespace

void Prices::reset(const Geometry& geometry, std::span<const double> v) {
  value_.assign(geometry.padded_cols(), kernels::hidden_price);
  for (std::size_t j = 0; j < v.size(); ++j) value_[j] = within_reach(v[j]);
  refresh_tops(geometry);
}

void Prices::refresh_tops(const Geometry& geometry) {
  const std::size_t boxes = geometry.padded_cols() / Scanner::box_size;
  top_.assign((boxes + 31) / 32 * 32, -far_away);
  for (std::size_t b = 0; b < boxes; ++b) refresh_top(geometry, b);
}

void Prices::refresh_top(const Geometry& geometry, std::size_t box) {
  const float* s = geometry.y_norm() + box * Scanner::box_size;
  const float* price = value_.data() + box * Scanner::box_size;
  float top = -far_away;
  for (std::size_t k = 0; k < Scanner::box_size; ++k)
    top = std::max(top, price[k] + s[k] + 1e-6f * (s[k] + std::abs(price[k])));
  top_[box] = top;
}

float RaisedPrices::raise(const Geometry& geometry, std::size_t j, double v) noexcept {
  return within_reach(v + geometry.col_margin(j) + 0x1p-22 * std::abs(v));
}

void RaisedPrices::reset(const Geometry& geometry, std::span<const double> v) {
  Prices::reset(geometry, v);
  for (std::size_t j = 0; j < v.size(); ++j) set(j, raise(geometry, j, v[j]));
  refresh_tops(geometry);
}

float raised_bound(double bound, double margin) noexcept {
  const double sum = bound + margin;
  return static_cast<float>(std::min(sum + 0x1p-22 * std::abs(sum), 3e37));
}

// Measured: up to some 16 dimensions a row is made as fast as it is read from main memory, and boxes
// beat that from about 5000 columns on in the plane.
Storage choose_storage(std::size_t n, std::size_t m, std::size_t d, std::size_t stored_costs) {
  if (d <= 3 && m >= 5000 && n >= 5000) return Storage::boxes;
  return n * m * sizeof(float) > most_stored(d, stored_costs) ? Storage::rows : Storage::stored;
}

double stored_bytes(std::size_t n, std::size_t m, std::size_t d, std::size_t stored_costs,
                    double least_share) {
  const bool sorted = d == 1;
  if (sorted) return 0;
  const double of_all = sizeof(float) * static_cast<double>(n) * static_cast<double>(m);
  if (choose_storage(n, m, d, stored_costs) == Storage::stored) return of_all;
  const auto most = static_cast<double>(most_stored(d, stored_costs));
  return least_share * least_share * of_all <= most ? most : 0;
}

void Scanner::bind(const Geometry& geometry, Storage storage, std::size_t stored_costs) {
  geometry_ = &geometry;
  storage_ = storage != Storage::automatic
                 ? storage
                 : choose_storage(geometry.rows(), geometry.cols(), geometry.dim(), stored_costs);
  // Boxes hold neither the row and column of what is left out nor points too far for plain float32 costs.
  if (storage_ == Storage::boxes && (geometry.is_wild() || geometry.has_slack())) storage_ = Storage::rows;
  found_.resize(geometry.padded_cols());
  found_cost_.resize(geometry.padded_cols());
  buffer_.resize(std::max(geometry.padded_cols(), 4 * box_size));
  buffered_ = geometry.rows();
  if (storage_ == Storage::stored) store_matrix();
  if (storage_ == Storage::boxes) make_boxes();
  scans_ = 0;
}

void Scanner::store_matrix() {
  const std::size_t width = geometry_->padded_cols();
  matrix_.resize(geometry_->rows() * width);
  for (std::size_t i = 0; i < geometry_->rows(); ++i)
    geometry_->cost_row(i, 0, width, matrix_.data() + i * width);
}

const float* Scanner::row(std::size_t i) {
  if (storage_ == Storage::stored) return matrix_.data() + i * geometry_->padded_cols();
  if (buffered_ != i) geometry_->cost_row(i, 0, geometry_->padded_cols(), buffer_.data());
  buffered_ = i;
  return buffer_.data();
}

kernels::TwoSmallest Scanner::two_smallest(std::size_t i, Prices& prices) {
  ++scans_;
  if (storage_ == Storage::boxes) return two_smallest_of_boxes(i, prices);
  return kernels::transport_kernels().two_smallest(row(i), prices.data(), geometry_->padded_cols());
}

float Scanner::near_bound(std::size_t i, const Prices& prices) {
  if (storage_ == Storage::boxes) return near_bound_of_boxes(i, prices);
  return kernels::transport_kernels().near_bound(row(i), prices.data(), geometry_->padded_cols());
}

std::size_t Scanner::collect(std::size_t i, const Prices& prices, float bound) {
  ++scans_;
  if (storage_ == Storage::boxes) return collect_boxes(i, prices, bound);
  const float* costs = row(i);
  const std::size_t count = kernels::transport_kernels().collect(
      costs, prices.data(), geometry_->padded_cols(), bound, found_.data());
  for (std::size_t k = 0; k < count; ++k) found_cost_[k] = costs[found_[k]];
  return count;
}

void Scanner::make_boxes() {
  const std::size_t d = geometry_->dim();
  const std::size_t width = geometry_->padded_cols();
  boxes_ = width / box_size;
  padded_boxes_ = (boxes_ + 31) / 32 * 32;
  low_.assign(d * padded_boxes_, far_away);
  high_.assign(d * padded_boxes_, -far_away);
  bound_.resize(padded_boxes_);
  zeros_.assign(padded_boxes_, 0.0f);
  near_boxes_.resize(padded_boxes_);
  for (std::size_t k = 0; k < d; ++k)
    for (std::size_t j = 0; j < geometry_->y().n; ++j) {
      const float at = geometry_->y_float()[k * width + j];
      const std::size_t b = k * padded_boxes_ + j / box_size;
      low_[b] = std::min(low_[b], at);
      high_[b] = std::max(high_[b], at);
    }
  // Boxes without points: finite, or infinities would meet in the kernel.
  for (std::size_t b = 0; b < low_.size(); ++b)
    if (low_[b] > high_[b]) low_[b] = high_[b] = 0;
}

void Scanner::bound_boxes(std::size_t i, const Prices& prices) {
  kernels::transport_kernels().box_bounds(geometry_->x_float(i), low_.data(), high_.data(), padded_boxes_,
                                          geometry_->dim(), prices.tops(), padded_boxes_, bound_.data());
}

// The columns of the two most promising boxes stand for all.
float Scanner::near_bound_of_boxes(std::size_t i, const Prices& prices) {
  bound_boxes(i, prices);
  std::size_t best = 0;
  std::size_t next = boxes_ > 1 ? 1 : 0;
  if (bound_[next] < bound_[best]) std::swap(best, next);
  for (std::size_t b = 2; b < boxes_; ++b) {
    if (bound_[b] < bound_[best]) {
      next = best;
      best = b;
    } else if (bound_[b] < bound_[next]) {
      next = b;
    }
  }
  float* costs = buffer_.data();
  float* values = costs + 2 * box_size;
  for (const std::size_t b : {best, next}) {
    std::copy_n(prices.data() + b * box_size, box_size, values);
    geometry_->cost_row(i, b * box_size, box_size, costs);
    costs += box_size;
    values += box_size;
  }
  return kernels::transport_kernels().near_bound(buffer_.data(), buffer_.data() + 2 * box_size, 2 * box_size);
}

// The bounds of boxes are rounded too: a little is added to what they must not exceed.
float Scanner::box_limit(std::size_t i, float bound) const noexcept {
  const double r = geometry_->x().norm[i];
  const double slack = 2 * geometry_->row_margin(i) + 1e-6 * (r + std::abs(static_cast<double>(bound)));
  return static_cast<float>(static_cast<double>(bound) + r + slack);
}

// The most promising box first; it tells which others can matter.
kernels::TwoSmallest Scanner::two_smallest_of_boxes(std::size_t i, Prices& prices) {
  bound_boxes(i, prices);
  const kernels::TwoSmallest lowest =
      kernels::transport_kernels().two_smallest(bound_.data(), zeros_.data(), padded_boxes_);
  near_boxes_[0] = lowest.at;
  prices.refresh_top(*geometry_, lowest.at);
  const kernels::TwoSmallest first = look_into_boxes(i, prices, 1);
  // Of a box with one column the second smallest is a hidden one: boxes of padding must not come in then.
  const float limit = std::min(box_limit(i, first.second), 0.5f * far_away);
  const std::size_t count = kernels::transport_kernels().collect(bound_.data(), zeros_.data(), padded_boxes_,
                                                                 limit, near_boxes_.data());
  if (count <= 1) return first;
  return look_into_boxes(i, prices, count);
}

kernels::TwoSmallest Scanner::look_into_boxes(std::size_t i, const Prices& prices, std::size_t count) const {
  return kernels::transport_kernels().boxes_two_smallest(geometry_->gauge_row(i), prices.data(),
                                                         near_boxes_.data(), count);
}

std::size_t Scanner::collect_boxes(std::size_t i, const Prices& prices, float bound) {
  bound_boxes(i, prices);
  const float limit = box_limit(i, bound);
  std::size_t count = 0;
  for (std::size_t b = 0; b < boxes_; ++b) {
    if (bound_[b] > limit) continue;
    const std::size_t first = b * box_size;
    geometry_->cost_row(i, first, box_size, buffer_.data());
    const std::size_t more = kernels::transport_kernels().collect(buffer_.data(), prices.data() + first,
                                                                  box_size, bound, found_.data() + count);
    for (std::size_t k = count; k < count + more; ++k) {
      found_cost_[k] = buffer_[found_[k]];
      found_[k] += static_cast<std::uint32_t>(first);
    }
    count += more;
  }
  return count;
}

namespace {

// Halves [first, last) at a multiple of box_size along its widest coordinate.
void split(PointsView points, std::span<std::uint32_t> order) {
  if (order.size() <= Scanner::box_size) return;
  std::size_t widest = 0;
  double width = -1;
  for (std::size_t k = 0; k < points.cols(); ++k) {
    double low = std::numeric_limits<double>::max();
    double high = -low;
    for (const std::uint32_t i : order) {
      low = std::min(low, points(i, k));
      high = std::max(high, points(i, k));
    }
    if (high - low > width) {
      width = high - low;
      widest = k;
    }
  }
  const std::size_t half = (order.size() / 2 + Scanner::box_size - 1) / Scanner::box_size * Scanner::box_size;
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end(),
                   [&](std::uint32_t p, std::uint32_t q) {
                     return points(p, widest) != points(q, widest) ? points(p, widest) < points(q, widest)
                                                                   : p < q;
                   });
  split(points, order.first(half));
  split(points, order.subspan(half));
}

}  // namespace

std::vector<std::uint32_t> neighbour_order(PointsView points, std::span<const std::uint32_t> kept) {
  std::vector<std::uint32_t> order(kept.begin(), kept.end());
  split(points, order);
  return order;
}

}  // namespace motmot::solver
