/// How far a chunk is from other rows, and what chunks without drift give.
#pragma once

#include "base/progress.hpp"
#include "base/random.hpp"
#include "inference/noise.hpp"
#include "motmot/watch.hpp"
#include "watch/frames.hpp"

namespace motmot {

/// Rows that a chunk is held against at most.
inline constexpr std::size_t most_held_against = 2000;
/// Rows of a chunk that is judged, at least.
inline constexpr std::size_t least_chunk_rows = 10;

/// Three distances of the rows kept; the first is that of distance().
struct Apart {
  double distance = 0, energy = 0, kernel = 0;
  PerSample<RowList> left_out{};
};
[[nodiscard]] Apart apart(PointsView x, PointsView y, double tau, Team& team);

/// These rows of a table, in their order.
[[nodiscard]] Points rows_of(PointsView points, std::span<const std::uint32_t> rows);

/// `count` of n rows, ascending; all where these are no more. Step 0 of a purpose is for tables, 1 for what
/// chunks are held against.
[[nodiscard]] RowList drawn_rows(std::size_t n, std::size_t count, std::uint64_t seed, Purpose purpose,
                                 std::uint64_t step = 0);

/// Where own chunks lie in a table: starts of chunks of `rows` rows, which do not overlap.
[[nodiscard]] std::vector<std::size_t> chunk_starts(std::size_t n, std::size_t rows, std::size_t most);

/// make(i): what chunk i is held against, and the chunk. Nothing where stopped.
struct HeldAgainst {
  Points rows{}, chunk{};
};
[[nodiscard]] std::optional<OwnChunks> own_chunks(std::size_t count,
                                                  const std::function<HeldAgainst(std::size_t)>& make,
                                                  double tau, Team& team, Watch& watch);

/// Where a chunk stands among the own ones.
struct Rank {
  double p_value = 1;
  double score = 0;
  double limit = 0;  ///< of the score, at one in `one_in`
};
[[nodiscard]] Rank rank_among(const OwnChunks& own, const Apart& chunk, std::size_t one_in);

}  // namespace motmot
