/// Critic and generator (libtorch). Weights of a network lie in one array, as do its gradients, so that a
/// step of an optimiser, a clip or a checkpoint is one pass over memory.
#pragma once

#include <torch/torch.h>

#include <string>
#include <vector>

#include "motmot/communicator.hpp"
#include "motmot/gan/options.hpp"

namespace motmot::gan {

/// Named tensors that share one array of floats.
class Parameters {
 public:
  struct Entry {
    std::string name;
    torch::Tensor value;  ///< a leaf that requires gradients; its gradient is a part of gradients()
  };
  struct Shape {
    std::string name;
    std::vector<std::int64_t> sizes;  ///< four sizes are a convolution's, laid out channels last
    double bound = 0;                 ///< starts uniform on [-bound, bound] ...
    double start = 0;                 ///< ... around this
  };

  Parameters() = default;
  /// Starts are drawn from the stream (seed, gan_weights, stream).
  Parameters(const std::vector<Shape>& shapes, std::uint64_t seed, std::uint64_t stream,
             torch::Device device = torch::kCPU);

  [[nodiscard]] const torch::Tensor& operator[](std::size_t i) const { return entries_[i].value; }
  [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
  [[nodiscard]] torch::Tensor& weights() noexcept { return weights_; }
  [[nodiscard]] torch::Tensor& gradients() noexcept { return gradients_; }
  void zero_gradients() { gradients_.zero_(); }
  /// Whether backward() computes gradients for these weights.
  void track(bool on);

 private:
  std::vector<Entry> entries_;
  torch::Tensor weights_, gradients_;
};

/// f_w: images in, one number per image out.
class Critic {
 public:
  Critic(const NetOptions& options, std::uint64_t seed, torch::Device device = torch::kCPU);

  /// Values of n x C x 32 x 32 images. With Norm::batch the images are `groups` equal blocks, one after the
  /// other, each normalised by itself, in one pass; the other norms do not look at `groups`.
  [[nodiscard]] torch::Tensor values(const torch::Tensor& images, std::int64_t groups = 1) const;

  /// From here on each rank computes the values of its share of the images, and all have all of them: calls
  /// of values() are calls of all ranks. What backward() then gives is this rank's part of the gradient, for
  /// values and for images alike; the sum over ranks is the gradient. Not for Norm::batch, which looks at
  /// whole batches.
  void split_over(Communicator& ranks) noexcept { ranks_ = &ranks; }

  [[nodiscard]] Parameters& parameters() noexcept { return parameters_; }
  [[nodiscard]] Norm norm() const noexcept { return options_.norm; }

 private:
  [[nodiscard]] torch::Tensor computed(const torch::Tensor& images, std::int64_t groups) const;
  [[nodiscard]] torch::Tensor normalised(const torch::Tensor& x, std::size_t layer,
                                         std::int64_t groups) const;

  NetOptions options_;
  std::size_t layers_ = 0;
  Parameters parameters_;
  Communicator* ranks_ = &alone();
};

/// g_theta: Gaussian vectors in, images with values in [-1, 1] out.
class Generator {
 public:
  Generator(const NetOptions& options, std::uint64_t seed, torch::Device device = torch::kCPU);

  /// n x C x 32 x 32 images of n x latent vectors. While training, batch norm uses the batch and updates its
  /// running mean and variance; else it uses these, and every image is a function of its own vector.
  [[nodiscard]] torch::Tensor images(const torch::Tensor& latents, bool training);

  [[nodiscard]] Parameters& parameters() noexcept { return parameters_; }
  /// Running means and variances, by name.
  [[nodiscard]] std::vector<Parameters::Entry>& statistics() noexcept { return statistics_; }
  [[nodiscard]] const NetOptions& options() const noexcept { return options_; }

 private:
  [[nodiscard]] torch::Tensor active(const torch::Tensor& x, std::size_t layer, bool training);

  NetOptions options_;
  std::size_t layers_ = 0;
  Parameters parameters_;
  std::vector<Parameters::Entry> statistics_;
};

}  // namespace motmot::gan
