/// Which images of a batch carry the loss: the part of the losses that needs no networks.
#pragma once

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

/// Given the critic's values (for wgan and mom those of the fakes are not looked at):
///   wgan          all
///   mom           the block of real images whose mean is the median; all fakes
///   mou           the pair of blocks whose difference of means is the median of all K^2
///   mou_diag      the same among the K pairs of equal number
///   trim          the ceil((1 - q) n) real images of lowest value, and of the others those that stand out by
///                 no more than `cut`; all fakes
///   trim_scores   the same after `banned` (one flag per real image, or none) have been taken out
/// An even number has its upper median. Ties go by position.
[[nodiscard]] Selection select_images(const LossOptions& options, std::span<const float> real,
                                      std::span<const float> fake, std::span<const std::uint8_t> banned = {});

/// For every image clip((f - median) / MAD, 0, 10): how much it stands out upwards in its batch. Summed over
/// an image's visits, later ones with more weight, this ranks the suspects.
[[nodiscard]] std::vector<double> standing_out(std::span<const float> values);

}  // namespace motmot::gan
