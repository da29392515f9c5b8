// Tables that other programs hand over: Arrow's streams, with lengths, offsets and buffers that may be wrong,
// and what DuckDB gives of any type.
#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>

#include "fuzz/fuzz.hpp"
#include "motmot/arrow.hpp"
#include "tables/duckdb_library.hpp"

namespace motmot::fuzz {
namespace {

// ------------------------------------------------------------------------------------------- arrow

/// Mostly the number that is right.
std::int64_t number_or(std::int64_t right, Choices& choices) {
  const std::array<std::int64_t, 9> wrong{0,
                                          1,
                                          -1,
                                          right + 1,
                                          right - 1,
                                          std::int64_t{1} << 41,
                                          std::int64_t{1} << 62,
                                          std::numeric_limits<std::int64_t>::max(),
                                          std::numeric_limits<std::int64_t>::min()};
  const std::size_t choice = choices.below(64);
  return 0 < choice && choice <= wrong.size() ? wrong[choice - 1] : right;
}

constexpr std::array formats{"g",
                             "f",
                             "e",
                             "c",
                             "C",
                             "s",
                             "S",
                             "i",
                             "I",
                             "l",
                             "L",
                             "b",
                             "n",
                             "u",
                             "U",
                             "vu",
                             "tdD",
                             "tdm",
                             "tss:",
                             "tsn:Z",
                             "d:10,2",
                             "d:9,1,32",
                             "d:70,99999999999,256",
                             "z",
                             "+l",
                             "",
                             "tsx:",
                             "d:",
                             "d:1,2,3"};

std::size_t width_of(const std::string& format) {
  if (format == "c" || format == "C") return 1;
  if (format == "s" || format == "S" || format == "e") return 2;
  if (format == "f" || format == "i" || format == "I" || format == "tdD" || format == "d:9,1,32") return 4;
  return format == "d:10,2" ? 16 : format.starts_with("d:") ? 32 : 8;
}

/// A column and all that it points to. Buffers are exactly as long as the interface demands for what the
/// column claims; claims beyond `most` elements must be refused before a buffer is looked at.
class HostileColumn {
 public:
  HostileColumn(std::size_t rows, Choices& choices, int dictionaries)
      : format_(formats[choices.below(formats.size())]) {
    const std::size_t before = choices.below(3);
    array_.length = number_or(static_cast<std::int64_t>(rows), choices);
    array_.offset = number_or(static_cast<std::int64_t>(before), choices);
    array_.null_count = static_cast<std::int64_t>(choices.below(3)) - 1;
    if (dictionaries > 0 && choices.below(4) == 1)
      dictionary_ = std::make_unique<HostileColumn>(1 + choices.below(4), choices, dictionaries - 1);
    fill(elements(), choices);
    if (choices.below(16) == 1) pointers_[choices.below(pointers_.size())] = nullptr;
    array_.n_buffers = choices.below(16) == 1
                           ? static_cast<std::int64_t>(choices.below(pointers_.size() + 1)) - 1
                           : n_buffers_;
    array_.buffers = choices.below(32) == 1 ? nullptr : pointers_.data();
    schema_.format = choices.below(64) == 1 ? nullptr : format_.c_str();
    schema_.name = choices.below(8) == 1 ? nullptr : "x";
    schema_.dictionary = dictionary_ ? &dictionary_->schema_ : nullptr;
    array_.dictionary = dictionary_ && choices.below(16) != 1 ? &dictionary_->array_ : nullptr;
    array_.release = [](ArrowArray*) {};
  }

  ArrowSchema schema_{};
  ArrowArray array_{};

 private:
  static constexpr std::int64_t most = 64;

  /// Elements of its buffers, by what it claims.
  [[nodiscard]] std::size_t elements() const {
    const bool honest =
        0 <= array_.length && array_.length <= most && 0 <= array_.offset && array_.offset <= most;
    return honest ? static_cast<std::size_t>(array_.length + array_.offset) : 0;
  }

  void* buffer(std::size_t place, std::size_t bytes) {
    buffers_.push_back(std::make_unique<char[]>(bytes));
    pointers_[place] = buffers_.back().get();
    return buffers_.back().get();
  }

  void some_bytes(std::size_t place, std::size_t count, Choices& choices) {
    char* const bytes = static_cast<char*>(buffer(place, count));
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(choices.byte());
  }

  template <class Offset>
  void texts(std::size_t count, Choices& choices) {
    auto* const offsets = static_cast<char*>(buffer(1, (count + 1) * sizeof(Offset)));
    Offset at = 0;
    for (std::size_t i = 0; i <= count; ++i) {
      const std::size_t step = choices.byte();
      const Offset offset = step > 250 ? static_cast<Offset>(number_or(-5, choices))
                                       : at = static_cast<Offset>(at + static_cast<Offset>(step % 5));
      std::memcpy(offsets + i * sizeof(Offset), &offset, sizeof offset);
    }
    Offset last = 0;  // a text is so long, or not at all where that is no length
    std::memcpy(&last, offsets + count * sizeof(Offset), sizeof last);
    if (last > 4096) std::memcpy(offsets + count * sizeof(Offset), &at, sizeof at), last = at;
    some_bytes(2, static_cast<std::size_t>(std::max<Offset>(last, 0)), choices);
    n_buffers_ = 3;
  }

