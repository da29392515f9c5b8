#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <filesystem>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "base/require.hpp"
#include "base/threads.hpp"
#include "data/byte_source.hpp"
#include "data/complaint.hpp"
#include "tables/column_builder.hpp"
#include "tables/duckdb_library.hpp"
#include "tables/sources.hpp"

namespace motmot {
namespace {

using duckdb::Library;
using duckdb::Owned;
using duckdb::Type;

/// DuckDB's messages go on after their first line with the query and a mark below it.
std::string first_line(const char* message) {
  const std::string_view text = message != nullptr ? message : "no reason given";
  return std::string(text.substr(0, text.find('\n')));
}

/// A database in memory that looks at files, and downloads nothing.
class Session {
 public:
  /// Queries on different connections may run at the same time.
  Session(std::string source, std::size_t threads, std::size_t connections)
      : source_(std::move(source)), library_(duckdb::load_library(source_)), database_(library_.close) {
    open(threads);
    for (std::size_t i = 0; i < connections; ++i) {
      connections_.emplace_back(library_.disconnect);
      check(library_.connect(database_.get(), connections_.back().place()), "no connection");
    }
  }

  [[nodiscard]] const Library& library() const noexcept { return library_; }
  [[nodiscard]] const std::string& source() const noexcept { return source_; }
  [[nodiscard]] std::size_t connections() const noexcept { return connections_.size(); }
  /// Runs one query, whose rows come as they are asked for.
  [[nodiscard]] Owned<duckdb::Result> run(const std::string& query, std::size_t connection = 0);

  /// From any thread: what runs ends with an error.
  void interrupt() const {
    for (const Owned<duckdb::Connection>& one : connections_) library_.interrupt(one.get());
  }

  [[noreturn]] void complain(const char* message) const {
    fail(Errc::io, source_, ": DuckDB says: ", first_line(message));
  }

 private:
  void open(std::size_t threads);
  [[nodiscard]] Owned<duckdb::Prepared> prepare(const std::string& query, duckdb::Connection connection);
  void check(int state, const char* message) const {
    if (state != duckdb::success) complain(message);
  }

