/// Watching data: a reference that is kept, a new table that is checked against it, and a series of chunks
/// that is monitored, with alarms at a stated rate.
///
///   const Reference may = make_reference(read_frame("may.csv", {.missing = Missing::level}));
///   save(may, "may.ref");
///   const Check seen = check(load_reference("may.ref"), june);
///   seen.differs             whether june differs by more than chance gives, and by more than matters
///   const Monitored days = monitor(may, chunks, {.one_in = 30, .log = "days.log"});
///   days.alarms()            chunks that stand out as one of 30 without drift does
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/answer.hpp"
#include "motmot/fields.hpp"

namespace motmot {

// ----------------------------------------------------------------------------------------------- reference

struct ReferenceOptions {
  std::string name{};          ///< what answers call it
  double tau = 0.1;            ///< largest share of wrong rows, of the reference and of what is checked
  std::string scale = "auto";  ///< as DistanceOptions::scale; "auto" is robust unless missing is `error`
  double category_weight = 1;  ///< how far apart two levels are, > 0
  Missing missing = Missing::level;  ///< of the tables that will be checked, too
  std::size_t rows = 20'000;         ///< kept at most, drawn by the seed; >= 20
  /// Rows of its own chunks; 0: a fortieth of all, in [25, 1000]; of small tables a twentieth, >= 10.
  std::size_t chunk_rows = 0;
  std::size_t chunks = 200;  ///< its own chunks at most, spread evenly over the table
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  std::uint64_t memory_limit = 0;  ///< as DistanceOptions::memory_limit
  Progress progress{};
  std::vector<std::string>
      exclude{};                  ///< columns that were left out when the table was read, for read_options()
  std::vector<std::string> na{};  ///< what was read as missing, for read_options()
};

/// How far chunks of a table are from its other rows: what chunks without drift give. The chunks are
/// stretches of the table in its own order, so that what changes from day to day is in them.
struct OwnChunks {
  std::size_t rows = 0;            ///< of each chunk
  std::vector<double> distance{};  ///< W1 of the rows kept, one for each chunk
  /// Of each chunk, as monitor() gives them; empty: not known from files of schema 1, and of schema 2 where
  /// all rows are kept, so that they can be had anew. Those of random rows have mean 0 and sd 1.
  std::vector<double> score{};

  [[nodiscard]] std::size_t count() const noexcept { return distance.size(); }
  /// They differ from the other rows by more than random rows do: the mean score is above 0 by more
  /// than 1.645 standard errors. Then limits come from them and not from random rows.
  [[nodiscard]] bool are_restless() const noexcept;
  friend bool operator==(const OwnChunks&, const OwnChunks&) = default;
};

/// A table that others are held against.
struct Reference {
  std::string name{};
  Frame rows{};     ///< kept rows of the columns that are compared; `rows.rows`: their numbers
  Coding coding{};  ///< learnt from the table alone
  double tau = 0.1;
  Missing missing = Missing::level;
  std::size_t source_rows = 0;  ///< rows of the table
  OwnChunks own{};
  bool has_names = true;  ///< of columns; otherwise they are c1, c2, ... and go by their numbers
  std::vector<std::string> exclude{};
  std::vector<std::string> na{};
  std::uint64_t seed = 0;
  std::string digest{};  ///< SHA-256 of all of it, in hexadecimal digits

