#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/require.hpp"
#include "data/column_choice.hpp"
#include "data/complaint.hpp"
#include "data/csv_header.hpp"
#include "data/csv_text.hpp"
#include "data/readers.hpp"

namespace motmot {
namespace {

// A record is parsed where it lies in the window. When the window ends before the record does, the
// parse is abandoned (nullptr), the window extended, and the record parsed again from its start: with
// a window of many records that is rare, and the common path never asks how much text is left.
class CsvReader {
 public:
  CsvReader(ByteReader& in, const ReadOptions& options, char separator)
      : in_(in), options_(options), window_(in), separator_(separator) {}

  Table read() {
    skip_byte_order_mark();
    read_first_line();
    const char* next = nullptr;
    while ((next = read_record(window_.begin(), window_.end())) != nullptr || extend())
      if (next != nullptr) window_.advance(next);
    if (window_.begin() != window_.end()) complain_open_quote();
    table_.points = Points(std::move(values_), choice_.dimension);
    return make_table(columns_, choice_, std::move(table_));
  }

 private:
  void skip_byte_order_mark();
  void read_first_line();
  std::string_view first_line();
  bool extend();
  void reserve();

  const char* read_record(const char* p, const char* end);
  const char* read_blank_line(const char* p, const char* end);
  const char* read_number(const char* p, const char* end, std::size_t column, double& value);
  const char* read_unusual_number(const char* p, const char* end, std::size_t column, double& value);
  const char* complain_ragged(const char* p, const char* end) const;
  [[noreturn]] void complain_open_quote() const;
  void keep_row();
  void drop_row();
  [[nodiscard]] std::string place() const;

