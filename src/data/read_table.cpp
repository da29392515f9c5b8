#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/readers.hpp"
#include "motmot/data.hpp"

namespace motmot {
namespace {

enum class Format { unknown, csv, tsv, npy, npz, idx };

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; });
  return text;
}

Format format_of_name(const std::string& path) {
  std::string name = lower_case(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  if (name.ends_with(".csv") || name.ends_with(".txt")) return Format::csv;
  if (name.ends_with(".tsv")) return Format::tsv;
  if (name.ends_with(".npy")) return Format::npy;
  if (name.ends_with(".npz")) return Format::npz;
  if (name.ends_with(".idx") || name.ends_with("-ubyte")) return Format::idx;
  return Format::unknown;
}

Format format_of_content(ByteReader& in) {
  const std::string_view start = in.peek(6);
  if (start == "\x93NUMPY") return Format::npy;
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06")) return Format::npz;
  // Two zero bytes do not start a text; the IDX reader has its say on the rest.
  if (start.size() >= 4 && start[0] == 0 && start[1] == 0) return Format::idx;
  return Format::csv;
}

/// The bytes of the file, decompressed if its content says that it is gzip.
ByteReader open_reader(const std::string& path) {
  ByteReader in(open_source(path), name_of(path));
  require(!in.peek(1).empty(), Errc::io, in.name(), " is empty");
  const bool packed = in.peek(2) == "\x1f\x8b";
  require(packed || !lower_case(path).ends_with(".gz"), Errc::io, in.name(),
          ", byte 0: not gzip data, which start with 1f 8b");
  if (!packed) return in;
  ByteReader unpacked(inflate(ByteReader::into_source(std::move(in)), Wrapper::gzip, name_of(path)),
                      name_of(path));
  require(!unpacked.peek(1).empty(), Errc::io, unpacked.name(), " is empty");
  return unpacked;
}

/// "a.npz:member" is two names unless a file is called that.
std::pair<std::string, std::string> split_member(const std::string& path) {
  const std::size_t at = path.rfind(".npz:");
  std::error_code ignored;
  if (at == std::string::npos || std::filesystem::exists(path, ignored)) return {path, ""};
  return {path.substr(0, at + 4), path.substr(at + 5)};
}

Table read_any(const std::string& path, const ReadOptions& options) {
  const auto [file, member] = split_member(path);
  if (!member.empty()) return read_npz(file, member, options);
  ByteReader in = open_reader(file);
  Format format = file == "-" ? Format::unknown : format_of_name(file);
  if (format == Format::unknown) format = format_of_content(in);
  switch (format) {
    case Format::npy:
      return read_npy(in, options);
    case Format::idx:
      return read_idx(in, options);
    case Format::npz:
      require(file != "-", Errc::io, in.name(), " is an archive; archives are read from files alone");
      return read_npz(file, "", options);
    case Format::tsv:
      return read_csv(in, options, '\t');
    default:
      return read_csv(in, options);
  }
}

}  // namespace

Table read_table(const std::string& path, const ReadOptions& options) {
  try {
    return read_any(path, options);
  } catch (const std::bad_alloc&) {
    fail(Errc::io, "cannot read ", name_of(path), ": it needs more memory than there is");
  } catch (const std::length_error&) {
    fail(Errc::io, "cannot read ", name_of(path), ": it needs more memory than there is");
  }
}

}  // namespace motmot
