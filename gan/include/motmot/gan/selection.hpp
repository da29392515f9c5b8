/// Which images of a batch carry the loss, and which stand out: the part of the losses that needs no
/// networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "motmot/gan/options.hpp"

namespace motmot::gan {

/// Positions within the batch of real images and of fakes, each in rising order; empty means all.
struct Selection {
  std::vector<std::int64_t> real{};
  std::vector<std::int64_t> fake{};
};

/// Chooses by the critic's values (those of the fakes matter for mou and mou_diag alone):
///   wgan, unbalanced, partial   all images
///   mom           the block of real images whose mean is the median; all fakes
///   mou           the pair of blocks whose difference of means is the median of all K^2 differences
///   mou_diag      the pair of blocks (k, k) whose difference of means is the median of these K
///   trim          the ceil((1 - q) n) real images of lowest value, and those of the others that stand out by
///                 no more than `cut`; all fakes
///   trim_scores   as trim, without the images in `banned` (one flag per real image, or empty)
/// `trim_from` is not looked at: a critic step does, over many batches.
/// The median of an even number is the upper of the two in the middle. Ties are broken by position.
[[nodiscard]] Selection select_images(const LossOptions& options, std::span<const float> real,
                                      std::span<const float> fake, std::span<const std::uint8_t> banned = {});

/// Share of the pairs of a real image and a fake in which the real one has the higher value; ties count half.
/// 1 while the critic tells all of them apart; about 1/2, and a little more for outliers, once the generator
/// covers the inliers. 1/2 without fakes.
[[nodiscard]] double lead(std::span<const float> real, std::span<const float> fake);

/// How far the value f of each image lies above the others of its batch: clip((f - median) / MAD, 0, 10).
[[nodiscard]] std::vector<double> standing_out(std::span<const float> values);

/// How much each training image has stood out, as a weighted mean over its visits.
class RowScores {
 public:
  explicit RowScores(std::size_t rows = 0) : sums_(rows), weights_(rows), banned_(rows) {}

  /// Adds weight * standing_out(values) to the rows of a batch.
  void add(std::span<const std::uint32_t> rows, std::span<const float> values, double weight);
  /// Bans the share `q` of all rows that has the highest mean scores, except rows with a mean of `cut` or
  /// less.
  void ban_highest(double q, double cut);

  [[nodiscard]] std::vector<double> means() const;
  [[nodiscard]] std::vector<double>& sums() noexcept { return sums_; }
  [[nodiscard]] std::vector<double>& weights() noexcept { return weights_; }
  [[nodiscard]] std::vector<std::uint8_t>& banned() noexcept { return banned_; }

 private:
  std::vector<double> sums_;
  std::vector<double> weights_;
  std::vector<std::uint8_t> banned_;
};

}  // namespace motmot::gan