  std::string source_;  ///< for complaints
  Library library_;
  Owned<duckdb::Database> database_;
  std::vector<Owned<duckdb::Connection>> connections_;
};

void Session::open(std::size_t threads) {
  Owned<duckdb::Config> config(library_.destroy_config);
  check(library_.create_config(config.place()), "no settings");
  const std::string spill =
      std::filesystem::temp_directory_path() / ("motmot-duckdb-" + std::to_string(::getpid()));
  const std::pair<const char*, std::string> settings[] = {
      {"threads", std::to_string(thread_count(threads))},
      {"autoinstall_known_extensions", "false"},
      {"temp_directory", spill},  // made only where memory runs out, and removed
  };
  for (const auto& [name, value] : settings)
    check(library_.set_config(config.get(), name, value.c_str()), name);
  char* error = nullptr;
  const int state = library_.open_ext(nullptr, database_.place(), config.get(), &error);
  const std::string why = first_line(error);
  library_.free(error);
  check(state, why.c_str());
}

Owned<duckdb::Prepared> Session::prepare(const std::string& query, duckdb::Connection connection) {
  Owned<duckdb::Statements> statements(library_.destroy_extracted);
  const duckdb::Count count = library_.extract_statements(connection, query.c_str(), statements.place());
  const char* const error = count == 0 ? library_.extract_statements_error(statements.get()) : nullptr;
  if (error != nullptr) complain(error);
  require(count == 1, Errc::io, source_, ": one query is needed, not ", count, " statements");
  Owned<duckdb::Prepared> prepared(library_.destroy_prepare);
  if (library_.prepare_extracted_statement(connection, statements.get(), 0, prepared.place()) !=
      duckdb::success)
    complain(library_.prepare_error(prepared.get()));
  require(library_.prepared_statement_type(prepared.get()) == duckdb::select_statement, Errc::io, source_,
          ": this is not a query; it must start with select, with or from");
  return prepared;
}

Owned<duckdb::Result> Session::run(const std::string& query, std::size_t connection) {
  const Owned<duckdb::Prepared> prepared = prepare(query, connections_[connection].get());
  Owned<duckdb::Result> result(library_.destroy_result);
  if (library_.execute_prepared_streaming(prepared.get(), result.place()) != duckdb::success)
    complain(library_.result_error(result.place()));
  return result;
}

// ------------------------------------------------------------------------------------ columns of a result

std::optional<NumberLayout> number_layout(Type type) {
  switch (type) {
    case Type::tinyint:
      return signed_layout(1);
    case Type::smallint:
      return signed_layout(2);
    case Type::integer:
      return signed_layout(4);
    case Type::bigint:
      return signed_layout(8);
    case Type::hugeint:
      return signed_layout(16);
    case Type::utinyint:
      return unsigned_layout(1);
    case Type::usmallint:
      return unsigned_layout(2);
    case Type::uinteger:
      return unsigned_layout(4);
    case Type::ubigint:
      return unsigned_layout(8);
    case Type::uhugeint:
      return unsigned_layout(16);
    case Type::float4:
      return floating_layout(4);
    case Type::float8:
      return floating_layout(8);
    default:
      return std::nullopt;
  }
}

/// Stored as an integer; the largest stands for infinity.
NumberLayout instants(unsigned width, double per_second) {
  NumberLayout layout = divided(signed_layout(width), per_second);
  layout.limit = width == 4 ? 0x7fffffff : 0x1p63;
  return layout;
}

std::optional<NumberLayout> time_layout(Type type) {
  switch (type) {
    case Type::date:
      return times(instants(4, 1), 86400);
    case Type::timestamp_s:
      return instants(8, 1);
    case Type::timestamp_ms:
      return instants(8, 1e3);
    case Type::timestamp:
    case Type::timestamp_tz:
      return instants(8, 1e6);
    case Type::timestamp_ns:
      return instants(8, 1e9);
    default:
      return std::nullopt;
  }
}

struct Refused {
  Type type;
  std::string_view what;
  std::string_view cast;  ///< what to write instead, with % for the column
};

constexpr Refused refused[] = {
    {Type::time, "a time of day", "epoch(%)"},
    {Type::time_tz, "a time of day", "epoch(%::time)"},
    {Type::interval, "an interval", "epoch(%)"},
    {Type::blob, "a blob", "octet_length(%)"},
    {Type::uuid, "a UUID", "%::varchar"},
    {Type::bits, "a bit string", "%::varchar"},
    {Type::list, "a list", "%[1] or len(%)"},
    {Type::array, "an array", "%[1]"},
    {Type::map, "a map", "%['key']"},
    {Type::structure, "a struct", "%.field"},
    {Type::union_of, "a union", "%::varchar"},
};

/// The pattern with the column's name for each %.
std::string filled_in(std::string_view pattern, const std::string& name) {
  std::string text;
  for (const char c : pattern) {
    if (c == '%') text += "\"" + name + "\"";
    else text += c;
  }
  return text;
}

[[noreturn]] void complain_type(const std::string& source, std::size_t number, const std::string& name,
                                Type type) {
  const Refused other{type, "of a type that is not read", "%::varchar"};
  const Refused* found = &other;
  for (const Refused& known : refused)
    if (known.type == type) found = &known;
  fail(Errc::io, source, ", ", column_label(number, name), " is ", found->what,
       "; leave it out with --exclude, or read sql:select ", filled_in(found->cast, name), " ...");
}

std::string_view string_at(const void* strings, std::size_t i) {
  const char* const string = static_cast<const char*>(strings) + 16 * i;
  std::uint32_t length = 0;
  std::memcpy(&length, string, sizeof length);
  if (length <= 12) return {string + 4, length};
  const char* elsewhere = nullptr;
  std::memcpy(&elsewhere, string + 8, sizeof elsewhere);
  return {elsewhere, length};
}

/// Remembers the codes of strings that DuckDB holds in 16 bytes, length and text. What it has forgotten is
/// asked for again: the column knows all levels.
class RecentCodes {
 public:
  std::uint32_t code(ColumnBuilder& column, const void* strings, std::size_t i) {
    const char* const string = static_cast<const char*>(strings) + 16 * i;
    Words words;
    std::memcpy(&words, string, sizeof words);
    const std::uint64_t hash = (words.low * 0x9e3779b97f4a7c15 ^ words.high * 0xc2b2ae3d27d4eb4f) >> 53;
    Entry* const first = entries_.data() + hash;
    Entry* place = first;
    for (Entry* entry = first; entry < first + tries; ++entry) {
      if (entry->words == words) return entry->code;
      if (entry->words == Words{}) {
        place = entry;
        break;
      }
    }
    const std::string_view text = string_at(strings, i);
    if (text.size() > 12) return column.code(text);  // the bytes hold an address
    *place = {words, column.code(text)};
    return place->code;
  }