  void views(std::size_t count, Choices& choices) {
    auto* const all = static_cast<char*>(buffer(1, 16 * count));
    constexpr std::int64_t text_size = 20;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int32_t parts[4] = {static_cast<std::int32_t>(number_or(choices.coin() ? 3 : 15, choices)),
                                     0x61616161, static_cast<std::int32_t>(number_or(0, choices)),
                                     static_cast<std::int32_t>(number_or(4, choices))};
      std::memcpy(all + 16 * i, parts, sizeof parts);
    }
    some_bytes(2, text_size, choices);
    std::memcpy(buffer(3, sizeof text_size), &text_size, sizeof text_size);
    n_buffers_ = 4;
  }

  void fill(std::size_t count, Choices& choices) {
    if (choices.coin()) some_bytes(0, count / 8 + 1, choices);
    if (format_ == "u") return texts<std::int32_t>(count, choices);
    if (format_ == "U") return texts<std::int64_t>(count, choices);
    if (format_ == "vu") return views(count, choices);
    some_bytes(1, format_ == "b" ? count / 8 + 1 : count * width_of(format_), choices);
    n_buffers_ = 2;
  }

  std::string format_;
  std::deque<std::unique_ptr<char[]>> buffers_{};
  std::array<const void*, 4> pointers_{};
  std::int64_t n_buffers_ = 0;
  std::unique_ptr<HostileColumn> dictionary_{};
};

/// One chunk of hostile columns, as a stream.
struct HostileTable {
  explicit HostileTable(Choices choices) {
    const std::size_t rows = choices.below(20);
    for (std::size_t j = 0; j <= choices.below(3); ++j) columns.emplace_back(rows, choices, 2);
    for (HostileColumn& column : columns) {
      schemas.push_back(choices.below(64) == 1 ? nullptr : &column.schema_);
      arrays.push_back(choices.below(64) == 1 ? nullptr : &column.array_);
    }
    const auto count = static_cast<std::int64_t>(columns.size());
    schema.format = choices.below(64) == 1 ? nullptr : "+s";
    schema.n_children = choices.below(64) == 1 ? -1 : count;
    schema.children = choices.below(64) == 1 ? nullptr : schemas.data();
    schema.release = [](ArrowSchema* s) { s->release = nullptr; };
    chunk.length = number_or(static_cast<std::int64_t>(rows), choices);
    chunk.offset = choices.below(4) == 1 ? number_or(1, choices) : 0;
    chunk.n_children = choices.below(64) == 1 ? -1 : count;
    chunk.children = choices.below(64) == 1 ? nullptr : arrays.data();
    chunk.null_count = -1;
    chunk.n_buffers = static_cast<std::int64_t>(choices.below(2));
    chunk.buffers = choices.coin() ? nullptr : &no_mask;
    chunk.release = [](ArrowArray* a) { a->release = nullptr; };
    stream = {.get_schema = [](ArrowArrayStream* s, ArrowSchema* out) { return *out = self(s).schema, 0; },
              .get_next = [](ArrowArrayStream* s, ArrowArray* out) { return self(s).next(out); },
              .get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; },
              .release = [](ArrowArrayStream* s) { s->release = nullptr; },
              .private_data = this};
  }
  HostileTable(const HostileTable&) = delete;
  HostileTable& operator=(const HostileTable&) = delete;

  static HostileTable& self(ArrowArrayStream* s) { return *static_cast<HostileTable*>(s->private_data); }
  int next(ArrowArray* out) {
    *out = given ? ArrowArray{} : chunk;
    given = true;
    return 0;
  }

  std::deque<HostileColumn> columns{};
  std::vector<ArrowSchema*> schemas{};
  std::vector<ArrowArray*> arrays{};
  const void* no_mask = nullptr;
  ArrowSchema schema{};
  ArrowArray chunk{};
  ArrowArrayStream stream{};
  bool given = false;
};

void read_stream(std::string_view bytes) {
  HostileTable table{Choices(bytes)};
  expect_sound(read_arrow(table.stream, "the table"));
}

/// Bytes that mostly choose what is right, for each format in turn.
std::vector<std::string> streams() {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < 6 * formats.size(); ++k) {
    std::uint64_t state = k;
    std::string bytes;
    for (std::size_t i = 0; i < 400; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      bytes += static_cast<char>(state >> 58 == 0 ? state >> 33 : 0);
    }
    bytes[0] = static_cast<char>(1 + k % 19);
    bytes[1] = static_cast<char>(k % 3);
    bytes[2] = static_cast<char>(k % formats.size());
    all.push_back(bytes);
  }
  return all;
}

