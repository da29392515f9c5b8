/// Order statistics of a few hundred values, many times over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motmot {

/// What std::nth_element finds, several times as fast: values are counted into buckets of equal width, which
/// takes no branch that depends on them, and only the bucket that holds the rank is looked into. Reused
/// without allocating; one object per thread.
class BucketSelect {
 public:
  /// The value of this rank (from 0). No NaN.
  double operator()(std::span<const double> values, std::size_t rank) {
    return (*this)(values, rank, rank).first;
  }

  struct Two {
    double first, last;
  };
  /// The values of ranks first <= last.
  Two operator()(std::span<const double> values, std::size_t first, std::size_t last);

  /// The values of many ranks, which mostly ascend.
  void operator()(std::span<const double> values, std::span<const std::size_t> ranks, std::span<double> out);

 private:
  static constexpr std::size_t buckets = 128;

  /// False where no buckets can be made.
  bool count(std::span<const double> values);
  double within_bucket(std::span<const double> values, std::size_t rank);
  void put_in_order_of_buckets(std::span<const double> values);

  std::vector<double> kept_;
  std::vector<std::uint8_t> place_;
  std::array<std::uint32_t, buckets> count_;
};

}  // namespace motmot