  [[nodiscard]] bool has_all_rows() const noexcept { return rows.n() == source_rows; }
};

/// Learns kinds, levels and units from the table, keeps rows, and measures how far chunks of the table are
/// from its other rows. Error where it has fewer than 20 rows, where a column's name occurs twice and where
/// progress says stop.
[[nodiscard]] Reference make_reference(const Frame& x, const ReferenceOptions& options = {});

/// Bytes that make_reference() takes at most for n rows of d coordinates, with the table; measured peaks are
/// half of it or more (docs/results-trust.md).
[[nodiscard]] double reference_bytes(std::size_t n, std::size_t d, const ReferenceOptions& options = {});

/// One file, which appears whole or not at all: a line with the schema and the SHA-256 of what follows, then
/// JSON. Any later version reads it.
void save(const Reference& reference, const std::string& path);
/// Error(Errc::io) where the file is no reference, of a later schema, cut short or changed.
[[nodiscard]] Reference load_reference(const std::string& path);

/// How files that are held against the reference are to be read: its kinds, its missing values.
[[nodiscard]] ReadOptions read_options(const Reference& reference, ReadOptions options = {});

/// The columns of the reference in its order, by their names. Error where one is missing, where there is one
/// that the reference does not know, and where one is of another kind. `source` is how complaints call it.
[[nodiscard]] Frame matched(const Reference& reference, Frame y, const std::string& source);

// --------------------------------------------------------------------------------------------------- check

struct CheckOptions {
  double alpha = 0.05;             ///< largest p-value of a difference, in [0.001, 0.5]
  std::optional<double> effect{};  ///< the smallest distance that matters; unset: any
  std::size_t rows = 5000;         ///< of each table compared at most, drawn by the seed; >= 10
  std::string source = "Y";        ///< where the table comes from
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  std::uint64_t memory_limit = 0;  ///< as DistanceOptions::memory_limit
  Progress progress{};
};

struct Check {
  bool differs = false;  ///< p_value <= alpha and, with an effect, population.interval.low > effect
  double alpha = 0.05;
  std::optional<double> effect{};
  std::string reference{};        ///< its name
  std::string digest{};           ///< of the reference
  PerSample<std::size_t> rows{};  ///< of the reference's table and of Y; distance.asked has those compared
  /// Standard error of the distance because some rows of Y were drawn; unset: all were compared.
  std::optional<double> subsample_error{};
  /// X is the reference. Rows left out are numbered as in their tables, from 0.
  Distance distance{};
};

/// Holds a table against the reference by distance(), with the reference's coding.
[[nodiscard]] Check check(const Reference& reference, const Frame& y, const CheckOptions& options = {});

/// Bytes that check() takes at most for a table of m rows, as reference_bytes().
[[nodiscard]] double check_bytes(const Reference& reference, std::size_t m, const CheckOptions& options = {});

// ------------------------------------------------------------------------------------------------- monitor

/// A part of a series, read when its turn comes.
struct ChunkSource {
  std::string name;
  std::function<Frame()> read;  ///< columns as in the file; rows as in the file, too
};

enum class ChunkBy { day, week };
template <>
inline constexpr auto names<ChunkBy> = names_in_order<ChunkBy>("day", "week");

struct ChunkOptions {
  std::string time{};           ///< column of times (or, with `rows`, of numbers), which is not compared
  std::optional<ChunkBy> by{};  ///< UTC days, or weeks from Monday on, each called by its first day
  std::size_t rows = 0;         ///< instead: so many rows, in the order of time; the rest waits for more
};
/// One table as a series. `source` is how complaints call it.
[[nodiscard]] std::vector<ChunkSource> chunks_of(Frame table, const ChunkOptions& options,
                                                 const std::string& source);

struct MonitorOptions {
  /// Without drift one chunk of so many alarms, >= 2; 0: 20, or as many as the own chunks support.
  std::size_t one_in = 0;
  std::optional<double> effect{};  ///< the smallest distance that matters; unset: any
  std::size_t rolling = 0;         ///< hold chunks against so many before them; 0: against the reference
  std::string log{};               ///< file of judgements; empty: none is kept
  bool explain = true;  ///< find the columns and rows behind an alarm; without, alarms with an effect alone
  std::size_t threads = 0;
  std::uint64_t memory_limit = 0;  ///< as DistanceOptions::memory_limit
  Progress progress{};
};

/// What was found of one chunk.
struct Judgement {
  std::string name{};
  std::string digest{};  ///< SHA-256 of the chunk's compared columns; rolling: of those before it, too
  std::size_t rows = 0;
  std::size_t rows_used = 0;          ///< as many as the own chunks have that it is compared with
  bool alarm = false;                 ///< p_value <= 1 / one_in and, with an effect, low > effect
  std::optional<double> value{};      ///< the distance; unset: see `why_not`
  std::optional<double> p_value{};    ///< how often chunks without drift have such a score
  std::optional<double> score{};      ///< how far it stands out, in sds of random chunks; see monitor()
  std::optional<double> limit{};      ///< of the score: what chunks without drift reach once in one_in
  std::optional<Interval> band{};     ///< distance of own chunks, without the one_in-th part on either side
  std::optional<double> low{};        ///< of an alarm: lower limit of the distance of the laws
  std::vector<ColumnMove> columns{};  ///< of an alarm: how columns moved, the largest share first
  std::vector<std::uint64_t> rows_behind{};    ///< of an alarm: rows that pull most, in their file from 1
  std::vector<std::uint64_t> rows_left_out{};  ///< rows that stand alone, in their file from 1
  std::string why_not{};                       ///< why it was not judged; empty: it was
  bool is_new = true;                          ///< judged in this run, or in one that did not come to its end
};

struct Monitored {
  std::string reference{};
  std::string digest{};  ///< of the reference
  std::size_t one_in = 0;
  std::optional<double> effect{};
  std::size_t rolling = 0;
  std::string scale{};              ///< units of the distances
  std::vector<Judgement> chunks{};  ///< all of the log, then those given that it had not
  OwnChunks own{};                  ///< of chunks of the usual size

