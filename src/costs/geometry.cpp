#include "costs/geometry.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>

#include "base/euclidean.hpp"
#include "base/random.hpp"
#include "base/statistics.hpp"

namespace motmot::solver {
namespace {

constexpr double wild_ratio = 64;         // beyond this many scales subtraction costs too many bits
constexpr double very_far_ratio = 1e5;    // where no point lies between the two, far ones may be taken apart
constexpr double float_end = 1e37;        // no cost in float32 is below minus this
constexpr double double_reach = 0x1p500;  // squares fit double
constexpr double half_ulp = 0x1p-24;
constexpr std::size_t centre_sample = 501;  // rows of each sample that vote for the centre
constexpr std::size_t scale_sample = 255;
// Where the median of distances is so much larger than a fifth of them, what is far would hide what is near.
constexpr double too_uneven = 1e8;
constexpr std::size_t fine_chunk = 256;  // columns whose costs in double are made at a time

double norm_of(const double* p, std::size_t d) {
  double sum = 0;
  for (std::size_t k = 0; k < d; ++k) sum += p[k] * p[k];
  return std::sqrt(sum);
}

// Every step-th row, at most centre_sample of them.
void sample_column(PointsView points, std::span<const std::uint32_t> kept, std::size_t k,
                   std::vector<double>& out) {
  const std::size_t step = (kept.size() + centre_sample - 1) / centre_sample;
  for (std::size_t i = 0; i < kept.size(); i += step) out.push_back(points(kept[i], k));
}

/// (p - centre) * factor, where the difference alone may be beyond double and where the values times the
/// factor may be.
double difference(double p, double centre, double factor) {
  const double whole = p - centre;
  return std::isfinite(whole) ? whole * factor : (p / 2 - centre / 2) * factor * 2;
}

/// Half of it, but not 0 unless it is.
double largest_distance_from(PointsView points, std::span<const std::uint32_t> kept,
                             std::span<const double> centre) {
  double largest = 0;
  bool apart = false;
  for (const std::uint32_t i : kept)
    for (std::size_t k = 0; k < centre.size(); ++k) {
      largest = std::max(largest, std::abs(points(i, k) / 2 - centre[k] / 2));
      apart = apart || points(i, k) != centre[k];
    }
  return largest == 0 && apart ? std::numeric_limits<double>::denorm_min() : largest;
}

double slack_margin(double norm) {
  return norm < float_end ? 4 * half_ulp * norm : std::numeric_limits<double>::infinity();
}

}  // namespace

void Geometry::build(PointsView x, PointsView y, std::span<const std::uint32_t> rows,
                     std::span<const std::uint32_t> cols, bool slack_row, bool slack_col) {
  d_ = x.cols();
  slack_row_ = slack_row;
  slack_col_ = slack_col;
  choose_centre(x, y, rows, cols);
  // Only the exponent is scaled, so no coordinate is rounded by it. The largest coordinate decides
  // at first; choose_scale() then brings the typical distance near 1 as far as the reach allows.
  const double largest =
      std::max(largest_distance_from(x, rows, centre_), largest_distance_from(y, cols, centre_));
  unit_ = 1;
  if (largest > 0x1p200) unit_ = std::ldexp(1.0, std::max(0, std::ilogb(largest) - 498));
  if (largest > 0 && largest < 0x1p-200) unit_ = std::ldexp(1.0, std::max(-1000, std::ilogb(largest)));
  fill(x_, x, rows);
  fill(y_, y, cols);
  choose_scale();
  padded_ =
      (cols.size() + slack_col) / kernels::transport_pad * kernels::transport_pad + kernels::transport_pad;
  wild_ = std::max(x_.largest, y_.largest) > wild_ratio * scale_;
  make_floats();
  set_gauge();
  set_margins();
}

void Geometry::set_gauge() {
  const auto from_centre = [](Side& side) {
    side.gauge = side.norm;
    side.gauge.push_back(0);
    side.lift.clear();
  };
  from_centre(x_);
  from_centre(y_);
  between_ = 0;
  fine_y_.clear();
}

void Geometry::choose_centre(PointsView x, PointsView y, std::span<const std::uint32_t> rows,
                             std::span<const std::uint32_t> cols) {
  centre_.resize(d_);
  std::vector<double> values;
  for (std::size_t k = 0; k < d_; ++k) {
    values.clear();
    sample_column(x, rows, k, values);
    sample_column(y, cols, k, values);
    centre_[k] = upper_median(values);
  }
}

void Geometry::fill(Side& side, PointsView points, std::span<const std::uint32_t> kept) const {
  side.n = kept.size();
  side.at.resize(side.n * d_);
  side.norm.resize(side.n);
  side.largest = 0;
  const double inverse = 1 / unit_;
  for (std::size_t i = 0; i < side.n; ++i) {
    double* at = side.at.data() + i * d_;
    for (std::size_t k = 0; k < d_; ++k) at[k] = difference(points(kept[i], k), centre_[k], inverse);
    side.norm[i] = norm_of(at, d_);
    side.largest = std::max(side.largest, side.norm[i]);
  }
}

// The typical distance becomes about 1 by a second power of two.
void Geometry::choose_scale() {
  std::vector<double> distances;
  Rng rng(0, Purpose::transport);
  for (std::size_t t = 0; t < scale_sample; ++t) {
    const double* p = x_.at.data() + rng.below(static_cast<std::uint32_t>(x_.n)) * d_;
    const double* q = y_.at.data() + rng.below(static_cast<std::uint32_t>(y_.n)) * d_;
    distances.push_back(std::sqrt(squared_distance(p, q, d_)));
  }
  const double far = std::max(x_.largest, y_.largest);
  double typical = upper_median(distances);
  const auto fifth = distances.begin() + scale_sample / 5;
  std::ranges::nth_element(distances, fifth);
  if (*fifth > 0 && typical > too_uneven * *fifth) typical = *fifth;
  if (typical == 0) typical = *std::ranges::max_element(distances);
  if (typical == 0) typical = far;
  if (typical == 0) typical = 1;
  double factor = std::ldexp(1.0, -std::ilogb(typical));
  // One sample beyond the reach of double: its far points are pulled in. Both: everything shrinks, and
  // float32 is of no use (set_margins sees to that).
  const double both = std::min(x_.largest, y_.largest);
  if (both * factor > double_reach) factor = std::ldexp(1.0, 499 - std::ilogb(far));
  x_.rescale(factor, d_);
  y_.rescale(factor, d_);
  unit_ /= factor;
  scale_ = typical * factor;
}

void Side::rescale(double factor, std::size_t d) {
  true_norm.resize(n);
  largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    true_norm[i] = norm[i] * factor;
    const double pull = true_norm[i] > double_reach ? double_reach / true_norm[i] : 1;
    norm[i] = true_norm[i] * pull;
    largest = std::max(largest, norm[i]);
    for (std::size_t k = 0; k < d; ++k) at[i * d + k] = at[i * d + k] * factor * pull;
  }
}

