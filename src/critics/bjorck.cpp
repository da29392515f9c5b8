#include "critics/bjorck.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/kernels.hpp"

namespace motmot {
namespace {

/// cols x rows from rows x cols.
void transpose(std::span<const float> from, std::size_t rows, std::size_t cols, std::span<float> to) {
  for (std::size_t c = 0; c < cols; ++c)
    for (std::size_t r = 0; r < rows; ++r) to[c * rows + r] = from[r * cols + c];
}

/// An upper bound of the largest singular value: sqrt(largest row sum * largest column sum) of |A|.
float norm_bound(std::span<const float> a, std::size_t rows, std::size_t cols) {
  std::vector<float> columns(cols);
  float largest_row = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    float sum = 0;
    for (std::size_t c = 0; c < cols; ++c) {
      sum += std::abs(a[r * cols + c]);
      columns[c] += std::abs(a[r * cols + c]);
    }
    largest_row = std::max(largest_row, sum);
  }
  return std::sqrt(largest_row * *std::ranges::max_element(columns));
}

}  // namespace

Stiefel::Stiefel(std::size_t outputs, std::size_t inputs)
    : tall_(std::max(outputs, inputs)),
      narrow_(std::min(outputs, inputs)),
      transposed_(outputs < inputs),
      a_(tall_ * narrow_),
      at_(a_.size()),
      next_(a_.size()),
      gram_(narrow_ * narrow_),
      unused_(tall_) {}

void Stiefel::load(std::span<const float> w) {
  assert(w.size() == a_.size());
  std::ranges::copy(w, transposed_ ? at_.begin() : a_.begin());
  transposed_ ? transpose(at_, narrow_, tall_, a_) : transpose(a_, tall_, narrow_, at_);
}

void Stiefel::store(std::span<float> w) const { std::ranges::copy(transposed_ ? at_ : a_, w.begin()); }

/// gram_ = a^T b, both tall x narrow.
void Stiefel::gram(std::span<const float> a, std::span<const float> b) {
  std::ranges::fill(gram_, 0.0f);
  kernels::table().outer({.delta = a.data(),
                          .in = b.data(),
                          .rows = tall_,
                          .outputs = narrow_,
                          .inputs = narrow_,
                          .w = gram_.data(),
                          .bias = unused_.data()});
}

/// to += A right, right narrow x narrow.
void Stiefel::add_product(std::span<const float> right, std::span<float> to) {
  kernels::table().outer({.delta = at_.data(),
                          .in = right.data(),
                          .rows = narrow_,
                          .outputs = tall_,
                          .inputs = narrow_,
                          .w = to.data(),
                          .bias = unused_.data()});
}

void Stiefel::project(std::span<const float> w, std::span<float> gradient) {
  load(w);
  if (transposed_) transpose(gradient, narrow_, tall_, next_);
  const std::span<float> g = transposed_ ? std::span<float>(next_) : gradient;
  gram(a_, g);
  for (std::size_t i = 0; i < narrow_; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const float minus = -0.5f * (gram_[i * narrow_ + j] + gram_[j * narrow_ + i]);
      gram_[i * narrow_ + j] = gram_[j * narrow_ + i] = minus;
    }
  }
  add_product(gram_, g);
  if (transposed_) transpose(next_, tall_, narrow_, gradient);
}

int Stiefel::retract(std::span<float> w) {
  // With E = A^T A - I the next E is -(3 E^2 + E^3) / 4: once |E| is below this, one more iteration ends
  // below float32's own rounding.
  constexpr float last = 5e-4f;
  constexpr int most = 60;
  load(w);
  float error = 1;
  int iterations = 0;
  while (error > last && iterations < most) {
    gram(a_, a_);
    error = 0;
    for (std::size_t i = 0; i < narrow_; ++i) {
      for (std::size_t j = 0; j < narrow_; ++j) {
        float& entry = gram_[i * narrow_ + j];
        const float off = entry - (i == j ? 1.0f : 0.0f);
        error += off * off;
        entry = (i == j ? 1.0f : 0.0f) - 0.5f * off;
      }
    }
    error = std::sqrt(error);
    std::ranges::fill(next_, 0.0f);
    add_product(gram_, next_);
    std::swap(a_, next_);
    transpose(a_, tall_, narrow_, at_);
    ++iterations;
  }
  store(w);
  return iterations;
}

int Stiefel::orthonormalise(std::span<float> w) {
  const float bound = norm_bound(w, transposed_ ? narrow_ : tall_, transposed_ ? tall_ : narrow_);
  assert(bound > 0);
  for (float& weight : w) weight /= bound;
  return retract(w);
}

}  // namespace motmot
