/// Rows of a file that are handed on as they are read, and not kept.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

struct RowChunk {
  PointsView points;                    ///< some rows of the file, in its order
  std::span<const std::uint64_t> rows;  ///< their numbers in it, from 1
};
using RowSink = std::function<void(const RowChunk&)>;

/// What is known of the file at its end.
struct RowStream {
  std::vector<std::string> columns{};
  std::uint64_t rows = 0;  ///< handed on
  std::size_t rows_dropped = 0;
};

/// Reads what read_table() reads, with its complaints, in memory that does not grow with the rows (arrays in
/// Fortran order are read whole). Weights are refused.
RowStream stream_rows(const std::string& path, const ReadOptions& options, const RowSink& sink);

}  // namespace motmot
