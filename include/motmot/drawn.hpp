/// Samples that are read once: some of their rows, drawn as they go by.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// Which of the two samples is read: their rows are drawn by other random numbers.
enum class Drawn { first, second };

struct DrawOptions {
  std::uint64_t most_values = 10'000'000;  ///< a sample of more values (rows x columns) is drawn from ...
  std::size_t rows = 100'000;              ///< ... if it has more rows than are drawn
  std::uint64_t seed = 0;
  Drawn sample = Drawn::first;
};

/// A file of which all rows were read and some may have been kept.
struct DrawnTable {
  Table table{};                ///< Table::rows has the numbers of the rows that were drawn
  std::uint64_t rows_read = 0;  ///< without those that were dropped; 0: the table has them all
};

/// read_table() of a file that may be larger than memory. A row is drawn when the random number of its number
/// in the file, a function of (seed, sample, number), is among the `rows` smallest: every row has the same
/// chance, a second reading draws the same rows, and neither threads nor the format of the file change them.
/// Memory: most_values and rows numbers, however long the file is; but arrays in Fortran order are read
/// whole.
[[nodiscard]] DrawnTable read_drawn(const std::string& path, const ReadOptions& options = {},
                                    const DrawOptions& draw = {});

/// The same of rows that are in memory: their places from 0, ascending; empty: all of them. `numbers` are
/// those of the rows in their file, empty: 1 to n.
[[nodiscard]] std::vector<std::uint32_t> drawn_rows(std::size_t n, std::size_t columns,
                                                    const std::vector<std::uint64_t>& numbers,
                                                    const DrawOptions& draw = {});

}  // namespace motmot