// Points beyond the reach of float32 are pulled in along their ray: from nearby, only the direction
// of a far point matters. Rows for which that is not good enough get an infinite margin.
void Geometry::make_floats() {
  clipped_ = false;
  const auto shrink = [this](double norm) {
    if (norm <= float_reach) return 1.0;
    clipped_ = true;
    return float_reach / norm;
  };
  x_float_.resize(x_.n * d_);
  r_float_.resize(x_.n);
  for (std::size_t i = 0; i < x_.n; ++i) {
    const double factor = shrink(x_.norm[i]);
    r_float_[i] = static_cast<float>(x_.norm[i] * factor);
    for (std::size_t k = 0; k < d_; ++k)
      x_float_[i * d_ + k] = static_cast<float>(x_.at[i * d_ + k] * factor);
  }
  y_float_.assign(padded_ * d_, 0.0f);
  s_float_.assign(padded_, 0.0f);
  for (std::size_t j = 0; j < y_.n; ++j) {
    const double factor = shrink(y_.norm[j]);
    s_float_[j] = static_cast<float>(y_.norm[j] * factor);
    for (std::size_t k = 0; k < d_; ++k)
      y_float_[k * padded_ + j] = static_cast<float>(y_.at[j * d_ + k] * factor);
  }
}

// The bounds of transport_kernels.hpp, and four more half units for subtracting a price from the cost
// and comparing: 4 * 2^-24 |c'| <= 4 * 2^-24 * 2 min(r, s), shared between row and column. Pulling in y to R
// changes c'(x, y) by at most about 2 r^2 / R <= 2e-7 r / 10 for r <= 1e9.
void Geometry::set_margins() {
  const double d = static_cast<double>(d_);
  const double near_error = half_ulp * (d / 2 + 12);
  const double far_error = half_ulp * (3 * d + 24);
  row_margin_.assign(rows(), 0);
  col_margin_.assign(padded_, 0);
  tolerance_.assign(rows(), 1e-13 * scale_);
  for (std::size_t i = 0; i < x_.n; ++i) {
    const double reach = std::min(x_.norm[i], y_.largest);
    row_margin_[i] = wild_ ? far_error * reach : near_error * x_.norm[i];
    if ((clipped_ && reach > 1e9) || scale_ < 1e-15) row_margin_[i] = std::numeric_limits<double>::infinity();
    if (slack_col_) row_margin_[i] += slack_margin(x_.norm[i]);
    tolerance_[i] = 1e-13 * scale_ + 1e-14 * (slack_col_ ? x_.norm[i] : reach);
  }
  if (!wild_)
    for (std::size_t j = 0; j < y_.n; ++j) col_margin_[j] = near_error * y_.norm[j];
  largest_col_margin_ = wild_ ? 0 : near_error * y_.largest;
  if (slack_row_) {
    row_margin_[x_.n] = slack_margin(y_.largest);
    tolerance_[x_.n] = 1e-13 * scale_ + 1e-14 * y_.largest;
  }
  const double far = far_ratio * scale_;
  leaves_out_far_ = has_slack() && std::max(x_.largest, y_.largest) > far;
  if (leaves_out_far_)
    for (double& tolerance : tolerance_) tolerance = std::min(tolerance, 1e-13 * scale_ + 1e-14 * far);
}

