// References: what is learnt, the file, and what is refused.
#include <cmath>

#include "base/sha256.hpp"
#include "motmot/watch.hpp"
#include "watch/reference_file.hpp"
#include "watch_tables.hpp"

namespace motmot::test {
namespace {

Reference small_reference(std::uint64_t seed = 1) {
  Rng rng(seed, Purpose::test);
  return make_reference(mixed_table(rng, 200), {.name = "small", .chunk_rows = 20, .threads = 1});
}

TEST(Reference, HasFortyChunksOfItsOwnAndSmallOnesTwenty) {
  Rng rng(4, Purpose::test);
  const auto own = [&](std::size_t rows) {
    return make_reference(mixed_table(rng, rows), {.threads = 1}).own;
  };
  const OwnChunks small = own(200), usual = own(1200);
  EXPECT_EQ(small.rows, 10u);
  EXPECT_EQ(small.count(), 20u);
  EXPECT_EQ(usual.rows, 30u);
  EXPECT_EQ(usual.count(), 40u);
}

TEST(Coding, FromOneTableHasRoomForWhatIsNotThereYet) {
  Rng rng(1, Purpose::test);
  const Frame x = mixed_table(rng, 100);
  const Coding coding = learn_coding(x, {.missing = Missing::level});
  Frame y = x;
  y.columns[1].levels[0] = "never seen";
  y.columns[1].codes[3] = Column::no_level;
  y.columns[0].numbers[5] = std::nan("");
  const Points points = encode(y, coding);
  EXPECT_EQ(points.cols(), coding.width());
  const CodedColumn& city = coding.columns[1];
  EXPECT_TRUE(city.is_open && city.has_missing);
  const std::size_t first = coding.columns[0].width();
  EXPECT_GT(points(0, first + city.levels.size()) + points(1, first + city.levels.size()) +
                points(2, first + city.levels.size()) + points(4, first + city.levels.size()),
            0);
  EXPECT_GT(points(3, first + city.width() - 1), 0);
  EXPECT_EQ(points(5, 1), coding.category_weight);
}

TEST(Coding, FromOneTableKeepsColumnsOfOneValue) {
  Frame x{.columns = {{.name = "a", .numbers = std::vector<double>(30, 4.0)},
                      {.name = "b",
                       .kind = Kind::category,
                       .codes = std::vector<std::uint32_t>(30, 0),
                       .levels = {"u"}}}};
  const Coding coding = learn_coding(x, {.missing = Missing::level});
  ASSERT_EQ(coding.columns.size(), 2u);
  EXPECT_EQ(coding.columns[0].unit, 4);
  Frame y = x;
  y.columns[0].numbers[0] = 8;
  EXPECT_EQ(encode(y, coding)(0, 0), 2);
}

TEST(ReferenceFile, ReadsBackWhatWasWritten) {
  const TempDir folder;
  const Reference made = small_reference();
  save(made, folder / "a.ref");
  const Reference read = load_reference(folder / "a.ref");
  EXPECT_EQ(read.digest, made.digest);
  EXPECT_EQ(file_text(read), file_text(made));
  EXPECT_EQ(read.coding, made.coding);
  EXPECT_EQ(read.own, made.own);
  ASSERT_EQ(read.rows.columns.size(), made.rows.columns.size());
  EXPECT_EQ(read.rows.columns[1].codes, made.rows.columns[1].codes);
  EXPECT_TRUE(std::isnan(read.rows.columns[0].numbers[7]));
}

TEST(ReferenceFile, IsRefusedWhereverItIsCut) {
  const std::string whole = file_text(small_reference());
  for (std::size_t size = 0; size < whole.size(); size += 1000) {
    const std::string said = error_of([&] { (void)reference_from(whole.substr(0, size), "'a'"); });
    EXPECT_TRUE(said.starts_with("'a' ")) << size << ": " << said;
  }
  (void)error_of([&] { (void)reference_from(whole.substr(0, whole.size() - 1), "'a'"); });
  (void)error_of([&] { (void)reference_from(whole + " ", "'a'"); });
}

TEST(ReferenceFile, IsRefusedWhateverBitIsTurned) {
  const std::string whole = file_text(small_reference());
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < 100; ++at) places.push_back(at);  // the first line, and what follows it
  for (std::size_t at = 100; at < whole.size(); at += 499) places.push_back(at);
  for (const std::size_t at : places)
    for (int bit = 0; bit < 8; bit += 1) {
      std::string turned = whole;
      turned[at] = static_cast<char>(turned[at] ^ (1 << bit));
      EXPECT_THROW((void)reference_from(turned, "'a'"), Error) << at << ' ' << bit;
    }
}

TEST(ReferenceFile, OfALaterSchemaIsNamed) {
  std::string file = file_text(small_reference());
  file.replace(file.find(" 3 "), 3, " 7 ");
  EXPECT_EQ(error_of([&] { (void)reference_from(file, "'a'"); }),
            "'a' is a reference of schema 7; this version of motmot reads 1 to 3");
  EXPECT_EQ(error_of([&] { (void)reference_from("a,b\n1,2\n", "'a'"); }),
            "'a' is not a reference: motmot reference NAME X makes one");
}

TEST(ReferenceFile, WithARightDigestAndWrongContentIsRefused) {
  const std::string file = file_text(small_reference());
  std::string body = file.substr(file.find('\n') + 1);
  const std::size_t codes = body.find("\"codes\":[") + 9;
  body.replace(codes, 1, "99");
  EXPECT_THROW((void)reference_from("motmot reference 3 sha256 " + sha256(body) + "\n" + body, "'a'"), Error);
}

// Written by the version that had schema 1 first; never to be written anew.
TEST(ReferenceFile, OfSchemaOneStillReads) {
  const Reference read = load_reference(std::string(MOTMOT_TEST_DIR) + "/data/reference-1.ref");
  EXPECT_EQ(read.name, "small");
  EXPECT_EQ(read.rows.n(), 200u);
  EXPECT_EQ(read.coding.columns.size(), 3u);
  EXPECT_EQ(read.own.count(), 10u);
  Rng rng(1, Purpose::test);
  const Check same = check(read, mixed_table(rng, 200), {.threads = 1});
  EXPECT_NEAR(same.distance.value, 0, 1e-9);
  EXPECT_TRUE(read.own.score.empty());
  EXPECT_EQ(monitor(read, {}, {.one_in = 11}).own.score.size(),
            10u);  // it keeps all rows: they are found anew
  Reference part = read;
  part.source_rows += 1;
  EXPECT_EQ(
      error_of([&] { (void)monitor(part, {}, {.one_in = 11}); }),
      "the reference is of schema 1, whose own chunks have no scores, and does not keep all rows: make it "
      "anew");
}

/// The file as schema 2 had it, whose scores were found by another rule.
std::string as_schema_2(const Reference& reference) {
  const std::string file = file_text(reference);
  std::string body = file.substr(file.find('\n') + 1);
  const std::string mark = "\"schema\":3,";
  body.erase(body.find(mark), mark.size());
  return "motmot reference 2 sha256 " + sha256(body) + "\n" + body;
}

TEST(ReferenceFile, OfSchemaTwoStillReads) {
  const Reference whole = small_reference();
  const Reference read = reference_from(as_schema_2(whole), "'a'");
  EXPECT_TRUE(read.own.score.empty());
  EXPECT_EQ(monitor(read, {}, {.one_in = 5}).own.score, whole.own.score);  // all rows are there: found anew
  Reference part = whole;
  part.source_rows += 1;
  EXPECT_EQ(reference_from(as_schema_2(part), "'a'").own.score, whole.own.score);
}

TEST(Reference, KeepsRowsKindsAndNumbers) {
  Rng rng(3, Purpose::test);
  const Frame x = mixed_table(rng, 500);
  const Reference some = make_reference(x, {.rows = 60, .chunk_rows = 25, .threads = 1});
  EXPECT_EQ(some.rows.n(), 60u);
  EXPECT_EQ(some.source_rows, 500u);
  EXPECT_EQ(some.own.count(), 20u);
  for (std::size_t i = 0; i < 60; ++i) {
    const double there = x.columns[0].numbers[some.rows.rows[i] - 1], kept = some.rows.columns[0].numbers[i];
    EXPECT_TRUE(kept == there || (std::isnan(kept) && std::isnan(there)));
  }
  EXPECT_EQ(some.digest, make_reference(x, {.rows = 60, .chunk_rows = 25, .threads = 2}).digest);
}

TEST(Reference, RefusesWhatItCannotWatch) {
  Rng rng(4, Purpose::test);
  Frame twice = mixed_table(rng, 50);
  twice.columns[2].name = "city";
  EXPECT_EQ(error_of([&] { (void)make_reference(twice); }),
            "the column 'city' occurs twice: columns are matched by name");
  EXPECT_EQ(error_of([&] { (void)make_reference(mixed_table(rng, 10)); }),
            "a reference needs at least 20 rows, got 10");
}

TEST(Matched, OrdersColumnsByNameAndNamesThoseThatDiffer) {
  const Reference reference = small_reference();
  Rng rng(5, Purpose::test);
  Frame y = mixed_table(rng, 30);
  std::swap(y.columns[0], y.columns[2]);
  const Frame ordered = matched(reference, y, "Y");
  EXPECT_EQ(ordered.columns[0].name, "age");
  Frame more = y;
  more.columns.push_back(y.columns[0]);
  more.columns.back().name = "z";
  EXPECT_EQ(error_of([&] { (void)matched(reference, more, "Y"); }),
            "Y has the additional column 'z', which the reference has not: --exclude z leaves it out");
  y.columns.pop_back();
  EXPECT_EQ(error_of([&] { (void)matched(reference, y, "Y"); }),
            "Y has no column 'age', which the reference has; its columns are 'size', 'city'");
}

}  // namespace
}  // namespace motmot::test
