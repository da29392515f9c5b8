/// How far a chunk is from other rows, and what chunks without drift give.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "motmot/watch.hpp"
#include "watch/pooled_pairs.hpp"

namespace motmot {

/// Rows that a chunk is held against at most.
inline constexpr std::size_t most_held_against = 2000;

/// Coordinates that the rows of the table need: a coding has one more for each column in which numbers may be
/// missing.
[[nodiscard]] inline std::size_t width_in(const Coding& coding, const Frame& table) {
  std::size_t width = coding.width();
  for (const CodedColumn& column : coding.columns) {
    const Column& values = table.columns[column.place];
    const bool whole =
        std::ranges::none_of(values.numbers, [](double number) { return std::isnan(number); }) &&
        std::ranges::find(values.codes, Column::no_level) == values.codes.end();
    if (column.has_missing && whole) --width;
  }
  return width;
}

/// Bytes of HeldRows and of PooledPairs with a chunk.
[[nodiscard]] inline double pair_bytes(std::size_t rows, std::size_t chunk) {
  const auto held = static_cast<double>(std::min(rows, most_held_against)),
             pooled = held + static_cast<double>(chunk);
  return 4 * held * held + 8 * pooled * pooled;
}
/// Rows of a chunk that is judged, at least.
inline constexpr std::size_t least_chunk_rows = 10;

/// That of distance(), of the rows kept.
struct Apart {
  double distance = 0;
  PerSample<RowList> left_out{};
};
[[nodiscard]] Apart apart(PointsView x, PointsView y, double tau, Team& team);

/// `count` of n rows, ascending; all where these are no more. Step 0 of a purpose is for tables, 1 for what
/// chunks are held against.
[[nodiscard]] RowList drawn_rows(std::size_t n, std::size_t count, std::uint64_t seed, Purpose purpose,
                                 std::uint64_t step = 0);

/// Where own chunks lie in a table: starts of chunks of `rows` rows, which do not overlap.
[[nodiscard]] std::vector<std::size_t> chunk_starts(std::size_t n, std::size_t rows, std::size_t most);

/// A chunk, and what it is held against.
struct HeldAgainst {
  Points rows{}, chunk{};
  /// Of these rows among those that all chunks are held against; empty: they are this chunk's alone.
  RowList places{};
};
/// How own chunks are measured.
struct OwnChunkOptions {
  const Coding& coding;
  double tau = 0.1;
  std::uint64_t seed = 0;
  const HeldRows* held = nullptr;  ///< those that all chunks are held against, if there are such
};
/// make(i): own chunk i of `count`. Nothing where stopped.
[[nodiscard]] std::optional<OwnChunks> own_chunks(std::size_t count,
                                                  const std::function<HeldAgainst(std::size_t)>& make,
                                                  const OwnChunkOptions& options, Team& team, Watch& watch);

}  // namespace motmot
