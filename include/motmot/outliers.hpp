/// Which rows of a table are likely wrong, ranked, each with a reason in words. One sample is enough.
///
///   const Outliers found = outliers(read_frame("x.csv", {.missing = Missing::level}));
///   found.rows               ranked: suspects first, then the next ones by falling score
///   found.rows[0].reason     "income is 40 robust units off (5000000; the median is 41000)"
///   found.x.false_share      share of the suspects that are expected to be right
///   std::cout << text(found);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "motmot/answer.hpp"
#include "motmot/tables.hpp"

namespace motmot {

struct OutlierOptions {
  PerSample<double> tau{0.1, 0.1};  ///< largest share of wrong rows, in [0, 1/2)
  std::string scale = "robust";     ///< as DistanceOptions::scale
  double category_weight = 1;       ///< how far apart two levels of a category are, > 0
  /// Rows to list: all suspects are, and the next ones until there are so many.
  std::size_t list = 20;
  Missing missing = Missing::level;       ///< with `level`, numbers may be missing
  PerSample<std::string> files{};         ///< where the samples come from, for results
  PerSample<std::size_t> rows_dropped{};  ///< rows that were not handed over, for results
  std::size_t threads = 0;                ///< 0: all cores. Changes the time, never the bits.
  /// As DistanceOptions::memory_limit.
  std::uint64_t memory_limit = 0;
  Progress progress{};
};

/// What a row's reason is about.
enum class OutlierSign {
  sentinel,  ///< a value that stands for something else: find_sentinels' rule, docs/json.md
  off,       ///< a number or a time beyond all those kept, 5 robust units off or more
  level,     ///< a level that no other row has, or a number where all but 1 % have one and the same
  related,   ///< a number that is not what the other columns of its row let expect
  missing,   ///< a value that is missing, as in few other rows
  stranger,  ///< it has company in its own sample, but lies where the other sample has no rows
  company,   ///< no column alone: the row lies far from the others
};
template <>
inline constexpr auto names<OutlierSign> = names_in_order<OutlierSign>("sentinel", "off", "level", "related",
                                                                       "missing", "stranger", "company");

struct OutlierRow {
  Sample sample = Sample::x;
  std::uint32_t row = 0;  ///< from 0
  bool suspect = false;
  /// How strange, by several looks, each with the law that the rows kept have under it: the distance to the
  /// k-th nearest row kept and to the 5th, each number or time by itself, each number given the other
  /// columns. A look's word is how many rows lie as far out as this one for each that its law expects there;
  /// the score is the log of it to base 20 for the strongest look, and somewhat more for rows without near
  /// neighbours (src/outliers/looks.hpp). Suspects are not chosen by it.
  double score = 0;
  OutlierSign sign = OutlierSign::company;
  std::string column{};           ///< that explains it, or most of it
  std::string value{};            ///< of this row there, as people read it
  std::optional<double> units{};  ///< sign off: robust spreads away from the median of the rows kept
  std::string reason{};
};

/// One of the samples.
struct OutlierSample {
  std::string file{};
  std::size_t n = 0;
  std::size_t rows_dropped = 0;  ///< not among them: a value is missing
  double tau = 0;
  std::vector<std::uint32_t> suspects{};  ///< ascending, from 0
  std::size_t neighbour =
      0;           ///< a row's distance to so many-th nearest of the rows kept is what the cut goes by
  double cut = 0;  ///< the distance that a right row reaches in one of twenty tables
  /// Right rows that lie as far from company as the suspect nearest to it, if the log-distances of the rows
  /// kept fall off beyond their body like (1 + t / 4)^-4, t slopes from the median: heavier than the
  /// exponential of the body, as tails of real tables are (docs/results-outliers.md). Of suspects that a
  /// value gives away nothing is expected.
  double expected_false = 0;
  double false_share = 0;        ///< expected_false by the number of suspects, 1 at most; 0 if there are none
  std::vector<double> scores{};  ///< of every row
};

struct Outliers {
  std::vector<OutlierRow> rows{};  ///< suspects first, then by falling score
  OutlierSample x{};
  std::optional<OutlierSample> y{};
  std::string scale{};
  std::vector<std::string> columns{};  ///< names of those that took part
  std::vector<Kind> kinds{};           ///< of these
  std::vector<ColumnLeftOut> columns_left_out{};
  std::vector<std::string> notes{};  ///< what to know, and what to type
  RunReport run{};
};

/// Suspects of one sample: rows without company (as distance() leaves them out, at most the share tau), and
/// rows that one value gives away, if these are at most the share tau: a sentinel, or a level that no other
/// row has, where every other level has 10 rows or more and such rows are at most 1 % (or one), or a number
/// where all but so few rows have one and the same (columns of digits, 0 to 9, excepted: flags, counts). The
/// next rows are ranked by score.
///
/// Error(Errc::invalid_argument) for options out of range and tables that learn_coding() refuses. Cost: a few
/// passes of nearest neighbours; n^2 distances in many columns.
[[nodiscard]] Outliers outliers(const Frame& x, const OutlierOptions& options = {});

/// Bytes that outliers() takes at most for n rows of d coordinates, and m of a second sample, with the
/// samples; measured peaks are half of it or more (docs/results-trust.md).
[[nodiscard]] double outlier_bytes(std::size_t n, std::size_t m, std::size_t d,
                                   const OutlierOptions& options = {});

/// Suspects by the rule for pairs: also rows that lie where the other sample has none.
[[nodiscard]] Outliers outliers(const Frame& x, const Frame& y, const OutlierOptions& options = {});

/// The answer in words. Rows count from 1; `rows` as Frame::rows where some were dropped.
[[nodiscard]] std::string text(const Outliers& outliers,
                               const PerSample<std::vector<std::uint64_t>>& rows = {});

}  // namespace motmot
