#include "data/array_reader.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

#include "base/require.hpp"
#include "data/columns.hpp"
#include "data/complaint.hpp"
#include "data/readers.hpp"

namespace motmot {
namespace {

std::string product_of(const std::vector<std::uint64_t>& shape) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  for (std::size_t k = 0; k < shape.size(); ++k) text << (k > 0 ? " x " : "") << shape[k];
  return text.str();
}

bool multiply(std::uint64_t& product, std::uint64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product);
}

// The elements are kept in the order of the file, chosen columns only; Fortran order is turned at the
// end, by one more copy. Memory grows with the bytes that come, never with what the header claims.
class ArrayReader {
 public:
  ArrayReader(ByteReader& in, const ArrayHeader& header, const ReadOptions& options,
              const RowSink* sink = nullptr)
      : in_(in),
        header_(header),
        options_(options),
        sink_(sink),
        dialect_(dialect_of(options)),
        decode_(decoder_of(header.type)),
        start_(in.position()) {
    assert(decode_ != nullptr && !header.shape.empty());
  }

  ArrayExtent extent() {
    check_shape();
    if (in_.remaining() && *in_.remaining() != bytes_) complain_size(*in_.remaining(), "");
    return {n_, d_};
  }

  Table read() {
    (void)extent();
    columns_ = {.file = in_.name(), .count = d_};
    choice_ = choose_columns(columns_, options_);
    read_elements();
    if (header_.fortran) transpose();
    finish_rows();
    if (sink_ != nullptr) {
      hand_on();
      return make_streamed_table(columns_, choice_, kept_, table_.rows_dropped);
    }
    table_.points = Points(std::move(values_), choice_.dimension);
    return make_table(columns_, choice_, std::move(table_));
  }

 private:
  void check_shape();
  void read_elements();
  void keep_columns(std::span<const double> elements, std::uint64_t first);
  void keep_rows(std::span<const double> elements, std::uint64_t first);
  void keep(std::span<const double> elements, std::size_t slot);
  void transpose();
  void permute_rows();
  void finish_rows();
  void screen();
  void hand_on_whole_rows();
  void hand_on();
  [[nodiscard]] bool is_present(double value) const { return std::isfinite(value) && !dialect_.is_na(value); }
  [[nodiscard]] bool is_complete(std::size_t row) const;
  void mark_missing();
  [[noreturn]] void complain_missing(std::size_t row, std::size_t slot = 0) const;
  [[noreturn]] void complain_size(std::uint64_t found, const char* more) const;
  [[nodiscard]] std::string claim() const;
  [[nodiscard]] std::uint64_t flattened(std::uint64_t file_column) const;

  ByteReader& in_;
  const ArrayHeader& header_;
  const ReadOptions& options_;
  const RowSink* sink_;
  Dialect dialect_;  ///< which numbers stand for missing values
  Decoder decode_;
  std::uint64_t start_;      ///< byte of the first element
  std::uint64_t n_ = 0;      ///< rows
  std::uint64_t d_ = 1;      ///< columns of the file
  std::uint64_t bytes_ = 0;  ///< that the elements take
  FileColumns columns_;
  ColumnChoice choice_;
  std::vector<double> values_;
  std::uint64_t first_row_ = 0;  ///< of the file, that values_ start with: rows before it went to the sink
  std::uint64_t kept_ = 0;       ///< rows that went to the sink
  Table table_;
};

void ArrayReader::check_shape() {
  constexpr std::size_t most = 64;
  require(header_.shape.size() <= most, Errc::io, in_.name(), ": the header claims an array of ",
          header_.shape.size(), " dimensions; at most ", most, " are read");
  n_ = header_.shape[0];
  bool fits = true;
  for (std::size_t k = 1; k < header_.shape.size(); ++k) fits = fits && multiply(d_, header_.shape[k]);
  bytes_ = n_;
  fits = fits && multiply(bytes_, d_) && multiply(bytes_, header_.type.size);
  require(fits, Errc::io, in_.name(), ": the header claims ", claim(), ", more than any file holds");
  require(n_ > 0, Errc::io, in_.name(), " has no rows: its shape is ", product_of(header_.shape));
  require(d_ > 0, Errc::io, in_.name(), " has no columns: its shape is ", product_of(header_.shape));
}

std::string ArrayReader::claim() const {
  return product_of(header_.shape) + (header_.shape.size() == 1 && n_ == 1 ? " value of " : " values of ") +
         std::to_string(header_.type.size) + (header_.type.size == 1 ? " byte" : " bytes");
}

void ArrayReader::complain_size(std::uint64_t found, const char* more) const {
  fail(Errc::io, in_.name(), found < bytes_ ? " is truncated" : " is too long", ": the header claims ",
       claim(), ", which is ", bytes_, " bytes from byte ", start_, " on, but ", found, more, " follow");
}