 private:
  struct Words {
    std::uint64_t low = ~std::uint64_t{0};  ///< no string is as long as that
    std::uint64_t high = 0;
    friend bool operator==(const Words&, const Words&) = default;
  };
  struct Entry {
    Words words{};
    std::uint32_t code = 0;
  };
  static constexpr std::size_t tries = 4;  ///< a few hundred levels seldom push one another out
  std::vector<Entry> entries_ = std::vector<Entry>(2048 + tries - 1);
};

/// A column of a result, and how its vectors are read.
class ResultColumn {
 public:
  /// `number` is its place in the result, `label` that in the source, for complaints.
  ResultColumn(Session& session, Owned<duckdb::Result>& result, std::size_t number, std::size_t label)
      : library_(session.library()),
        number_(number),
        name_(library_.column_name(result.place(), number)),
        type_(library_.column_logical_type(result.place(), number), library_.destroy_logical_type),
        id_(static_cast<Type>(library_.get_type_id(type_.get()))),
        layout_(layout()),
        levels_(id_ == Type::enumeration ? library_.enum_dictionary_size(type_.get()) : 2),
        builder_(name_, kind(session.source(), label)) {}

  void reserve(std::size_t rows) { builder_.reserve(rows); }

  void add(duckdb::Chunk chunk, std::size_t rows) {
    const duckdb::Vector vector = library_.data_chunk_get_vector(chunk, number_);
    const void* const values = library_.vector_get_data(vector);
    const Presence presence(library_.vector_get_validity(vector), 0);
    if (id_ == Type::null) builder_.add_missing(rows);
    else if (layout_) builder_.add_numbers(*layout_, values, rows, presence);
    else add_levels(values, rows, presence);
  }

  Column finish() && { return std::move(builder_).finish(); }

 private:
  [[nodiscard]] std::optional<NumberLayout> layout() const {
    if (const auto time = time_layout(id_)) return time;
    if (id_ != Type::decimal) return number_layout(id_);
    const auto stored = number_layout(static_cast<Type>(library_.decimal_internal_type(type_.get())));
    return divided(stored.value(), std::pow(10.0, library_.decimal_scale(type_.get())));
  }

  [[nodiscard]] Kind kind(const std::string& source, std::size_t label) const {
    if (time_layout(id_)) return Kind::time;
    if (layout_ || id_ == Type::null) return Kind::number;
    if (id_ != Type::varchar && id_ != Type::boolean && id_ != Type::enumeration)
      complain_type(source, label, name_, id_);
    return Kind::category;
  }

  void add_levels(const void* values, std::size_t rows, Presence presence) {
    if (id_ == Type::varchar) {
      codes_.resize(rows);
      for (std::size_t i = 0; i < rows; ++i)
        codes_[i] = presence(i) ? recent_.code(builder_, values, i) : Column::no_level;
      builder_.add_codes(codes_);
    } else if (id_ == Type::boolean) {
      add_places<std::uint8_t>(values, rows, presence, boolean_level);
    } else {
      add_enum(values, rows, presence);
    }
  }

  void add_enum(const void* values, std::size_t rows, Presence presence) {
    const auto text = [&](std::size_t place) {
      const std::unique_ptr<char, void (*)(void*)> level(library_.enum_dictionary_value(type_.get(), place),
                                                         library_.free);
      return std::string(level.get());
    };
    switch (static_cast<Type>(library_.enum_internal_type(type_.get()))) {
      case Type::utinyint:
        return add_places<std::uint8_t>(values, rows, presence, text);
      case Type::usmallint:
        return add_places<std::uint16_t>(values, rows, presence, text);
      default:
        return add_places<std::uint32_t>(values, rows, presence, text);
    }
  }

  template <class Place, class Text>
  void add_places(const void* values, std::size_t rows, Presence presence, const Text& text) {
    const auto* const places = static_cast<const Place*>(values);
    for (std::size_t i = 0; i < rows; ++i) {
      if (presence(i)) levels_.add(builder_, places[i], text);
      else builder_.add_code(Column::no_level);
    }
  }

