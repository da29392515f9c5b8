#include "common.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "base/memory.hpp"
#include "base/text.hpp"
#include "base/threads.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "data/mapping.hpp"
#include "data/readers.hpp"
#include "interrupt.hpp"
#include "same_columns.hpp"
#include "watch/frames.hpp"

namespace motmot::app {

namespace {

/// A check that is not part of what help shows of the value.
template <class Rule>
CLI::Validator check(Rule rule, const std::string& must) {
  return {[rule, must](std::string& text) {
            return rule(text) ? std::string() : "must " + must + ", got '" + text + "'";
          },
          ""};
}

}  // namespace

CLI::Validator count() {
  return check(
      [](std::string& text) {
        std::uint64_t value = 0;
        if (!reads_as(text, value)) return false;
        text = std::to_string(value);  // CLI11 reads 010 as an octal number
        return true;
      },
      "be a whole number from 0 to 2^64 - 1");
}

CLI::Validator at_least_one() {
  return check([](const std::string& text) { return text != "0"; }, "be at least 1");
}

CLI::Validator real() {
  return check(
      [](const std::string& text) {
        double value = 0;
        return reads_as(text, value) && std::isfinite(value);
      },
      "be a finite number");
}

CLI::Validator positive() {
  return check([](const std::string& text) { return std::stod(text) > 0; }, "be positive");
}

CLI::Validator word() {
  return {[](const std::string& text) -> std::string {
            if (text.empty()) return "must not be empty";
            return text.starts_with("--") ? "needs a value, got the option '" + text + "'" : "";
          },
          ""};
}

void ReadFlags::add_to(CLI::App& command) {
  const Options input(command, "Input");
  if (!by_reference)
    input.add("--columns", options.columns, "A,B,...",
              "Columns to use, by name or number (from 1), comma-separated");
  input.add("--exclude", options.exclude, "C,...", "Columns to leave out, such as a label");
  if (any_kind) {
    input.add(
        "--missing", options.missing, "",
        "Missing and infinite numbers: error, drop (leaves the row out), or level (that a value is "
        "missing is compared, too). Categories keep missing values as a level of their own, except with "
        "drop" +
            default_words(options.missing));
    input.add("--kinds", kinds, "COL=KIND,...",
              "Kinds of columns, instead of those found: number, category, time");
  } else if (!by_reference) {
    input
        .add("--missing", options.missing, "",
             "Rows with missing or infinite values: error (default) or drop")
        ->type_name("error|drop");
  }
  input.add(
      "--na", options.na, "V,...",
      "Values that are missing, such as -999, beside empty fields, NA, N/A, #N/A, NaN, null, none and ?");
  input.add("--separator", options.separator, "SIGN",
            "What separates the columns of a text: tab, space (any run of blanks), comma, semicolon, pipe or "
            "a sign. Default: the first of tab, ; and , in the first line, else | or space in the first two");
  input.add("--decimal", decimal, ".|,", "Decimal sign of a text: . (default) or ,");
  input.add("--comment", options.comment, "SIGN",
            "Lines of a text that start with this are skipped, such as '#' (default: none are)");
  input.add("--raw", raw, "TYPE,COLS",
            "What .bin and .raw hold, row after row: " + all_names<RawType>() + " and the number of columns");
  memory.add_to(command);
}

namespace {

RawLayout raw_layout(const std::vector<std::string>& words) {
  std::uint64_t columns = 0;
  const std::optional<RawType> type = named<RawType>(words.front());
  require(words.size() == 2 && type && reads_as(words[1], columns) && columns >= 1, Errc::invalid_argument,
          "--raw must be TYPE,COLUMNS with one of the types ", all_names<RawType>(", "),
          ", such as float64,20; got '", fmt::format("{}", fmt::join(words, ",")), "'");
  return {.type = *type, .columns = static_cast<std::size_t>(columns)};
}

}  // namespace

ReadOptions ReadFlags::read_options(const std::string& weights) const {
  require(decimal.size() == 1, Errc::invalid_argument, "--decimal must be '.' or ','; got '", decimal, "'");
  ReadOptions with = options;
  with.decimal = decimal[0];
  with.weights = weights;
  if (!raw.empty()) with.raw = raw_layout(raw);
  for (const std::string& entry : kinds) {
    const std::size_t equals = entry.rfind('=');
    const std::optional<Kind> kind = named<Kind>(entry.substr(std::min(equals, entry.size() - 1) + 1));
    require(equals != std::string::npos && equals > 0 && kind, Errc::invalid_argument,
            "--kinds must be COLUMN=KIND,... with the kinds ", all_names<Kind>(", "), "; got '", entry, "'");
    with.kinds.push_back({entry.substr(0, equals), *kind});
  }
  return with;
}

// -------------------------------------------------------------------------------------------------- memory

namespace {

/// 500MB, 18G, 1.5TB, 4000000; nothing: it is no size.
std::optional<double> size_of(std::string text) {
  if (text.ends_with('B')) text.pop_back();
  constexpr std::string_view units = "kMGT";
  const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
  if (unit != std::string_view::npos) text.pop_back();
  double number = 0;
  if (!reads_as(text, number) || !(number > 0)) return {};
  const double bytes =
      unit == std::string_view::npos ? number : number * std::pow(1000.0, static_cast<double>(unit + 1));
  return bytes >= 1 && bytes < 9e18 ? std::optional(bytes) : std::nullopt;
}

/// How many values a file that is not packed has, from its beginning and its size; 0: nobody knows.
double values_in(const std::string& path, const std::optional<RawLayout>& raw) {
  std::error_code unknown;
  if (path == "-" || is_source(path)) return 0;
  const auto size = static_cast<double>(std::filesystem::file_size(path, unknown));
  std::string start(1 << 16, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  if (unknown || start.empty()) return 0;
  if (is_raw(path))
    return raw ? size * 8 /
                     std::stod(std::string(name(raw->type)).substr(name(raw->type).find_first_of("1368")))
               : 0;
  if (start.starts_with("\x93NUMPY")) {
    const std::size_t type = start.find("'descr': '");
    const char bytes = type < start.size() - 13 ? start[type + 12] : '0';
    return bytes >= '1' && bytes <= '8' ? size / (bytes - '0') : 0;
  }
  if (start.find('\0') != std::string::npos || start.starts_with("\x1f\x8b") || start.starts_with("PK"))
    return 0;
  std::ptrdiff_t separators = 0;
  for (const char sign : {',', ';', '\t', '|'})
    separators = std::max(separators, std::ranges::count(start, sign));
  return static_cast<double>(separators + std::ranges::count(start, '\n')) /
         static_cast<double>(start.size()) * size;
}

#if defined(__has_feature)
#define MOTMOT_HAS_FEATURE(feature) __has_feature(feature)
#else
#define MOTMOT_HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    MOTMOT_HAS_FEATURE(address_sanitizer) || MOTMOT_HAS_FEATURE(thread_sanitizer)
constexpr bool may_be_held = false;  // a sanitizer's own memory would not fit
#else
constexpr bool may_be_held = true;
#endif

}  // namespace

void MemoryFlag::add_to(CLI::App& command) {
  Options(command, "Run")
      .add("--memory-limit", size, "SIZE",
           "Memory that may be taken, such as 500MB or 18GB: jobs that are forecast to need more are refused "
           "before they start (default: three quarters of what the machine or its control group has)");
}

std::uint64_t MemoryFlag::limit() const {
  if (size.empty()) return memory_allowed(0);
  const std::optional<double> bytes = size_of(size);
  require(bytes.has_value(), Errc::invalid_argument,
          "--memory-limit must be a size such as 500MB or 18GB; got '", size, "'");
  return static_cast<std::uint64_t>(*bytes);
}

void MemoryFlag::hold(std::uint64_t untouched) const {
  rlimit held{};
  if (!may_be_held || ::getrlimit(RLIMIT_DATA, &held) != 0) return;
  constexpr std::uint64_t of_a_thread = 10 << 20;  // its stack counts whole, though little of it is ever used
  held.rlim_cur = std::min<rlim_t>(limit() + untouched + of_a_thread * thread_count(0), held.rlim_max);
  ::setrlimit(RLIMIT_DATA, &held);
}

void ReadFlags::require_raw(const std::vector<std::string>& files) const {
  require(raw.empty() || std::ranges::any_of(files, is_raw), Errc::invalid_argument,
          "--raw says what .bin and .raw files hold, and none is read here");
}

void ReadFlags::hold_memory(const std::vector<std::string>& files) const {
  if (!files.empty()) require_raw(files);
  const std::uint64_t limit = memory.limit();
  constexpr double bytes_a_value = 16;  // as it is read, and as a point
  double needed = 0;
  if (options.columns.empty())
    for (const std::string& file : files) needed += bytes_a_value * values_in(file, read_options().raw);
  require(needed <= static_cast<double>(limit), Errc::invalid_argument, "reading ",
          files.empty() ? "" : name_of(files[0]), files.size() > 1 ? " and the others" : "",
          " would take about ", size_words(needed), ", and ", size_words(static_cast<double>(limit)),
          " are allowed (--memory-limit): choose columns with --columns, compare fewer rows, or allow more");
  memory.hold();
}

Progress ReadFlags::patience() const {
  const auto start = std::chrono::steady_clock::now();
  return [start, limit = time_limit](double) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return !interrupted() && (limit == 0 || seconds < limit);
  };
}

namespace {

/// distance() refuses such values, too, but does not know how the rows are numbered in the file.
void require_moderate(double value, const std::string& path, std::uint64_t row, const std::string& column) {
  constexpr double largest = 1e300;
  require(!(std::abs(value) > largest), Errc::numeric, name_of(path), ", row ", row, ", column ",
          shown(column), " is ", value, "; beyond 1e300 distances overflow: choose a larger unit");
}

void require_moderate(const std::string& path, const Table& table) {
  for (std::size_t i = 0; i < table.points.rows(); ++i)
    for (std::size_t j = 0; j < table.points.cols(); ++j)
      require_moderate(table.points(i, j), path, table.source_row(i), table.columns[j]);
}

void require_moderate(const std::string& path, const Frame& frame) {
  for (std::size_t i = 0; i < frame.n(); ++i)
    for (const Column& column : frame.columns)
      if (column.kind != Kind::category)
        require_moderate(column.numbers[i], path, frame.rows.empty() ? i + 1 : frame.rows[i], column.name);
}

bool is_readable(const ReadFlags& flags, const std::string& path, char decimal) {
  ReadOptions options = flags.read_options();
  options.missing = Missing::level;
  options.decimal = decimal;
  try {
    return read_frame(path, options, flags.patience()).n() > 0;
  } catch (const Error&) {
    return false;
  }
}

/// What to type where one file has decimal commas and the other points, which no option reads; empty where
/// that is not so, `complaint` being about the first.
std::string advice_on_decimals(const ReadFlags& flags, const std::string& complaint, const std::string& path,
                               const std::string& other) {
  const char used = flags.read_options().decimal, turned = used == '.' ? ',' : '.';
  if (path == "-" || other == "-" || !advises_decimal(complaint, turned)) return "";
  if (!is_readable(flags, other, used) || is_readable(flags, other, turned)) return "";
  const auto& [points, commas] = used == '.' ? std::tie(other, path) : std::tie(path, other);
  return ", but not " + name_of(other) + ": motmot reference R " + shell_word(points) + "; motmot check R " +
         shell_word(commas) + " --decimal ,";
}

/// Reads one of two samples.
template <class Read>
auto read_beside(const ReadFlags& flags, const std::string& path, const std::string& weights,
                 const std::string& other, Read read) {
  try {
    return read(path, flags.read_options(weights), flags.patience());
  } catch (const Error& error) {
    const std::string advice = advice_on_decimals(flags, error.what(), path, other);
    if (advice.empty()) throw;
    throw Error(error.code(), error.what() + advice);
  }
}

/// Puts the columns of Y into the order of X.
template <class Sample>
void align(const ReadFlags& flags, const std::string& x, const Sample& of_x, const std::string& y,
           Sample& of_y) {
  Match match = match_columns(columns_of(x, of_x, flags.options), columns_of(y, of_y, flags.options));
  reorder(of_y, match.order);
  if (!match.note.empty()) flags.notes.push_back(std::move(match.note));
}

/// Reads both and holds them against each other.
template <class Sample, class Read>
std::pair<Sample, Sample> read_both(const ReadFlags& flags, const PerSample<std::string>& paths,
                                    const PerSample<std::string>& weights, Read read) {
  const auto& [x, y] = paths;
  require(x != "-" || y != "-", Errc::invalid_argument, "X and Y cannot both be standard input");
  std::pair<Sample, Sample> samples{read_beside(flags, x, weights.x, y, read),
                                    read_beside(flags, y, weights.y, x, read)};
  align(flags, x, samples.first, y, samples.second);
  if (flags.any_size) return samples;
  require_moderate(x, samples.first);
  require_moderate(y, samples.second);
  return samples;
}

/// What is opened when a sample is read.
std::string file_of(const std::string& sample) {
  return sample == "-" ? "/dev/stdin" : split_member(sample).first;
}

}  // namespace

std::pair<Table, Table> read_samples(const ReadFlags& flags, const std::string& x, const std::string& y,
                                     const std::string& weights_x, const std::string& weights_y) {
  flags.hold_memory({x, y});
  return read_both<Table>(flags, {x, y}, {weights_x, weights_y}, read_numbers);
}

std::pair<Frame, Frame> read_frames(const ReadFlags& flags, const std::string& x, const std::string& y,
                                    const std::string& weights_x, const std::string& weights_y) {
  flags.hold_memory({x, y});
  return read_both<Frame>(flags, {x, y}, {weights_x, weights_y}, read_frame);
}

namespace {

Frame frame_of(Table table) {
  Frame frame{.rows = std::move(table.rows), .rows_dropped = table.rows_dropped};
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    Column column{.name = table.columns[j], .is_whole = true};
    for (std::size_t i = 0; i < table.points.rows(); ++i) {
      column.numbers.push_back(table.points(i, j));
      column.is_whole = column.is_whole && column.numbers.back() == std::floor(column.numbers.back());
    }
    frame.columns.push_back(std::move(column));
  }
  return frame;
}

/// Whether the file may hold more values than are taken whole: a byte is a value at least, in text two are,
/// and what is packed may be some times as long.
bool may_be_large(const std::string& path, const DrawOptions& draw) {
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(file_of(path), unknown);
  const std::string name = lower_case(path);
  const bool packed = name.ends_with(".gz") || name.ends_with(".zst") || name.ends_with(".npz");
  return !unknown && size > (packed ? draw.most_values / 4 : draw.most_values);
}

/// What a stream cannot read (words, say) is read whole, or complained about, as ever.
std::optional<DrawnTable> try_to_draw(const std::string& path, const ReadOptions& options,
                                      const DrawOptions& draw) {
  const bool numbers = options.kinds.empty() && options.missing != Missing::level && !is_source(path);
  if (path == "-" || !numbers || !may_be_large(path, draw)) return {};
  try {
    return read_drawn(path, options, draw);
  } catch (const Error&) {
    return {};
  }
}

struct DrawnFrame {
  Frame frame{};
  std::uint64_t rows_read = 0;
};

DrawnFrame read_drawn_frame(const std::string& path, const ReadOptions& options, const DrawOptions& draw,
                            const Progress& progress) {
  std::optional<DrawnTable> drawn = try_to_draw(path, options, draw);
  if (drawn && drawn->rows_read > 0) return {frame_of(std::move(drawn->table)), drawn->rows_read};
  drawn.reset();
  Frame frame = read_frame(path, options, progress);
  const std::vector<std::uint32_t> rows = drawn_rows(frame.n(), frame.columns.size(), frame.rows, draw);
  if (rows.empty()) return {std::move(frame), 0};
  return {rows_of(frame, rows), frame.n()};
}

}  // namespace

