// motmot reference, check and monitor: tables that are watched.
#include "commands.hpp"
#include "common.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "interrupt.hpp"
#include "motmot/report.hpp"
#include "program.hpp"
#include "report/watch_page.hpp"
#include "watch/reference_file.hpp"

namespace motmot::app {
namespace {

/// What stopped early because of Ctrl-C is no bad input.
template <class Work>
auto unless_interrupted(Work work) {
  catch_interrupts();
  try {
    return work();
  } catch (const Error&) {
    if (interrupted()) throw Interrupted{};
    throw;
  }
}

/// --json, --report, and what every command says of them.
struct WatchOutputs {
  std::string json{}, report{};

  void add_to(CLI::App& to, const std::string& what) {
    const Options outputs(to, "Outputs");
    outputs.add("--json", json, "FILE|-",
                "Write " + what + " as JSON to this file, or to standard output (-)");
    outputs.add("--report", report, "FILE.html", "Write one HTML page to look at");
  }
  [[nodiscard]] std::vector<NamedFile> files() const { return {{"--json", json}, {"--report", report}}; }
};

// ----------------------------------------------------------------------------------------------- reference

struct ReferenceCommand {
  std::string file{}, x{};
  ReadFlags read{.options = {.missing = Missing::level}, .any_kind = true};
  ReferenceOptions options{};
  RunFlags run{};
  WatchOutputs outputs{};
  std::string typed{};

  void add_to(CLI::App& to);
  void operator()();
};

void ReferenceCommand::add_to(CLI::App& to) {
  const Options all(to), chunks(to, "Chunks, for motmot monitor");
  all.add("NAME", file, "", "File to write; a reference that is there is replaced, another file is not");
  all.add("X", x, "", "Table that others are held against later");
  all.add("--tau", options.tau, "T", "Largest share of wrong rows in a table, in [0, 0.5) (default 0.1)");
  all.add(
      "--scale", options.scale, "S",
      "Units of the columns: robust (each divided by its spread; the default), none or COLUMN=NUMBER,...");
  all.add("--category-weight", options.category_weight, "W",
          "How far apart two levels of a category are, and a missing number from one that is there (default "
          "1)")
      ->check(positive());
  all.add("--rows", options.rows, "N", "Rows kept at most, drawn by the seed (default 20000)");
  chunks
      .add("--chunk-rows", options.chunk_rows, "M",
           "Rows of its own chunks: as many as chunks will have (default: a fortieth of X, 25 to 1000; "
           "a twentieth where X is small)")
      ->check(at_least_one());
  chunks.add("--chunks", options.chunks, "C", "Own chunks at most, spread evenly over X (default 200)")
      ->check(at_least_one());
  read.add_to(to);
  run.add_to(to);
  outputs.add_to(to, "what was learnt");
  to.footer(
      "Examples:\n"
      "  motmot reference may.ref may.csv --exclude when\n"
      "  motmot reference may.ref may.csv --kinds zip=category --chunk-rows 500 --report may.html");
}

void ReferenceCommand::operator()() {
  std::vector<NamedFile> written = outputs.files();
  written.push_back({"NAME", file});
  require_distinct({{"X", x}}, written);
  require_replaceable(file);
  options.name = file;
  options.missing = read.options.missing;
  options.exclude = read.options.exclude;
  options.na = read.options.na;
  options.seed = run.seed;
  options.threads = run.threads;
  options.memory_limit = read.memory.limit();
  options.progress = progress_bar(run.quiet);
  OptionalOutput json_file(outputs.json), report_file(outputs.report);
  read.hold_memory({x});
  const Frame table = read_frame(x, read.read_options(), read.patience());
  const Reference reference = unless_interrupted([&] { return make_reference(table, options); });
  save(reference, file);
  json_file.write(reference_json(reference));
  if (report_file) report_file.write(page_html(reference_page(reference, typed)));
  if (!run.quiet) print(text(reference), {outputs.json, outputs.report});
}

// --------------------------------------------------------------------------------------------------- check

struct CheckCommand {
  std::string file{}, y{};
  ReadFlags read{.by_reference = true};
  CheckOptions options{};
  RunFlags run{};
  WatchOutputs outputs{};
  bool verbose = false;
  std::string typed{};

