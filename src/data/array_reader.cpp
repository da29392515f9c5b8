#include "data/array_reader.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <sstream>
#include <utility>

#include "base/require.hpp"
#include "data/column_choice.hpp"
#include "data/complaint.hpp"

namespace motmot {
namespace {

std::string product_of(const std::vector<std::uint64_t>& shape) {
  std::ostringstream text;
  for (std::size_t k = 0; k < shape.size(); ++k) text << (k > 0 ? " x " : "") << shape[k];
  return text.str();
}

bool multiply(std::uint64_t& product, std::uint64_t factor) {
  return !__builtin_mul_overflow(product, factor, &product);
}

// The elements are kept in the order of the file, chosen columns only; Fortran order is turned at the
// end, by one more copy. Nothing depends on the size that the header claims until the bytes are there.
class ArrayReader {
 public:
  ArrayReader(ByteReader& in, const ArrayHeader& header, const ReadOptions& options)
      : in_(in), header_(header), options_(options), decode_(decoder_of(header.type)), start_(in.position()) {
    assert(decode_ != nullptr && !header.shape.empty());
  }

  Table read() {
    check_shape();
    check_size();
    choose();
    read_elements();
    arrange();
    if (header_.type.kind == ElementType::Kind::floating) screen();
    table_.points = Points(std::move(values_), choice_.dimension);
    return make_table(columns_, choice_, std::move(table_));
  }

 private:
  void check_shape();
  void check_size();
  void choose();
  void read_elements();
  void keep(std::span<const double> elements, std::uint64_t first);
  void arrange();
  void transpose();
  void permute_rows();
  void screen();
  void drop(const std::vector<std::uint64_t>& kept);
  [[nodiscard]] bool is_complete(std::size_t row) const;
  [[noreturn]] void complain_missing(std::size_t row) const;
  [[noreturn]] void complain_size(std::uint64_t found, const char* more) const;
  [[nodiscard]] std::string claim() const;
  [[nodiscard]] std::uint64_t flattened(std::uint64_t file_column) const;