DrawnFrames read_drawn_frames(const ReadFlags& flags, const std::string& x, const std::string& y,
                              DrawOptions draw) {
  flags.require_raw({x, y});
  flags.hold_memory({});
  DrawnFrames drawn;
  const auto read = [&](const std::string& path, const ReadOptions& options, const Progress& progress) {
    DrawnFrame one = read_drawn_frame(path, options, draw, progress);
    (draw.sample == Drawn::first ? drawn.rows_read.x : drawn.rows_read.y) = one.rows_read;
    draw.sample = Drawn::second;  // X is read first
    return std::move(one.frame);
  };
  std::tie(drawn.x, drawn.y) = read_both<Frame>(flags, {x, y}, {}, read);
  return drawn;
}

namespace {

std::optional<MappedSample> map_sample(const std::string& path, const ReadOptions& options,
                                       const std::string& cache, bool look_at_values) {
  if (why_not_mapped(path, options).empty()) {
    MappedSample sample{.points = map_points(path, options)};
    if (look_at_values) require_values(path, sample.points, options);
    for (std::size_t j = 0; j < sample.points.cols(); ++j) sample.columns.push_back(std::to_string(j + 1));
    return sample;
  }
  if (cache.empty()) return {};
  CachedTable table = map_cached(path, options, cache);
  const PointsView rows = table.points;
  for (std::size_t i = 0; look_at_values && i < rows.n; ++i)
    for (std::size_t j = 0; j < rows.d; ++j)
      require_moderate(rows(i, j), path, table.rows.empty() ? i + 1 : table.rows[i], table.columns[j]);
  return MappedSample{std::move(table.points), std::move(table.columns), table.rows, table.rows_dropped};
}

}  // namespace

