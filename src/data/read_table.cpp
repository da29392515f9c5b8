#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/readers.hpp"
#include "motmot/data.hpp"

namespace motmot {
namespace {

using namespace std::string_view_literals;

enum class Format { unknown, csv, tsv, npy, npz, idx, raw };

Format format_of_name(const std::string& path) {
  std::string name = lower_case(path);
  for (const std::string_view packed : {".gz", ".zst"})
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  if (name.ends_with(".csv") || name.ends_with(".txt")) return Format::csv;
  if (name.ends_with(".tsv")) return Format::tsv;
  if (name.ends_with(".npy")) return Format::npy;
  if (name.ends_with(".npz")) return Format::npz;
  if (is_raw(name)) return Format::raw;
  if (name.ends_with(".idx") || name.ends_with("-ubyte")) return Format::idx;
  return Format::unknown;
}

Format format_of_content(ByteReader& in) {
  const std::string_view start = in.peek(6);
  if (start == "\x93NUMPY") return Format::npy;
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06")) return Format::npz;
  // Two zero bytes do not start a text; the IDX reader checks the rest.
  if (start.size() >= 4 && start[0] == 0 && start[1] == 0) return Format::idx;
  return Format::csv;
}

/// A format that is not read, known by bytes near its start that no text has there.
struct Foreign {
  std::string_view bytes;
  std::string_view what;
  bool packed = false;  ///< nothing but compression around a file
  std::size_t at = 0;
};

constexpr std::array foreign_formats{
    Foreign{"PAR1\x15", "a Parquet file"},
    Foreign{"\x89HDF\r\n\x1a\n", "an HDF5 file"},
    Foreign{"ARROW1\0"sv, "an Arrow (Feather) file"},
    Foreign{"FEA1\0"sv, "a Feather file"},
    Foreign{"SQLite format 3\0"sv, "an SQLite database"},
    Foreign{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file (.xls)"},
    Foreign{"MATLAB 5.0 MAT-file", "a MATLAB file"},
    Foreign{"RDX2\nX\n", "an R data file"},
    Foreign{"RDX3\nX\n", "an R data file"},
    Foreign{"X\n\0\0"sv, "an R data file"},
    Foreign{"\x80\x02", "a Python pickle"},
    Foreign{"\x80\x03", "a Python pickle"},
    Foreign{"\x80\x04", "a Python pickle"},
    Foreign{"\x80\x05", "a Python pickle"},
    Foreign{"1AY&SY", "compressed with bzip2", true, 4},
    Foreign{"7zXZ\0"sv, "compressed with xz", true, 1},
};

void refuse_foreign(ByteReader& in) {
  const std::string_view start = in.peek(24);
  for (const Foreign& format : foreign_formats)
    if (start.size() > format.at && start.substr(format.at).starts_with(format.bytes))
      fail(Errc::io, in.name(), " is ", format.what, ", which is not read yet; ",
           format.packed ? "unpack it, or pack it with gzip or zstd" : "export it as CSV or .npy");
}

enum class Packing { none, gzip, zstd };

/// zstd's own frames, or the frames to be skipped that pzstd puts before them.
bool starts_zstd(std::string_view start) {
  return start == "\x28\xb5\x2f\xfd" ||
         (start.size() == 4 && (start[0] & 0xf0) == 0x50 && start.substr(1) == "\x2a\x4d\x18");
}

/// By the content; a name that says otherwise is refused.
Packing packing_of(ByteReader& in, const std::string& path) {
  if (in.peek(2) == "\x1f\x8b") return Packing::gzip;
  if (starts_zstd(in.peek(4))) return Packing::zstd;
  const std::string name = lower_case(path);
  require(!name.ends_with(".gz"), Errc::io, in.name(), ", byte 0: not gzip data, which start with 1f 8b");
  require(!name.ends_with(".zst"), Errc::io, in.name(),
          ", byte 0: not zstd data, which start with 28 b5 2f fd");
  return Packing::none;
}

/// The bytes of the file, decompressed if its content says that it is packed.
ByteReader open_reader(const std::string& path) {
  ByteReader in(open_source(path), name_of(path));
  require(!in.peek(1).empty(), Errc::io, in.name(), " is empty");
  const Packing packing = packing_of(in, path);
  if (packing == Packing::none) return in;
  auto packed = ByteReader::into_source(std::move(in));
  ByteReader unpacked(packing == Packing::gzip ? inflate(std::move(packed), Wrapper::gzip, name_of(path))
                                               : unpack_zstd(std::move(packed), name_of(path)),
                      name_of(path));
  require(!unpacked.peek(1).empty(), Errc::io, unpacked.name(), " is empty");
  return unpacked;
}

/// Reads the file; `read_text(in, separator)` does where it is text.
template <class ReadText>
auto read_any(const std::string& path, const ReadOptions& options, ReadText read_text,
              const RowSink* sink = nullptr) -> decltype(read_text(std::declval<ByteReader&>(), '\0')) {
  const auto [file, member] = split_member(path);
  if (!member.empty()) return {read_npz(file, member, options, sink)};
  if (is_raw(file)) {  // its first bytes are numbers: they say nothing
    ByteReader in(open_source(file), name_of(file));
    return {read_raw(in, options, sink)};
  }
  ByteReader in = open_reader(file);
  refuse_foreign(in);
  Format format = file == "-" ? Format::unknown : format_of_name(file);
  const Format content = format_of_content(in);
  if (format == Format::unknown || content == Format::npz) format = content;
  switch (format) {
    case Format::npy:
      return {read_npy(in, options, sink)};
    case Format::idx:
      return {read_idx(in, options, sink)};
    case Format::raw:  // packed
      fail(Errc::io, in.name(), " is packed; numbers without a header are read from plain files alone");
    case Format::npz:
      require(file != "-", Errc::io, in.name(), " is an archive; archives are read from files alone");
      return {read_npz(file, "", options, sink)};
    case Format::tsv:
      return read_text(in, '\t');
    default:
      return read_text(in, '\0');
  }
}

/// The result of read(), or a sentence where memory does not suffice for it.
template <class Read>
auto with_enough_memory(const std::string& path, Read read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    fail(Errc::io, "cannot read ", name_of(path), ": it needs more memory than there is");
  } catch (const std::length_error&) {
    fail(Errc::io, "cannot read ", name_of(path), ": it needs more memory than there is");
  }
}

}  // namespace

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; });
  return text;
}

