/// Chance, from one place: a counter-based generator, so that a stream is named by what it is for
/// and not by what ran before it.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace motmot {

/// What a stream of random numbers is for. Streams of different purposes are independent.
/// The numbers are part of the definition "same seed, same bits": never renumber.
enum class Purpose : std::uint32_t {
  blocks_x = 1,
  blocks_y = 2,
  weights = 3,
  toy_x = 4,
  toy_y = 5,
  pairs = 6,
  transport = 7,
  read_out_x = 8,
  read_out_y = 9,
  fixed_partition_x = 10,
  fixed_partition_y = 11,
  minibatch_x = 12,
  minibatch_y = 13,
  split_x = 14,
  split_y = 15,
  line_search_x = 16,
  line_search_y = 17,
  permutation = 18,
  upper_end = 19,
  subsample_x = 20,
  subsample_y = 21,
  mixed_profile = 22,
  reference_rows = 23,
  chunk_rows = 24,
  resample = 30,
  bandwidth_x = 31,
  bandwidth_y = 32,
  gan_weights = 40,
  gan_order = 41,
  gan_latents = 42,
  gan_samples = 43,
  gan_penalty = 44,
  gan_outliers = 45,
  gan_places = 46,
  gan_noise = 47,
  gan_features = 48,
  gan_bootstrap = 49,
  drawn_once_x = 60,
  drawn_once_y = 61,
  smaller_x = 62,
  smaller_y = 63,
  smaller_mixed = 64,
  test = 99,
};

/// The stream of (seed, purpose, step): Philox4x32-10 (Salmon et al., 2011, by Random123), key =
/// seed, counter = (block, step, purpose). Two streams share no state: drawing from one, in any
/// thread, changes nothing in another.
class Rng {
 public:
  using result_type = std::uint32_t;

  Rng(std::uint64_t seed, Purpose purpose, std::uint64_t step = 0) noexcept
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(step >> 32),
                  static_cast<std::uint32_t>(purpose)}} {}

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return 0xffffffffu; }

  result_type operator()() noexcept {
    if (used_ == 4) refill();
    return buffer_[used_++];
  }

  std::uint64_t bits64() noexcept {
    const std::uint64_t high = (*this)();
    return high << 32 | (*this)();
  }

  /// Uniform on 0 .. n - 1, 1 <= n <= 2^32 - 1, without bias (Lemire's multiply-and-reject).
  std::uint32_t below(std::uint32_t n) noexcept {
    std::uint64_t product = std::uint64_t{(*this)()} * n;
    if (static_cast<std::uint32_t>(product) < n) [[unlikely]] {
      const std::uint32_t threshold = (0u - n) % n;
      while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{(*this)()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform on [0, 1), a multiple of 2^-53.
  double uniform() noexcept { return static_cast<double>(bits64() >> 11) * 0x1p-53; }
  /// Uniform on (0, 1), never an end point.
  double open_uniform() noexcept { return (static_cast<double>(bits64() >> 12) + 0.5) * 0x1p-52; }
  double uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }

  double normal() noexcept;       ///< standard Gaussian (inverse of the distribution function)
  double cauchy() noexcept;       ///< standard Cauchy
  double exponential() noexcept;  ///< rate 1

 private:
  void refill() noexcept;

  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  std::array<std::uint32_t, 4> buffer_{};
  unsigned used_ = 4;
};

}  // namespace motmot
