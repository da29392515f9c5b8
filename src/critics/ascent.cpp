#include "critics/ascent.hpp"

#include <algorithm>
#include <cmath>

#include "base/require.hpp"

namespace motmot {

double Tail::mean_of(std::size_t first, std::size_t count) const {
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) sum += recent(i);
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

double Tail::sd() const {
  const std::size_t count = length();
  if (count < 2) return 0;
  const double centre = mean();
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += (recent(i) - centre) * (recent(i) - centre);
  return std::sqrt(sum / static_cast<double>(count - 1));
}

bool Tail::settled() const {
  const std::size_t count = length();
  if (count_ < last_.size()) return false;
  const double change = std::abs(mean() - mean_of(count, count));
  const double standard_error = sd() * std::sqrt(2 / static_cast<double>(count));
  return std::isfinite(change) && change <= std::max(0.01 * std::abs(mean()), 3 * standard_error);
}

void require_finite(std::span<const double> a, std::span<const double> b, std::size_t step) {
  const auto finite = [](double mean) { return std::isfinite(mean); };
  require(std::ranges::all_of(a, finite) && std::ranges::all_of(b, finite), Errc::numeric,
          "the critic's values overflow float32 at step ", step + 1, ": rescale the data");
}

}  // namespace motmot