std::pair<std::string, std::string> split_member(const std::string& path) {
  const std::size_t at = path.rfind(".npz:");
  std::error_code ignored;
  if (at == std::string::npos || std::filesystem::exists(path, ignored)) return {path, ""};
  return {path.substr(0, at + 4), path.substr(at + 5)};
}

bool is_raw(const std::string& path) {
  const std::string name = lower_case(path);
  return name.ends_with(".bin") || name.ends_with(".raw");
}

namespace {

void require_numbers(const ReadOptions& options) {
  require(
      options.missing != Missing::level, Errc::invalid_argument,
      "--missing level makes a missing number a point of its own, one robust unit from the others: that "
      "needs "
      "units, which plain coordinates have not; here it must be error or drop ('motmot distance' has level)");
  require(options.kinds.empty(), Errc::invalid_argument, "--kinds has no use where all columns are numbers");
}

}  // namespace

RowStream stream_rows(const std::string& path, const ReadOptions& options, const RowSink& sink) {
  require_numbers(options);
  require(options.weights.empty(), Errc::invalid_argument, "rows that are handed on have no weights");
  std::uint64_t rows = 0;
  const RowSink counted = [&](const RowChunk& chunk) {
    rows += chunk.rows.size();
    sink(chunk);
  };
  const auto read_text = [&](ByteReader& in, char separator) {
    return read_csv(in, options, separator, &counted);
  };
  Table table = with_enough_memory(path, [&] { return read_any(path, options, read_text, &counted); });
  return {.columns = std::move(table.columns), .rows = rows, .rows_dropped = table.rows_dropped};
}

Table read_table(const std::string& path, const ReadOptions& options) {
  require_numbers(options);
  const auto read_text = [&](ByteReader& in, char separator) { return read_csv(in, options, separator); };
  return with_enough_memory(path, [&] { return read_any(path, options, read_text); });
}

Cells read_cells(const std::string& path, const ReadOptions& options) {
  std::vector<std::size_t> words;
  const auto read_text = [&](ByteReader& in, char separator) {
    return read_csv_cells(in, options, separator, words);
  };
  return with_enough_memory(path, [&] {
    Cells cells = read_any(path, options, read_text);
    if (cells.read_again.empty()) return cells;
    require(
        path != "-", Errc::io, "standard input, column ",
        shown(cells.table.columns[cells.read_again.front()]),
        ": it begins like numbers or times and goes on with words; --kinds COLUMN=category says so ahead");
    words = std::move(cells.read_again);
    cells = {};
    return read_any(path, options, read_text);
  });
}

}  // namespace motmot