  void add_to(CLI::App& to);
  void operator()();
};

void CheckCommand::add_to(CLI::App& to) {
  const Options all(to);
  all.add("REFERENCE", file, "", "What motmot reference wrote");
  all.add("Y", y, "", "Table to check; its columns are matched by name");
  all.add("--alpha", options.alpha, "A", "Largest p-value of a difference, in [0.001, 0.5] (default 0.05)");
  all.add("--effect", options.effect, "E",
          "The smallest distance that matters: different only if the distance of the laws is above it");
  all.add("--rows", options.rows, "N",
          "Rows of either table compared at most, drawn by the seed (default 5000)");
  all.flag("--verbose", verbose, "Also say how the answer was computed, and what stands beside it");
  read.add_to(to);
  run.add_to(to);
  outputs.add_to(to, "the result");
  to.footer(
      "Exit codes: 0 no difference, 1 different, 2 trouble, 3 internal error.\n\n"
      "Examples:\n"
      "  motmot check may.ref june.csv || echo 'June differs'\n"
      "  motmot check may.ref june.csv --effect 0.2 --json june.json --report june.html");
}

void CheckCommand::operator()() {
  require_distinct({{"REFERENCE", file}, {"Y", y}}, outputs.files());
  const Reference reference = load_reference(file);
  options.source = y;
  options.seed = run.seed;
  options.threads = run.threads;
  options.memory_limit = read.memory.limit();
  options.progress = progress_bar(run.quiet);
  OptionalOutput json_file(outputs.json), report_file(outputs.report);
  read.hold_memory({y});
  const Frame table = read_frame(y, read_options(reference, read.read_options()), read.patience());
  const Checked found = unless_interrupted([&] { return checked(reference, table, options); });
  if (interrupted()) throw Interrupted{};
  json_file.write(check_json(found.check, {table.rows}));
  if (report_file) report_file.write(page_html(check_page(found, typed)));
  if (!run.quiet)
    print(text(found.check, {.verbose = verbose, .where_rows = "--json FILE lists them"}),
          {outputs.json, outputs.report});
  if (found.check.differs) throw Answer{1};
}

// ------------------------------------------------------------------------------------------------- monitor

struct MonitorCommand {
  std::string file{};
  std::vector<std::string> tables{};
  ReadFlags read{.by_reference = true};
  MonitorOptions options{};
  std::string time{}, chunk{};
  std::size_t threads = 0;
  bool no_explain = false, quiet = false;
  WatchOutputs outputs{};
  std::string typed{};

  void add_to(CLI::App& to);
  void operator()();

