/// How good generated images and rankings are: functions of numbers, in double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "motmot/data.hpp"

namespace motmot::gan {

/// Fréchet distance of the Gaussians with the means and covariances (divisor n - 1) of two sets of features,
/// one row per image: |m_a - m_b|^2 + tr(A + B - 2 (A B)^(1/2)). The trace of the root is the sum of the
/// roots of the eigenvalues of A^(1/2) B A^(1/2), both symmetric; no matrix root is iterated. Needs 2 rows on
/// each side.
[[nodiscard]] double frechet_distance(PointsView a, PointsView b);

struct KernelDistance {
  double value = 0;
  double standard_error = 0;  ///< of the mean over blocks; 0 with a single block
  std::size_t blocks = 0;
};

/// Unbiased squared maximum mean discrepancy with the kernel (x.y / d + 1)^3 (KID), the mean over disjoint
/// blocks of `block` rows of a and of b, which are independent of each other and so give the standard error.
[[nodiscard]] KernelDistance kernel_distance(PointsView a, PointsView b, std::size_t block = 500);

/// How well scores find the rows that are marked.
struct Detection {
  double auc = 0;        ///< chance that a marked row has a higher score than another; ties count half
  double precision = 0;  ///< share of marked rows among the `top` highest scores
  double recall = 0;     ///< share of the marked rows that are there
  std::size_t top = 0;
};
/// `top` 0: as many as are marked. All zero when none is marked.
[[nodiscard]] Detection detection(std::span<const double> scores, std::span<const std::uint8_t> marked,
                                  std::size_t top = 0);

/// A mean and an interval that holds 95 % of the bootstrap means.
struct Interval {
  double mean = 0, low = 0, high = 0;
};
/// Percentile bootstrap of the mean over values (one per seed), 10 000 resamples.
[[nodiscard]] Interval bootstrap(std::span<const double> values, std::uint64_t seed = 0);
/// The same for a[i] - b[i], pairs kept together: i is the seed, which both runs share.
[[nodiscard]] Interval paired_bootstrap(std::span<const double> a, std::span<const double> b,
                                        std::uint64_t seed = 0);

}  // namespace motmot::gan
