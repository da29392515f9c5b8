// The definition of the transport kernels. Every vector version must agree with it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/transport_kernels.hpp"

namespace motmot::kernels {
namespace {

constexpr float none = std::numeric_limits<float>::max();

void keep_smallest(TwoSmallest& best, float value, std::size_t at) noexcept {
  if (value < best.first) best = {value, static_cast<std::uint32_t>(at), best.first};
  else best.second = std::min(best.second, value);
}

void gauge_row(const GaugeRow& row, std::size_t count, float* out) noexcept {
  for (std::size_t j = 0; j < count; ++j) {
    float sum = 0;
    for (std::size_t k = 0; k < row.d; ++k) {
      const float diff = row.x[k] - row.y[k * row.stride + j];
      sum += diff * diff;
    }
    out[j] = std::sqrt(sum) - row.r - row.s[j];
  }
}

void gauge_row_far(const GaugeRow& row, std::size_t count, float* out) noexcept {
  for (std::size_t j = 0; j < count; ++j) {
    float sum = 0;
    float dot = row.r * row.s[j];
    for (std::size_t k = 0; k < row.d; ++k) {
      const float y = row.y[k * row.stride + j];
      sum += (row.x[k] - y) * (row.x[k] - y);
      dot += row.x[k] * y;
    }
    const float whole = std::sqrt(sum) + row.r + row.s[j];
    out[j] = -2 * std::max(dot, 0.0f) / std::max(whole, std::numeric_limits<float>::min());
  }
}

float near_bound(const float* cost, const float* price, std::size_t count) noexcept {
  float minima[8][8];
  std::fill(&minima[0][0], &minima[0][0] + 64, none);
  for (std::size_t j = 0; j < count; ++j) {
    float& least = minima[j % 8][j / 8 % 8];
    least = std::min(least, cost[j] - price[j]);
  }
  float sum = 0;
  for (auto& lane : minima) {
    std::nth_element(lane, lane + 2, lane + 8);
    sum += lane[2] / 8;
  }
  return sum;
}

std::size_t collect(const float* cost, const float* price, std::size_t count, float bound,
                    std::uint32_t* out) noexcept {
  std::size_t found = 0;
  for (std::size_t j = 0; j < count; ++j)
    if (cost[j] - price[j] <= bound) out[found++] = static_cast<std::uint32_t>(j);
  return found;
}

TwoSmallest two_smallest(const float* cost, const float* price, std::size_t count) noexcept {
  TwoSmallest best{none, 0, none};
  for (std::size_t j = 0; j < count; ++j) keep_smallest(best, cost[j] - price[j], j);
  return best;
}

TwoSmallest list_two_smallest(const float* cost, const std::uint32_t* index, std::size_t count,
                              const float* price) noexcept {
  TwoSmallest best{none, 0, none};
  for (std::size_t k = 0; k < count; ++k) keep_smallest(best, cost[k] - price[index[k]], k);
  return best;
}

void box_bounds(const float* x, const float* low, const float* high, std::size_t stride, std::size_t d,
                const float* top, std::size_t count, float* out) noexcept {
  for (std::size_t b = 0; b < count; ++b) {
    float sum = 0;
    for (std::size_t k = 0; k < d; ++k) {
      const float below = low[k * stride + b] - x[k];
      const float above = x[k] - high[k * stride + b];
      const float away = std::max(std::max(below, above), 0.0f);
      sum += away * away;
    }
    out[b] = std::sqrt(sum) - top[b];
  }
}

TwoSmallest boxes_two_smallest(const GaugeRow& row, const float* price, const std::uint32_t* boxes,
                               std::size_t count) noexcept {
  TwoSmallest best{none, 0, none};
  float costs[transport_box];
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t first = std::size_t{boxes[b]} * transport_box;
    gauge_row({row.x, row.r, row.y + first, row.stride, row.s + first, row.d}, transport_box, costs);
    for (std::size_t k = 0; k < transport_box; ++k)
      keep_smallest(best, costs[k] - price[first + k], first + k);
  }
  return best;
}

void fine_row(const FineRow& row, std::size_t count, double* out) noexcept {
  for (std::size_t j = 0; j < count; ++j) {
    double sum = 0;
    for (std::size_t k = 0; k < row.d; ++k) {
      const double diff = row.x[k] - row.y[k * row.stride + j];
      sum += diff * diff;
    }
    out[j] = std::sqrt(sum) - row.s[j];
  }
}

}  // namespace

const TransportKernels& scalar_transport_kernels() noexcept {
  static constexpr TransportKernels table{gauge_row,  gauge_row_far,      near_bound,
                                          collect,    two_smallest,       list_two_smallest,
                                          box_bounds, boxes_two_smallest, fine_row};
  return table;
}

}  // namespace motmot::kernels
