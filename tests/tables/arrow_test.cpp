#include "motmot/arrow.hpp"

#include <cerrno>
#include <cstring>
#include <deque>

#include "tables/frames.hpp"

namespace motmot {
namespace {

using test::error_of;
using test::expect_sound;
using test::missing;
using test::same;
using test::same_numbers;
using test::texts;
using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string bits(const std::vector<bool>& values) {
  std::string bytes(values.size() / 8 + 1, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i]) bytes[i / 8] = static_cast<char>(bytes[i / 8] | 1 << i % 8);
  return bytes;
}

/// A column of one chunk; an empty first buffer is one that is not there.
struct Made {
  std::string format;
  Strings buffers;
  std::size_t length = 0;
  std::int64_t offset = 0;
  std::deque<Made> dictionary{};
};

Made strings(const Strings& values, const std::string& present = "", std::int64_t offset = 0) {
  std::vector<std::int32_t> ends{0};
  std::string text;
  for (const std::string& value : values) ends.push_back(static_cast<std::int32_t>((text += value).size()));
  return {"u",
          {present, bytes_of(ends), text + "beyond"},
          values.size() - static_cast<std::size_t>(offset),
          offset};
}

/// What a stream has handed out and not got back.
int alive = 0;

ArrowSchema* schema_of(const Made& column, const std::string& name) {
  auto* const schema = new ArrowSchema{};
  schema->format = ::strdup(column.format.c_str());
  schema->name = ::strdup(name.c_str());
  if (!column.dictionary.empty()) schema->dictionary = schema_of(column.dictionary.front(), "");
  return schema;
}

ArrowArray* array_of(const Made& column) {
  auto* const array = new ArrowArray{};
  array->length = static_cast<std::int64_t>(column.length);
  array->offset = column.offset;
  array->null_count = -1;
  array->n_buffers = static_cast<std::int64_t>(column.buffers.size());
  array->buffers = new const void*[column.buffers.size() + 1];
  for (std::size_t k = 0; k < column.buffers.size(); ++k)
    array->buffers[k] = k == 0 && column.buffers[0].empty() ? nullptr : column.buffers[k].data();
  if (!column.dictionary.empty()) array->dictionary = array_of(column.dictionary.front());
  return array;
}

void free_parts(ArrowSchema* schema) {
  if (schema->dictionary != nullptr) free_parts(schema->dictionary);
  std::free(const_cast<char*>(schema->format));
  std::free(const_cast<char*>(schema->name));
  delete schema;
}

void free_parts(ArrowArray* array) {
  if (array->dictionary != nullptr) free_parts(array->dictionary);
  delete[] array->buffers;
  delete array;
}

template <class T>
void release(T* whole) {
  for (std::int64_t j = 0; j < whole->n_children; ++j) free_parts(whole->children[j]);
  delete[] whole->children;
  whole->release = nullptr;
  --alive;
}

using Chunk = std::vector<Made>;

/// Chunks of columns "a", "b", ... as a stream; it fails where a chunk has no columns.
class Stream {
 public:
  explicit Stream(std::vector<Chunk> chunks) : chunks_(std::move(chunks)) {
    ++alive;
    stream_ = {get_schema, get_next, [](ArrowArrayStream*) { return "the well is dry"; },
               [](ArrowArrayStream* stream) {
                 stream->release = nullptr;
                 --alive;
               },
               this};
  }
  ~Stream() { EXPECT_EQ(alive, 0); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  ArrowArrayStream& operator*() { return stream_; }
  std::int64_t whole_offset = 0;  ///< of the struct

 private:
  static Stream& self(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
    const Chunk& first = self(stream).chunks_.front();
    *schema = {};
    schema->format = "+s";
    schema->n_children = static_cast<std::int64_t>(first.size());
    schema->children = new ArrowSchema*[first.size()];
    for (std::size_t j = 0; j < first.size(); ++j)
      schema->children[j] = schema_of(first[j], std::string(1, static_cast<char>('a' + j)));
    schema->release = release<ArrowSchema>;
    ++alive;
    return 0;
  }

  static int get_next(ArrowArrayStream* stream, ArrowArray* array) {
    Stream& own = self(stream);
    *array = {};
    if (own.next_ == own.chunks_.size()) return 0;
    const Chunk& chunk = own.chunks_[own.next_++];
    if (chunk.empty()) return EIO;
    array->length = static_cast<std::int64_t>(chunk.front().length) - own.whole_offset;
    array->offset = own.whole_offset;
    array->n_children = static_cast<std::int64_t>(chunk.size());
    array->children = new ArrowArray*[chunk.size()];
    for (std::size_t j = 0; j < chunk.size(); ++j) array->children[j] = array_of(chunk[j]);
    array->release = release<ArrowArray>;
    ++alive;
    return 0;
  }

  std::vector<Chunk> chunks_;
  std::size_t next_ = 0;
  ArrowArrayStream stream_{};
};

Frame read(const std::vector<Chunk>& chunks) {
  Stream stream(chunks);
  Frame frame = read_arrow(*stream);
  expect_sound(frame);
  return frame;
}

Column column(const Made& made) { return read({{made}}).columns.at(0); }

std::string complaint(const std::vector<Chunk>& chunks) {
  Stream stream(chunks);
  return error_of([&] { static_cast<void>(read_arrow(*stream)); });
}

template <class T>
Made numbers(const std::string& format, const std::vector<double>& values, const std::string& present = "") {
  std::vector<T> stored;
  for (const double value : values) stored.push_back(static_cast<T>(value));
  return {format, {present, bytes_of(stored)}, values.size()};
}

TEST(Arrow, ReadsNumbersOfEveryType) {
  const std::string present = bits({true, false, true});
  const Doubles wanted{1, missing, 100};
  const std::vector<Made> all{numbers<std::int8_t>("c", {1, 2, 100}, present),
                              numbers<std::uint8_t>("C", {1, 2, 100}, present),
                              numbers<std::int16_t>("s", {1, 2, 100}, present),
                              numbers<std::uint16_t>("S", {1, 2, 100}, present),
                              numbers<std::int32_t>("i", {1, 2, 100}, present),
                              numbers<std::uint32_t>("I", {1, 2, 100}, present),
                              numbers<std::int64_t>("l", {1, 2, 100}, present),
                              numbers<std::uint64_t>("L", {1, 2, 100}, present),
                              numbers<float>("f", {1, 2, 100}, present),
                              numbers<double>("g", {1, 2, 100}, present),
                              {"e", {present, bytes_of<std::uint16_t>({0x3c00, 0, 0x5640})}, 3}};
  for (const Made& made : all) {
    const Column read = column(made);
    EXPECT_EQ(read.kind, Kind::number) << made.format;
    EXPECT_TRUE(read.is_whole) << made.format;
    EXPECT_TRUE(same_numbers(read.numbers, wanted)) << made.format;
  }
  EXPECT_TRUE(same_numbers(column(numbers<double>("g", {0.5, INFINITY})).numbers, {0.5, missing}));
  EXPECT_TRUE(same_numbers(column({"n", {}, 2}).numbers, {missing, missing}));
}

TEST(Arrow, ReadsDecimals) {
  const std::vector<std::int64_t> wide{12345, 0, -12345, -1};
  EXPECT_EQ(column({"d:10,2", {"", bytes_of(wide)}, 2}).numbers, (Doubles{123.45, -123.45}));
  EXPECT_EQ(column({"d:10,-2", {"", bytes_of(wide)}, 1}).numbers, (Doubles{1234500}));
  EXPECT_EQ(column({"d:9,1,32", {"", bytes_of<std::int32_t>({-15})}, 1}).numbers, (Doubles{-1.5}));
  EXPECT_EQ(column({"d:18,1,64", {"", bytes_of<std::int64_t>({-15})}, 1}).numbers, (Doubles{-1.5}));
  EXPECT_EQ(column({"d:70,0,256", {"", bytes_of<std::int64_t>({-1, -1, -1, -1})}, 1}).numbers, (Doubles{-1}));
}

TEST(Arrow, ReadsTimesAsSeconds) {
  EXPECT_EQ(column(numbers<std::int32_t>("tdD", {1})).numbers, Doubles{86400});
  EXPECT_EQ(column(numbers<std::int64_t>("tdm", {86400e3})).numbers, Doubles{86400});
  for (const auto& [format, scale] : std::vector<std::pair<std::string, double>>{
           {"tss:", 1}, {"tsm:", 1e3}, {"tsu:UTC", 1e6}, {"tsn:Europe/Zurich", 1e9}}) {
    const Column read = column(numbers<std::int64_t>(format, {1e9 * scale}));
    EXPECT_EQ(read.kind, Kind::time);
    EXPECT_EQ(read.numbers, Doubles{1e9}) << format;
  }
}

TEST(Arrow, ReadsTexts) {
  const Strings values{"b", "", "a text of more than twelve bytes", "a", "b"};
  const std::string present = bits({true, true, true, false, true});
  Strings wanted = values;
  wanted[3] = "(missing)";
  EXPECT_EQ(texts(column(strings(values, present))), wanted);
  Made large = strings(values, present);
  large.format = "U";
  const std::vector<std::int64_t> ends{0, 1, 1, 33, 34, 35};
  large.buffers[1] = bytes_of(ends);
  EXPECT_EQ(texts(column(large)), wanted);
}

TEST(Arrow, ReadsViewsOfTexts) {
  const std::string text = "a text of more than twelve bytes";
  std::string views(48, '\0');
  views[0] = 12;
  views.replace(4, 12, "exactly12chr");
  const std::int32_t longer[4] = {static_cast<std::int32_t>(text.size()), 0, 1, 3};
  std::memcpy(views.data() + 16, longer, sizeof longer);
  const std::string sizes = bytes_of<std::int64_t>({5, static_cast<std::int64_t>(text.size() + 3)});
  EXPECT_EQ(texts(column({"vu", {bits({true, true, true}), views, "first", "..." + text, sizes}, 3})),
            (Strings{"exactly12chr", text, ""}));
}

TEST(Arrow, ReadsBooleansAndDictionaries) {
  EXPECT_EQ(texts(column({"b", {bits({true, true, false, true}), bits({false, true, true, false})}, 4})),
            (Strings{"false", "true", "(missing)", "false"}));
  Made made = numbers<std::int8_t>("c", {2, 0, 1, 2}, bits({true, true, false, true}));
  made.dictionary.push_back(strings({"x", "y", "z"}));
  const Column read = column(made);
  EXPECT_EQ(texts(read), (Strings{"z", "x", "(missing)", "z"}));
  EXPECT_EQ(read.levels, (Strings{"z", "x"}));
  made.dictionary.front() = numbers<double>("g", {0.5, 1, 2});
  EXPECT_TRUE(same_numbers(column(made).numbers, {2, 0.5, missing, 2}));
}

TEST(Arrow, JoinsDictionariesThatDifferBetweenChunks) {
  Made first = numbers<std::uint8_t>("C", {0, 1});
  first.dictionary.push_back(strings({"x", "y"}));
  Made second = numbers<std::uint8_t>("C", {0, 1});
  second.dictionary.push_back(strings({"y", "w"}));
  EXPECT_EQ(texts(read({{first}, {second}}).columns[0]), (Strings{"x", "y", "y", "w"}));
}

// Whatever the offsets and however the rows are cut into chunks, the same frame comes out.
TEST(Arrow, ReadsTheSameHoweverRowsAreCutIntoChunks) {
  test::for_each_seed(30, [](Rng& rng) {
    const std::size_t n = 1 + rng.below(60);
    Doubles values;
    Strings names;
    std::vector<bool> is_there;
    std::vector<bool> flags;
    for (std::size_t i = 0; i < n; ++i) {
      values.push_back(rng.below(100) / 4.0);
      names.push_back("level " + std::to_string(rng.below(9)));
      is_there.push_back(rng.below(3) != 0);
      flags.push_back(rng.below(2) != 0);
    }
    const auto part = [&](std::size_t from, std::size_t to, std::size_t offset) {
      // `offset` rows of the buffers come before those that are meant.
      const auto cut = [&](const auto& all) {
        return std::decay_t<decltype(all)>(all.begin() + static_cast<std::ptrdiff_t>(from - offset),
                                           all.begin() + static_cast<std::ptrdiff_t>(to));
      };
      const std::string present = bits(cut(is_there));
      Chunk chunk{numbers<double>("g", cut(values), present),
                  strings(cut(names), present),
                  {"b", {present, bits(cut(flags))}, to - from + offset}};
      for (Made& made : chunk) {
        made.length = to - from;
        made.offset = static_cast<std::int64_t>(offset);
      }
      return chunk;
    };
    std::vector<Chunk> chunks;
    for (std::size_t from = 0; from < n;) {
      const std::size_t to = from + 1 + rng.below(static_cast<std::uint32_t>(n - from));
      chunks.push_back(part(from, to, rng.below(static_cast<std::uint32_t>(from + 1))));
      from = to;
    }
    const Frame whole = read({part(0, n, 0)});
    EXPECT_TRUE(same(read(chunks), whole));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(texts(whole.columns[1])[i], is_there[i] ? names[i] : "(missing)");
      EXPECT_EQ(texts(whole.columns[2])[i], !is_there[i] ? "(missing)" : flags[i] ? "true" : "false");
    }
  });
}

TEST(Arrow, HeedsTheOffsetOfTheWholeTable) {
  Stream stream({{numbers<double>("g", {1, 2, 3}), strings({"x", "y", "z"})}});
  stream.whole_offset = 1;
  const Frame frame = read_arrow(*stream);
  EXPECT_EQ(frame.columns[0].numbers, (Doubles{2, 3}));
  EXPECT_EQ(texts(frame.columns[1]), (Strings{"y", "z"}));
}

TEST(Arrow, RefusesInOneSentence) {
  for (const auto& [format, what] :
       std::vector<std::pair<std::string, std::string>>{{"z", "bytes"},
                                                        {"w:16", "bytes"},
                                                        {"ttu", "a time of day"},
                                                        {"tDn", "a duration"},
                                                        {"+l", "a list"},
                                                        {"+s", "a struct"},
                                                        {"+r", "of a type that is not read"},
                                                        {"", "of a type that is not read"}})
    EXPECT_EQ(complaint({{numbers<double>("g", {1}), {format, {}, 1}}}),
              "the table, column 2 'b' is " + what + " (Arrow's '" + format +
                  "'); cast it to a number, a string or a timestamp, or leave it out");
  EXPECT_EQ(complaint({{numbers<double>("g", {})}}), "the table has no rows");
  EXPECT_EQ(complaint({{numbers<double>("g", {1})}, {}}),
            "the table: its Arrow stream failed ('the well is dry')");
  Made lost = numbers<std::int8_t>("c", {3});
  lost.dictionary.push_back(strings({"x", "y", "z"}));
  EXPECT_EQ(complaint({{lost}}), "the table, column 1 'a': 3 is not a place in its dictionary of 3");
  EXPECT_EQ(complaint({{numbers<double>("g", {1, 2}), numbers<double>("g", {1})}}),
            "the table, column 2 'b': the stream hands over fewer values than it says");
  Stream stream({{numbers<double>("g", {1})}});
  static_cast<void>(read_arrow(*stream));
  EXPECT_EQ(error_of([&] { static_cast<void>(read_arrow(*stream)); }),
            "the table: its Arrow stream has been read already");
}

}  // namespace
}  // namespace motmot
