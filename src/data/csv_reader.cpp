#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/require.hpp"
#include "data/columns.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "data/found_columns.hpp"
#include "data/readers.hpp"
#include "data/text_window.hpp"

namespace motmot {
namespace {

// A line must be in memory whole. What a file may ask for is bounded, so that a small file that unpacks to
// endless separators, or a quote that is never closed, does not take all memory.
constexpr std::size_t most_columns = std::size_t{1} << 22;
constexpr std::size_t longest_line = std::size_t{1} << 24;  ///< and this much more for each of its fields:
constexpr std::size_t longest_number = 32;

// A record is parsed where it lies in the window. When the window ends before the record does, the
// parse is abandoned (nullptr), the window extended, and the record parsed again from its start: with
// a window of many records that is rare, and the common path never asks how much text is left.
class CsvReader {
 public:
  /// `any_kind`: columns may hold words and times; those at `words` are known to.
  CsvReader(ByteReader& in, const ReadOptions& options, char separator, bool any_kind = false,
            std::span<const std::size_t> words = {}, const RowSink* sink = nullptr)
      : in_(in),
        options_(options),
        sink_(sink),
        window_(in),
        dialect_(dialect_of(options)),
        any_kind_(any_kind),
        words_(words) {
    if (dialect_.separator == 0) dialect_.separator = separator;
    numbers_may_be_missing_ = !dialect_.na_numbers.empty();
  }

  Table read() {
    read_records();
    if (sink_ != nullptr) return make_streamed_table(columns_, choice_, handed_on_, table_.rows_dropped);
    return make_table(columns_, choice_, std::move(table_));
  }
  Cells read_cells() {
    read_records();
    return found_->finish(make_table(columns_, choice_, std::move(table_)), hash_first_);
  }

 private:
  struct Line {
    std::size_t start;   ///< from the start of the window
    std::size_t length;  ///< without its line break; 0 when there is none
  };

  void read_records() {
    skip_byte_order_mark();
    read_first_line();
    const char* next = nullptr;
    while ((next = read_record(window_.begin(), window_.end())) != nullptr || extend())
      if (next != nullptr) window_.advance(next);
    if (window_.begin() != window_.end()) complain_open_quote();
    if (sink_ != nullptr) return hand_on();
    table_.points = Points(std::move(values_), choice_.dimension);
  }
  void skip_byte_order_mark();
  void read_first_line();
  void skip_lines();
  Line find_line(std::size_t from);
  [[nodiscard]] std::string_view text_of(Line line) const;
  char find_separator(Line first);
  bool extend();
  void reserve();

  const char* read_record(const char* p, const char* end);
  const char* read_field(const char* p, const char* end, std::size_t column, double& value);
  const char* read_number(const char* p, const char* end, std::size_t column, double& value);
  const char* read_long_number(const char* p, const char* end, std::size_t column, double& value);
  const char* read_unusual_number(const char* p, const char* end, std::size_t column, double& value);
  const char* complain_ragged(const char* p, const char* end) const;
  void complain_about_length() const;
  [[noreturn]] void complain_open_quote() const;
  [[nodiscard]] std::string advice_about(const std::string& text, std::size_t column) const;
  [[nodiscard]] std::size_t slot_of(const double& value) const {
    return static_cast<std::size_t>(&value - slot_.data());
  }
  void keep_row();
  void drop_row();
  void hand_on();
  [[nodiscard]] std::string place() const;