 private:
  [[nodiscard]] std::vector<ChunkSource> sources(const Reference& reference) const;
  [[nodiscard]] ChunkOptions chunk_options() const;
};

void MonitorCommand::add_to(CLI::App& to) {
  const Options all(to), series(to, "Series"), running(to, "Run");
  all.add("REFERENCE", file, "", "What motmot reference wrote");
  to.add_option("Y", tables, "Chunks in their order, one file each; or one file with --time and --chunk")
      ->required()
      ->type_name("");
  series
      .add("--one-in", options.one_in, "N",
           "Without drift one chunk of so many alarms (default 20, or as many as the "
           "reference's own chunks support)")
      ->check(at_least_one());
  series.add("--effect", options.effect, "E", "The smallest distance that matters");
  series.add("--rolling", options.rolling, "K",
             "Hold each chunk against the K before it, at first those of the reference (default: against the "
             "reference)");
  series.add("--time", time, "COLUMN", "Column of Y by which it is cut into chunks; it is not compared");
  series.add("--chunk", chunk, "day|week|N", "Chunks: days (UTC), weeks from Monday on, or N rows each");
  series.add("--log", options.log, "FILE",
             "Append-only log: what it has is not judged again, whatever happened to the run");
  series.flag("--no-explain", no_explain,
              "Alarms alone, without the columns and rows behind them, which take most of the time");
  read.add_to(to);
  running.add("--threads", threads, "N",
              "Threads (default and at most: all cores); the answer does not depend on it");
  running.flag("--quiet", quiet, "No progress, no summary: only what was asked for");
  outputs.add_to(to, "the series");
  to.footer(
      "Exit codes: 0 no alarm, 1 a new chunk alarms, 2 trouble, 3 internal error.\n\n"
      "Examples:\n"
      "  motmot monitor may.ref june-*.csv --one-in 30 --log june.log --report june.html\n"
      "  motmot monitor may.ref june.csv --time when --chunk day --log june.log\n"
      "  motmot monitor may.ref june-*.csv --rolling 7 --json -");
}

ChunkOptions MonitorCommand::chunk_options() const {
  ChunkOptions options_of{.time = time, .by = named<ChunkBy>(chunk)};
  require(options_of.by || (reads_as(chunk, options_of.rows) && options_of.rows > 0), Errc::invalid_argument,
          "--chunk must be day, week or a number of rows, got '", chunk, "'");
  return options_of;
}

std::vector<ChunkSource> MonitorCommand::sources(const Reference& reference) const {
  read.hold_memory({});
  const ReadOptions with = read_options(reference, read.read_options());
  require(time.empty() == chunk.empty(), Errc::invalid_argument, "--time and --chunk go together: ",
          time.empty() ? "which column has the times?" : "--chunk day, week or a number of rows");
  if (!time.empty()) {
    require(tables.size() == 1, Errc::invalid_argument, "--time cuts one file into chunks, got ",
            tables.size());
    for (const CodedColumn& column : reference.coding.columns)
      require(column.name != time, Errc::invalid_argument, "the reference compares the column ", shown(time),
              ", which moves by itself: make it with --exclude ", time);
    return chunks_of(read_frame(tables[0], with), chunk_options(), name_of(tables[0]));
  }
  std::vector<ChunkSource> chunks;
  for (const std::string& table : tables)
    chunks.push_back(
        {table, [table, with, patience = read.patience()] { return read_frame(table, with, patience); }});
  return chunks;
}

void MonitorCommand::operator()() {
  std::vector<NamedFile> written = outputs.files();
  written.push_back({"--log", options.log});
  require_distinct({{"REFERENCE", file}}, written);
  for (const std::string& table : tables) require_distinct({{"Y", table}}, written);
  const Reference reference = load_reference(file);
  options.explain = !no_explain;
  options.threads = threads;
  options.memory_limit = read.memory.limit();
  options.progress = progress_bar(quiet);
  OptionalOutput json_file(outputs.json), report_file(outputs.report);
  const Monitored series =
      unless_interrupted([&] { return monitor(reference, sources(reference), options); });
  json_file.write(monitored_json(series));
  if (report_file) report_file.write(page_html(monitored_page(series, typed)));
  if (!quiet) print(text(series), {outputs.json, outputs.report});
  if (series.alarms() > 0) throw Answer{1};
  for (const Judgement& one : series.chunks)
    require(!one.is_new || one.why_not.empty(), Errc::invalid_argument, shown(one.name),
            " was not judged: it has ", one.why_not);
}

}  // namespace

void add_watch(CLI::App& program, const std::string& typed) {
  add_command(program, "reference", "Keep a table that others are held against",
              ReferenceCommand{.typed = typed});
  add_command(program, "check", "Whether a table differs from a reference, like diff(1)",
              CheckCommand{.typed = typed});
  add_command(program, "monitor", "Hold a series of chunks against a reference, alarms at a stated rate",
              MonitorCommand{.typed = typed});
}

}  // namespace motmot::app
