/// How weights follow a gradient. A rule has ascend(weights, gradient) and keeps its own state.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace motmot {

/// RMSProp, then every weight clipped to [-clip, clip]: lines 7.1 and 7.2 of Algorithms 1, 3, 4.
class ClippedRmsProp {
 public:
  struct Options {
    float rate = 5e-5f;
    float alpha = 0.99f;
    float eps = 1e-8f;
    float clip = 0.01f;
  };

  ClippedRmsProp(std::size_t size, const Options& options) : options_(options), squares_(size) {}
  void ascend(std::span<float> weights, std::span<const float> gradient) noexcept;

 private:
  Options options_;
  std::vector<float> squares_;
};

/// Adam (Kingma and Ba, 2015) with a rate that falls to zero along a cosine over a known number of steps.
class Adam {
 public:
  struct Options {
    double rate = 0.01;  ///< at the first step
    double beta1 = 0.9, beta2 = 0.99;
    double eps = 1e-8;
    std::size_t steps = 1000;  ///< of the whole run
  };

  Adam(std::size_t size, const Options& options) : options_(options), means_(size), squares_(size) {}
  void ascend(std::span<float> weights, std::span<const float> gradient) noexcept;

 private:
  Options options_;
  std::size_t step_ = 0;
  std::vector<float> means_, squares_;
};

}  // namespace motmot