  const Library& library_;
  std::size_t number_;
  std::string name_;
  Owned<duckdb::LogicalType> type_;
  Type id_;
  std::optional<NumberLayout> layout_;  ///< of numbers and times
  Recoder levels_;                      ///< of enums and booleans
  RecentCodes recent_;                  ///< of strings
  std::vector<std::uint32_t> codes_;
  ColumnBuilder builder_;
};

// -------------------------------------------------------------------------------------------- the readers

std::vector<std::string> column_names(Session& session, Owned<duckdb::Result>& result) {
  std::vector<std::string> names;
  const duckdb::Count count = session.library().column_count(result.place());
  for (duckdb::Count j = 0; j < count; ++j)
    names.emplace_back(session.library().column_name(result.place(), j));
  return names;
}

std::vector<std::string> column_names(Session& session, const std::string& query) {
  Owned<duckdb::Result> result = session.run(query);
  return column_names(session, result);
}

/// The next rows of the result; no rows: at its end.
Owned<duckdb::Chunk> fetch(Session& session, Owned<duckdb::Result>& result) {
  return {session.library().fetch_chunk(result.get()), session.library().destroy_data_chunk};
}

void check_end(Session& session, Owned<duckdb::Result>& result, std::size_t rows) {
  const char* const error = session.library().result_error(result.place());
  if (error != nullptr && *error != '\0')
    fail(Errc::io, session.source(), ": after ", rows, " rows DuckDB says: ", first_line(error));
}

/// All rows of the chosen columns, which have these numbers in the result. `before`: rows of the source that
/// are not in it, for complaints.
std::vector<Column> read_columns(Session& session, Owned<duckdb::Result>& result, const ColumnChoice& choice,
                                 const std::vector<std::size_t>& numbers, std::size_t reserved = 0,
                                 std::size_t before = 0) {
  std::vector<ResultColumn> columns;
  for (std::size_t slot = 0; slot < numbers.size(); ++slot)
    columns.emplace_back(session, result, numbers[slot], choice.column(slot)).reserve(reserved);
  std::size_t rows = before;
  for (;;) {
    const Owned<duckdb::Chunk> chunk = fetch(session, result);
    const std::size_t fresh = chunk.get() != nullptr ? session.library().data_chunk_get_size(chunk.get()) : 0;
    if (fresh == 0) break;
    for (ResultColumn& column : columns) column.add(chunk.get(), fresh);
    rows += fresh;
  }
  check_end(session, result, rows);
  return finish_all(std::move(columns));
}

/// What the ends of the files say; no values are read.
std::size_t count_rows(Session& session, const std::string& from) {
  Owned<duckdb::Result> result = session.run("select count(*)" + from);
  ResultColumn count(session, result, 0, 0);
  const Owned<duckdb::Chunk> chunk = fetch(session, result);
  check_end(session, result, 0);
  count.add(chunk.get(), 1);
  return static_cast<std::size_t>(std::move(count).finish().numbers.front());
}

std::vector<std::size_t> chosen_numbers(const ColumnChoice& choice) {
  std::vector<std::size_t> numbers;
  for (std::size_t slot = 0; slot < choice.slots(); ++slot) numbers.push_back(choice.column(slot));
  return numbers;
}

/// Reads on another thread, so that the caller is asked on its own. Whether it said stop; what it threw is
/// the error then. In both cases what runs is interrupted until the reading has ended.
template <class Reading>
bool interrupted_by(const Progress& progress, const Session& session, const Reading& reading,
                    std::exception_ptr& error) {
  constexpr std::chrono::milliseconds a_while(20);
  std::exception_ptr thrown;
  bool stopped = false;
  std::future<void> done = std::async(std::launch::async, reading);
  while (done.wait_for(a_while) != std::future_status::ready) {
    try {
      stopped = stopped || !progress(0);
    } catch (...) {
      thrown = std::current_exception();
    }
    if (stopped || thrown) session.interrupt();
  }
  if (thrown) error = thrown;
  return stopped;
}

/// DuckDB does not wait for its threads when it is closed while an exception flies, and they touch what is
/// gone by then: what `read` throws is kept until the session has ended.
template <class Read>
Frame read_in_session(const std::string& source, std::size_t threads, std::size_t connections,
                      const Progress& progress, const Read& read) {
  std::exception_ptr error;
  bool stopped = false;
  Frame frame;
  {
    Session session(source, threads, connections);
    const auto reading = [&] {
      try {
        frame = read(session);
      } catch (...) {
        error = std::current_exception();
      }
    };
    if (!progress) reading();
    else stopped = interrupted_by(progress, session, reading, error);
  }
  require(!stopped, Errc::io, source, ": stopped before DuckDB had read it");
  if (error) std::rethrow_exception(error);
  return frame;
}

/// Some columns of one Parquet file of so many rows, in parts of its rows that are read at the same time:
/// DuckDB hands rows over on the thread that asks for them, and takes much of the time for that.
class ParquetParts {
 public:
  ParquetParts(Session& session, std::string columns, std::string path, std::size_t rows, std::size_t parts)
      : session_(session),
        columns_(std::move(columns)),
        path_(std::move(path)),
        rows_(rows),
        parts_(parts),
        team_(parts, parts) {}

