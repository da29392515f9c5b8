/// All pairs of the rows of a chunk and of those it is held against, pooled: who stands alone, and how far
/// any rows that are called the chunk are from the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "motmot/data.hpp"
#include "watch/frames.hpp"

namespace motmot {

/// The rows that chunks are held against, with the distances between them, which all chunks share: 4 n^2
/// bytes.
class HeldRows {
 public:
  HeldRows(Points points, double tau, Team& team);

  [[nodiscard]] const Points& points() const noexcept { return points_; }
  /// Places of the rows that have company (inference/lone_rows.hpp), ascending: the others may be wrong.
  [[nodiscard]] const RowList& company() const noexcept { return company_; }
  /// Distances are in this unit, that of two rows apart by chance.
  [[nodiscard]] double unit() const noexcept { return unit_; }
  [[nodiscard]] float distance(std::size_t i, std::size_t j) const noexcept {
    return distances_[i * points_.rows() + j];
  }

 private:
  Points points_;
  RowList company_;
  double unit_;
  std::vector<float> distances_;
};

/// Rows called the chunk: those that count, and those that were left out because they stand alone.
struct CalledChunk {
  RowList kept{}, left_out{};
};

/// Energy distance and kernel distance (inference/energy.hpp), times n m / (n + m) of the rows that count.
struct PairDistances {
  double energy = 0, kernel = 0;
};

/// Pooled, the rows held are 0 .. n - 1 and those of the chunk follow. 8 (n + m)^2 bytes.
class PooledPairs {
 public:
  /// `rows`: places of the rows held that take part. `most`: rows of a chunk that may be wrong.
  PooledPairs(const HeldRows& held, std::span<const std::uint32_t> rows, PointsView chunk, std::size_t most,
              Team& team);

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  /// The kernel is 1 / (1 + sharpness r^2), r in the unit of the points: as sharp as that of the energy room.
  [[nodiscard]] double sharpness() const noexcept { return sharpness_; }

  /// Rows that stand alone in the pooled sample, whichever part they belong to, the most remote first: those
  /// of the largest distance to the (most + 1)-th nearest row, `most` of them and one in a hundred of the
  /// rest. Nobody asks where they come from, so that permuted chunks lose rows by the same rule; that they
  /// are few costs little.
  [[nodiscard]] const RowList& remote() const noexcept { return remote_; }

  /// Without the remote rows among these, but no more than `most` of them: many are no accident.
  [[nodiscard]] CalledChunk called(std::span<const std::uint32_t> chunk) const;

  /// From all other rows that are not remote. O(size of the chunk squared).
  [[nodiscard]] PairDistances distances(const CalledChunk& chunk) const;

 private:
  struct Pair {
    float distance, kernel;
  };
  struct Sums {
    double distance = 0, kernel = 0;
    void add(Pair pair, double times = 1) {
      distance += times * static_cast<double>(pair.distance);
      kernel += times * static_cast<double>(pair.kernel);
    }
    void add(const Sums& other, double times = 1) {
      distance += times * other.distance;
      kernel += times * other.kernel;
    }
  };

  [[nodiscard]] Pair at(std::size_t i, std::size_t j) const { return pairs_[i * rows_ + j]; }
  [[nodiscard]] bool is_remote(std::uint32_t row) const { return remoteness_[row] < remote_.size(); }
  void find_remote(Team& team);
  void sum_up(Team& team);

  std::size_t rows_, most_;
  double sharpness_ = 0;
  std::vector<Pair> pairs_;
  RowList remote_{};
  std::vector<std::size_t> remoteness_{};  ///< of every row: its place among the remote ones; beyond: none
  std::vector<Sums> to_others_{};          ///< of every row: over the rows that are not remote
  Sums among_others_{};
};

}  // namespace motmot
