/// What the jobs of this library take, as formulas in the numbers of images, weights and values between
/// layers that were fitted to runs on the CPU: a forecast is never below the measured peaks, and at most
/// twice as much (docs/results-trust.md). Every front door refuses what is forecast to take more bytes than
/// its `memory_limit` before it begins; 0 stands for three quarters of what the machine or its control group
/// has.
#pragma once

#include <cstddef>
#include <string>

#include "motmot/gan/options.hpp"

namespace motmot::gan {

/// A process that has loaded libtorch and used it once; part of every forecast.
inline constexpr double torch_bytes = 220e6;

/// read_data_set(), from the sizes of its files; of gzip files from the size that they say they unpack to.
[[nodiscard]] double data_set_bytes(const std::string& data);

/// contaminate(): data of n images become a set of `images`.
[[nodiscard]] double training_set_bytes(std::size_t n, std::size_t images, std::size_t channels);

/// train() on so many images: weights with their gradients and moments, the values that a step keeps for its
/// gradient, and the images.
[[nodiscard]] double train_bytes(const TrainOptions& options, std::size_t images);

/// sample(): a part of the images in the network, all of them as bytes.
[[nodiscard]] double sample_bytes(const NetOptions& nets, std::size_t images);

/// score() of so many images against the features of a reference.
[[nodiscard]] double score_bytes(const NetOptions& nets, std::size_t images, std::size_t reference,
                                 std::size_t features);

/// train_features() on data of so many images.
[[nodiscard]] double feature_training_bytes(std::size_t images, std::size_t channels);

/// FeatureNet::features() of so many images, and clean() of them.
[[nodiscard]] double clean_bytes(std::size_t images, std::size_t channels, std::size_t features);

}  // namespace motmot::gan