/// In Fortran order the columns of the file come with the second index fastest, in C order with the last.
std::uint64_t ArrayReader::flattened(std::uint64_t file_column) const {
  std::uint64_t column = 0;
  std::uint64_t stride = d_;
  for (std::size_t k = 1; k < header_.shape.size(); ++k) {
    stride /= header_.shape[k];
    column += file_column % header_.shape[k] * stride;
    file_column /= header_.shape[k];
  }
  return column;
}

void ArrayReader::read_elements() {
  constexpr std::uint64_t most = 8192;
  if (in_.remaining()) {
    const auto n = static_cast<double>(n_);
    if (sink_ == nullptr) reserve_if_possible(values_, n * static_cast<double>(choice_.dimension));
    if (choice_.weighted) reserve_if_possible(table_.weights, n);
  }
  std::vector<char> raw(most * header_.type.size);
  std::vector<double> elements(most);
  for (std::uint64_t done = 0; done < n_ * d_;) {
    const auto count = static_cast<std::size_t>(std::min(most, n_ * d_ - done));
    const std::size_t got = in_.read_fully(std::span(raw).first(count * header_.type.size));
    if (got < count * header_.type.size) complain_size(in_.position() - start_, "");
    decode_(raw.data(), count, elements.data());
    const std::span<const double> fresh = std::span(elements).first(count);
    if (header_.fortran) keep_columns(fresh, done);
    else keep_rows(fresh, done);
    done += count;
    if (sink_ != nullptr && !header_.fortran) hand_on_whole_rows();
  }
  if (!in_.peek(1).empty()) complain_size(bytes_, " and more");
}

/// Elements of which the first is the first-th of the file, one column of the file after another.
void ArrayReader::keep_columns(std::span<const double> elements, std::uint64_t first) {
  while (!elements.empty()) {
    const std::size_t count = std::min<std::uint64_t>(elements.size(), n_ - first % n_);
    keep(elements.first(count), choice_.slot(flattened(first / n_)));
    elements = elements.subspan(count);
    first += count;
  }
}

/// The same, one row after another.
void ArrayReader::keep_rows(std::span<const double> elements, std::uint64_t first) {
  if (choice_.dimension == d_) return keep(elements, 0);
  auto column = static_cast<std::size_t>(first % d_);
  auto run =
      std::ranges::lower_bound(choice_.runs, column, {}, [](const ColumnRun& r) { return r.end() - 1; });
  while (!elements.empty()) {
    if (run == choice_.runs.end() && column == d_) {
      column = 0;
      run = choice_.runs.begin();
    }
    const bool chosen = run != choice_.runs.end() && column >= run->column;
    const std::size_t until = chosen ? run->end() : run == choice_.runs.end() ? d_ : run->column;
    const std::size_t count = std::min(elements.size(), until - column);
    keep(elements.first(count), chosen ? run->slot : ColumnChoice::skip);
    elements = elements.subspan(count);
    column += count;
    if (chosen && column == run->end()) ++run;
  }
}

void ArrayReader::keep(std::span<const double> elements, std::size_t slot) {
  if (slot == ColumnChoice::skip) return;
  std::vector<double>& to = slot < choice_.dimension ? values_ : table_.weights;
  to.insert(to.end(), elements.begin(), elements.end());
}

void ArrayReader::transpose() {
  constexpr std::size_t block = 64;  // rows at a time, so that their lines stay in the cache
  const std::size_t d = choice_.dimension;
  std::vector<double> turned(values_.size());
  for (std::size_t i0 = 0; i0 < n_; i0 += block) {
    const std::size_t i1 = std::min<std::size_t>(i0 + block, n_);
    const double* column = values_.data();
    for (std::uint64_t k = 0; k < d_; ++k) {
      const std::size_t slot = choice_.slot(flattened(k));
      if (slot >= d) continue;
      for (std::size_t i = i0; i < i1; ++i) turned[i * d + slot] = column[i];
      column += n_;
    }
  }
  values_ = std::move(turned);
}

/// From the order of the file to the order that was asked for.
void ArrayReader::permute_rows() {
  const std::size_t d = choice_.dimension;
  std::vector<double> row(d);
  for (std::size_t start = 0; start < values_.size(); start += d) {
    std::copy_n(values_.data() + start, d, row.data());
    const double* next = row.data();
    for (const ColumnRun& run : choice_.runs) {
      if (run.slot == d) continue;  // the weight
      std::copy_n(next, run.length, values_.data() + start + run.slot);
      next += run.length;
    }
  }
}

bool ArrayReader::is_complete(std::size_t row) const {
  const std::span<const double> points(values_.data() + row * choice_.dimension, choice_.dimension);
  return std::ranges::all_of(points, [this](double value) { return is_present(value); }) &&
         (!choice_.weighted || is_present(table_.weights[row]));
}

/// From what was kept, in the order of the file, to rows as they were asked for.
void ArrayReader::finish_rows() {
  if (!header_.fortran && !std::ranges::is_sorted(choice_.runs, {}, &ColumnRun::slot)) permute_rows();
  if (header_.type.kind == ElementType::Kind::floating || !dialect_.na_numbers.empty()) screen();
}

