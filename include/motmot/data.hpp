/// Samples: rows of points, how they are read and written, and toy samples whose distance is known.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "motmot/base.hpp"

namespace motmot {

/// n rows of d numbers that somebody else owns, row after row without gaps.
struct PointsView {
  const double* data = nullptr;
  std::size_t n = 0;  ///< rows
  std::size_t d = 0;  ///< columns

  [[nodiscard]] std::size_t rows() const noexcept { return n; }
  [[nodiscard]] std::size_t cols() const noexcept { return d; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    assert(i < n);
    return {data + i * d, d};
  }
  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const noexcept { return data[i * d + j]; }
};

/// n rows of d numbers, owned.
class Points {
 public:
  Points() = default;
  Points(std::size_t n, std::size_t d) : values_(n * d), n_(n), d_(d) {}
  Points(std::vector<double> values, std::size_t d)
      : values_(std::move(values)), n_(d == 0 ? 0 : values_.size() / d), d_(d) {
    assert(n_ * d_ == values_.size());
  }

  [[nodiscard]] std::size_t rows() const noexcept { return n_; }
  [[nodiscard]] std::size_t cols() const noexcept { return d_; }
  [[nodiscard]] std::span<double> row(std::size_t i) noexcept { return {values_.data() + i * d_, d_}; }
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return {values_.data() + i * d_, d_};
  }
  double& operator()(std::size_t i, std::size_t j) noexcept { return values_[i * d_ + j]; }
  double operator()(std::size_t i, std::size_t j) const noexcept { return values_[i * d_ + j]; }
  [[nodiscard]] const std::vector<double>& values() const& noexcept { return values_; }
  [[nodiscard]] std::vector<double> values() && noexcept { return std::move(values_); }
  operator PointsView() const noexcept { return {values_.data(), n_, d_}; }  // NOLINT: a view is cheap

 private:
  std::vector<double> values_;
  std::size_t n_ = 0;
  std::size_t d_ = 0;
};

/// A sample of which this process (a rank, see communicator.hpp) holds the rows [first, first + rows.n) of
/// `all`.
struct SamplePart {
  PointsView rows{};
  std::size_t first = 0;
  std::size_t all = 0;

  [[nodiscard]] bool whole() const noexcept { return rows.n == all; }
};

[[nodiscard]] inline SamplePart whole(PointsView points) {
  return {.rows = points, .first = 0, .all = points.n};
}

/// Rows [first, last).
struct RowRange {
  std::size_t first = 0, last = 0;

  [[nodiscard]] std::size_t count() const noexcept { return last - first; }
};

/// n rows of d numbers that stay in a file: pages that the system reads when a row is looked at, and may
/// forget again. Copies share them. Cheap to hand over wherever a PointsView is taken.
class MappedPoints {
 public:
  MappedPoints() = default;
  /// Rows that are there as long as the keeper is.
  MappedPoints(std::shared_ptr<const void> keeper, PointsView rows)
      : keeper_(std::move(keeper)), rows_(rows) {}

  [[nodiscard]] std::size_t rows() const noexcept { return rows_.n; }
  [[nodiscard]] std::size_t cols() const noexcept { return rows_.d; }
  /// The rows first .. first + count - 1. The others are never read.
  [[nodiscard]] MappedPoints part(std::size_t first, std::size_t count) const;
  operator PointsView() const noexcept { return rows_; }  // NOLINT: a view is cheap

 private:
  std::shared_ptr<const void> keeper_;
  PointsView rows_;
};

/// What a column holds.
enum class Kind {
  number,    ///< values that can be subtracted
  category,  ///< levels: equal or not
  time,      ///< dates and times: seconds since 1970-01-01 00:00 UTC
};

template <>
inline constexpr auto names<Kind> = names_in_order<Kind>("number", "category", "time");

/// The kind of a column that is set instead of found out.
struct ColumnKind {
  std::string column;  ///< by name or number
  Kind kind{};
};

/// What to do with a row in which a chosen value is missing or infinite.
enum class Missing {
  error,  ///< refuse the file and name the first such place; a category has a level for it
  drop,   ///< leave the row out and count it
  level,  ///< keep it: that a value is missing is something to compare; tables alone (tables.hpp)
};

template <>
inline constexpr auto names<Missing> = names_in_order<Missing>("error", "drop", "level");

/// The numbers of a file without a header; little-endian.
enum class RawType { float64, float32, int64, int32, int16, uint16, int8, uint8 };

template <>
inline constexpr auto names<RawType> = names_in_order<RawType>("float64", "float32", "int64", "int32",
                                                               "int16", "uint16", "int8", "uint8");

/// How files that end in .bin or .raw are laid out: row after row, nothing before, between and behind them.
struct RawLayout {
  RawType type = RawType::float64;
  std::size_t columns = 0;  ///< >= 1; the size of the file tells the rows
};

