/// The front door: how far apart two samples are, whether that is more than chance gives, which columns and
/// rows did it, and what can still be believed if a few per cent of the rows are wrong.
///
///   const Distance w = distance(x, y, {.tau = {0.1, 0.1}});
///   w.value                  the distance in the data's units, rows without company left out
///   w.verdict, w.p_value     whether the samples differ by more than chance
///   w.interval               where the distance lies if the rest of the share tau is wrong too
///   w.left_out, w.columns    which rows were left out, which columns moved
///   std::cout << text(w);    all of it in words
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/base.hpp"
#include "motmot/blocks.hpp"
#include "motmot/communicator.hpp"
#include "motmot/critics.hpp"
#include "motmot/data.hpp"
#include "motmot/permutations.hpp"
#include "motmot/tables.hpp"

namespace motmot {

/// What the command and Python call these options is their name here (fields.hpp has the list, with help).
struct DistanceOptions {
  Estimator estimator = Estimator::company;
  CriticKind critic = CriticKind::automatic;  ///< of the estimators with blocks
  /// mmd, energy: plain and the estimators with blocks, over the unit ball of a kernel (Remark 7).
  Metric metric = Metric::w1;
  double bandwidth = 0;  ///< mmd: the sd of the Gaussian kernel, > 0; 0: the median over rows of the median
                         ///< distance to the others, which fewer than half of the rows cannot ruin
  /// Largest share of wrong rows in each sample, in [0, 1/2): so many rows may be left out. The estimators
  /// with blocks choose their blocks by it.
  PerSample<double> tau{0.1, 0.1};
  bool tau_auto = false;  ///< look for tau in the data instead; estimator company only
  /// "none", "robust" (each column divided by its robust spread), "age=10,income=5000" (these columns divided
  /// by these numbers, the others as they are) or "auto": robust where a category or a missing level takes
  /// part, else none.
  std::string scale = "auto";
  double category_weight = 1;               ///< tables: how far apart two levels of a category are, > 0
  Missing missing = Missing::error;         ///< tables: with `level`, numbers may be missing
  std::vector<std::string> column_names{};  ///< for messages and results; empty: c1, c2, ...
  PerSample<std::string> files{};           ///< where the samples come from, for results
  PerSample<std::size_t> rows_dropped{};    ///< rows that were not handed over, for results
  PerSample<std::uint64_t> rows_read{};     ///< rows that those handed over were drawn from; 0: they are all
  /// Permutations that tell what chance gives. Unset: by size, 99 at most; 0: no test; given: W1's own test
  /// at any size.
  std::optional<std::size_t> permutations{};
  bool paper = false;    ///< company: also the paper's estimator (mom) beside the answer
  bool network = false;  ///< also estimate the distance of the laws by a 1-Lipschitz network
  Scheme scheme = Scheme::shuffle;
  PerSample<std::size_t> blocks{};      ///< K, at most the rows (any number for swor, pairs); 0: from tau
  PerSample<std::size_t> block_size{};  ///< swor: rows per block; 0: floor(n / K)
  std::size_t pairs = 0;                ///< pairs: pairs per block (M); 0: floor(min(n, m) / K)
  PerSample<std::span<const double>> weights{};  ///< of rows, >= 0, any sum; estimator plain only
  std::size_t read_out = 500;  ///< fresh draws of blocks that the value is a mean over, >= 1 (not clipped)
  bool certify = false;        ///< blocks: also prove a bracket on one fixed partition
  bool keep_rows = false;      ///< also fill Distance::rows
  AscentOptions ascent{};      ///< of the networks
  std::uint64_t seed = 0;      ///< the run is a function of the data, the options and this
  std::size_t threads = 0;     ///< 0: all cores. Changes the time, never the bits.
  double time_limit = 0;       ///< seconds after which the best answer so far is given, flagged; 0: none
  /// Bytes that may be taken, with the samples: what is forecast to need more is refused before the work. 0:
  /// three quarters of what the machine or its control group has.
  std::uint64_t memory_limit = 0;
  /// Where the ascent of lipschitz or clipped stands, kept in this file: the same run goes on from there, on
  /// any number of ranks. Empty: nothing is kept.
  std::string checkpoint{};
  double checkpoint_seconds = 30;  ///< between two writes of it
  Progress progress{};             ///< of several ranks none may stop alone: return true there
  Communicator* ranks = &alone();  ///< permutations are spread over them, and rows where they are split
  PermutationSolver
      solve_permutations{};  ///< up to 2000 rows: who does the permutations instead; empty: nobody
};

enum class Verdict { differ, not_distinguishable };
template <>
inline constexpr auto names<Verdict> = names_in_order<Verdict>("differ", "not distinguishable");

enum class Sample { x, y };
template <>
inline constexpr auto names<Sample> = names_in_order<Sample>("x", "y");

/// Which end of an interval is proved, under the assumption that stands beside it.
enum class CertifiedEnd { lower };
template <>
inline constexpr auto names<CertifiedEnd> = names_in_order<CertifiedEnd>("lower");

struct Interval {
  double low = 0, high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// What chance alone gives at these sizes: the kept rows of both samples mixed and dealt anew.
struct Floor {
  double level = 0;                        ///< mean W1 of the mixed rows
  double sd = 0;                           ///< of these W1
  double value = 0;                        ///< W1 of the kept rows, at the same sizes
  std::optional<double> w1_p_value{};      ///< of W1 alone; unset above 2000 rows unless asked for
  double energy_p_value = 1;               ///< of the energy distance alone
  std::optional<double> kernel_p_value{};  ///< of a kernel distance alone; unset in one column
  std::size_t permutations = 0;            ///< behind the p-values
  PerSample<std::size_t> rows{};           ///< that `level` and `value` are of
  std::vector<double> permuted{};          ///< the W1 of the mixed rows
};

/// The distance of some rows of each sample.
struct SizePoint {
  PerSample<std::size_t> rows{};
  std::size_t draws = 0;  ///< of other rows each time
  double value = 0;       ///< mean W1 over the draws
  double sd = 0;          ///< of one draw
  double chance = 0;      ///< mean W1 of the same rows, mixed: what no difference gives
};

/// W1 of few rows is larger than that of many. Where rows_used are some of the rows, this is how much, from
/// several sizes: value^2 = (laws)^2 + slope chance^2 at every size, chance a power of the size.
struct Subsampling {
  std::vector<SizePoint> sizes{};  ///< ascending; the last one is of rows_used, a single draw
  double spread = 0;               ///< sd of the distance by the choice of rows_used
  double slope = 0;                ///< >= 0
  double power = 0;                ///< chance falls with so many rows to this power
  double all_rows = 0;             ///< what the fit says of all rows that were read
  double all_rows_sd = 0;          ///< of that, if the fit is right
};

/// The distance between the laws that the rows come from.
struct Population {
  double value = 0;
  std::optional<Interval> interval{};  ///< 90 % of such samples, measured: see docs/results-noise.md
};

/// One value that rows of a group have in one column, a number or a time, and that lies farther outside all
/// rows kept of their sample than these spread: it may stand for a missing one (-999, 1900-01-01).
struct SharedValue {
  std::string column{};
  std::string value{};     ///< in the column's own units
  std::size_t rows = 0;    ///< that have it, nine tenths of the group or more
  bool elsewhere = false;  ///< rows kept have it in another column: --na would take it from there, too
};

/// Rows that were left out and lie together, lie where the other sample has none, or repeat a row, are wrong
/// or a group of their own: nobody can tell from the data.
struct Reading {
  Sample sample{};
  std::size_t rows = 0;        ///< such rows
  double if_real = 0;          ///< the distance with them
  double if_wrong = 0;         ///< the distance without them
  std::size_t near_other = 0;  ///< of these rows, how many have company in the other sample
  bool in_both = false;        ///< rows left out of the other sample lie there, too: real or wrong with these
  bool strangers = false;      ///< they have company in their own sample, but lie where the other has none
  bool copies = false;         ///< they repeat one row, and other rows do not repeat
  std::optional<SharedValue> shared{};
};

/// The distance when so many of the most remote rows of each sample are left out.
struct ProfilePoint {
  std::size_t x = 0, y = 0;
  double value = 0;
};

/// How a level of a category gained or lost.
struct LevelMove {
  std::string level{};  ///< its name; other_level: all rare ones, missing_level: no value
  double moved = 0;     ///< share of the rows of Y less share of the rows of X, kept rows
};

struct ColumnMove {
  std::string name{};
  double unit = 1;                ///< what the column was divided by
  std::optional<double> share{};  ///< of the distance above chance; all columns together 1; if p <= 0.05
  /// Mean in Y less mean in X, kept rows with a value, in the column's own units; of a category the share of
  /// the rows that would have to change their level.
  double moved = 0;
  Kind kind = Kind::number;
  std::optional<TimeUnit> time_unit{};  ///< of a time: what `unit` and `moved` are measured in
  std::vector<LevelMove> levels{};      ///< the largest first; of numbers: that values are missing
};

/// Rows that would be left out if the share tau of each sample could be wrong.
struct TauPoint {
  double tau = 0;
  std::size_t x = 0, y = 0;
  std::optional<double> value{};  ///< the distance without them, where it was computed
};

enum class WarningCode {
  units,             ///< one column has nearly all of the spread
  tau_small,         ///< more rows stand apart than tau allows
  remote_rows,       ///< nothing was left out, but rows that are remote, or far from the other sample, carry
                     ///< much of the distance
  nothing_can_go,    ///< tau n < 1
  few_rows,          ///< fewer than 10, or too few rows or permutations for a verdict
  identical_rows,    ///< one row many times over
  constant_columns,  ///< columns with one value in all rows under scale robust
  constants_apart,   ///< a number has one value in all rows of X and another in all rows of Y
  odd_values,        ///< a number or a time is one value in all rows but 1 %, which were kept
  times_apart,       ///< a column of times alone tells the samples apart
  levels_apart,      ///< a category has no level that both samples have
  blocks,            ///< what a choice of blocks does not withstand
  not_settled,       ///< the value was still moving
  stopped,           ///< ended early
};
template <>
inline constexpr auto names<WarningCode> = names_in_order<WarningCode>(
    "units", "tau_small", "remote_rows", "nothing_can_go", "few_rows", "identical_rows", "constant_columns",
    "constants_apart", "odd_values", "times_apart", "levels_apart", "blocks", "not_settled", "stopped");

struct Warning {
  WarningCode code{};
  std::string text{};  ///< a sentence that says what to do
};

/// What the estimators with blocks give (Definition 2): the answer itself where one of them was asked for,
/// else beside it.
struct PaperEstimate {
  Estimator estimator = Estimator::mom;
  CriticKind critic{};                  ///< never automatic
  double value = 0;                     ///< never below 0
  double sd = 0;                        ///< over fresh partitions; for clipped over the tail of the ascent
  std::optional<double> error_bar{};    ///< how far outliers and skew may have moved the value, given tau
  std::optional<double> low{}, high{};  ///< value -+ error_bar; low is never below 0
  Target target = Target::unknown;
  /// Proved, whatever the outliers: the estimator on one fixed partition lies in [lower, upper] ...
  std::optional<double> lower{}, upper{};
  std::optional<double> fixed_partition_value{};  ///< ... where the fitted critic has this value
  std::optional<double> lipschitz{};              ///< certified Lipschitz constant of the critic
  std::optional<double> held_out{};               ///< lipschitz: value on rows not fitted on; d >= 5
  Scheme scheme{};
  PerSample<std::size_t> blocks{}, block_size{};
  std::optional<double> gap{};  ///< exact: what one more step could promise, as a share of the value
  bool settled = false;         ///< the value no longer moves
  std::size_t solves = 0;       ///< exact: transport problems solved
  std::size_t steps = 0;        ///< of the ascent
};

/// The distance of the laws, by a network that was fitted beside the answer.
struct NetworkEstimate {
  std::optional<double> held_out{};  ///< value on rows that a network of its own was not fitted on; d >= 5
  double value = 0;                  ///< on the rows it was fitted on: too high by what it learnt by heart
  double sd = 0;                     ///< over fresh draws of blocks
  double lipschitz = 1;              ///< certified Lipschitz constant of the network
  bool settled = false;
};

/// Other estimates, to compare with.
struct Neighbours {
  std::optional<PaperEstimate> paper{};
  std::optional<NetworkEstimate> network{};
};

/// How the question was understood: the options with every choice made.
struct Asked {
  Estimator estimator{};
  Metric metric{};
  std::optional<double> bandwidth{};  ///< mmd: of its kernel
  std::string why_critic{};           ///< blocks: why `automatic` took its critic; empty otherwise
  std::string why_tau{};              ///< how tau_auto came to it; empty otherwise
  std::string scale{};
  std::size_t n = 0, m = 0, d = 0;
  /// Rows whose exact W1 is the value: all kept ones, or a subsample where these are too many.
  PerSample<std::size_t> rows_used{};
  PerSample<std::size_t> rows_dropped{};  ///< not among the n and m: a value is missing
  PerSample<std::uint64_t> rows_read{};   ///< rows that the n and m were drawn from; 0: they are all
  PerSample<std::string> files{};         ///< where the samples come from; empty: no file
  std::vector<std::string> columns{};     ///< names of those compared
  std::vector<Kind> kinds{};              ///< of these
  std::vector<ColumnLeftOut> columns_left_out{};
  std::optional<double> category_weight{};  ///< how far apart levels are, where some take part
  std::uint64_t seed = 0;
};

/// How the run went.
struct RunReport {
  bool stopped = false;    ///< ended early, by time_limit or progress
  std::size_t solves = 0;  ///< exact transport problems
  double seconds = 0;
  std::size_t threads = 0;
  std::size_t ranks = 1;                 ///< processes
  std::uint64_t bytes_sent = 0;          ///< between them, all together
  std::optional<double> bytes_a_step{};  ///< lipschitz, clipped: of an ascent's step, where rows are split
  std::vector<double> trace{};           ///< lipschitz and clipped: the value of every step, if asked for
};

/// What is known of one sample's rows. Empty: the estimator does not say.
struct RowDiagnostics {
  std::vector<double> phi{};        ///< the potential (or critic): high where X is, low where Y is
  std::vector<double> score{};      ///< company: distance to the k-th nearest row of the own sample
  std::vector<bool> left_out{};     ///< company
  std::vector<double> frequency{};  ///< exact with blocks: how often the row carried the median; sums to 1
};

/// The answer. Unset: not computed, or nothing to say. Lengths are in the data's units (with `scale` in units
/// of the columns' scales), but for CriticKind::clipped. Rows are numbered from 0.
struct Distance {
  std::optional<Verdict> verdict{};
  double value = 0;                    ///< never below 0
  std::optional<Interval> interval{};  ///< if the rest of the share tau is wrong too; blocks: low, high
  std::optional<CertifiedEnd> interval_certified{};  ///< lower: proved if the rows left out are wrong
  std::optional<double> p_value{};                   ///< of no difference
  std::optional<Floor> floor{};
  std::optional<Population> population{};
  std::optional<Subsampling> subsampling{};  ///< company, where rows_used are some of the rows
  /// Share of the rows of each sample that would have to be wrong to explain the difference; at most 1/2.
  std::optional<double> needed{};
  std::optional<double> plain{};    ///< W1 of all rows
  std::optional<double> partial{};  ///< the inliers' W1 is not below this if at most the shares tau are wrong
  PerSample<std::vector<std::uint32_t>> left_out{};  ///< rows without company, ascending
  std::vector<Reading> readings{};
  std::vector<ProfilePoint> profile{};
  std::vector<ColumnMove> columns{};
  double tau_x = 0, tau_y = 0;  ///< largest shares of wrong rows that were assumed
  std::vector<TauPoint> tau_path{};
  std::vector<Warning> warnings{};
  Neighbours neighbours{};
  Asked asked{};
  RunReport run{};
  PerSample<RowDiagnostics> rows{};  ///< DistanceOptions::keep_rows
  /// The potential of the answer, or the fitted critic; none with weights and for other metrics than w1.
  std::optional<Critic> phi{};
};

/// How far apart the rows of x and of y are.
/// company (default): rows that lie alone in their own sample are left out, at most the share tau; the value
/// is the exact W1 of the rest. mom, mou, mou-diag: the estimators of Definition 2 (def:estimators).
/// metric mmd and energy: the same estimators over the unit ball of a kernel's functions. With one block the
/// value is the closed form. With more, what is computed is the mean over partitions of the median at a
/// function that an ascent attained: a lower bound of the supremum, which is not concave;
/// Distance::neighbours.paper.gap says what one more step could promise, and certify gives a proved upper end
/// on one partition. Every complaint (shapes, options, non-finite data) is thrown before any work. Exchanging
/// x and y (and what the options say of them) gives the same value, bit for bit, but for CriticKind::clipped,
/// whose ascent starts from random weights: there it is another run. Cost: company, some ten exact transport
/// problems of n x m and one for each permutation; exact with blocks, a few; lipschitz, one evaluation of the
/// network per step on at most some 8000 rows; clipped (Algorithms 1, 3 and 4), one on n + m rows, whatever K
/// is.
[[nodiscard]] Distance distance(PointsView x, PointsView y, const DistanceOptions& options = {});

/// The rows of X and of Y that this rank of options.ranks needs: all of them, but where rows are split, which
/// is for the critics lipschitz and clipped (not `automatic`) of samples with n m > 2e8. A function of the
/// sizes and options.
[[nodiscard]] PerSample<RowRange> rows_of_rank(std::size_t n, std::size_t m, const DistanceOptions& options);

/// All ranks: the same bits as distance() of the whole samples, of which each rank has the rows that
/// rows_of_rank() says. Columns are compared as they are.
[[nodiscard]] Distance distance(const SamplePart& x, const SamplePart& y, const DistanceOptions& options);

/// How far apart two tables are, whose columns may be of several kinds (tables.hpp): the distance of their
/// encoded rows. What is said of columns is said of the tables' own. Names and numbers of rows dropped are
/// those of the tables.
[[nodiscard]] Distance distance(const Frame& x, const Frame& y, const DistanceOptions& options = {});

/// The same of rows that encode() made with this coding, whose scale and weight count instead of the
/// options'. Distance::phi is a function of such rows, but where the coding is plain: there it is one of the
/// table's.
[[nodiscard]] Distance coded_distance(PointsView x, PointsView y, const Coding& coding,
                                      const DistanceOptions& options = {});

struct TextOptions {
  bool verbose = false;                                        ///< also how the answer was computed
  std::string_view where_rows = "left_out has their numbers";  ///< where to look for the rows left out
};

/// The answer in words, as the command and Python print it.
[[nodiscard]] std::string text(const Distance& w, const TextOptions& options = {});

/// Bytes that distance() takes at most for n x m rows of d coordinates, with the samples; measured peaks are
/// half of it or more (docs/results-trust.md).
[[nodiscard]] double distance_bytes(std::size_t n, std::size_t m, std::size_t d,
                                    const DistanceOptions& options = {});

/// Which critic `automatic` takes for n x m rows, and why. A fixed function: the clock, the load and the
/// number of cores have no say.
struct CriticChoice {
  CriticKind critic = CriticKind::exact;
  std::string why{};
};
[[nodiscard]] CriticChoice choose_critic(std::size_t n, std::size_t m);

/// Where an option (by its name in fields.hpp, or "trace") would change nothing for n x m rows: what it is
/// for, as the end of a sentence. Empty where it has a use. The front doors refuse options without one:
/// whoever gave them believes that they do something.
[[nodiscard]] std::string useless(std::string_view option, const DistanceOptions& options, std::size_t n,
                                  std::size_t m, bool has_levels = false);

}  // namespace motmot