  ByteReader& in_;
  const ReadOptions& options_;
  TextWindow window_;
  char separator_;
  FileColumns columns_;
  ColumnChoice choice_;
  std::uint64_t line_ = 1;  ///< of the record at the start of the window
  std::uint64_t row_ = 1;   ///< its number among the data rows
  bool reserved_ = false;
  bool short_numbers_ = true;  ///< the last number had few digits, so the next one likely has
  bool quoted_ = false;        ///< the record has quotes, so it may have line breaks
  bool missing_ = false;       ///< the record has a missing value
  std::vector<double> slot_;   ///< its numbers
  std::vector<double> values_;
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
  columns_.file = in_.name();
  const std::string_view line = first_line();
  require(line.find('\0') == std::string_view::npos, Errc::io, in_.name(),
          " is neither text nor a format that is known (.npy, .npz, IDX)");
  if (separator_ == 0) separator_ = separator_of(line);
  std::vector<std::string> fields = split(line, separator_);
  columns_.count = fields.size();
  if (is_header(fields, options_)) {
    columns_.header = std::move(fields);
    line_ += count_lines(line);
    // The line break stays ahead and is read, and counted, as a blank line.
    window_.advance(line.data() + line.size());
  }
  choice_ = choose_columns(columns_, options_);
  slot_.resize(choice_.slots());
}

/// The first line that is not blank, without its line break.
std::string_view CsvReader::first_line() {
  for (;;) {
    const std::string_view text(window_.begin(), window_.end());
    const char* blank = text.empty() ? nullptr : read_blank_line(window_.begin(), window_.end());
    if (blank != nullptr && blank != window_.begin()) {
      window_.advance(blank);
      continue;
    }
    const std::size_t length = first_line_length(text);
    if (length != std::string_view::npos && blank != nullptr) return text.substr(0, length);
    if (extend()) continue;
    require(!text.empty(), Errc::io, in_.name(), " has no rows");
    complain_open_quote();
  }
}

bool CsvReader::extend() {
  constexpr std::ptrdiff_t longest = std::ptrdiff_t{1} << 28;
  if (window_.end() - window_.begin() > longest) complain_open_quote();
  if (!reserved_ && !values_.empty()) reserve();
  return window_.extend();
}

/// Room for as many rows as the rest of the file will have if it goes on like its beginning. The
/// memory is not touched before it is used, so to guess too high costs nothing.
void CsvReader::reserve() {
  reserved_ = true;
  if (!in_.remaining()) return;
  const auto bytes = static_cast<double>(in_.position());
  const double growth = 1.05 * (bytes + static_cast<double>(*in_.remaining())) / bytes;
  values_.reserve(static_cast<std::size_t>(growth * static_cast<double>(values_.size())));
  if (choice_.weighted())
    table_.weights.reserve(static_cast<std::size_t>(growth * static_cast<double>(table_.weights.size())));
}

/// Reads the record at p and returns what follows it.
const char* CsvReader::read_record(const char* p, const char* end) {
  if (p == end) return nullptr;
  if (*p == '\n' || *p == '\r' || *p == ' ') {
    const char* behind = read_blank_line(p, end);
    if (behind != p) return behind;
  }
  quoted_ = missing_ = false;
  const char* q = p;
  for (std::size_t column = 0;; ++q) {
    const std::size_t slot = choice_.slot[column];
    q = slot == ColumnChoice::skip ? field_end(q, end, separator_, quoted_)
                                   : read_number(q, end, column, slot_[slot]);
    if (q == nullptr) return nullptr;
    const bool last = ++column == columns_.count;
    if ((*q == separator_) == last) return complain_ragged(p, end);
    if (last) break;
  }
  const char* next = next_line(q, end);
  if (next == nullptr) return nullptr;
  missing_ ? drop_row() : keep_row();
  line_ += quoted_ ? count_lines({p, next}) : 1;
  ++row_;
  return next;
}

/// Behind the line if it is blank, else p; nullptr if that is not to be seen yet.
const char* CsvReader::read_blank_line(const char* p, const char* end) {
  const char* q = p;
  while (q != end && *q == ' ') ++q;
  if (q == end) return nullptr;
  if (*q != '\n' && *q != '\r') return p;
  const char* next = next_line(q, end);
  if (next != nullptr) ++line_;
  return next;
}

const char* CsvReader::read_number(const char* p, const char* end, std::size_t column, double& value) {
  const auto ends_field = [this](char c) { return c == separator_ || c == '\n' || c == '\r'; };
  // Flags, counts and categories: behind a digit there is always one more byte.
  const unsigned digit = static_cast<unsigned char>(*p) - unsigned{'0'};
  if (digit < 10 && ends_field(p[1])) {
    value = digit;
    return p + 1;
  }
  if (short_numbers_) {
    const char* stop = short_decimal(p, value);
    if (stop != nullptr && ends_field(*stop)) [[likely]]
      return stop;
  }
  const auto [stop, error] = fast_float::from_chars(p, end, value);
  short_numbers_ = stop - p <= 16;
  if (error == std::errc() && ends_field(*stop) && std::isfinite(value)) [[likely]]
    return stop;
  return read_unusual_number(p, end, column, value);
}

const char* CsvReader::read_unusual_number(const char* p, const char* end, std::size_t column,
                                           double& value) {
  const char* stop = field_end(p, end, separator_, quoted_);
  if (stop == nullptr) return nullptr;
  const std::string text = field_text({p, stop}, separator_);
  const Cell cell = classify(text, value);
  if (cell == Cell::number) return stop;
  const bool refused = cell == Cell::text || options_.missing == Missing::error;
  if (refused)
    fail(Errc::io, place(), ", ", column_label(column, columns_.name(column)), ": ",
         cell == Cell::text ? shown(text) + " is not a number"
                            : "missing value " + shown(text) + " (missing = drop leaves such rows out)");
  missing_ = true;
  return stop;
}

/// Complains once the whole record is there to count its fields.
const char* CsvReader::complain_ragged(const char* p, const char* end) const {
  std::size_t fields = 1;
  bool quoted = false;
  while ((p = field_end(p, end, separator_, quoted)) != nullptr && *p == separator_) {
    ++fields;
    ++p;
  }
  require(p == nullptr, Errc::io, place(), ": ", fields, fields == 1 ? " field" : " fields",
          " where the first line has ", columns_.count);
  return nullptr;
}

void CsvReader::complain_open_quote() const {
  fail(Errc::io, place(), ": a quote is opened and never closed");
}

void CsvReader::keep_row() {
  const auto points_end = slot_.begin() + static_cast<std::ptrdiff_t>(choice_.dimension);
  values_.insert(values_.end(), slot_.begin(), points_end);
  if (choice_.weighted()) table_.weights.push_back(slot_.back());
  if (table_.rows_dropped > 0) table_.rows.push_back(row_);
}

void CsvReader::drop_row() {
  if (table_.rows_dropped++ > 0) return;
  table_.rows.resize(row_ - 1);
  std::iota(table_.rows.begin(), table_.rows.end(), std::uint64_t{1});
}

std::string CsvReader::place() const {
  return in_.name() + ", row " + std::to_string(row_) + " (line " + std::to_string(line_) + ")";
}

}  // namespace

Table read_csv(ByteReader& in, const ReadOptions& options, char separator) {
  return CsvReader(in, options, separator).read();
}

}  // namespace motmot
