#include <fmt/format.h>

#include "answer/job.hpp"

namespace motmot {

CriticChoice choose_critic(std::size_t n, std::size_t m, std::size_t d) {
  const double pairs = static_cast<double>(n) * static_cast<double>(m);
  if (pairs > affordable_pairs)
    return {.primary = CriticKind::lipschitz,
            .why = fmt::format("{} x {} rows are too many for exact transport", n, m)};
  if (d < 5) return {.why = fmt::format("{} x {} rows of {} columns suit exact transport", n, m, d)};
  return {.population_too = true,
          .why = fmt::format(
              "{} x {} rows suit exact transport; at {} columns the distance of the laws is another "
              "number, so a network estimates it too",
              n, m, d)};
}

}  // namespace motmot
