/// Tables for the tests of this room.
#pragma once

#include <cmath>

#include "motmot/tables.hpp"
#include "support/support.hpp"

namespace motmot::test {

/// age (a number, the eighth is missing), city (five levels), size (a number that goes with the city).
inline Frame mixed_table(Rng& rng, std::size_t n, double shift = 0, std::size_t dirty = 0) {
  Frame table{
      .columns = {{.name = "age"},
                  {.name = "city", .kind = Kind::category, .levels = {"Ulm", "Bonn", "Kiel", "Jena", "Hof"}},
                  {.name = "size"}}};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t city = std::min({rng.below(5), rng.below(5)});
    const bool wrong = i < dirty;
    table.columns[0].numbers.push_back(wrong ? 9000 + 100 * rng.normal() : 40 + 10 * (rng.normal() + shift));
    table.columns[1].codes.push_back(city);
    table.columns[2].numbers.push_back(city + rng.normal());
  }
  if (n > 7 && dirty == 0) table.columns[0].numbers[7] = std::nan("");
  return table;
}

}  // namespace motmot::test