  ByteReader& in_;
  const ArrayHeader& header_;
  const ReadOptions& options_;
  Decoder decode_;
  std::uint64_t start_;      ///< byte of the first element
  std::uint64_t n_ = 0;      ///< rows
  std::uint64_t d_ = 1;      ///< columns of the file
  std::uint64_t bytes_ = 0;  ///< that the elements take
  FileColumns columns_;
  ColumnChoice choice_;
  std::vector<std::uint64_t> column_of_;  ///< k-th column in the order of the file -> column
  std::vector<std::size_t> order_;        ///< k-th column kept, in the order of the file -> place in the row
  std::vector<double> values_;
  Table table_;
};

void ArrayReader::check_shape() {
  n_ = header_.shape[0];
  bool fits = true;
  for (std::size_t k = 1; k < header_.shape.size(); ++k) fits = fits && multiply(d_, header_.shape[k]);
  bytes_ = n_;
  fits = fits && multiply(bytes_, d_) && multiply(bytes_, header_.type.size);
  require(fits, Errc::io, in_.name(), ": the header claims ", claim(), ", more than any file holds");
  require(n_ > 0, Errc::io, in_.name(), " has no rows: its shape is ", product_of(header_.shape));
  require(d_ > 0, Errc::io, in_.name(), " has no columns: its shape is ", product_of(header_.shape));
}

void ArrayReader::check_size() {
  const std::optional<std::uint64_t> found = in_.remaining();
  if (found && *found != bytes_) complain_size(*found, "");
  // Columns are listed before they are read: where the claim cannot be checked, bound the list.
  constexpr std::uint64_t most = 1 << 22;
  require(found || d_ <= most, Errc::io, in_.name(), ": the header claims ", d_,
          " columns; from a stream at most ", most, " are read");
}

std::string ArrayReader::claim() const {
  return product_of(header_.shape) + (header_.shape.size() == 1 && n_ == 1 ? " value of " : " values of ") +
         std::to_string(header_.type.size) + (header_.type.size == 1 ? " byte" : " bytes");
}

void ArrayReader::complain_size(std::uint64_t found, const char* more) const {
  fail(Errc::io, in_.name(), found < bytes_ ? " is truncated" : " is too long", ": the header claims ",
       claim(), ", which is ", bytes_, " bytes from byte ", start_, " on, but ", found, more, " follow");
}

void ArrayReader::choose() {
  columns_ = {.file = in_.name(), .count = d_, .header = {}};
  choice_ = choose_columns(columns_, options_);
  column_of_.resize(d_);
  for (std::uint64_t k = 0; k < d_; ++k) {
    column_of_[k] = header_.fortran ? flattened(k) : k;
    const std::size_t slot = choice_.slot[column_of_[k]];
    if (slot < choice_.dimension) order_.push_back(slot);
  }
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
    values_.reserve(n_ * choice_.dimension);
    if (choice_.weighted()) table_.weights.reserve(n_);
  }
  std::vector<char> raw(most * header_.type.size);
  std::vector<double> elements(most);
  for (std::uint64_t done = 0; done < n_ * d_;) {
    const auto count = static_cast<std::size_t>(std::min(most, n_ * d_ - done));
    const std::size_t got = in_.read_fully(std::span(raw).first(count * header_.type.size));
    if (got < count * header_.type.size) complain_size(in_.position() - start_, "");
    decode_(raw.data(), count, elements.data());
    keep(std::span(elements).first(count), done);
    done += count;
  }
  if (!in_.peek(1).empty()) complain_size(bytes_, " and more");
}

void ArrayReader::keep(std::span<const double> elements, std::uint64_t first) {
  if (choice_.dimension == d_) {
    values_.insert(values_.end(), elements.begin(), elements.end());
    return;
  }
  const std::uint64_t length = header_.fortran ? n_ : d_;
  std::uint64_t major = first / length;
  std::uint64_t minor = first % length;
  for (const double element : elements) {
    const std::size_t slot = choice_.slot[column_of_[header_.fortran ? major : minor]];
    if (slot < choice_.dimension) values_.push_back(element);
    if (slot == choice_.dimension) table_.weights.push_back(element);
    if (++minor == length) {
      minor = 0;
      ++major;
    }
  }
}

void ArrayReader::arrange() {
  if (header_.fortran && n_ > 1) transpose();
  else if (!std::ranges::is_sorted(order_)) permute_rows();
}

void ArrayReader::transpose() {
  constexpr std::size_t block = 64;  // rows at a time, so that their lines stay in the cache
  const std::size_t d = choice_.dimension;
  std::vector<double> turned(values_.size());
  for (std::size_t i0 = 0; i0 < n_; i0 += block) {
    const std::size_t i1 = std::min<std::size_t>(i0 + block, n_);
    for (std::size_t k = 0; k < d; ++k)
      for (std::size_t i = i0; i < i1; ++i) turned[i * d + order_[k]] = values_[k * n_ + i];
  }
  values_ = std::move(turned);
}

void ArrayReader::permute_rows() {
  const std::size_t d = choice_.dimension;
  std::vector<double> row(d);
  for (std::size_t start = 0; start < values_.size(); start += d) {
    std::copy_n(values_.data() + start, d, row.data());
    for (std::size_t k = 0; k < d; ++k) values_[start + order_[k]] = row[k];
  }
}

bool ArrayReader::is_complete(std::size_t row) const {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  const std::span<const double> points(values_.data() + row * choice_.dimension, choice_.dimension);
  return std::ranges::all_of(points, is_finite) && (!choice_.weighted() || is_finite(table_.weights[row]));
}

void ArrayReader::screen() {
  std::size_t row = 0;
  while (row < n_ && is_complete(row)) ++row;
  if (row == n_) return;
  if (options_.missing == Missing::error) complain_missing(row);
  std::vector<std::uint64_t> kept(row);
  std::iota(kept.begin(), kept.end(), std::uint64_t{0});
  for (; row < n_; ++row)
    if (is_complete(row)) kept.push_back(row);
  drop(kept);
}

void ArrayReader::drop(const std::vector<std::uint64_t>& kept) {
  const std::size_t d = choice_.dimension;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] != i) std::copy_n(values_.data() + kept[i] * d, d, values_.data() + i * d);
    if (choice_.weighted()) table_.weights[i] = table_.weights[kept[i]];
    table_.rows.push_back(kept[i] + 1);
  }
  values_.resize(kept.size() * d);
  if (choice_.weighted()) table_.weights.resize(kept.size());
  table_.rows_dropped = n_ - kept.size();
}

void ArrayReader::complain_missing(std::size_t row) const {
  const double* const points = values_.data() + row * choice_.dimension;
  std::size_t slot = 0;
  while (slot < choice_.dimension && std::isfinite(points[slot])) ++slot;
  const double value = slot < choice_.dimension ? points[slot] : table_.weights[row];
  const std::size_t column = choice_.source[slot];
  const auto k = static_cast<std::uint64_t>(std::ranges::find(column_of_, column) - column_of_.begin());
  const std::uint64_t element = header_.fortran ? k * n_ + row : row * d_ + k;
  fail(Errc::io, in_.name(), ", row ", row + 1, ", ", column_label(column, columns_.name(column)), " (byte ",
       start_ + element * header_.type.size, "): missing value ", value,
       " (missing = drop leaves such rows out)");
}

}  // namespace

Table read_array(ByteReader& in, const ArrayHeader& header, const ReadOptions& options) {
  return ArrayReader(in, header, options).read();
}

}  // namespace motmot
