/// Blocks of rows and medians of block means: what makes the estimators robust (Sections 2.2, 3.1).
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motmot/base.hpp"

namespace motmot {

/// Which row of Definition 2 (def:estimators) to estimate. With a_k, b_l the means of phi over the
/// blocks of X and of Y, the value for a given phi is
enum class Estimator {
  plain,     ///< mean phi(X) - mean phi(Y): no blocks, no robustness
  mom,       ///< med_k a_k - med_l b_l
  mou_diag,  ///< med_k (a_k - b_k), needs K_X = K_Y
  mou,       ///< med over all K_X K_Y pairs of a_k - b_l
};

/// How blocks are drawn (Section 3.1, Figure 1).
enum class Scheme {
  partition,  ///< K disjoint blocks of floor(n / K) rows, drawn once
  shuffle,    ///< a fresh partition at every step
  swor,       ///< every block by itself, without replacement inside it: blocks may overlap, K and B are free
  pairs,      ///< blocks of M pairs (i, j) drawn directly (incomplete U-statistics); mou only
};

template <>
inline constexpr auto names<Estimator> = std::to_array<Named<Estimator>>({{"mom", Estimator::mom},
                                                                          {"mou", Estimator::mou},
                                                                          {"mou-diag", Estimator::mou_diag},
                                                                          {"plain", Estimator::plain}});

template <>
inline constexpr auto names<Scheme> = std::to_array<Named<Scheme>>({{"shuffle", Scheme::shuffle},
                                                                    {"partition", Scheme::partition},
                                                                    {"swor", Scheme::swor},
                                                                    {"pairs", Scheme::pairs}});

/// `count` blocks of `size` row indices each, one after the other.
struct Blocks {
  std::vector<std::uint32_t> index;
  std::size_t count = 0;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t k) const noexcept {
    assert(k < count);
    return std::span(index).subspan(k * size, size);
  }
};

/// What the median of an even number of values is.
enum class EvenMedian {
  mean,   ///< the mean of the two middle ones; the gradient is the mean of their gradients
  upper,  ///< the upper one, as in the paper's algorithms, which go through one block
};

/// The blocks that carry the median, two of them when their number is even (else both alike): the value
/// is the mean of a[x[0]] - b[y[0]] and a[x[1]] - b[y[1]].
struct MedianPair {
  double value = 0;
  std::array<std::uint32_t, 2> x{};
  std::array<std::uint32_t, 2> y{};
};

/// Line 3 of Algorithms 1 (mom), 3 (mou-diag) and 4 (mou) on given block means a of X and b of Y. The
/// algorithms differ only here. O(K) for plain, mom and mou_diag (which needs a.size() == b.size());
/// O(K log K) for mou, which never lists its K_X K_Y pairs. Ties are broken by position.
[[nodiscard]] MedianPair median_pair(Estimator estimator, std::span<const double> a,
                                     std::span<const double> b, EvenMedian even = EvenMedian::mean);

}  // namespace motmot
