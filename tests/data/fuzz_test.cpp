#include <algorithm>
#include <array>
#include <cmath>

#include "data/bytes.hpp"

namespace motmot {
namespace {

using test::elements;
using test::Files;
using test::for_each_seed;
using test::npy;

struct Seed {
  std::string name;
  std::string bytes;
};

std::vector<Seed> valid_files() {
  const std::string array = npy("<f8", "(4, 2)", elements<double>({1, 2, 3, 4, 5, 6, 7, 8}));
  const std::string csv = "x,\"y, z\",label\n1,2.5,\"a \"\"b\"\"\"\r\n-3e5,+4,c\n\n5,NA,\"d\ne\"\n7,8,f\n";
  return {{"a.csv", csv},
          {"b.csv", "1;2;3\n4;5;6\n7;8;9"},
          {"c.txt", "# a b\nx  \"y z\" w\n 1 2,5 3\n4 -999 6 \n7 8 9"},
          {"d.txt", "x|y|z\n1|2|3\n4|5|6\n"},
          {"a.npy", array},
          {"f.npy", npy(">f4", "(2, 2, 2)", elements<float>({1, 2, 3, 4, 5, 6, 7, 8}, true), true, 2)},
          {"a.npz", test::zip({{"x.npy", array, true}})},
          {"b.npz", test::zip({{"x.npy", array, false, true}})},
          {"a.idx", test::idx(0x08, {2, 2, 2}, "abcdefgh")},
          {"a.csv.gz", test::gzip(csv)},
          {"a.npy.gz", test::gzip(array)},
          {"a.csv.zst", test::zstd(csv)},
          {"a.npy.zst", test::zstd(array)},
          {"unnamed", array}};
}

/// Bytes flipped, overwritten, cut out, doubled or cut off; digits and separators with preference,
/// since they lead deepest into the readers.
std::string mutated(std::string bytes, Rng& rng) {
  constexpr std::string_view favourites = "0123456789,;\t\"\n\r -+.eE'(){}NaAinf\xff\x7f\x80PK\x01";
  const std::uint32_t count = 1 + rng.below(6);
  for (std::uint32_t k = 0; k < count && !bytes.empty(); ++k) {
    const std::size_t at = rng.below(static_cast<std::uint32_t>(bytes.size()));
    const std::size_t length = rng.below(8);
    switch (rng.below(6)) {
      case 0:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
        break;
      case 1:
        bytes[at] = favourites[rng.below(static_cast<std::uint32_t>(favourites.size()))];
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 4:
        bytes.insert(at, 1, favourites[rng.below(static_cast<std::uint32_t>(favourites.size()))]);
        break;
      default:
        if (rng.below(4) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

ReadOptions any_options(Rng& rng) {
  ReadOptions options;
  if (rng.below(3) == 0) options.columns = {"1", "x"};
  if (rng.below(2) == 0) options.exclude = {rng.below(2) == 0 ? "3" : "label"};
  if (rng.below(3) == 0) options.weights = "2";
  if (rng.below(2) == 0) options.missing = Missing::drop;
  if (rng.below(3) == 0) options.na = {"-999", "c"};
  if (rng.below(3) == 0) options.comment = "#";
  if (rng.below(8) == 0) options.separator = std::array{"space", "|", ";", ","}[rng.below(4)];
  if (rng.below(8) == 0 && options.separator != ",") options.decimal = ',';
  return options;
}

// Whatever the bytes, the reader returns a sound table or throws motmot::Error with one line of text.
TEST(ReadTable, SurvivesDamagedFiles) {
  Files files;
  const std::vector<Seed> seeds = valid_files();
  std::size_t read = 0;
  for_each_seed(4000, [&](Rng& rng) {
    const Seed& seed = seeds[rng.below(static_cast<std::uint32_t>(seeds.size()))];
    const std::string path = files.write(seed.name, mutated(seed.bytes, rng));
    try {
      const Table table = read_table(path, any_options(rng));
      ++read;
      EXPECT_GT(table.points.rows(), 0u);
      EXPECT_EQ(table.columns.size(), table.points.cols());
      EXPECT_EQ(table.points.values().size(), table.points.rows() * table.points.cols());
      EXPECT_TRUE(table.weights.empty() || table.weights.size() == table.points.rows());
      EXPECT_TRUE(
          std::ranges::all_of(table.points.values(), [](double value) { return std::isfinite(value); }));
      EXPECT_EQ(table.rows.size(), table.rows_dropped > 0 ? table.points.rows() : 0u);
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).find_first_of("\n\r"), std::string_view::npos) << error.what();
    }
  });
  EXPECT_GT(read, 100u);
}

}  // namespace
}  // namespace motmot
