#include "base/random.hpp"

#include <cmath>
#include <numbers>

#include "base/normal.hpp"

namespace motmot {

void Rng::refill() noexcept {
  const auto block = r123::Philox4x32{}(counter_, key_);
  for (unsigned i = 0; i < 4; ++i) buffer_[i] = block[i];
  ++counter_[0];
  used_ = 0;
}

double Rng::normal() noexcept { return normal_quantile(open_uniform()); }

double Rng::cauchy() noexcept { return std::tan(std::numbers::pi * (open_uniform() - 0.5)); }

double Rng::exponential() noexcept { return -std::log(open_uniform()); }

}  // namespace motmot
