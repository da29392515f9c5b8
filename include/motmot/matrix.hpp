/// How far apart many samples are, each from each or one from all others: robust, symmetric by construction.
///
///   const Matrix m = matrix(samples, {"may", "june", "july"});
///   m.pairs                       distance, chance and p-value of each pair
///   m.order, m.merges, m.map      what lies near what
///   std::cout << text(m);
///
/// Rows that stand alone in their own sample are left out once for each sample, whatever it is compared with,
/// so no pair has a say in what another one is; each entry is the exact W1 of the rows kept. distance() of
/// two of the samples may differ: it also leaves out rows that lie where the other sample has none, and that
/// other is not the same for every pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motmot/answer.hpp"
#include "motmot/tables.hpp"

namespace motmot {

struct MatrixOptions {
  double tau = 0.1;                  ///< largest share of wrong rows in each sample, in [0, 1/2)
  std::string scale = "auto";        ///< as DistanceOptions::scale
  double category_weight = 1;        ///< how far apart two levels of a category are, > 0
  Missing missing = Missing::level;  ///< with `level`, numbers may be missing
  std::optional<std::string>
      against{};  ///< the name of the sample that all others are held against; unset: all pairs
  /// Rows of a sample that take part, drawn by the seed where more are kept; 0: all. A pair costs about the
  /// square of it.
  std::size_t most_rows = 2000;
  double alpha = 0.05;      ///< share of false ones among the pairs said to differ, in (0, 1)
  std::uint64_t seed = 0;   ///< the run is a function of the data, the options and this
  std::size_t threads = 0;  ///< 0: all cores. Changes the time, never the bits.
  /// As DistanceOptions::memory_limit.
  std::uint64_t memory_limit = 0;
  Progress progress{};
  Communicator* ranks = &alone();  ///< samples and pairs are spread over them; each has all rows
};

/// One of the samples.
struct MatrixSample {
  std::string name{};
  std::size_t n = 0;                      ///< rows
  std::size_t rows_dropped = 0;           ///< not among them: a value is missing
  std::vector<std::uint32_t> left_out{};  ///< rows that stand alone, ascending, from 0
  std::size_t rows_used = 0;              ///< whose distances are measured
  /// Mean W1 between two random halves of the rows used: what chance alone gives at half the size. Unset
  /// below 8 rows.
  std::optional<double> halves{};
  std::optional<double> rate{};  ///< chance falls like (1/n + 1/m)^rate, from halves and quarters
};

struct MatrixPair {
  std::size_t first = 0, second = 0;  ///< places of the samples, first < second
  double value = 0;                   ///< exact W1 of the rows used
  /// What chance alone gives at these numbers of rows: from the halves of both samples, by their rates.
  std::optional<double> floor{};
  double energy = 0;    ///< energy distance 2 E|X - Y| - E|X - X'| - E|Y - Y'| of the rows used
  double p_value = 1;   ///< of no difference, approximate: see pair_found()
  double q_value = 1;   ///< the same for all pairs at once, by Benjamini and Hochberg
  bool differ = false;  ///< q_value <= alpha
};

/// Two clusters that become one.
struct Merge {
  std::size_t first = 0, second = 0;  ///< a sample, or the number of samples plus that of an earlier merge
  double height = 0;                  ///< mean distance between their samples
  std::size_t size = 0;               ///< samples in it
};

/// Where a sample is drawn in the plane.
struct MapPoint {
  double x = 0, y = 0;
};

struct Matrix {
  std::vector<MatrixSample> samples{};
  std::vector<MatrixPair> pairs{};       ///< by first, then second; those of `against` alone where it is set
  std::optional<std::size_t> against{};  ///< the place of that sample
  /// All pairs, three samples or more: near ones side by side, the leaves of the dendrogram from left to
  /// right.
  std::vector<std::size_t> order{};
  std::vector<Merge> merges{};        ///< by rising height: average linkage
  std::vector<MapPoint> map{};        ///< classical scaling: distances in the plane near those of the pairs
  std::optional<double> map_share{};  ///< of the squares of all distances, as far as the plane shows them
  double tau = 0, alpha = 0;
  std::string scale{};
  std::vector<std::string> columns{};  ///< names of those compared
  std::vector<Kind> kinds{};           ///< of these
  std::vector<ColumnLeftOut> columns_left_out{};
  std::optional<double> category_weight{};  ///< where levels take part
  std::uint64_t seed = 0;
  std::vector<std::string> warnings{};
  RunReport run{};  ///< stopped: the pairs solved so far are listed, nothing is arranged

  /// The distance of two samples, 0 of one and the same; unset where it was not asked for.
  [[nodiscard]] std::optional<double> between(std::size_t a, std::size_t b) const;
};

/// Two samples or more, at most 1000, each of one row or more; names are distinct, and as many. Every
/// complaint comes before any work. The order of the samples changes that of the result and nothing else.
/// Cost: for each sample a few passes over its rows and twelve small problems; for each pair one exact
/// transport problem and one pass over its distances.
[[nodiscard]] Matrix matrix(std::span<const NamedFrame> samples, const MatrixOptions& options = {});

/// Bytes that matrix() takes at most for samples of so many rows of d coordinates, with the samples; measured
/// peaks are half of it or more (docs/results-trust.md).
[[nodiscard]] double matrix_bytes(std::span<const std::size_t> rows, std::size_t d,
                                  const MatrixOptions& options = {});

/// The same of rows of numbers. Names of columns are c1, c2, ...
[[nodiscard]] Matrix matrix(std::span<const PointsView> samples, std::span<const std::string> names,
                            const MatrixOptions& options = {});

/// The answer in words. Above 12 samples the table is of the nearest and the farthest pairs.
[[nodiscard]] std::string text(const Matrix& matrix);

// ------------------------------------------------------------------------- the same in parts, for clusters

/// A sample as its pairs need it.
struct ReadySample {
  Points points{};                    ///< the rows used, coded
  double unit = 1;                    ///< of the next two: a power of two, the same for all samples
  std::vector<double> row_sums{};     ///< of each row's distances to the others, in units
  double squares = 0;                 ///< of all of these distances, each pair twice
  std::vector<std::uint32_t> some{};  ///< up to 200 rows in a drawn order: the skewness is taken from these
};

struct MatrixPlan {
  Matrix so_far{};  ///< all but what pairs tell; pairs are those to be found
  std::vector<ReadySample> ready{};
};

/// What one pair tells: MatrixPair's value, energy and p_value.
struct PairFound {
  double value = 0, energy = 0, p_value = 1;
  bool stopped = false;  ///< before it was found
};

/// matrix() is plan_matrix(), pair_found() for each pair, and finish_matrix().
[[nodiscard]] MatrixPlan plan_matrix(std::span<const NamedFrame> samples, const MatrixOptions& options = {});

/// The p-value is of the energy distance, by a gamma law that has the mean and the variance of all
/// permutations of the rows (exactly) and about their skewness (from some rows): approximate, as small as it
/// likes, and the same bits everywhere. docs/results-matrix.md has its level. Exchanging the samples changes
/// nothing.
[[nodiscard]] PairFound pair_found(const ReadySample& a, const ReadySample& b, const Progress& progress = {});

/// `found` has one entry for each of plan.so_far.pairs.
[[nodiscard]] Matrix finish_matrix(MatrixPlan plan, std::span<const PairFound> found);

}  // namespace motmot
