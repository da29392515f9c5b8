#include "motmot/arrow.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "tables/column_builder.hpp"

namespace motmot {
namespace {

/// One of Arrow's structs, released with the object.
template <class T>
struct Owned : T {
  Owned() : T{} {}
  explicit Owned(T& moved) : T(moved) { moved.release = nullptr; }
  ~Owned() {
    if (this->release != nullptr) this->release(this);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
};

/// How the values of a column lie in memory.
struct Layout {
  enum class Shape { nothing, booleans, numbers, strings, long_strings, string_views };
  Shape shape = Shape::nothing;
  Kind kind = Kind::number;
  NumberLayout numbers{};
};

using Shape = Layout::Shape;

Layout numbers(const NumberLayout& layout) { return {Shape::numbers, Kind::number, layout}; }
Layout instants(const NumberLayout& layout) { return {Shape::numbers, Kind::time, layout}; }
Layout levels(Shape shape) { return {.shape = shape, .kind = Kind::category}; }

std::optional<Layout> one_letter(char letter) {
  switch (letter) {
    case 'n':
      return Layout{};
    case 'b':
      return levels(Shape::booleans);
    case 'c':
    case 's':
    case 'i':
    case 'l':
      return numbers(signed_layout(letter == 'c' ? 1 : letter == 's' ? 2 : letter == 'i' ? 4 : 8));
    case 'C':
    case 'S':
    case 'I':
    case 'L':
      return numbers(unsigned_layout(letter == 'C' ? 1 : letter == 'S' ? 2 : letter == 'I' ? 4 : 8));
    case 'e':
    case 'f':
    case 'g':
      return numbers(floating_layout(letter == 'e' ? 2 : letter == 'f' ? 4 : 8));
    case 'u':
      return levels(Shape::strings);
    case 'U':
      return levels(Shape::long_strings);
    default:
      return std::nullopt;
  }
}

/// "d:precision,scale" or "d:precision,scale,bits"
std::optional<Layout> decimal(const char* format) {
  int precision = 0;
  int scale = 0;
  int bits = 128;
  const int found = std::sscanf(format, "d:%3d,%4d,%3d", &precision, &scale, &bits);
  constexpr int most_digits = 76;  // of 256 bits
  if (found < 2 || std::abs(scale) > most_digits || (bits != 32 && bits != 64 && bits != 128 && bits != 256))
    return std::nullopt;
  return numbers(divided(signed_layout(static_cast<unsigned>(bits) / 8), std::pow(10.0, scale)));
}

/// "tdD", "tdm", "tss:", "tsm:", "tsu:", "tsn:", with a zone after the colon or none.
std::optional<Layout> time(std::string_view format) {
  if (format == "tdD") return instants(times(signed_layout(4), 86400));
  if (format == "tdm") return instants(divided(signed_layout(8), 1e3));
  if (!format.starts_with("ts") || format.size() < 4) return std::nullopt;
  switch (format[2]) {
    case 's':
      return instants(signed_layout(8));
    case 'm':
      return instants(divided(signed_layout(8), 1e3));
    case 'u':
      return instants(divided(signed_layout(8), 1e6));
    case 'n':
      return instants(divided(signed_layout(8), 1e9));
    default:
      return std::nullopt;
  }
}

std::optional<Layout> layout_of(const std::string& format) {
  if (format.size() == 1) return one_letter(format[0]);
  if (format == "vu") return levels(Shape::string_views);
  if (format.starts_with("d:")) return decimal(format.c_str());
  return time(format);
}

std::string_view type_name(std::string_view format) {
  if (format == "z" || format == "Z" || format == "vz" || format.starts_with("w:")) return "bytes";
  if (format.starts_with("tt")) return "a time of day";
  if (format.starts_with("tD") || format.starts_with("ti")) return "a duration";
  if (format.starts_with("+l") || format.starts_with("+L") || format.starts_with("+w") ||
      format.starts_with("+v"))
    return "a list";
  if (format == "+s" || format == "+m") return "a struct";
  return "of a type that is not read";
}

template <class T>
T element(const void* values, std::uint64_t i) {
  T value;
  std::memcpy(&value, static_cast<const char*>(values) + i * sizeof(T), sizeof(T));
  return value;
}

/// How the lengths and offsets of a stream are complained of that cannot be right.
[[noreturn]] void fail_as_broken(const std::string& label) {
  fail(Errc::io, label, ": the stream hands over lengths, offsets or buffers that cannot be right");
}

/// No memory holds more elements, and sums of such numbers do not overflow.
bool is_count(std::int64_t number) { return 0 <= number && number < std::int64_t{1} << 40; }

/// One column of one chunk: which elements of its buffers are meant. How long buffers are a stream does not
/// say; whatever can be held against something else is.
struct Slice {
  const ArrowArray& array;
  std::uint64_t first;
  std::size_t count;
  const std::string& label;  ///< for complaints

