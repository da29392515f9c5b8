/// Samples: rows of points, how they are read, and the robust centre and scale that make float32
/// safe.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "motmot/base.hpp"

namespace motmot {

/// n rows of d numbers that somebody else owns, row after row without gaps.
struct PointsView {
  const double* data = nullptr;
  std::size_t n = 0;  ///< rows
  std::size_t d = 0;  ///< columns

  [[nodiscard]] std::size_t rows() const noexcept { return n; }
  [[nodiscard]] std::size_t cols() const noexcept { return d; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    assert(i < n);
    return {data + i * d, d};
  }
  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const noexcept { return data[i * d + j]; }
};

/// n rows of d numbers, owned.
class Points {
 public:
  Points() = default;
  Points(std::size_t n, std::size_t d) : values_(n * d), n_(n), d_(d) {}
  Points(std::vector<double> values, std::size_t d)
      : values_(std::move(values)), n_(d == 0 ? 0 : values_.size() / d), d_(d) {
    assert(n_ * d_ == values_.size());
  }

  [[nodiscard]] std::size_t rows() const noexcept { return n_; }
  [[nodiscard]] std::size_t cols() const noexcept { return d_; }
  [[nodiscard]] std::span<double> row(std::size_t i) noexcept { return {values_.data() + i * d_, d_}; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return {values_.data() + i * d_, d_};
  }
  double& operator()(std::size_t i, std::size_t j) noexcept { return values_[i * d_ + j]; }
  double operator()(std::size_t i, std::size_t j) const noexcept { return values_[i * d_ + j]; }
  [[nodiscard]] const std::vector<double>& values() const noexcept { return values_; }
  operator PointsView() const noexcept { return {values_.data(), n_, d_}; }  // NOLINT: a view is cheap

 private:
  std::vector<double> values_;
  std::size_t n_ = 0;
  std::size_t d_ = 0;
};

}  // namespace motmot
