#include <bit>
#include <charconv>
#include <optional>

#include "base/require.hpp"
#include "data/array_reader.hpp"
#include "data/complaint.hpp"
#include "data/readers.hpp"

namespace motmot {
namespace {

// After the magic and the version comes a Python dictionary as text:
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }

struct HeaderText {
  const std::string& file;
  std::uint64_t start;  ///< its first byte in the file
  std::string text;

  /// What stands behind 'key': , to the end of the text.
  [[nodiscard]] std::string_view value_of(const std::string& key) const {
    const std::size_t at = text.find("'" + key + "'");
    const std::size_t colon = at == std::string::npos ? at : text.find(':', at);
    const std::size_t value = colon == std::string::npos ? colon : text.find_first_not_of(' ', colon + 1);
    require(value != std::string::npos, Errc::io, file, ", byte ", start, ": the header has no '", key, "'");
    return std::string_view(text).substr(value);
  }

  [[noreturn]] void complain(std::string_view value, const char* rule) const {
    fail(Errc::io, file, ", byte ", start + static_cast<std::uint64_t>(value.data() - text.data()), ": ",
         shown(value.substr(0, value.find('\n'))), " ", rule);
  }
};

HeaderText read_header_text(ByteReader& in) {
  require(in.peek(6) == "\x93NUMPY", Errc::io, in.name(),
          ", byte 0: not an .npy file, which starts with \\x93NUMPY");
  std::string start(8, '\0');
  require(in.read_fully(start) == 8, Errc::io, in.name(), " is truncated: it ends within the .npy header");
  const auto major = static_cast<unsigned char>(start[6]);
  require(1 <= major && major <= 3, Errc::io, in.name(), ", byte 6: .npy version ", unsigned{major},
          " is not known; versions 1 to 3 are");
  std::string size(major == 1 ? 2 : 4, '\0');
  const std::size_t got = in.read_fully(size);
  std::uint64_t length = 0;
  for (std::size_t i = size.size(); i-- > 0;) length = length << 8 | static_cast<unsigned char>(size[i]);
  constexpr std::uint64_t longest = 1 << 20;  // real ones have some hundred bytes
  require(length <= longest, Errc::io, in.name(), ", byte 8: the header claims ", length,
          " bytes for itself; at most ", longest, " are read");
  HeaderText header{.file = in.name(), .start = in.position(), .text = std::string(length, '\0')};
  require(got == size.size() && in.read_fully(header.text) == length, Errc::io, in.name(),
          " is truncated: it ends within the .npy header");
  return header;
}

std::optional<ElementType::Kind> kind_of(char code) {
  switch (code) {
    case 'b':
      return ElementType::Kind::boolean;
    case 'u':
      return ElementType::Kind::unsigned_integer;
    case 'i':
      return ElementType::Kind::signed_integer;
    case 'f':
      return ElementType::Kind::floating;
    default:
      return std::nullopt;
  }
}

/// '<f8': byte order, kind, bytes.
ElementType parse_type(const HeaderText& header) {
  constexpr const char* rule =
      "is not a type that is read (bool, integers of 1 to 8 bytes, floats of 2, 4, 8)";
  const std::string_view value = header.value_of("descr");
  if (!value.starts_with('\'')) header.complain(value, rule);
  const std::string_view descr = value.substr(1, value.find('\'', 1) - 1);
  if (descr.find('O') != std::string_view::npos)
    header.complain(descr, "means Python objects, which only Python can read; save an array of numbers");
  const bool has_order = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
  const auto kind = has_order && descr.size() == 3 ? kind_of(descr[1]) : std::nullopt;
  if (!kind) header.complain(descr, rule);
  const bool native_big = std::endian::native == std::endian::big;
  const ElementType type{.kind = *kind,
                         .size = static_cast<unsigned>(descr[2] - '0'),
                         .big_endian = descr[0] == '>' || (descr[0] != '<' && native_big)};
  if (decoder_of(type) == nullptr) header.complain(descr, rule);
  return type;
}

bool parse_order(const HeaderText& header) {
  const std::string_view value = header.value_of("fortran_order");
  const bool fortran = value.starts_with("True");
  if (!fortran && !value.starts_with("False")) header.complain(value, "is neither True nor False");
  return fortran;
}

/// (3, 4) or (3,)
std::vector<std::uint64_t> parse_shape(const HeaderText& header) {
  const std::string_view value = header.value_of("shape");
  const std::size_t close = value.find(')');
  if (!value.starts_with('(') || close == std::string_view::npos) header.complain(value, "is not a shape");
  std::vector<std::uint64_t> shape;
  const char* p = value.data() + 1;
  const char* const end = value.data() + close;
  while (p != end) {
    std::uint64_t extent = 0;
    const auto [stop, error] = std::from_chars(p, end, extent);
    if (error != std::errc()) header.complain(value.substr(0, close + 1), "is not a shape");
    shape.push_back(extent);
    for (p = stop; p != end && (*p == ',' || *p == ' ' || *p == 'L');) ++p;
  }
  if (shape.empty())
    header.complain(value.substr(0, close + 1), "is the shape of a single number, not of rows");
  return shape;
}

}  // namespace

ArrayHeader read_npy_header(ByteReader& in) {
  const HeaderText header = read_header_text(in);
  return {.type = parse_type(header), .fortran = parse_order(header), .shape = parse_shape(header)};
}

Table read_npy(ByteReader& in, const ReadOptions& options) {
  return read_array(in, read_npy_header(in), options);
}

}  // namespace motmot