// ------------------------------------------------------------------------------------------ duckdb

bool is_there() {
  static const bool there = [] {
    try {
      static_cast<void>(duckdb::load_library("a test"));
      return true;
    } catch (const Error&) {
      return false;
    }
  }();
  return there;
}

/// Values that every one of the types below can hold.
constexpr std::array types{"tinyint",
                           "smallint",
                           "integer",
                           "bigint",
                           "hugeint",
                           "utinyint",
                           "ubigint",
                           "float",
                           "double",
                           "boolean",
                           "decimal(4,1)",
                           "decimal(38,9)",
                           "varchar",
                           "date",
                           "timestamp",
                           "timestamp_ns",
                           "enum('0', '1', '2', '3')",
                           "time",
                           "blob",
                           "integer[]",
                           "uuid",
                           "interval"};

std::string value_of(std::string_view type, std::size_t number) {
  const std::string digit = std::to_string(number);
  if (type == "date" || type.starts_with("timestamp")) return "'1970-01-0" + std::to_string(number + 1) + "'";
  if (type == "time") return "'00:00:0" + digit + "'";
  if (type == "integer[]") return "[" + digit + "]";
  if (type == "uuid") return "'00000000-0000-0000-0000-00000000000" + digit + "'";
  if (type == "interval") return "interval " + digit + " day";
  if (type == "varchar") return "'" + std::string(10 * number, 'x') + digit + "'";
  return type == "boolean" ? (number % 2 == 0 ? "false" : "true") : "'" + digit + "'";
}

/// What a row of such a column must be.
void expect_value(const Column& column, std::size_t row, std::string_view type, std::size_t number,
                  bool missing) {
  if (column.kind == Kind::category) {
    expect((column.codes[row] == Column::no_level) == missing, "a level is missing where it is null");
    if (missing) return;
    const std::string wanted = type == "boolean"   ? (number % 2 == 0 ? "false" : "true")
                               : type == "varchar" ? std::string(10 * number, 'x') + std::to_string(number)
                                                   : std::to_string(number);
    expect(column.levels[column.codes[row]] == wanted, "a level is that of its row");
  } else {
    const double unit = column.kind == Kind::time ? 86400 : 1;
    expect(std::isnan(column.numbers[row]) == missing, "a number is missing where it is null");
    expect(missing || column.numbers[row] == unit * static_cast<double>(number),
           "a number is that of its row");
  }
}

void read_query(std::string_view bytes) {
  if (!is_there()) return;
  Choices choices(bytes);
  const std::size_t columns = 1 + choices.below(4), rows = 1 + choices.below(12),
                    copies = choices.below(8) == 0 ? 300 : 1;
  std::vector<std::string_view> chosen;
  for (std::size_t j = 0; j < columns; ++j) chosen.emplace_back(types[choices.below(types.size())]);
  std::vector<std::size_t> values;  // 4: null
  std::string query = "sql:select ", table;
  for (std::size_t i = 0; i < rows; ++i) {
    table += (i == 0 ? "(" : ", (") + std::to_string(i);
    for (std::size_t j = 0; j < columns; ++j) {
      values.push_back(choices.below(5));
      table +=
          ", " +
          (values.back() == 4 ? "null" : value_of(chosen[j], values.back()) + "::" + std::string(chosen[j]));
    }
    table += ")";
  }
  for (std::size_t j = 0; j < columns; ++j)
    query +=
        (j == 0 ? "c" : ", c") + std::to_string(j) + "::" + std::string(chosen[j]) + " c" + std::to_string(j);
  query += " from (values " + table + ") t(i";
  for (std::size_t j = 0; j < columns; ++j) query += ", c" + std::to_string(j);
  query += "), range(" + std::to_string(copies) + ") r(k) order by k, i";
  const Frame frame = read_source(query, {.threads = 1});
  expect_sound(frame);
  expect(frame.n() == rows * copies && frame.columns.size() == columns, "rows x columns");
  for (std::size_t i = 0; i < frame.n(); ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t number = values[i % rows * columns + j];
      expect_value(frame.columns[j], i, chosen[j], number, number == 4);
    }
}

std::vector<std::string> queries() {
  std::vector<std::string> all{std::string("\x03\x0b\x00\x0c\x07\x0d\x09\x00\x01\x02\x03\x04", 12)};
  for (std::size_t k = 0; k < types.size(); ++k)
    all.push_back({0, 4, static_cast<char>(k % 2 == 0 ? 0 : 1), static_cast<char>(k), 4, 1, 2, 3, 4});
  return all;
}

}  // namespace

std::vector<Target> stream_targets() {
  return {{"arrow", read_stream, streams}, {"duckdb", read_query, queries}};
}

}  // namespace motmot::fuzz
