/// What a call will take, and whether that is allowed. Every front door forecasts its bytes before it works,
/// by a formula in the numbers of rows, columns and threads that was fitted to runs (docs/results-trust.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace motmot {

/// A process that has done nothing yet.
inline constexpr double process_bytes = 10e6;

/// n rows of d coordinates.
[[nodiscard]] inline double sample_bytes(std::size_t n, std::size_t d) noexcept {
  return 8.0 * static_cast<double>(n) * static_cast<double>(d);
}

/// The limit that was asked for; 0: three quarters of what the machine or its control group has.
[[nodiscard]] std::uint64_t memory_allowed(std::uint64_t asked);

/// 1.5 GB, 300 MB
[[nodiscard]] std::string size_words(double bytes);

/// Error(Errc::invalid_argument) where more is forecast than allowed; `remedy` is what would take less.
void require_memory(double forecast, std::uint64_t asked,
                    std::string_view remedy = "compare fewer rows or columns");

}  // namespace motmot
