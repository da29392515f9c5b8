/// Files that must be converted before they can be mapped: text, Parquet, arrays of float32. Once, into a
/// cache.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// The rows of a file, in a cache.
struct CachedTable {
  MappedPoints points{};
  std::vector<std::string> columns{};     ///< as Table::columns
  std::span<const std::uint64_t> rows{};  ///< as Table::rows; there as long as the points are
  std::size_t rows_dropped = 0;
  bool made = false;  ///< by this call; otherwise an earlier one's was found and held against the file
};

/// Where map_cached() keeps the rows of a file: "folder/x.csv.1a2b3c4d5e6f7a8b.motmot". The digits stand for
/// the file's full name and for the options that change what is read.
[[nodiscard]] std::string cache_of(const std::string& path, const ReadOptions& options,
                                   const std::string& folder);

/// The rows that read_numbers() (tables.hpp) gives, mapped from a cache in the folder, which is made where it
/// is missing. A cache is used again when the file has the size and the SHA-256 that it had, the options say
/// the same, and the cache has its own SHA-256; otherwise it is made anew. Both are read for that: the time
/// of last change is not asked. A cache is written under another name and renamed when it is whole: one that
/// was being written when the machine stopped is not there, and of two runs that write it, either may win.
///
/// Text and arrays are converted in memory that does not grow with them (but arrays in Fortran order);
/// Parquet and SQLite are read whole, once. Queries (sql:...), patterns of several files and standard input
/// have no file to check and are refused as Error(Errc::unsupported), and so are weights.
///
/// The cache takes 8 bytes a value, and stays when the run ends.
[[nodiscard]] CachedTable map_cached(const std::string& path, const ReadOptions& options,
                                     const std::string& folder);

}  // namespace motmot
