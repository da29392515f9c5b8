/// Drawings for documents: SVG on a light ground, without scripts or outside fonts, with a title and a
/// description for readers who cannot see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/chart.hpp"

namespace motmot {

/// Charts side by side, upright whatever Chart::horizontal says. When all have the same series in the same
/// order there is one legend for all.
struct Figure {
  std::string title{};
  std::string note{};  ///< a sentence under it
  std::size_t columns = 2;
  std::vector<Chart> panels{};
};
[[nodiscard]] std::string figure_svg(const Figure& figure);

/// Numbers in coloured cells: pale near zero, the redder the further above, the bluer below.
struct HeatTable {
  std::string title{};
  std::string note{};
  std::vector<std::string> columns{};
  struct Row {
    std::string group{};  ///< written once for the rows that share it
    std::string name{};
    std::vector<std::optional<double>> values{};  ///< one per column; unset: not measured
  };
  std::vector<Row> rows{};
  double mild = 5;      ///< |value| from which a cell is coloured
  double strong = 100;  ///< |value| from which it is coloured fully
};
[[nodiscard]] std::string heat_svg(const HeatTable& table);

/// Figure 1: blocks as the sampler draws them from the seed, and the shares of outliers that admitted()
/// admits.
[[nodiscard]] std::string figure1_svg(std::uint64_t seed);

}  // namespace motmot
