#include "motmot/cache.hpp"

#include <array>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "base/sha256.hpp"
#include "base/whole.hpp"
#include "data/byte_source.hpp"
#include "data/complaint.hpp"
#include "data/mapping.hpp"
#include "data/readers.hpp"
#include "motmot/tables.hpp"

namespace motmot {
namespace {

using Json = nlohmann::ordered_json;

// A cache is: the values, row after row; the numbers of the rows, if some were dropped; a JSON text about all
// of it; the length of that text (8 bytes); the mark.
constexpr std::string_view mark = "MOTMOT1\n";
constexpr int format = 1;

std::string_view bytes_of(const void* values, std::size_t size) {
  return {static_cast<const char*>(values), size};
}

/// The file behind a source, which must be one.
std::string file_behind(const std::string& path) {
  std::error_code ignored;
  const auto is_file = [&](const std::string& name) {
    return std::filesystem::is_regular_file(name, ignored);
  };
  if (is_file(path)) return path;
  std::string file = path.substr(0, path.rfind(':'));  // a.npz:member, x.sqlite:table
  require(file != path && !path.starts_with("sql:") && is_file(file), Errc::unsupported, name_of(path),
          " cannot be cached: there is no file whose content could be checked");
  return file;
}

std::string text_of(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

/// What the options make of a file, as text.
std::string words_of(const ReadOptions& o) {
  Json words{{"columns", o.columns}, {"exclude", o.exclude},     {"missing", name(o.missing)},
             {"na", o.na},           {"separator", o.separator}, {"decimal", std::string(1, o.decimal)},
             {"comment", o.comment}};
  if (o.raw) words["raw"] = {name(o.raw->type), o.raw->columns};
  return text_of(words);
}

/// Size and digest of a file as it is now.
Json content_of(const std::string& file) {
  const std::unique_ptr<ByteSource> source = open_source(file);
  Sha256 hash;
  std::uint64_t size = 0;
  std::vector<char> buffer(1 << 20);
  for (std::size_t got = source->read(buffer); got > 0; got = source->read(buffer)) {
    hash.add({buffer.data(), got});
    size += got;
  }
  return {{"size", size}, {"sha256", hash.digest()}};
}

/// Writes a cache as the rows come.
class CacheWriter {
 public:
  explicit CacheWriter(const std::string& path) : file_(path) {}

  void add(const RowChunk& chunk) {
    d_ = chunk.points.cols();
    write(chunk.points.data, chunk.points.n * d_ * sizeof(double));
    for (const std::uint64_t row : chunk.rows) {
      ++n_;
      if (row == n_ && numbers_.empty()) continue;
      if (numbers_.empty()) {  // the first row that is not at its own place
        numbers_.resize(n_ - 1);
        std::iota(numbers_.begin(), numbers_.end(), std::uint64_t{1});
      }
      numbers_.push_back(row);
    }
  }

  void finish(Json about, const RowStream& stream) {
    const bool numbered = stream.rows_dropped > 0;
    if (numbered && numbers_.empty()) {  // the rows dropped were the last ones
      numbers_.resize(n_);
      std::iota(numbers_.begin(), numbers_.end(), std::uint64_t{1});
    }
    if (numbered) write(numbers_.data(), numbers_.size() * sizeof(std::uint64_t));
    about["columns"] = stream.columns;
    about["rows"] = n_;
    about["rows_dropped"] = stream.rows_dropped;
    hash_.add(text_of(about));
    about["sha256"] = hash_.digest();
    const std::string text = text_of(about);
    const std::uint64_t length = text.size();
    file_.stream() << text << bytes_of(&length, sizeof length) << mark;
    file_.commit();
  }

 private:
  void write(const void* values, std::size_t size) {
    hash_.add(bytes_of(values, size));
    file_.stream() << bytes_of(values, size);
  }

  OutputFile file_;
  Sha256 hash_;
  std::size_t d_ = 0;
  std::uint64_t n_ = 0;
  std::vector<std::uint64_t> numbers_;
};

/// Rows of a source that must be read whole.
RowStream stream_source(const std::string& path, const ReadOptions& options, const RowSink& sink) {
  Table table = read_numbers(path, options);
  std::vector<std::uint64_t> numbers(table.points.rows());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = table.source_row(i);
  sink({table.points, numbers});
  return {std::move(table.columns), numbers.size(), table.rows_dropped};
}

Json asked_of(const std::string& file, const ReadOptions& options) {
  return {{"format", format}, {"asked", words_of(options)}, {"source", content_of(file)}};
}

void make_cache(const std::string& path, const ReadOptions& options, const std::string& file,
                const Json& asked, const std::string& cache) {
  CacheWriter writer(cache);
  const RowSink sink = [&](const RowChunk& chunk) { writer.add(chunk); };
  const RowStream stream =
      is_source(path) ? stream_source(path, options, sink) : stream_rows(path, options, sink);
  std::error_code ignored;
  require(std::filesystem::file_size(file, ignored) == asked["source"]["size"].get<std::uint64_t>(), Errc::io,
          name_of(path), " changed while it was read");
  writer.finish(asked, stream);
}

/// What a cache says of itself; nothing where it is no whole cache.
std::optional<Json> about_cache(const Mapping& mapping, std::size_t& data_size) {
  constexpr std::size_t end = sizeof(std::uint64_t) + mark.size();
  if (mapping.size() < end) return {};
  const char* const tail = mapping.data() + mapping.size() - end;
  if (std::string_view(tail + sizeof(std::uint64_t), mark.size()) != mark) return {};
  std::uint64_t length = 0;
  std::memcpy(&length, tail, sizeof length);
  if (length > mapping.size() - end) return {};
  data_size = mapping.size() - end - length;
  Json about = Json::parse(mapping.data() + data_size, tail, nullptr, false);
  if (about.is_discarded() || !about.is_object()) return {};
  return about;
}

/// Of all that a cache holds but the digest itself.
std::string digest_of(const Mapping& mapping, std::size_t data_size, Json about) {
  about.erase("sha256");
  Sha256 hash;
  hash.add({mapping.data(), data_size});
  hash.add(text_of(about));
  return hash.digest();
}

/// The cache if it is that of the file as it is now, and whole.
std::optional<CachedTable> open_cache(const std::string& cache, const Json& asked) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(cache, ignored) || std::filesystem::file_size(cache, ignored) == 0)
    return {};
  const auto mapping = std::make_shared<const Mapping>(cache);
  std::size_t data_size = 0;
  const std::optional<Json> about = about_cache(*mapping, data_size);
  if (!about) return {};
  try {
    for (const auto& [key, value] : asked.items())
      if (about->at(key) != value) return {};
    const auto n = whole<std::size_t>(*about, "rows");
    CachedTable table{.columns = about->at("columns").get<std::vector<std::string>>(),
                      .rows_dropped = whole<std::size_t>(*about, "rows_dropped")};
    const std::size_t d = table.columns.size(), numbers = table.rows_dropped > 0 ? n : 0;
    if (n == 0 || d == 0 || data_size / 8 / n < d || data_size != 8 * (n * d + numbers)) return {};
    if (digest_of(*mapping, data_size, *about) != about->at("sha256").get<std::string>()) return {};
    table.points = rows_of(mapping, 0, n, d);
    table.rows = {reinterpret_cast<const std::uint64_t*>(mapping->data() + 8 * n * d), numbers};
    return table;
  } catch (const Json::exception&) {
    return {};
  }
}

}  // namespace

std::string cache_of(const std::string& path, const ReadOptions& options, const std::string& folder) {
  const std::filesystem::path file = std::filesystem::absolute(file_behind(path));
  const std::string whole = file.lexically_normal().string() + '\n' + path + '\n' + words_of(options);
  return std::filesystem::path(folder) /
         (file.filename().string() + "." + sha256(whole).substr(0, 16) + ".motmot");
}

CachedTable map_cached(const std::string& path, const ReadOptions& options, const std::string& folder) {
  require(options.weights.empty(), Errc::unsupported, "a cache has no weights");
  require(options.kinds.empty() && options.missing != Missing::level, Errc::unsupported,
          "a cache has numbers alone");
  const std::string file = file_behind(path), cache = cache_of(path, options, folder);
  const Json asked = asked_of(file, options);
  if (std::optional<CachedTable> found = open_cache(cache, asked)) return std::move(*found);
  make_folder(folder);
  make_cache(path, options, file, asked, cache);
  std::optional<CachedTable> made = open_cache(cache, asked);
  require(made.has_value(), Errc::io, name_of(cache), " changed while it was opened");
  made->made = true;
  return std::move(*made);
}

}  // namespace motmot