  [[nodiscard]] Presence presence() const {
    const bool has_gaps = array.null_count != 0 && array.n_buffers > 0 && array.buffers[0] != nullptr;
    return has_gaps ? Presence(array.buffers[0], first) : Presence();
  }
  [[nodiscard]] const void* buffer(std::int64_t k) const { return array.buffers[k]; }
};

template <class Offset>
std::string_view string_at(const Slice& slice, std::uint64_t i) {
  const auto begin = element<Offset>(slice.buffer(1), i);
  const auto end = element<Offset>(slice.buffer(1), i + 1);
  // The text has so many bytes.
  const auto all =
      element<Offset>(slice.buffer(1), static_cast<std::uint64_t>(slice.array.offset + slice.array.length));
  if (begin < 0 || end < begin || end > all || (end > begin && slice.buffer(2) == nullptr))
    fail_as_broken(slice.label);
  if (begin == end) return {};  // of what may be no text at all
  return {static_cast<const char*>(slice.buffer(2)) + begin, static_cast<std::size_t>(end - begin)};
}

/// 16 bytes: the length, then the text itself if it fits, else its first bytes, its buffer and its place
/// there.
std::string_view view_at(const Slice& slice, std::uint64_t i) {
  const char* const view = static_cast<const char*>(slice.buffer(1)) + 16 * i;
  const auto length = element<std::int32_t>(view, 0);
  if (length < 0) fail_as_broken(slice.label);
  if (length <= 12) return {view + 4, static_cast<std::size_t>(length)};
  const auto buffer = element<std::int32_t>(view, 2);
  const auto offset = element<std::int32_t>(view, 3);
  // Presence, views, texts, and how long each of these is.
  const std::int64_t last = slice.array.n_buffers - 1;
  if (buffer < 0 || buffer >= last - 2 || slice.buffer(last) == nullptr ||
      slice.buffer(2 + buffer) == nullptr || offset < 0 ||
      std::int64_t{offset} + length >
          element<std::int64_t>(slice.buffer(last), static_cast<std::uint64_t>(buffer)))
    fail_as_broken(slice.label);
  return {static_cast<const char*>(slice.buffer(2 + buffer)) + offset, static_cast<std::size_t>(length)};
}

/// A category's rows: text(i) is that of element i of the buffers.
template <class Text>
void add_texts(ColumnBuilder& column, const Slice& slice, Text text) {
  const Presence presence = slice.presence();
  for (std::size_t i = 0; i < slice.count; ++i)
    column.add_code(presence(i) ? column.code(text(slice, slice.first + i)) : Column::no_level);
}

void add_booleans(ColumnBuilder& column, const Slice& slice) {
  const Presence presence = slice.presence();
  const Presence is_true(slice.buffer(1), slice.first);
  Recoder levels_seen(2);
  for (std::size_t i = 0; i < slice.count; ++i) {
    if (presence(i)) levels_seen.add(column, is_true(i) ? 1 : 0, boolean_level);
    else column.add_missing(1);
  }
}

void add_plain(ColumnBuilder& column, const Layout& layout, const Slice& slice) {
  switch (layout.shape) {
    case Shape::nothing:
      return column.add_missing(slice.count);
    case Shape::booleans:
      return add_booleans(column, slice);
    case Shape::numbers:
      return column.add_numbers(
          layout.numbers, static_cast<const char*>(slice.buffer(1)) + slice.first * layout.numbers.width,
          slice.count, slice.presence());
    case Shape::strings:
      return add_texts(column, slice, string_at<std::int32_t>);
    case Shape::long_strings:
      return add_texts(column, slice, string_at<std::int64_t>);
    case Shape::string_views:
      return add_texts(column, slice, view_at);
  }
}

/// Some buffers of an empty array need not be there.
bool has_buffers(const Layout& layout, const ArrowArray& array) {
  const std::int64_t needed = layout.shape == Shape::nothing                                          ? 0
                              : layout.shape == Shape::strings || layout.shape == Shape::long_strings ? 3
                                                                                                      : 2;
  return array.n_buffers >= needed && (array.n_buffers == 0 || array.buffers != nullptr) &&
         (needed < 2 || array.buffers[1] != nullptr);
}

/// A column of a stream, and how it is read.
class ArrowColumn {
 public:
  ArrowColumn(const ArrowSchema& schema, std::size_t number, const std::string& table)
      : name_(schema.name != nullptr ? schema.name : ""),
        label_(table + ", " + column_label(number, name_)),
        layout_(layout_or_complain(schema)),
        values_(values_or_none(schema)),
        builder_(name_, values_ ? values_->kind : layout_.kind) {}