std::optional<PerSample<MappedSample>> map_samples(const ReadFlags& flags, const std::string& x,
                                                   const std::string& y, const std::string& cache,
                                                   bool look_at_values) {
  flags.hold_memory({});
  const ReadOptions options = flags.read_options();
  std::optional<MappedSample> of_x = map_sample(x, options, cache, look_at_values);
  if (!of_x) return {};
  std::optional<MappedSample> of_y = map_sample(y, options, cache, look_at_values);
  if (!of_y) return {};
  const bool chosen = !options.columns.empty();
  const Match match = match_columns({x, of_x->columns, {}, chosen}, {y, of_y->columns, {}, chosen});
  if (!match.order.empty()) {
    ReadOptions by_name = options;
    by_name.columns = of_x->columns;
    of_y = map_sample(y, by_name, cache, look_at_values);
    if (!of_y) return {};
  }
  if (!match.note.empty()) flags.notes.push_back(match.note);
  return PerSample<MappedSample>{std::move(*of_x), std::move(*of_y)};
}

void make_comparable(const ReadFlags& flags, const std::string& x, const Frame& of_x, const std::string& y,
                     Frame& of_y) {
  require(of_x.columns.size() == of_y.columns.size(), Errc::invalid_argument,
          "all samples must have the same number of columns: ", name_of(x), " has ", of_x.columns.size(),
          ", ", name_of(y), " has ", of_y.columns.size());
  align(flags, x, of_x, y, of_y);
  if (!flags.any_size) require_moderate(y, of_y);
}

