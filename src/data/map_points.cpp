// Which files can be looked at where they lie.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/require.hpp"
#include "data/array_reader.hpp"
#include "data/complaint.hpp"
#include "data/mapping.hpp"
#include "data/readers.hpp"

namespace motmot {
namespace {

/// Where the rows of a file lie, or why they cannot be taken as they are.
struct Place {
  std::string why_not{};
  std::size_t offset = 0;
  ArrayExtent extent{};
};

std::string why_options_forbid(const ReadOptions& o) {
  if (!o.columns.empty() || !o.exclude.empty()) return "columns are chosen";
  if (!o.weights.empty()) return "a column holds weights";
  if (!o.na.empty() || o.missing != Missing::error) return "values may be missing";
  return o.kinds.empty() ? "" : "kinds of columns are set";
}

std::string why_type_forbids(const ArrayHeader& header) {
  const bool native = std::endian::native == std::endian::little && !header.type.big_endian;
  if (header.type.kind != ElementType::Kind::floating || header.type.size != 8 || !native)
    return "its numbers are no little-endian float64";
  return header.fortran && header.shape.size() > 1 ? "it is in Fortran order" : "";
}

Place place_of(const std::string& path, const ReadOptions& options) {
  if (std::string why = why_options_forbid(options); !why.empty()) return {.why_not = std::move(why)};
  if (path == "-") return {.why_not = "standard input is no file"};
  const bool raw = is_raw(path);
  require(!raw || options.raw, Errc::invalid_argument, name_of(path),
          " does not say what it holds: --raw TYPE,COLUMNS does, such as --raw float64,20");
  if (!raw && !lower_case(path).ends_with(".npy")) return {.why_not = "it is neither .npy nor raw"};
  ByteReader in(open_source(path), name_of(path));
  if (!raw && in.peek(6) != "\x93NUMPY") return {.why_not = "its content is not that of an .npy file"};
  const ArrayHeader header = raw ? raw_header(in, *options.raw) : read_npy_header(in);
  if (std::string why = why_type_forbids(header); !why.empty()) return {.why_not = std::move(why)};
  if (!in.remaining()) return {.why_not = "it is no regular file"};
  if (in.position() % alignof(double) != 0) return {.why_not = "its numbers do not start at a multiple of 8"};
  return {.offset = static_cast<std::size_t>(in.position()), .extent = extent_of(in, header)};
}

}  // namespace

std::string why_not_mapped(const std::string& path, const ReadOptions& options) {
  return place_of(path, options).why_not;
}

void require_values(const std::string& path, const MappedPoints& points, const ReadOptions& options) {
  constexpr double largest = 1e300;
  const PointsView rows = points;
  const auto good = [](double value) { return std::abs(value) <= largest; };
  for (std::size_t i = 0; i < rows.n; ++i) {
    const auto row = rows.row(i);
    const auto bad = std::ranges::find_if_not(row, good);
    if (bad == row.end()) continue;
    const auto j = static_cast<std::size_t>(bad - row.begin());
    if (std::isfinite(*bad))
      fail(Errc::numeric, name_of(path), ", row ", i + 1, ", column '", j + 1, "' is ", *bad,
           "; beyond 1e300 distances overflow: choose a larger unit");
    fail(Errc::io, name_of(path), ", row ", i + 1, ", column ", j + 1, " (byte ",
         place_of(path, options).offset + (i * rows.d + j) * sizeof(double), "): missing value ", *bad,
         "; --missing drop leaves such rows out");
  }
}

MappedPoints map_points(const std::string& path, const ReadOptions& options) {
  const Place place = place_of(path, options);
  require(place.why_not.empty(), Errc::unsupported, name_of(path), " cannot be mapped: ", place.why_not);
  const auto mapping = std::make_shared<const Mapping>(path);
  const std::uint64_t bytes = place.extent.rows * place.extent.columns * sizeof(double);
  require(mapping->size() == place.offset + bytes, Errc::io, name_of(path), " changed while it was opened");
  return rows_of(mapping, place.offset, place.extent.rows, place.extent.columns);
}

}  // namespace motmot