  void add(const ArrowArray& array, std::uint64_t offset, std::size_t count) {
    if (count == 0) return;
    if (!is_count(array.length) || !is_count(array.offset)) fail_as_broken(label_);
    require(static_cast<std::uint64_t>(array.length) >= offset + count && has_buffers(layout_, array),
            Errc::io, label_, ": the stream hands over fewer values than it says");
    const Slice slice{array, static_cast<std::uint64_t>(array.offset) + offset, count, label_};
    if (values_) add_from_dictionary(slice);
    else add_plain(builder_, layout_, slice);
  }

  Column finish() && { return std::move(builder_).finish(); }

 private:
  [[nodiscard]] Layout layout_or_complain(const ArrowSchema& schema) const {
    const std::string format = schema.format != nullptr ? schema.format : "";
    const std::optional<Layout> layout = layout_of(format);
    require(layout.has_value(), Errc::io, label_, " is ", type_name(format), " (Arrow's ", shown(format),
            "); cast it to a number, a string or a timestamp, or leave it out");
    return *layout;
  }

  [[nodiscard]] std::optional<Layout> values_or_none(const ArrowSchema& schema) const {
    if (schema.dictionary == nullptr) return std::nullopt;
    require(layout_.shape == Shape::numbers && layout_.numbers.is_integer, Errc::io, label_,
            ": the indices of a dictionary must be integers");
    require(schema.dictionary->dictionary == nullptr, Errc::io, label_,
            " has a dictionary of dictionaries, which is not read");
    return layout_or_complain(*schema.dictionary);
  }

  [[nodiscard]] Column read_dictionary(const Slice& slice) const {
    require(slice.array.dictionary != nullptr, Errc::io, label_, ": the stream hands over no dictionary");
    const ArrowArray& dictionary = *slice.array.dictionary;
    if (!is_count(dictionary.length) || !is_count(dictionary.offset)) fail_as_broken(label_);
    const auto size = static_cast<std::size_t>(dictionary.length);
    ColumnBuilder values("", values_->kind);
    require(size == 0 || has_buffers(*values_, dictionary), Errc::io, label_,
            ": the stream hands over a dictionary without its values");
    if (size > 0)
      add_plain(values, *values_, {dictionary, static_cast<std::uint64_t>(dictionary.offset), size, label_});
    return std::move(values).finish();
  }