void Geometry::refine(std::span<const double> v) {
  const std::size_t real = y_.n;
  std::transform(v.begin(), v.end(), y_.gauge.begin(), y_.gauge.begin(), std::plus<>());
  fine_y_.assign(padded_ * d_, 0);
  fine_s_.assign(padded_, -float_end);
  for (std::size_t j = 0; j < real; ++j) {
    for (std::size_t k = 0; k < d_; ++k) fine_y_[k * padded_ + j] = y_.at[j * d_ + k];
    fine_s_[j] = y_.gauge[j];
  }
  double largest = 0;
  std::array<double, fine_chunk> costs{};
  for (std::size_t i = 0; i < rows(); ++i) {
    std::array<double, 4> least{};
    least.fill(std::numeric_limits<double>::max());
    for (std::size_t first = 0; first < padded_; first += fine_chunk) {
      fine_costs(i, first, std::min(fine_chunk, padded_ - first), costs.data());
      for (std::size_t j = 0; j < std::min(fine_chunk, padded_ - first); j += least.size())
        for (std::size_t k = 0; k < least.size(); ++k) least[k] = std::min(least[k], costs[j + k]);
    }
    x_.gauge[i] += *std::ranges::min_element(least);
    largest = std::max(largest, std::abs(x_.gauge[i]));
  }
  // Of the true cost float32 has all but half a unit of its own last place; what is rounded besides, in
  // double, is far below. Prices and bounds are raised by four times as much as half a unit of each, and a
  // cost below the sum of both can be no larger than that sum: nothing below a bound is passed over.
  std::ranges::fill(row_margin_, 1e-14 * (x_.largest + y_.largest + largest));
  std::ranges::fill(col_margin_, 0);
  largest_col_margin_ = 0;
}

void Geometry::coarsen(std::span<double> u, std::span<double> v) {
  const auto back = [](const Side& side, std::span<double> potentials) {
    for (std::size_t k = 0; k < potentials.size(); ++k)
      potentials[k] += side.gauge[k] - (k < side.n ? side.norm[k] : 0);
  };
  back(x_, u);
  back(y_, v);
  set_gauge();
  set_margins();
}

template <class Far>
bool Side::lift_where(Far is_far) {
  bool any = false;
  lift.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const bool lifted = is_far(k);
    if (lifted) lift[k] = true_norm[k];
    gauge[k] = lifted ? 0 : norm[k];
    any = any || lifted;
  }
  return any;
}

bool Geometry::lift_far(std::span<const double> phi_x, std::span<const double> phi_y) {
  if (!leaves_out_far_) return false;
  const auto small = [&](const Side& side, std::span<const double> phi) {
    return [&, phi](std::size_t k) {
      return side.norm[k] > far_ratio * scale_ && std::abs(phi[k]) <= side.norm[k] / 2;
    };
  };
  const bool any_x = x_.lift_where(small(x_, phi_x)), any_y = y_.lift_where(small(y_, phi_y));
  if (!any_x && !any_y) set_gauge();
  return any_x || any_y;
}