  [[nodiscard]] std::size_t alarms() const noexcept;      ///< among new chunks
  [[nodiscard]] std::size_t not_judged() const noexcept;  ///< among new chunks
};

/// Judges chunks one after the other.
///
/// A chunk is held against the reference's rows (2000 at most) by a permutation test: both are mixed, and
/// random chunks of the mixture say what chance gives. The score is what stands out most of the energy
/// distance and a kernel distance of all columns together, the move of the column which alone has moved most
/// (steps of ranks, levels, missing values) and the moves of all columns, or several of these a little, in
/// sds of the random chunks' scores. Rows that stand alone in the mixture are left out of every chunk, random
/// or not, at most floor(tau m) of a chunk of m rows, so that wrong rows do not alarm. p <= 1 / one_in has
/// that chance where the chunk is drawn like the reference's rows, but for those that the reference itself
/// had left out. Days often are not: where the reference's own chunks are restless, the limit is moved and
/// stretched to their mean and sd. one_in > C + 1 is refused for C own chunks, since they are the only
/// witnesses of what chunks without drift do. Larger chunks than the own ones are drawn from, and 1000 rows
/// tested at most; for smaller ones the own chunks are cut, which needs a reference that keeps all rows.
/// Chunks of fewer than 10 rows are not judged.
///
/// The log has one line of JSON for the settings and one for each judgement, on the disk before the next
/// chunk is read. Chunks whose digest it has are not judged again. A line that was torn when a run was killed
/// is removed and the chunk judged anew; judgements of a run that did not come to its end count as new in the
/// next one, so that no alarm is lost. Error(Errc::io) where the log is of other settings, damaged or in use.
[[nodiscard]] Monitored monitor(const Reference& reference, std::span<const ChunkSource> chunks,
                                const MonitorOptions& options = {});

/// Bytes that monitor() takes at most for a chunk of m rows, as reference_bytes().
[[nodiscard]] double monitor_bytes(const Reference& reference, std::size_t m,
                                   const MonitorOptions& options = {});

// --------------------------------------------------------------------------------------------------- words

[[nodiscard]] std::string text(const Reference& reference);
[[nodiscard]] std::string text(const Check& check, const TextOptions& options = {});
[[nodiscard]] std::string text(const Monitored& series);

// -------------------------------------------------------------------------------------------------- fields

/// Of Check and Monitored as JSON: they rise when a key changes its meaning or goes. docs/schema has the
/// files.
inline constexpr int reference_schema = 3, check_schema = 1, monitor_schema = 2;

template <>
inline constexpr std::tuple fields<OwnChunks>{
    Field{"rows", &OwnChunks::rows, "Of each chunk"},
    Field{"distance", &OwnChunks::distance, "Distance of each chunk from the other rows"},
    Field{"score", &OwnChunks::score, "Score of each chunk; those of random rows have mean 0 and sd 1"},
};

template <>
inline constexpr std::tuple fields<Check>{
    Field{"differs", &Check::differs, "Whether Y differs by more than chance gives and by more than matters"},
    Field{"alpha", &Check::alpha, "Largest p-value of a difference"},
    Field{"effect", &Check::effect, "The smallest distance that matters"},
    Field{"reference", &Check::reference, "Name of the reference"},
    Field{"digest", &Check::digest, "SHA-256 of the reference"},
    Field{"rows", &Check::rows, "Rows of the reference's table and of Y; distance.asked has those compared"},
    Field{"subsample_error", &Check::subsample_error,
          "Standard error of the distance because some rows of Y were drawn"},
    Field{"distance", &Check::distance, "The answer of motmot distance; X is the reference"},
};

template <>
inline constexpr std::tuple fields<Judgement>{
    Field{"name", &Judgement::name, "Of the chunk"},
    Field{"digest", &Judgement::digest, "SHA-256 of what was judged"},
    Field{"rows", &Judgement::rows, "Of the chunk"},
    Field{"rows_used", &Judgement::rows_used, "Rows compared: as many as the own chunks have"},
    Field{"alarm", &Judgement::alarm, "Whether the chunk stands out"},
    Field{"value", &Judgement::value, "Its distance"},
    Field{"p_value", &Judgement::p_value, "How often chunks without drift have such a score"},
    Field{"score", &Judgement::score, "How far the chunk stands out, in sds of random chunks"},
    Field{"limit", &Judgement::limit, "Of the score: what chunks without drift reach once in one_in"},
    Field{"band", &Judgement::band, "Distances of own chunks, but for one in one_in on either side"},
    Field{"low", &Judgement::low, "Of an alarm: lower limit of the distance between the laws"},
    Field{"columns", &Judgement::columns, "Of an alarm: how columns moved, the largest share first"},
    Field{"rows_behind", &Judgement::rows_behind, "Of an alarm: rows that pull most, in their file from 1"},
    Field{"rows_left_out", &Judgement::rows_left_out, "Rows that stand alone, in their file from 1"},
    Field{"why_not", &Judgement::why_not, "Why the chunk was not judged"},
    Field{"is_new", &Judgement::is_new, "Judged in this run, or in one that did not come to its end"},
};

template <>
inline constexpr std::tuple fields<Monitored>{
    Field{"reference", &Monitored::reference, "Name of the reference"},
    Field{"digest", &Monitored::digest, "SHA-256 of the reference"},
    Field{"one_in", &Monitored::one_in, "Without drift one chunk of so many alarms"},
    Field{"effect", &Monitored::effect, "The smallest distance that matters"},
    Field{"rolling", &Monitored::rolling, "Chunks before it that a chunk is held against; 0: the reference"},
    Field{"scale", &Monitored::scale, "Units of the distances"},
    Field{"chunks", &Monitored::chunks, "All of the log, then those given that it had not"},
    Field{"own", &Monitored::own, "The reference's own chunks"},
};

}  // namespace motmot
