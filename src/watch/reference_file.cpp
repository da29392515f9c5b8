// A line that names the schema and the SHA-256 of the rest, then the rest: one object of JSON.
#include "watch/reference_file.hpp"

#include <algorithm>
#include <filesystem>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "base/sha256.hpp"
#include "data/byte_source.hpp"
#include "data/complaint.hpp"
#include "watch/json_of.hpp"

namespace motmot {
namespace {

constexpr std::string_view magic = "motmot reference ", hash_is = " sha256 ";

Json column_json(const Column& column) {
  Json json{{"name", column.name}, {"kind", name(column.kind)}};
  if (column.kind == Kind::category) {
    json["levels"] = column.levels;
    Json& codes = json["codes"] = Json::array();
    for (const std::uint32_t code : column.codes)
      codes.push_back(code == Column::no_level ? Json(nullptr) : Json(code));
  } else {
    json["numbers"] = column.numbers;  // NaN is written as null
    json["is_whole"] = column.is_whole;
  }
  return json;
}

Column column_from(const Json& json) {
  Column column{.name = json.at("name").get<std::string>()};
  read_json(json.at("kind"), column.kind);
  if (column.kind != Kind::category) {
    read_json(json.at("numbers"), column.numbers);
    column.is_whole = json.at("is_whole").get<bool>();
    return column;
  }
  column.levels = json.at("levels").get<std::vector<std::string>>();
  for (const Json& code : json.at("codes"))
    column.codes.push_back(code.is_null() ? Column::no_level : whole<std::uint32_t>(code));
  return column;
}

Json coded_json(const CodedColumn& column) {
  return {{"name", column.name},      {"kind", name(column.kind)},
          {"unit", column.unit},      {"time_unit", name(column.time_unit)},
          {"fill", column.fill},      {"has_missing", column.has_missing},
          {"levels", column.levels},  {"pooled", column.pooled},
          {"is_open", column.is_open}};
}

CodedColumn coded_from(const Json& json, std::size_t place) {
  CodedColumn column{.name = json.at("name").get<std::string>(),
                     .place = place,
                     .unit = json.at("unit").get<double>(),
                     .fill = json.at("fill").get<double>(),
                     .has_missing = json.at("has_missing").get<bool>(),
                     .levels = json.at("levels").get<std::vector<std::string>>(),
                     .pooled = whole<std::size_t>(json, "pooled"),
                     .is_open = json.at("is_open").get<bool>()};
  read_json(json.at("kind"), column.kind);
  read_json(json.at("time_unit"), column.time_unit);
  return column;
}

Json coding_json(const Coding& coding) {
  Json columns = Json::array();
  for (const CodedColumn& column : coding.columns) columns.push_back(coded_json(column));
  return {{"scale", coding.scale},
          {"category_weight", coding.category_weight},
          {"columns", std::move(columns)},
          {"left_out", json_of(coding.left_out)}};
}

Coding coding_from(const Json& json) {
  Coding coding{.scale = json.at("scale").get<std::string>(),
                .category_weight = json.at("category_weight").get<double>()};
  for (const Json& column : json.at("columns"))
    coding.columns.push_back(coded_from(column, coding.columns.size()));
  read_json(json.at("left_out"), coding.left_out);
  return coding;
}

std::string body_of(const Reference& reference) {
  Json columns = Json::array();
  for (const Column& column : reference.rows.columns) columns.push_back(column_json(column));
  const Json json{{"schema", reference_schema},
                  {"name", reference.name},
                  {"tau", reference.tau},
                  {"missing", name(reference.missing)},
                  {"source_rows", reference.source_rows},
                  {"rows_dropped", reference.rows.rows_dropped},
                  {"has_names", reference.has_names},
                  {"exclude", reference.exclude},
                  {"na", reference.na},
                  {"seed", reference.seed},
                  {"coding", coding_json(reference.coding)},
                  {"own_chunks", json_of(reference.own)},
                  {"rows", reference.rows.rows},
                  {"columns", std::move(columns)}};
  return dumped(json) + "\n";
}

/// Schema 1 had other measures of own chunks: their scores are not known. In schema 2 a score was the largest
/// of its parts: alike for random rows, and somewhat different for days that differ. It is used where
/// monitor() has not all rows to find it anew.
OwnChunks own_from(Json json, int schema, bool has_all_rows) {
  if (schema == 1 || (schema == 2 && has_all_rows)) json["score"] = Json::array();
  OwnChunks own;
  read_json(json, own);
  return own;
}

/// From schema 3 on the body names it, too, so that the SHA-256 covers it.
Reference reference_of(const Json& json, int schema) {
  require(json.value("schema", std::min(schema, 2)) == schema, Errc::io, "its first line names another");
  Reference reference{.name = json.at("name").get<std::string>(),
                      .coding = coding_from(json.at("coding")),
                      .tau = json.at("tau").get<double>(),
                      .source_rows = whole<std::size_t>(json, "source_rows"),
                      .has_names = json.at("has_names").get<bool>(),
                      .exclude = json.at("exclude").get<std::vector<std::string>>(),
                      .na = json.at("na").get<std::vector<std::string>>(),
                      .seed = whole<std::uint64_t>(json, "seed")};
  read_json(json.at("missing"), reference.missing);
  reference.rows.rows_dropped = whole<std::size_t>(json, "rows_dropped");
  read_json(json.at("rows"), reference.rows.rows);
  for (const Json& column : json.at("columns")) reference.rows.columns.push_back(column_from(column));
  reference.own = own_from(json.at("own_chunks"), schema, reference.has_all_rows());
  return reference;
}

/// What a file with a right digest may still have wrong, if somebody wrote it by hand.
void require_sound(const Reference& reference) {
  const std::size_t n = reference.rows.rows.size();
  require(n > 0 && n <= reference.source_rows, Errc::io, "its rows do not add up");
  require(reference.rows.columns.size() == reference.coding.columns.size(), Errc::io,
          "its columns do not add up");
  for (std::size_t j = 0; j < reference.rows.columns.size(); ++j) {
    const Column& column = reference.rows.columns[j];
    const bool known = std::ranges::all_of(column.codes, [&](std::uint32_t code) {
      return code == Column::no_level || code < column.levels.size();
    });
    require(column.rows() == n && known && column.kind == reference.coding.columns[j].kind, Errc::io,
            "its column ", shown(column.name), " does not add up");
  }
  const OwnChunks& own = reference.own;
  require(own.count() > 0 && (own.score.size() == own.count() || own.score.empty()), Errc::io,
          "its own chunks do not add up");
}

std::string header_of(const std::string& digest, int schema = reference_schema) {
  return std::string(magic) + std::to_string(schema) + std::string(hash_is) + digest;
}

/// The schema that the first line names; it must look like one.
int schema_of(const std::string& header, const std::string& source) {
  const std::size_t end = header.find(hash_is);
  const std::string number = end == std::string::npos || !header.starts_with(magic)
                                 ? ""
                                 : header.substr(magic.size(), end - magic.size());
  require(!number.empty() && number.size() < 9 && number.find_first_not_of("0123456789") == std::string::npos,
          Errc::io, source, " is not a reference: motmot reference NAME X makes one");
  return std::stoi(number);
}

std::string bytes_of(const std::string& path) {
  const std::unique_ptr<ByteSource> source = open_source(path);
  std::string all;
  std::vector<char> buffer(1 << 16);
  while (const std::size_t count = source->read(buffer)) all.append(buffer.data(), count);
  return all;
}

}  // namespace

std::string digest_of_reference(const Reference& reference) { return sha256(body_of(reference)); }

std::string file_text(const Reference& reference) {
  const std::string body = body_of(reference);
  return header_of(sha256(body)) + "\n" + body;
}

Reference reference_from(const std::string& file, const std::string& source) {
  const std::size_t line = file.find('\n');
  const std::string header = file.substr(0, line);
  const int schema = schema_of(header, source);
  require(1 <= schema && schema <= reference_schema, Errc::io, source, " is a reference of schema ", schema,
          "; this version of motmot reads 1 to ", reference_schema);
  require(line != std::string::npos && file.size() > line + 1, Errc::io, source,
          " is cut short: nothing follows its first line");
  const std::string body = file.substr(line + 1);
  const std::string digest = sha256(body);
  require(header == header_of(digest, schema), Errc::io, source,
          " was cut short or changed: its content does not have the SHA-256 that its first line names");
  try {
    Reference reference = reference_of(Json::parse(body), schema);
    require_sound(reference);
    reference.digest = digest;
    return reference;
  } catch (const std::exception& error) {
    fail(Errc::io, source, " is not a reference of schema ", schema, ": ", error.what());
  }
}

void require_replaceable(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown) || std::filesystem::file_size(path, unknown) == 0)
    return;
  std::vector<char> start(magic.size());
  const std::size_t count = open_source(path)->read(start);
  require(std::string_view(start.data(), count) == magic, Errc::invalid_argument, name_of(path),
          " is there and is no reference, so it is not replaced; the name of the reference comes first, then "
          "the table");
}

void save(const Reference& reference, const std::string& path) {
  require_replaceable(path);
  const std::string text = file_text(reference);  // first: where memory ends in JSON, no temporary is left
  OutputFile out(path);
  out.stream() << text;
  out.commit();
}

Reference load_reference(const std::string& path) { return reference_from(bytes_of(path), name_of(path)); }

}  // namespace motmot