  std::vector<Column> read(const ColumnChoice& choice) {
    std::vector<std::size_t> all(choice.slots());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<std::vector<Column>> columns(parts_);
    team_.run(parts_, [&](std::size_t i, std::size_t) {
      const std::size_t first = start(i), rows = start(i + 1) - first;
      Owned<duckdb::Result> result = session_.run(query(first, first + rows), i);
      columns[i] = read_columns(session_, result, choice, all, i == 0 ? rows_ : rows, first);
    });
    team_.run(all.size(), [&](std::size_t j, std::size_t) {
      for (std::size_t i = 1; i < parts_; ++i) append(columns[0][j], std::move(columns[i][j]));
    });
    return std::move(columns[0]);
  }

 private:
  [[nodiscard]] std::size_t start(std::size_t part) const { return rows_ * part / parts_; }
  [[nodiscard]] std::string query(std::size_t first, std::size_t end) const {
    const std::string from = "select " + columns_ + " from read_parquet(" + in_quotes(path_, '\'');
    if (parts_ == 1) return from + ")";
    return from + ", file_row_number = true) where file_row_number >= " + std::to_string(first) +
           " and file_row_number < " + std::to_string(end);
  }

  Session& session_;
  std::string columns_, path_;
  std::size_t rows_, parts_;
  Team team_;
};

/// A pattern may name several files, each with a first row of its own.
bool is_pattern(const std::string& path) { return path.find_first_of("*?[") != std::string::npos; }

/// Parts that rows are read in, at most as many as there are connections.
std::size_t parts_of(const Session& session, const FileColumns& names, std::size_t rows) {
  constexpr std::size_t least_rows = 100'000;
  bool can_number = true;
  for (std::size_t j = 0; j < names.count; ++j)
    can_number = can_number && !equal_ignoring_case(names.name(j), "file_row_number");
  return can_number ? std::clamp<std::size_t>(rows / least_rows, 1, session.connections()) : 1;
}

}  // namespace

Frame read_query(const std::string& query, const ReadOptions& options, const Progress& progress) {
  return read_in_session("query " + shown(query), options.threads, 1, progress, [&](Session& session) {
    Owned<duckdb::Result> result = session.run(query);
    const FileColumns names = named_columns(session.source(), column_names(session, result));
    const ColumnChoice choice = choose_columns(names, options);
    return make_frame(names, choice, read_columns(session, result, choice, chosen_numbers(choice)));
  });
}

Frame read_parquet(const std::string& path, const ReadOptions& options, const Progress& progress) {
  constexpr std::size_t most_connections = 8;
  if (!is_pattern(path))
    ByteReader(open_source(path), name_of(path)).peek(1);  // complains if it cannot be read
  const std::size_t connections =
      is_pattern(path) ? 1 : std::min(thread_count(options.threads), most_connections);
  // Each connection works on the thread that asks: more threads would be in each other's way.
  const std::size_t threads = connections > 1 ? 1 : options.threads;
  return read_in_session(name_of(path), threads, connections, progress, [&](Session& session) {
    const std::string from = " from read_parquet(" + in_quotes(path, '\'') + ")";
    const FileColumns names =
        named_columns(session.source(), column_names(session, "select *" + from + " limit 0"));
    const ColumnChoice choice = choose_columns(names, options);
    std::string columns;
    for (const std::size_t number : chosen_numbers(choice))
      columns += (columns.empty() ? "" : ", ") + in_quotes(names.name(number), '"');
    const std::size_t rows = count_rows(session, from);
    ParquetParts parts(session, columns, path, rows, parts_of(session, names, rows));
    return make_frame(names, choice, parts.read(choice));
  });
}

}  // namespace motmot