bool Geometry::can_be_taken_apart() const {
  const auto is_between = [&](double norm) {
    return norm > far_ratio * scale_ && norm <= very_far_ratio * scale_;
  };
  const double farthest = has_slack() ? std::max(x_.largest, y_.largest) : std::min(x_.largest, y_.largest);
  return farthest > very_far_ratio * scale_ && std::ranges::none_of(x_.norm, is_between) &&
         std::ranges::none_of(y_.norm, is_between);
}

void Geometry::take_far_apart() {
  for (Side* side : {&x_, &y_})
    side->lift_where([&](std::size_t k) { return side->norm[k] > far_ratio * scale_; });
  between_ = std::sqrt(far_ratio * very_far_ratio) * scale_;
  for (std::size_t i = 0; i < rows(); ++i)
    tolerance_[i] = 1e-13 * scale_ + (i < x_.n && x_.lift[i] > 0 ? 1e-14 * between_ : 0);
}

bool Geometry::connects_far(std::span<const FlowEntry> plan) const {
  return std::ranges::any_of(plan, [&](const FlowEntry& flow) {
    return flow.row < x_.n && flow.col < y_.n && (x_.lift[flow.row] > 0) != (y_.lift[flow.col] > 0);
  });
}

// Costs of refined points in double; columns of padding are far away.
void Geometry::fine_costs(std::size_t i, std::size_t first, std::size_t count, double* out) const noexcept {
  if (i < x_.n) {
    kernels::transport_kernels().fine_row(
        {x_.at.data() + i * d_, fine_y_.data() + first, padded_, fine_s_.data() + first, d_}, count, out);
    for (std::size_t j = 0; j < count; ++j) out[j] -= x_.gauge[i];
    if (slack_col_ && first <= y_.n && y_.n < first + count) out[y_.n - first] = slack_cost(i, y_.n);
  } else {
    for (std::size_t j = 0; j < count; ++j)
      out[j] = first + j < cols() ? slack_cost(i, first + j) : float_end;
  }
}

void Geometry::cost_row(std::size_t i, std::size_t first, std::size_t count, float* out) const noexcept {
  if (refined()) {
    std::array<double, fine_chunk> costs{};
    for (std::size_t from = 0; from < count; from += fine_chunk) {
      const std::size_t some = std::min(fine_chunk, count - from);
      fine_costs(i, first + from, some, costs.data());
      for (std::size_t j = 0; j < some; ++j) out[from + j] = static_cast<float>(costs[j]);
    }
    return;
  }
  if (i >= x_.n) {
    for (std::size_t j = 0; j < count; ++j)
      out[j] = first + j < y_.n ? static_cast<float>(std::max(-y_.norm[first + j], -float_end)) : 0.0f;
  } else {
    const kernels::GaugeRow row{
        x_float(i), r_float_[i], y_float_.data() + first, padded_, s_float_.data() + first, d_};
    const kernels::TransportKernels& kernel = kernels::transport_kernels();
    (wild_ ? kernel.gauge_row_far : kernel.gauge_row)(row, count, out);
  }
  if (slack_col_ && first <= y_.n && y_.n < first + count)
    out[y_.n - first] = static_cast<float>(std::max(slack_cost(i, y_.n), -float_end));
}

double Geometry::slack_cost(std::size_t i, std::size_t j) const noexcept {
  return (i < x_.n || j < y_.n ? 0 : 1) - x_.gauge[i] - y_.gauge[j];
}

double Geometry::wild_cost(std::size_t i, std::size_t j, double c) const noexcept {
  const double r = x_.norm[i];
  const double s = y_.norm[j];
  if (std::max(r, s) <= 1e3 * std::min(r, s)) return c - r - s;
  if (r == 0 || s == 0) return 0;
  double dot = r * s;
  const double* p = x_.at.data() + i * d_;
  const double* q = y_.at.data() + j * d_;
  for (std::size_t k = 0; k < d_; ++k) dot += p[k] * q[k];
  return -2 * std::max(dot, 0.0) / (c + r + s);
}

// Of two far points the distance, with what they were pulled in by: they may lie side by side.
double Geometry::lifted_cost(std::size_t i, std::size_t j, double c) const noexcept {
  const double r = x_.lift[i];
  const double s = y_.lift[j];
  if (r > 0 && s > 0) return c + (r - x_.norm[i]) + (s - y_.norm[j]);
  if (between_ > 0 && (r > 0 || s > 0)) return between_ - x_.gauge[i] - y_.gauge[j];
  return wild_cost(i, j, c) + r + s;
}

}  // namespace motmot::solver
