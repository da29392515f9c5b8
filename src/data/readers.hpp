/// One reader per format; read_table() chooses among them.
#pragma once

#include <string>

#include "data/byte_reader.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// Separated values; `separator` 0 means that the first line tells.
Table read_csv(ByteReader& in, const ReadOptions& options, char separator = 0);
Table read_npy(ByteReader& in, const ReadOptions& options);
Table read_idx(ByteReader& in, const ReadOptions& options);
/// Member "x" is x.npy in the archive; empty stands for the only one.
Table read_npz(const std::string& path, const std::string& member, const ReadOptions& options);

}  // namespace motmot