/// Which columns of a file to read, and how its text is written. A column is given by its name or by its
/// number, counted from 1; where a name looks like a number ("2"), the name wins.
struct ReadOptions {
  std::vector<std::string> columns{};  ///< these, in this order; empty: all, in the order of the file
  std::vector<std::string> exclude{};  ///< but not these (labels, row names); they may hold text
  std::string weights{};               ///< column of row weights, kept out of the points; empty: none
  Missing missing = Missing::error;
  std::vector<std::string> na{};    ///< values that are missing, beside the built-in ones: "-999", "unknown"
  std::string separator{};          ///< of text: a sign, or tab, space, comma, semicolon, pipe; empty: found
  char decimal = '.';               ///< of text: '.' or ','; as a separator, too, a comma in quotes is one
  std::string comment{};            ///< of text: lines that start with it ("#") are skipped; empty: none are
  std::vector<ColumnKind> kinds{};  ///< of columns whose kind is known; read_frame() alone (tables.hpp)
  bool mixed = false;       ///< read_frame(): numbers or times with words among them are words, not refused
  std::size_t threads = 0;  ///< of DuckDB, which reads sources (tables.hpp); 0: all cores
  std::optional<RawLayout> raw{};  ///< of .bin and .raw, which say nothing of themselves
};

/// A file as it was read.
struct Table {
  Points points;
  std::vector<std::string> columns{};  ///< one name per column of points: the header's, else "1", "2", ...
  std::vector<double> weights{};       ///< one per row, >= 0 and not all 0; empty unless asked for
  std::vector<std::uint64_t> rows{};   ///< number in the file of each row kept; empty when all were
  std::size_t rows_dropped = 0;        ///< rows left out by Missing::drop

  /// Where row i of points stands in the file: data rows count from 1, the header is none.
  [[nodiscard]] std::uint64_t source_row(std::size_t i) const noexcept {
    assert(i < points.rows());
    return rows.empty() ? i + 1 : rows[i];
  }
};

/// Reads a sample, one point per row; every number becomes a double (integers beyond 2^53 are rounded).
///
/// The name decides on the format, or the first bytes where it does not:
///
///   .csv .tsv .txt       text. Fields may be quoted ("" is a quote, separators and line breaks are kept);
///                        UTF-8, with or without its mark; lines end in LF, CRLF or CR, and blank ones are
///                        skipped. Lines are not comments unless `comment` says what they start with.
///   .npy                 NumPy array of bool, integers (1 to 8 bytes) or floats (2, 4, 8 bytes), of
///                        either byte order, in C or Fortran order, format versions 1 to 3.
///   .npz                 archive of them: "a.npz:member", or "a.npz" when it has only one member.
///   .idx -idx3-ubyte     IDX, the format of MNIST: bytes, shorts, ints, floats, doubles.
///   .bin .raw            numbers without a header, as ReadOptions::raw says.
///   .gz .zst             any of these but .npz, .bin and .raw, compressed; known by its content, whatever
///                        the name.
///   -                    standard input: text, .npy or IDX, compressed or not.
///
/// Arrays of one dimension are one column; dimensions after the second are flattened in C order, so
/// 60000 x 28 x 28 is read as 60000 rows of 784 columns.
///
/// Unless `separator` tells, the columns of a text are separated by the first of tab, semicolon and comma
/// that its first line contains outside quotes (.tsv: tab; with decimal commas: tab and semicolon alone).
/// Where there is none of them, a sign that divides both the first line and the second is it: |, or else
/// blanks, of which any run counts as one. With decimal commas a comma in the first line that is no decimal
/// sign (not between digits) goes before blanks, and decimals stand in quotes. Otherwise the text has one
/// column.
///
/// The first line of a text is a header when one of the chosen columns has something there that is not
/// a number, or when an option names one of its fields. A chosen column must hold numbers. Empty
/// fields, NA, N/A, #N/A, NaN, null, none and ? (any case) are missing values, and so is what `na` lists: a
/// word as it is spelt, a number by its value, in arrays too. Infinities and numbers beyond the range of a
/// double count as missing.
///
/// Complaints come as Error(Errc::io) with file, row, column and, in binary formats, byte; those about
/// the options as Error(Errc::invalid_argument). They spell options as the command does: --columns is
/// ReadOptions::columns. Files of other well-known formats (Parquet, Excel, HDF5, ...) are named.
///
/// Memory: at most twice the result, whatever the size of the file and whatever its header claims, and some
/// MB; rows that `missing` drops count with the result. A line of text is held whole: it may have 2^22
/// columns, and 16 MB plus 32 bytes for each of its fields; zstd holds the window that the file was packed
/// with, which is 8 MB up to level 19 and at most 128 MB. Safe to call from several threads.
[[nodiscard]] Table read_table(const std::string& path, const ReadOptions& options = {});

/// Why map_points() would refuse the file, as the end of a sentence ("its numbers are float32"); empty if it
/// would not. Looks at the header alone.
[[nodiscard]] std::string why_not_mapped(const std::string& path, const ReadOptions& options = {});

