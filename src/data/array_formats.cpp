#include <algorithm>
#include <bit>
#include <charconv>

#include "base/require.hpp"
#include "data/array_reader.hpp"
#include "data/complaint.hpp"
#include "data/readers.hpp"
#include "data/zip_archive.hpp"

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
  constexpr std::string_view kinds = "buif";  // in the order of ElementType::Kind
  const std::size_t kind = has_order && descr.size() == 3 ? kinds.find(descr[1]) : std::string_view::npos;
  if (kind == std::string_view::npos) header.complain(descr, rule);
  const bool native_big = std::endian::native == std::endian::big;
  const ElementType type{.kind = static_cast<ElementType::Kind>(kind),
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

/// (3, 4) or (3,); old files say (3L, 4L).
std::vector<std::uint64_t> parse_shape(const HeaderText& header) {
  const std::string_view value = header.value_of("shape");
  const std::string_view text = value.substr(0, value.find(')') + 1);
  if (!text.starts_with('(')) header.complain(value, "is not a shape");
  std::vector<std::uint64_t> shape;
  const char* p = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (p != end) {
    const auto [stop, error] = std::from_chars(p, end, shape.emplace_back());
    if (error == std::errc::result_out_of_range) header.complain(text, "is a shape that no file can have");
    p = stop != end && *stop == 'L' ? stop + 1 : stop;
    if (error != std::errc() || (p != end && *p != ',')) header.complain(text, "is not a shape");
    while (p != end && (*p == ',' || *p == ' ')) ++p;
  }
  if (shape.empty()) header.complain(text, "is the shape of a single number, not of rows");
  return shape;
}

std::string list_of(const std::vector<ZipArchive::Member>& members) {
  return listed(members.size(), [&](std::size_t k) {
    const std::string& name = members[k].name;
    return name.ends_with(".npy") ? name.substr(0, name.size() - 4) : name;
  });
}

/// Spreadsheets are zip archives, too.
void require_arrays(const std::vector<ZipArchive::Member>& members, const std::string& file) {
  const auto has = [&](std::string_view end) {
    return std::ranges::any_of(members, [&](const auto& member) { return member.name.ends_with(end); });
  };
  if (has(".npy")) return;
  const bool office = has("[Content_Types].xml") || has("content.xml");
  require(!office, Errc::io, file,
          " is an Office file (.xlsx, .ods), which is not read yet; export it as CSV");
  fail(Errc::io, file, " is a zip archive without .npy arrays; unpack it, or pack one file with gzip");
}

const ZipArchive::Member& find_member(const ZipArchive& archive, const std::string& path,
                                      const std::string& asked) {
  const auto& members = archive.members();
  require(!members.empty(), Errc::io, name_of(path), " is an archive without members");
  require_arrays(members, name_of(path));
  if (asked.empty()) {
    require(members.size() == 1, Errc::invalid_argument, name_of(path), " has several members, ",
            list_of(members), "; name one as ", name_of(path + ":member"));
    return members.front();
  }
  for (const std::string& name : {asked + ".npy", asked}) {
    const auto found = std::ranges::find(members, name, &ZipArchive::Member::name);
    if (found != members.end()) return *found;
  }
  fail(Errc::invalid_argument, name_of(path), " has no member ", shown(asked), "; its members are ",
       list_of(members));
}

ElementType element_type(const std::string& file, unsigned code) {
  using Kind = ElementType::Kind;
  struct Coded {
    unsigned code;
    Kind kind;
    unsigned size;
  };
  constexpr Coded types[] = {{8, Kind::unsigned_integer, 1}, {9, Kind::signed_integer, 1},
                             {11, Kind::signed_integer, 2},  {12, Kind::signed_integer, 4},
                             {13, Kind::floating, 4},        {14, Kind::floating, 8}};
  for (const Coded& type : types)
    if (type.code == code) return {.kind = type.kind, .size = type.size, .big_endian = true};
  fail(Errc::io, file, ", byte 2: IDX type ", code, " is not known (8, 9, 11, 12, 13, 14 are)");
}

}  // namespace

ArrayHeader read_npy_header(ByteReader& in) {
  const HeaderText header = read_header_text(in);
  return {.type = parse_type(header), .fortran = parse_order(header), .shape = parse_shape(header)};
}

/// Padded with blanks so that the elements start at a multiple of 64.
std::string npy_header(std::string_view type, const std::vector<std::uint64_t>& shape) {
  std::string dict = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t extent : shape) dict += std::to_string(extent) + ", ";
  dict.resize(dict.size() - (shape.size() > 1 ? 2 : 1));  // (3,) and (3, 4)
  dict += "), }";
  constexpr std::size_t before = 10;  // magic, version, length of what follows
  dict.append(63 - (before + dict.size()) % 64, ' ').append("\n");
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(dict.size() & 0xff) +
         static_cast<char>(dict.size() >> 8) + dict;
}

Table read_npy(ByteReader& in, const ReadOptions& options, const RowSink* sink) {
  return read_array(in, read_npy_header(in), options, sink);
}

Table read_npz(const std::string& path, const std::string& member, const ReadOptions& options,
               const RowSink* sink) {
  const ZipArchive archive(path);
  const ZipArchive::Member& found = find_member(archive, path, member);
  ByteReader in(archive.open(found), name_of(path + ":" + found.name));
  return read_npy(in, options, sink);
}

Table read_raw(ByteReader& in, const ReadOptions& options, const RowSink* sink) {
  require(options.raw.has_value(), Errc::invalid_argument, in.name(),
          " does not say what it holds: --raw TYPE,COLUMNS does, such as --raw float64,20");
  return read_array(in, raw_header(in, *options.raw), options, sink);
}

// Two zeros, the type, the number of dimensions, then the dimensions as big-endian 32-bit integers.
Table read_idx(ByteReader& in, const ReadOptions& options, const RowSink* sink) {
  const std::string truncated = in.name() + " is truncated: it ends within the IDX header";
  std::string start(4, '\0');
  require(in.read_fully(start) == 4, Errc::io, truncated);
  require(start[0] == 0 && start[1] == 0, Errc::io, in.name(),
          ", byte 0: not an IDX file, which starts with two zeros");
  ArrayHeader header{.type = element_type(in.name(), static_cast<unsigned char>(start[2])), .shape = {}};
  require(start[3] != 0, Errc::io, in.name(), ", byte 3: an array of no dimensions has no rows");
  header.shape.resize(static_cast<unsigned char>(start[3]));
  for (std::uint64_t& extent : header.shape) {
    std::string bytes(4, '\0');
    require(in.read_fully(bytes) == 4, Errc::io, truncated);
    for (const char byte : bytes) extent = extent << 8 | static_cast<unsigned char>(byte);
  }
  return read_array(in, header, options, sink);
}

}  // namespace motmot