/// Finds missing values; leaves out their rows, or complains about the first.
void ArrayReader::screen() {
  if (options_.missing == Missing::level) return mark_missing();
  const std::size_t d = choice_.dimension, rows = values_.size() / d;
  std::size_t kept = 0;
  while (kept < rows && is_complete(kept)) ++kept;
  if (kept == rows) return;
  if (options_.missing == Missing::error) complain_missing(kept);
  table_.rows.resize(kept);
  std::iota(table_.rows.begin(), table_.rows.end(), first_row_ + 1);
  for (std::size_t row = kept + 1; row < rows; ++row) {
    if (!is_complete(row)) continue;
    std::copy_n(values_.data() + row * d, d, values_.data() + kept * d);
    if (choice_.weighted) table_.weights[kept] = table_.weights[row];
    table_.rows.push_back(first_row_ + row + 1);
    ++kept;
  }
  values_.resize(kept * d);
  if (choice_.weighted) table_.weights.resize(kept);
  table_.rows_dropped += rows - kept;
}

/// Gives the sink the rows that are whole, if there are enough of them.
void ArrayReader::hand_on_whole_rows() {
  constexpr std::size_t enough = 1 << 16;
  const std::size_t d = choice_.dimension, whole = values_.size() / d * d;
  if (whole < enough) return;
  const std::vector<double> rest(values_.begin() + static_cast<std::ptrdiff_t>(whole), values_.end());
  values_.resize(whole);
  finish_rows();
  hand_on();
  first_row_ += whole / d;
  values_.assign(rest.begin(), rest.end());
}

void ArrayReader::hand_on() {
  const std::size_t n = values_.size() / choice_.dimension;
  if (n == 0) return table_.rows.clear();
  if (table_.rows.empty()) {
    table_.rows.resize(n);
    std::iota(table_.rows.begin(), table_.rows.end(), first_row_ + 1);
  }
  (*sink_)({{values_.data(), n, choice_.dimension}, table_.rows});
  table_.rows.clear();
  kept_ += n;
}

/// Every missing value of the points becomes NaN; weights are not missing.
void ArrayReader::mark_missing() {
  for (double& value : values_)
    if (!is_present(value)) value = std::numeric_limits<double>::quiet_NaN();
  const auto missing = std::ranges::find_if(table_.weights, [this](double w) { return !is_present(w); });
  if (missing != table_.weights.end())
    complain_missing(static_cast<std::size_t>(missing - table_.weights.begin()), choice_.dimension);
}

void ArrayReader::complain_missing(std::size_t row, std::size_t slot) const {
  const double* const points = values_.data() + row * choice_.dimension;
  while (slot < choice_.dimension && is_present(points[slot])) ++slot;
  const double value = slot < choice_.dimension ? points[slot] : table_.weights[row];
  const std::size_t column = choice_.column(slot);
  std::uint64_t k = header_.fortran ? 0 : column;
  while (header_.fortran && flattened(k) != column) ++k;
  const std::uint64_t of_file = first_row_ + row;
  const std::uint64_t element = header_.fortran ? k * n_ + of_file : of_file * d_ + k;
  fail(Errc::io, in_.name(), ", row ", of_file + 1, ", ", column_label(column, columns_.name(column)),
       " (byte ", start_ + element * header_.type.size, "): missing value ", value,
       "; --missing drop leaves such rows out");
}

}  // namespace

ArrayExtent extent_of(ByteReader& in, const ArrayHeader& header) {
  const ReadOptions all;
  return ArrayReader(in, header, all).extent();
}

ArrayHeader raw_header(ByteReader& in, const RawLayout& layout) {
  using enum ElementType::Kind;
  const auto type = [&]() -> ElementType {
    switch (layout.type) {
      case RawType::float64:
        return {floating, 8};
      case RawType::float32:
        return {floating, 4};
      case RawType::int64:
        return {signed_integer, 8};
      case RawType::int32:
        return {signed_integer, 4};
      case RawType::int16:
        return {signed_integer, 2};
      case RawType::uint16:
        return {unsigned_integer, 2};
      case RawType::int8:
        return {signed_integer, 1};
      case RawType::uint8:
        return {unsigned_integer, 1};
    }
    return {};
  }();
  require(layout.columns >= 1, Errc::invalid_argument, "--raw needs at least one column, got 0");
  require(in.remaining().has_value(), Errc::io, in.name(),
          " has no header, so its size must tell the rows: it must be a file, not packed and not a pipe");
  const std::uint64_t size = *in.remaining(), row = std::uint64_t{type.size} * layout.columns;
  require(layout.columns <= size && size % row == 0, Errc::io, in.name(), " has ", size,
          " bytes, which are no whole rows: --raw ", name(layout.type), ",", layout.columns, " means ", row,
          " bytes a row");
  return {.type = type, .shape = {size / row, layout.columns}};
}

Table read_array(ByteReader& in, const ArrayHeader& header, const ReadOptions& options, const RowSink* sink) {
  return ArrayReader(in, header, options, sink).read();
}

}  // namespace motmot
