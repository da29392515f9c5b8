/// RMSProp and Adam over one long array: a step is one pass over memory, whatever the number of layers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "motmot/gan/options.hpp"

namespace motmot::gan {

struct UpdateOptions {
  Optimizer optimizer = Optimizer::rmsprop;
  float rate = 5e-4f;
  float clip = std::numeric_limits<float>::infinity();  ///< every weight stays in [-clip, clip]
};

/// Descends by the formulas of PyTorch: RMSProp with alpha 0.99, Adam with betas 0.5 and 0.9 (Gulrajani et
/// al., 2017), eps 1e-8. RMSProp is the core's kernel. The core's Adam cannot serve here: its betas are 0.9
/// and 0.99.
class UpdateRule {
 public:
  UpdateRule(std::size_t size, const UpdateOptions& options)
      : options_(options), means_(options.optimizer == Optimizer::adam ? size : 0), squares_(size) {}

  void set_rate(double rate) noexcept { options_.rate = static_cast<float>(rate); }
  void descend(std::span<float> weights, std::span<const float> gradient) noexcept;

  /// The whole state, for checkpoints.
  [[nodiscard]] std::vector<float>& means() noexcept { return means_; }
  [[nodiscard]] std::vector<float>& squares() noexcept { return squares_; }
  [[nodiscard]] std::int64_t& steps() noexcept { return steps_; }

 private:
  void adam(float* weights, const float* gradient, std::size_t n) noexcept;

  UpdateOptions options_;
  std::vector<float> means_, squares_;
  std::int64_t steps_ = 0;
};

}  // namespace motmot::gan