Frame read_one_frame(const ReadFlags& flags, const std::string& path) {
  flags.hold_memory({path});
  Frame frame = read_frame(path, flags.read_options(), flags.patience());
  require_moderate(path, frame);
  return frame;
}

void give_names(Frame& frame) {
  for (Column& column : frame.columns)
    if (!is_name(column.name)) column.name.insert(0, "c");
}

void give_names(std::vector<std::string>& columns) {
  for (std::string& column : columns)
    if (!is_name(column)) column.insert(0, "c");
}

void require_distinct(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->path.empty()) continue;
    const std::string place = output->path == "-" ? "standard output" : "'" + output->path + "'";
    for (const NamedFile& input : inputs)
      require(!same_file(file_of(input.path), output->path), Errc::invalid_argument, output->option,
              " would write over ", input.option, ": ", place, " is the file that is read");
    for (auto other = outputs.begin(); other != output; ++other)
      require(other->path.empty() || !same_file(other->path, output->path), Errc::invalid_argument,
              other->option, " and ", output->option, " both write to ", place);
  }
}

OptionalOutput::OptionalOutput(const std::string& path)
    : file_(path.empty() ? nullptr : std::make_unique<OutputFile>(path)) {}

void OptionalOutput::write(const std::string& text) {
  if (file_ == nullptr) return;
  file_->stream() << text;
  file_->commit();
}

void print(const std::string& text, std::initializer_list<std::string> outputs) {
  const bool taken =
      std::ranges::any_of(outputs, [](const std::string& path) { return same_file(path, "-"); });
  if (taken) {
    std::fputs(text.c_str(), stderr);
    return;
  }
  OptionalOutput("-").write(text);
}

std::string ReadFlags::note_lines() const {
  std::string lines;
  constexpr std::size_t most_shown = 5;
  for (std::size_t k = 0; k < std::min(notes.size(), most_shown); ++k)
    lines += wrap("  note: ", notes[k] + ".");
  if (notes.size() > most_shown)
    lines += "  note: and " + std::to_string(notes.size() - most_shown) + " more like these.\n";
  return lines;
}

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+./,:@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

void RunFlags::add_to(CLI::App& command) {
  const Options options(command, "Run");
  options.add("--seed", seed, "S", "The run is a function of the data, the options and this (default 0)");
  options.add("--threads", threads, "N",
              "Threads (default and at most: all cores); the answer does not depend on it");
  options.flag("--quiet", quiet, "No progress, no summary: only what was asked for");
}

}  // namespace motmot::app