  ByteReader& in_;
  const ReadOptions& options_;
  const RowSink* sink_;
  TextWindow window_;
  Dialect dialect_;
  FileColumns columns_;
  ColumnChoice choice_;
  bool any_kind_;
  std::span<const std::size_t> words_;
  std::optional<FoundColumns> found_;  ///< kinds of the columns, if they may be of any
  std::uint64_t line_ = 1;             ///< of the record at the start of the window
  std::uint64_t row_ = 1;              ///< its number among the data rows
  bool reserved_ = false;
  bool numbers_may_be_missing_ = false;  ///< some stand for missing values
  bool short_numbers_ = true;            ///< the last number had few digits, so the next one likely has
  bool quoted_ = false;                  ///< the record has quotes, so it may have line breaks
  bool missing_ = false;                 ///< the record has a missing value
  bool hash_first_ = false;              ///< the first line starts with #
  std::vector<double> slot_;             ///< the numbers of the record
  std::vector<double> values_;
  std::uint64_t handed_on_ = 0;             ///< rows that went to the sink
  std::vector<std::uint64_t> row_numbers_;  ///< for the sink, of the rows in values_
  Table table_;
};

void CsvReader::skip_byte_order_mark() {
  const std::string_view start = in_.peek(3);
  require(!start.starts_with("\xff\xfe") && !start.starts_with("\xfe\xff"), Errc::io, in_.name(),
          " is UTF-16 text; it must be UTF-8");
  const bool marked = start == "\xef\xbb\xbf";
  window_.extend();
  if (marked) window_.advance(window_.begin() + 3);
}

void CsvReader::read_first_line() {
  skip_lines();
  require(window_.begin() != window_.end(), Errc::io, in_.name(), " has no rows");
  const Line line = find_line(0);
  if (line.length == 0) complain_open_quote();
  require(text_of(line).find('\0') == std::string_view::npos, Errc::io, in_.name(),
          " is neither text nor a format that is known (.npy, .npz, IDX)");
  if (dialect_.separator == 0) dialect_.separator = find_separator(line);
  const std::string_view text = text_of(line);
  hash_first_ = text.starts_with('#');
  columns_ = {.file = in_.name(), .count = count_fields(text, dialect_), .dialect = dialect_};
  if (columns_.count > most_columns) complain_about_length();
  if (is_header(text, dialect_, options_, any_kind_)) {
    columns_.header = text;
    line_ += count_lines(text.substr(0, line.length));
    // The line break stays ahead and is read, and counted, as a blank line.
    window_.advance(text.data() + line.length);
  }
  choice_ = choose_columns(columns_, options_);
  slot_.resize(choice_.slots());
  short_numbers_ = dialect_.separator != dialect_.decimal;  // else only quotes tell one from the other
  if (any_kind_) found_.emplace(columns_, choice_, options_, words_);
}

/// Gives up blank lines and comments.
void CsvReader::skip_lines() {
  for (;;) {
    const char* const behind = skip_line(window_.begin(), window_.end(), dialect_);
    if (behind == window_.begin() || (behind == nullptr && !extend())) return;
    if (behind == nullptr) continue;
    window_.advance(behind);
    ++line_;
  }
}

/// The first line at or behind `from` that is neither blank nor a comment.
CsvReader::Line CsvReader::find_line(std::size_t from) {
  for (;;) {
    const char* const p = window_.begin() + from;
    const char* const behind = skip_line(p, window_.end(), dialect_);
    if (behind != nullptr && behind != p) {
      from = static_cast<std::size_t>(behind - window_.begin());
      continue;
    }
    const std::string_view text(p, window_.end());
    const std::size_t length = behind == nullptr ? std::string_view::npos : line_length(text, dialect_);
    if (length != std::string_view::npos) return {from, length};
    if (!extend()) return {from, 0};
  }
}

/// The line with its line break.
std::string_view CsvReader::text_of(Line line) const {
  return {window_.begin() + line.start, line.length + 1};
}

/// The rule is that of read_table(): a sign that divides one line alone is part of a name.
char CsvReader::find_separator(Line first) {
  const char found = separator_of(text_of(first), dialect_.decimal);
  if (found != 0) return found;
  Line second = find_line(first.length);
  if (second.length == 0) second = first;
  const auto divides = [&](char sign) {
    const Dialect tried{.separator = sign};
    return count_fields(text_of(first), tried) > 1 && count_fields(text_of(second), tried) > 1;
  };
  if (divides('|')) return '|';
  if (has_separating_comma(text_of(first))) return ',';  // decimal commas then stand in quotes
  if (divides(' ')) return ' ';
  return dialect_.decimal == ',' ? ';' : ',';
}

bool CsvReader::extend() {
  if (static_cast<std::size_t>(window_.end() - window_.begin()) > longest_line) complain_about_length();
  if (!reserved_ && !values_.empty() && sink_ == nullptr) reserve();
  return window_.extend();
}

/// Room for as many rows as the rest of the file will have if it goes on like its beginning. The
/// memory is not touched before it is used, so to guess too high costs nothing.
void CsvReader::reserve() {
  reserved_ = true;
  const double share = in_.share_read().value_or(0);
  if (share <= 0) return;
  const double growth = 1.05 / share;
  reserve_if_possible(values_, growth * static_cast<double>(values_.size()));
  reserve_if_possible(table_.weights, growth * static_cast<double>(table_.weights.size()));
}

/// Reads the record at p and returns what follows it.
const char* CsvReader::read_record(const char* p, const char* end) {
  if (p == end) return nullptr;
  if (static_cast<unsigned char>(*p) <= ' ' || *p == *dialect_.comment.c_str()) {
    const char* behind = skip_line(p, end, dialect_);
    if (behind != nullptr && behind != p) ++line_;
    if (behind != p) return behind;
  }
  quoted_ = missing_ = false;
  if (found_) found_->start_row();
  const char* q = first_field(p, end, dialect_);
  bool more = true;  // a field starts at q
  const auto leave_field = [&, separator = dialect_.separator](const char* stop) {
    q = stop;
    if (q == nullptr) return false;
    if (*q == separator && separator != ' ')
        [[likely]] {  // a branch: it is foreseen, a sum would be waited for
      ++q;
      return true;
    }
    more = next_field(q, end, dialect_);
    return q != nullptr;
  };
  std::size_t column = 0;
  const auto skip_until = [&](std::size_t wanted) {
    while (column < wanted && more && leave_field(field_end(q, end, dialect_, quoted_))) ++column;
    return q != nullptr;
  };
  for (const ColumnRun& run : choice_.runs) {
    if (!skip_until(run.column)) return nullptr;
    double* to = slot_.data() + run.slot;
    for (const std::size_t stop = run.end(); column < stop && more; ++column, ++to)
      if (!leave_field(read_field(q, end, column, *to))) return nullptr;
  }
  if (!skip_until(columns_.count)) return nullptr;
  if (more || column < columns_.count) return complain_ragged(p, end);
  const char* next = next_line(q, end);
  if (next == nullptr) return nullptr;
  if (found_) found_->add_row();
  missing_ ? drop_row() : keep_row();
  line_ += quoted_ ? count_lines({p, next}) : 1;
  ++row_;
  return next;
}

[[gnu::always_inline]] inline const char* CsvReader::read_field(const char* p, const char* end,
                                                                std::size_t column, double& value) {
  if (found_ && found_->any_text() && slot_of(value) < choice_.dimension && found_->is_text(slot_of(value)))
    return read_unusual_number(p, end, column, value);
  return read_number(p, end, column, value);
}

[[gnu::always_inline]] inline const char* CsvReader::read_number(const char* p, const char* end,
                                                                 std::size_t column, double& value) {
  if (!numbers_may_be_missing_) {
    // Flags, counts and categories: behind a digit there is always one more byte.
    const unsigned digit = static_cast<unsigned char>(*p) - unsigned{'0'};
    if (digit < 10 && (p[1] == dialect_.separator || p[1] == '\n')) {
      value = digit;
      return p + 1;
    }
    if (short_numbers_) {
      const char* stop = short_decimal(p, dialect_.decimal, value);
      if (stop != nullptr && dialect_.ends_field(*stop)) [[likely]]
        return stop;
    }
  }
  return read_long_number(p, end, column, value);
}

/// Out of line, since it is long: what is read most often stays in registers.
[[gnu::noinline]] const char* CsvReader::read_long_number(const char* p, const char* end, std::size_t column,
                                                          double& value) {
  // Long numbers with decimal commas are rare: one parser with a fixed sign is faster than one for both.
  if (dialect_.decimal != '.') return read_unusual_number(p, end, column, value);
  const auto [stop, error] = fast_float::from_chars(p, end, value);
  short_numbers_ = stop - p <= 16;
  if (error == std::errc() && dialect_.ends_field(*stop) && std::isfinite(value) &&
      (!numbers_may_be_missing_ || !dialect_.is_na(value))) [[likely]]
    return stop;
  return read_unusual_number(p, end, column, value);
}

const char* CsvReader::read_unusual_number(const char* p, const char* end, std::size_t column,
                                           double& value) {
  const char* stop = field_end(p, end, dialect_, quoted_);
  if (stop == nullptr) return nullptr;
  std::string text = cell_text({p, stop}, dialect_);
  if (found_ && slot_of(value) < choice_.dimension) {
    value = found_->value(slot_of(value), {row_, line_, std::move(text)});
    missing_ = missing_ || (std::isnan(value) && options_.missing == Missing::drop);
    return stop;
  }
  const Cell cell = classify(text, dialect_, value);
  if (cell == Cell::number) return stop;
  const bool refused = cell == Cell::text || options_.missing != Missing::drop;
  if (refused)
    fail(Errc::io, place(), ", ", column_label(column, columns_.name(column)), ": ",
         cell == Cell::text ? shown(text) + " is not a number; " + advice_about(text, column)
                            : "missing value " + shown(text) + "; --missing drop leaves such rows out");
  missing_ = true;
  return stop;
}

/// What a user can do about a text where a number should be.
std::string CsvReader::advice_about(const std::string& text, std::size_t column) const {
  const bool fractions = std::ranges::any_of(values_, is_fraction) || std::ranges::any_of(slot_, is_fraction);
  if (std::string advice = dialect_advice(text, column, dialect_, hash_first_, fractions); !advice.empty())
    return advice;
  if (columns_.count == 1) return "--separator tells what stands between columns, where there are several";
  return "choose columns with --columns, or leave this one out with --exclude";
}

/// Complains once the whole record is there to count its fields.
const char* CsvReader::complain_ragged(const char* p, const char* end) const {
  const bool hash = hash_first_ || *p == '#';
  std::size_t fields = 0;
  bool quoted = false;
  p = first_field(p, end, dialect_);
  for (bool more = true; more; ++fields) {
    p = field_end(p, end, dialect_, quoted);
    more = p != nullptr && next_field(p, end, dialect_);
    if (p == nullptr) return nullptr;
  }
  fail(Errc::io, place(), ": ", fields, fields == 1 ? " field" : " fields", " where the first line has ",
       columns_.count, hash ? "; --comment '#' skips lines that start with #" : "");
}

/// Of the record at the start of the window, which is longer than usual: fine if it has that many fields.
void CsvReader::complain_about_length() const {
  const std::string_view text(window_.begin(), window_.end());
  char separator = dialect_.separator;
  if (separator == 0) separator = separator_of(text, dialect_.decimal);
  const auto fields = static_cast<std::size_t>(std::ranges::count(text, separator)) + 1;
  require(fields <= most_columns, Errc::io, place(), ": more than ", most_columns,
          " columns; a text can have no more, an .npy file can");
  require(text.size() <= longest_line + longest_number * fields, Errc::io, place(), ": more than ",
          longest_line >> 20, " MB in one line; is a quote opened and never closed?");
}

void CsvReader::complain_open_quote() const {
  fail(Errc::io, place(), ": a quote is opened and never closed");
}

void CsvReader::keep_row() {
  const auto points_end = slot_.begin() + static_cast<std::ptrdiff_t>(choice_.dimension);
  values_.insert(values_.end(), slot_.begin(), points_end);
  if (sink_ != nullptr) {
    constexpr std::size_t enough = 1 << 16;
    row_numbers_.push_back(row_);
    if (values_.size() >= enough) hand_on();
    return;
  }
  if (choice_.weighted) table_.weights.push_back(slot_.back());
  if (table_.rows_dropped > 0) table_.rows.push_back(row_);
}

void CsvReader::hand_on() {
  if (row_numbers_.empty()) return;
  (*sink_)({{values_.data(), row_numbers_.size(), choice_.dimension}, row_numbers_});
  handed_on_ += row_numbers_.size();
  row_numbers_.clear();
  values_.clear();
}

void CsvReader::drop_row() {
  if (table_.rows_dropped++ > 0 || sink_ != nullptr) return;
  table_.rows.resize(row_ - 1);
  std::iota(table_.rows.begin(), table_.rows.end(), std::uint64_t{1});
}

std::string CsvReader::place() const {
  return in_.name() + ", row " + std::to_string(row_) + " (line " + std::to_string(line_) + ")";
}

}  // namespace

Table read_csv(ByteReader& in, const ReadOptions& options, char separator, const RowSink* sink) {
  return CsvReader(in, options, separator, false, {}, sink).read();
}

Cells read_csv_cells(ByteReader& in, const ReadOptions& options, char separator,
                     std::span<const std::size_t> words) {
  return CsvReader(in, options, separator, true, words).read_cells();
}

}  // namespace motmot
