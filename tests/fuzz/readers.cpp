// Files of samples: whatever the bytes and the options, a sound table or one line.
#include <sqlite3.h>

#include <array>
#include <bit>
#include <cmath>

#include "data/bytes.hpp"
#include "fuzz/fuzz.hpp"
#include "motmot/drawn.hpp"
#include "motmot/tables.hpp"

namespace motmot::fuzz {
namespace {

using test::elements;
using test::npy;

ReadOptions options_from(Choices& choices) {
  ReadOptions options;
  const std::uint8_t bits = choices.byte(), more = choices.byte();
  if (bits & 1) options.columns = {"1", "x"};
  if (bits & 2) options.exclude = {bits & 128 ? "3" : "label"};
  if (bits & 4) options.weights = "2";
  options.missing = std::array{Missing::error, Missing::drop, Missing::level, Missing::drop}[bits >> 3 & 3];
  if (bits & 32) options.na = {"-999", "c"};
  if (bits & 64) options.comment = "#";
  options.separator = std::array{"", "", "", "space", "|", ";", ",", "tab"}[more & 7];
  if (more & 8 && options.separator != ",") options.decimal = ',';
  if (more & 16) options.kinds = {{"1", Kind::category}};
  if (more & 32) options.kinds.push_back({"2", Kind::time});
  if (more & 64)
    options.raw = RawLayout{.type = names<RawType>[more & 7].value, .columns = std::size_t{1} + (bits & 3)};
  return options;
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

void expect_sound(const Table& table) {
  const std::size_t n = table.points.rows();
  expect(n > 0 && table.columns.size() == table.points.cols(),
         "a table has rows, and a name for each column");
  expect(table.points.values().size() == n * table.points.cols(), "rows x columns values");
  expect(all_finite(table.points.values()) && all_finite(table.weights), "values are finite");
  expect(table.weights.empty() || table.weights.size() == n, "a weight for each row");
  expect(table.rows.size() == (table.rows_dropped > 0 ? n : 0),
         "a number for each row, where rows were dropped");
}

/// What the call gives; nothing where it complains.
template <class Call>
auto tried(Call call) -> std::optional<decltype(call())> {
  try {
    return call();
  } catch (const Error&) {
    return {};
  }
}

bool same_bits(const std::vector<double>& a, PointsView b) {
  if (a.size() != b.n * b.d) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b.data[i])) return false;
  return true;
}

/// The file in every way that it may be read.
void read_in_all_ways(const std::string& path, const ReadOptions& options) {
  const auto table = tried([&] { return read_table(path, options); });
  if (table) expect_sound(*table);
  const auto drawn =
      tried([&] { return read_drawn(path, options, {.most_values = 4, .rows = 3, .seed = 1}); });
  expect(drawn.has_value() == (table.has_value() && options.weights.empty()),
         "rows are drawn of what can be read; with weights they are not");
  if (drawn)
    expect(drawn->table.points.rows() <= std::max<std::size_t>(3, table->points.rows()),
           "so many rows are drawn");
  if (const auto mapped = tried([&] { return map_points(path, options); }); mapped && table)
    expect(same_bits(table->points.values(), *mapped) || table->rows_dropped > 0,
           "a file that is mapped has the values that are read");
  fuzz::expect_sound(read_frame(path, options));  // last: its complaint is looked at
}

void read_file(Choices choices, const std::vector<std::string>& file_names) {
  const std::string name = file_names[choices.below(file_names.size())];
  const ReadOptions options = options_from(choices);
  if (choices.rest().starts_with("PAR1"))
    return;  // DuckDB's to read: 100 times slower, nothing of ours in it
  read_in_all_ways(written(name, choices.rest()), options);
}

std::string sqlite_file() {
  const std::string path = in_folder("seed.sqlite");
  sqlite3* base = nullptr;
  sqlite3_open(path.c_str(), &base);
  sqlite3_exec(base,
               "create table if not exists t(x, y, label); insert into t values (1, 2.5, 'a'), (3, null, "
               "'b'), (-4, 5, null)",
               nullptr, nullptr, nullptr);
  sqlite3_close(base);
  return content(path);
}

constexpr std::string_view text =
    "x,\"y, z\",label\n1,2.5,\"a \"\"b\"\"\"\r\n-3e5,+4,c\n\n5,NA,\"d\ne\"\n7,8,f\n";

std::string array() { return npy("<f8", "(4, 2)", elements<double>({1, 2, 3, 4, 5, 6, 7, 8})); }

struct Family {
  std::string name;
  std::vector<std::string> file_names;
  std::function<std::vector<std::string>()> files;
};

std::vector<Family> families() {
  return {
      {"csv",
       {"a.csv", "a.tsv", "a.txt"},
       [] {
         return std::vector<std::string>{
             std::string(text), "1;2;3\n4;5;6\n7;8;9", "# a b\nx  \"y z\" w\n 1 2,5 3\n4 -999 6 \n7 8 9",
             "x|y|z\n1|2|3\n4|5|6\n",
             "when,who\n2024-01-31,a\n2024-02-29T12:30:05.25Z,b\n1999-12-31 12:30+01:00,true\n"};
       }},
      {"npy",
       {"a.npy", "unnamed"},
       [] {
         return std::vector<std::string>{
             array(),
             npy(">f4", "(2, 2, 2)", elements<float>({1, 2, 3, 4, 5, 6, 7, 8}, true), true, 2),
             npy("|u1", "(4,)", "abcd"),
             npy("|b1", "(2, 2)", std::string("\1\0\1\1", 4)),
             npy("<f2", "(3, 1)", "abcdef", false, 3),
             npy("<f8", "(1, 1000000000000)", "12345678")};
       }},
      {"npz",
       {"a.npz"},
       [] {
         return std::vector<std::string>{test::zip({{"x.npy", array(), true}}),
                                         test::zip({{"x.npy", array(), false, true}}),
                                         test::zip({{"x.npy", array()}, {"y.npy", array(), true}})};
       }},
      {"idx",
       {"a.idx", "a-idx3-ubyte"},
       [] {
         return std::vector<std::string>{test::idx(0x08, {2, 2, 2}, "abcdefgh"),
                                         test::idx(0x0b, {2, 2}, "abcdefgh"),
                                         test::idx(0x0e, {1, 1}, elements<double>({3}, true)),
                                         test::idx(0x08, {1, 0xffffffff, 1000}, "abc")};
       }},
      {"raw",
       {"a.raw", "a.bin"},
       [] {
         return std::vector<std::string>{elements<double>({1, 2, 3, 4, 5, 6}), "abcdefghijkl"};
       }},
      {"packed",
       {"a.csv.gz", "a.npy.gz", "a.csv.zst", "a.idx.gz", "unnamed"},
       [] {
         return std::vector<std::string>{test::gzip(std::string(text)), test::gzip(array()),
                                         test::zstd(std::string(text)), test::zstd(array(), 19),
                                         test::gzip("1,2\n") + test::gzip("3,4\n")};
       }},
      {"sqlite", {"a.sqlite", "a.db"}, [] { return std::vector<std::string>{sqlite_file()}; }},
  };
}

/// Each file as it is called first, with plain options, and with others.
std::vector<std::string> with_options(const std::vector<std::string>& files) {
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    inputs.push_back(std::string(3, '\0') + files[i]);
    inputs.push_back(std::string{static_cast<char>(i), '\x0a', static_cast<char>(0x40 + i)} + files[i]);
  }
  return inputs;
}

}  // namespace

void expect_sound(const Frame& frame) {
  expect(frame.n() > 0 && (frame.weights.empty() || frame.weights.size() == frame.n()), "a table has rows");
  for (const Column& column : frame.columns) {
    expect(column.rows() == frame.n(), "columns are of one length");
    for (const std::uint32_t code : column.codes)
      expect(code == Column::no_level || code < column.levels.size(), "a code is one of a level");
    for (const double number : column.numbers) expect(!std::isinf(number), "a number is finite or missing");
    for (std::size_t i = 0; i < std::min<std::size_t>(frame.n(), 3); ++i)
      static_cast<void>(cell_text(column, i));
  }
}

std::vector<Target> reader_targets() {
  std::vector<Target> targets;
  for (const Family& family : families())
    targets.push_back(
        {family.name,
         [names = family.file_names](std::string_view bytes) { read_file(Choices(bytes), names); },
         [files = family.files] { return with_options(files()); }});
  return targets;
}

}  // namespace motmot::fuzz
