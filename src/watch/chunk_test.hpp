/// Whether a chunk is like the rows that it is held against.
#pragma once

#include "motmot/watch.hpp"
#include "watch/pooled_pairs.hpp"

namespace motmot {

/// Rows of a chunk that take part in the test at most: beyond, they are drawn from.
inline constexpr std::size_t most_tested_rows = 1000;

struct ChunkTestOptions {
  double tau = 0.1;  ///< largest share of wrong rows of the chunk
  std::size_t permutations = 999;
  std::uint64_t seed = 0;
};

struct ChunkTest {
  double score = 0;                ///< of the chunk, in sds of all scores from their mean
  std::vector<double> permuted{};  ///< those of random chunks of the pooled rows
  RowList left_out{};  ///< rows of the chunk that were left out because they stand alone, ascending
};

/// The score of a chunk is a soft maximum (log of the sum of exp(2 value), halved) of four: the energy
/// distance and a kernel distance of all columns together (logarithms), how far that column has moved which
/// alone has moved most, and the sum of squares of all columns' moves; each less its median and divided by
/// how far its upper twentieth lies above it, over the chunk and the permuted ones; the energy distance
/// counts one and a half times. The plain maximum would be as good for what one of them sees, and worse for
/// what several see a little of: a shift shared by columns. Rows that stand alone in the pooled sample are
/// left out of every chunk, permuted or not, before it is held against the other rows. So P(p <= a) <= a
/// where the chunk and the rows held are drawn alike; and where some rows of the chunk are wrong and remote,
/// the score is nearly what it would be without them.
///
/// `places`: of the rows held that take part, as far as they have company. Costs O(n^2 + n m d) and for each
/// permutation O(m^2 + m columns).
[[nodiscard]] ChunkTest test_chunk(const HeldRows& held, std::span<const std::uint32_t> places,
                                   PointsView chunk, const Coding& coding, const ChunkTestOptions& options,
                                   Team& team);
/// All rows held take part.
[[nodiscard]] ChunkTest test_chunk(const HeldRows& held, PointsView chunk, const Coding& coding,
                                   const ChunkTestOptions& options, Team& team);

/// As many permutations as a rate of one in N needs for a chunk of m rows: k N - 1 with k from 10 to 50.
[[nodiscard]] std::size_t permutations_for(std::size_t one_in, std::size_t rows);

/// Where a chunk stands.
struct Rank {
  double p_value = 1;
  double score = 0;
  double limit = 0;  ///< of the score: p_value <= 1 / one_in above it
};

/// p = (1 + permuted scores that reach it) / (permutations + 1). Where own chunks are restless, their scores
/// are taken to have the permuted ones' law, moved and stretched to their own mean and sd (by a little more,
/// since C chunks know these only so well: as Student's quantile is to the normal one), and p is of the
/// chunk's score moved and shrunk back, if that is the larger one.
[[nodiscard]] Rank rank_of(const ChunkTest& test, const OwnChunks& own, std::size_t one_in);

}  // namespace motmot