/// The rows of a file without reading them: .npy of little-endian float64 in C order, .bin and .raw of
/// float64. The size of the file is held against its header. Nothing is converted, chosen or left out: other
/// files, and options about columns, weights or missing values, are refused as Error(Errc::unsupported).
/// Values that are not finite are found by who computes with them: distance() looks at all before any work.
///
/// A file that is cut short while it is mapped ends the process with SIGBUS, as with every program that maps
/// files; the command says in one sentence which file it was.
[[nodiscard]] MappedPoints map_points(const std::string& path, const ReadOptions& options = {});

/// Writes one line per row, comma-separated, each number in the fewest digits that read back to the
/// same double; `path` "-" is standard output. A header is written when `columns` has one name per
/// column, except when these are the names "1", "2", ... of a file without one. Other names that are
/// all numbers are refused: they would read back as a row. The file appears whole or not at all.
void write_csv(const std::string& path, PointsView points, const std::vector<std::string>& columns = {});

/// Writes an n x d array of float64 in C order (.npy version 1). The file appears whole or not at all.
void write_npy(const std::string& path, PointsView points);

// ------------------------------------------------------------------------------------ toy samples
// Samples whose distance is known and whose outliers are listed: Section 4.2 of the paper, and the cases
// that are harder than it.

/// Inliers of X | inliers of Y | outliers; a number v stands for the vector (v, ..., v). U50 is the
/// uniform law on [-50, 50]^d. Unless two are given, outliers have the same law in both samples.
enum class Toy {
  d1,         ///< N(0, I) | N(5, I) | U50: isolated outliers, D_1 of Section 4.2
  d2,         ///< N(0, I) | N(5, I) | 25 + standard Cauchy in each coordinate: aggregate, D_2
  far,        ///< N(0, I) | N(5, I) | N(1000, I): all on one side
  behind,     ///< N(0, I) | N(5, I) | N(10, I) in X, behind Y; N(-5, I) in Y, behind X
  inside,     ///< N(0, I) | N(5, I) | N(5, I) in X, inside Y; N(0, I) in Y, inside X
  both,       ///< D_1 with outliers in both samples: tau_y defaults to tau_x
  shape,      ///< N(0, I) | N(0, 4 I) | U50: no shift, where a linear critic sees nothing
  skewed,     ///< Exp(1) in each coordinate | 5 + Exp(1) | U50
  lognormal,  ///< exp(N(0, 1)) in each coordinate | 5 + the same | U50
  t3,         ///< Student's t, 3 degrees of freedom, in each coordinate | 5 + the same | U50
  bimodal,    ///< 0.8 N(0, I) + 0.2 N(v, I) | 5 + the same | U50; v = (10, -10, 10, ...)
  shares,     ///< 0.7 N(0, I) + 0.3 N(v, I) | 0.4 N(0, I) + 0.6 N(v, I) | U50: where medians fail
};

template <>
inline constexpr auto names<Toy> = names_in_order<Toy>("d1", "d2", "far", "behind", "inside", "both", "shape",
                                                       "skewed", "lognormal", "t3", "bimodal", "shares");

struct ToyOptions {
  Toy toy = Toy::d1;
  std::size_t n = 500;            ///< rows of X, 1 .. 2^32 - 1
  std::size_t m = 500;            ///< rows of Y
  std::size_t d = 2;              ///< columns, >= 1
  double tau_x = 0.1;             ///< share of outliers in X, in [0, 1]
  std::optional<double> tau_y{};  ///< in Y; unset: tau_x for `both`, otherwise 0
  std::uint64_t seed = 0;
  /// Bytes that may be taken: what is forecast to need more is refused before the work. 0: three quarters of
  /// what the machine or its control group has.
  std::uint64_t memory_limit = 0;
};

struct ToySample {
  Points x;
  Points y;
  std::vector<std::uint32_t> outliers_x;  ///< rows of X that are outliers, ascending
  std::vector<std::uint32_t> outliers_y;
  double population_w1 = std::numeric_limits<double>::quiet_NaN();  ///< W1 of the inliers' laws
};

/// Exactly round(tau n) outliers at random rows: a fixed count where the paper's mixture has a random
/// one, so that experiments compare like with like. A row is a function of the seed, its index and
/// whether it is an outlier: the same seed with tau = 0 gives the same inliers, a larger tau only
/// adds outliers, and a larger n keeps the earlier rows up to which of them are outliers.
[[nodiscard]] ToySample generate(const ToyOptions& options);

/// Bytes that generate() takes at most; measured peaks are half of it or more (docs/results-trust.md).
[[nodiscard]] double generate_bytes(const ToyOptions& options);

/// W1 between the laws of the inliers in dimension d: the length of the shift, sqrt(25 d); E|Z| for
/// `shape`, whose optimal map is radial; 0.3 |v| for `shares`.
[[nodiscard]] double population_w1(Toy toy, std::size_t d);

}  // namespace motmot