  void add_from_dictionary(const Slice& slice) {
    ColumnBuilder places("", Kind::number);
    add_plain(places, layout_, slice);
    const Column values = read_dictionary(slice);
    Recoder recoder(values.levels.size());
    for (const double place : places.so_far().numbers) {
      require(std::isnan(place) || (place >= 0 && place < static_cast<double>(values.rows())), Errc::io,
              label_, ": ", place, " is not a place in its dictionary of ", values.rows());
      if (std::isnan(place)) builder_.add_missing(1);
      else add_value(values, static_cast<std::size_t>(place), recoder);
    }
  }

  void add_value(const Column& values, std::size_t place, Recoder& recoder) {
    if (values.kind != Kind::category) return builder_.add_number(values.numbers[place]);
    const std::uint32_t level = values.codes[place];
    if (level == Column::no_level) return builder_.add_missing(1);
    recoder.add(builder_, level, [&](std::size_t k) -> std::string_view { return values.levels[k]; });
  }

  std::string name_;
  std::string label_;  ///< for complaints
  Layout layout_;
  std::optional<Layout> values_;  ///< of the dictionary, where the column has one
  ColumnBuilder builder_;
};

void check(ArrowArrayStream& stream, int status, const std::string& name) {
  if (status == 0) return;
  const char* const why = stream.get_last_error(&stream);
  fail(Errc::io, name, ": its Arrow stream failed (", why != nullptr ? shown(why) : std::strerror(status),
       ")");
}

template <class T>
bool has_children(const T& whole) {
  return whole.n_children == 0 || (whole.n_children > 0 && whole.children != nullptr &&
                                   std::all_of(whole.children, whole.children + whole.n_children,
                                               [](const T* one) { return one != nullptr; }));
}

void check_rows(const ArrowArray& chunk, std::size_t columns, const std::string& name) {
  if (!is_count(chunk.length) || !is_count(chunk.offset)) fail_as_broken(name);
  require(static_cast<std::size_t>(chunk.n_children) == columns, Errc::io, name,
          ": a chunk of its stream has ", chunk.n_children, " columns instead of ", columns);
  if (!has_children(chunk)) fail_as_broken(name);
  const bool has_gaps =
      chunk.buffers != nullptr && chunk.null_count != 0 && chunk.n_buffers > 0 && chunk.buffers[0] != nullptr;
  require(!has_gaps, Errc::io, name, ": whole rows are null, which is not read");
}

std::vector<ArrowColumn> columns_of(const ArrowSchema& schema, const std::string& name) {
  require(schema.format != nullptr && std::string_view(schema.format) == "+s", Errc::io, name,
          ": its Arrow stream is not one of tables (structs)");
  if (!has_children(schema)) fail_as_broken(name);
  std::vector<ArrowColumn> columns;
  for (std::int64_t j = 0; j < schema.n_children; ++j)
    columns.emplace_back(*schema.children[j], static_cast<std::size_t>(j), name);
  require(!columns.empty(), Errc::io, name, " has no columns");
  return columns;
}

}  // namespace

Frame read_arrow(ArrowArrayStream& given, const std::string& name) {
  require(given.release != nullptr, Errc::io, name, ": its Arrow stream has been read already");
  Owned<ArrowArrayStream> stream(given);
  Owned<ArrowSchema> schema;
  check(stream, stream.get_schema(&stream, &schema), name);
  std::vector<ArrowColumn> columns = columns_of(schema, name);
  for (;;) {
    Owned<ArrowArray> chunk;
    check(stream, stream.get_next(&stream, &chunk), name);
    if (chunk.release == nullptr) break;
    check_rows(chunk, columns.size(), name);
    for (std::size_t j = 0; j < columns.size(); ++j)
      columns[j].add(*chunk.children[j], static_cast<std::uint64_t>(chunk.offset),
                     static_cast<std::size_t>(chunk.length));
  }
  Frame frame{.columns = finish_all(std::move(columns))};
  require(frame.n() > 0, Errc::io, name, " has no rows");
  return frame;
}

}  // namespace motmot
