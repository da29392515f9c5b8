// motmot distance X Y: how far apart two files are.
#include <filesystem>
#include <functional>
#include <limits>

#include "answer/sides.hpp"
#include "base/memory.hpp"
#include "certificate.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "data/complaint.hpp"
#include "data/without.hpp"
#include "interrupt.hpp"
#include "ranks.hpp"
#include "report/distance_page.hpp"

namespace motmot::app {
namespace {

/// What the page draws: numbers as they are, other tables as they were compared.
Points drawn(const Frame& frame, Coding coding) {
  if (coding.is_plain())
    for (CodedColumn& column : coding.columns) column.unit = 1;
  return encode(frame, coding);
}

/// Plan and potentials behind the value, the lower end of the interval and the partial distance. They are
/// solved for once more: what the answer itself found is long gone, and the same to rounding.
std::string certificate_of(const Distance& w, PointsView x, PointsView y, const Coding& coding,
                           const PerSample<std::string>& files, const PerSample<RowNumbers>& from) {
  std::vector<CertifiedColumn> columns;
  for (const CodedColumn& column : coding.columns) columns.push_back({column.name, column.unit});
  Certificate certificate(files, columns, from);
  const PerSample<RowList> kept{rows_without(x.rows(), w.left_out.x), rows_without(y.rows(), w.left_out.y)},
      all{rows_without(x.rows(), {}), rows_without(y.rows(), {})};
  const Points kept_x = without(x, w.left_out.x), kept_y = without(y, w.left_out.y);
  certificate.add_transport(w.value, transport(kept_x, kept_y), kept);
  const auto add_bound = [&](const char* of, double value, PointsView left_x, PointsView left_y,
                             const PerSample<RowList>& rows, const PerSample<std::size_t>& may_go) {
    const auto share = [](std::size_t part, std::size_t whole) {
      return static_cast<double>(part) / static_cast<double>(whole);
    };
    certificate.add_bound(of, value,
                          partial_transport(left_x, left_y, share(may_go.x, left_x.rows()),
                                            share(may_go.y, left_y.rows()), {.want_plan = false}),
                          rows, may_go);
  };
  const PerSample<std::size_t> may_go{share_of(w.tau_x, x.rows()), share_of(w.tau_y, y.rows())};
  const auto spare = [](std::size_t most, const RowList& gone) { return most - std::min(most, gone.size()); };
  if (w.interval && w.interval_certified)
    add_bound("interval", w.interval->low, kept_x, kept_y, kept,
              {spare(may_go.x, w.left_out.x), spare(may_go.y, w.left_out.y)});
  if (w.partial) add_bound("partial", *w.partial, x, y, all, may_go);
  return certificate.text();
}

struct DistanceCommand {
  std::string x, y;
  ReadFlags read{.any_kind = true};
  DistanceOptions options{};
  std::string weights_x, weights_y;
  std::uint64_t in_memory = DrawOptions().most_values;
  std::string cache, trace, save_phi, rows, json, report, certificate;
  bool quiet = false, verbose = false;
  bool for_page = false;              ///< the paper's estimate is for --report alone
  std::string typed{};                ///< the command as it was given, for the report
  const CLI::App* command = nullptr;  ///< knows which options were given
  Communicator* ranks = &alone();
  std::string folder{};   ///< cache_folder(), and ...
  bool mappable = false;  ///< ... may_map(), before ranks forget the names of outputs

  void add_to(CLI::App& to);
  void operator()();

 private:
  struct Outputs;
  void prepare();
  [[nodiscard]] bool may_map() const;
  [[nodiscard]] std::string cache_folder() const;
  [[nodiscard]] std::optional<PerSample<MappedSample>> map_or_leave() const;
  [[nodiscard]] std::optional<PerSample<MappedSample>> map_on_all_ranks() const;
  void answer_mapped(PerSample<MappedSample> samples);
  [[nodiscard]] DrawnFrames read_tables() const;
  void require_use(std::size_t n, std::size_t m, const Coding& coding) const;
  [[nodiscard]] Distance answer(const std::function<Distance()>& work) const;
  void write(const Distance& result, const PerSample<RowNumbers>& from, Outputs& outputs) const;
  void say(const Distance& result) const;
};

void DistanceCommand::add_to(CLI::App& to) {
  command = &to;
  const Options arguments(to), input(to, "Input"), outputs(to, "Outputs");
  arguments.add(
      "X", x, "",
      "First sample: .csv, .tsv, .npy, .npz[:member], IDX, each also .gz or .zst; .parquet, .sqlite:table, "
      "sql:select ...; - is standard input");
  arguments.add("Y", y, "", "Second sample");
  add_fields(to, options);
  add_fields(to, options.ascent);
  to.get_option("--time-limit")->check(positive());
  to.get_option("--tau")->transform({[this](std::string& text) {
                                       options.tau_auto = text == "auto";
                                       if (options.tau_auto) text = "0.1";
                                       return std::string();
                                     },
                                     ""});
  read.add_to(to);
  input.add("--weights-x", weights_x, "COL", "Column of row weights in X, for --estimator plain");
  input.add("--weights-y", weights_y, "COL", "Column of row weights in Y");
  input
      .add(
          "--in-memory", in_memory, "V",
          "company: a sample of more values (rows x columns) is read once, and 100 000 of its rows are drawn "
          "by the seed (default 10000000)")
      ->check(at_least_one());
  input.add(
      "--cache", cache, "DIR",
      "mom, mou, mou-diag, plain: convert what cannot be mapped (text, Parquet, float32) once into files of "
      "this folder, and map those; by itself for files above 1 GB, beside the first output");
  Options(to, "Run").flag("--quiet", quiet, "No progress, no summary: only what was asked for");
  arguments.flag("--verbose", verbose, "Also say how the answer was computed, and what stands beside it");
  outputs.add("--json", json, "FILE|-", "Write the result as JSON to this file, or to standard output (-)");
  outputs.add("--report", report, "FILE.html",
              "Write one HTML page to look at: the answer in words, charts, rows left out, settings");
  outputs.add("--rows", rows, "FILE.csv",
              "Write what is known of every row: left out or not, how far from company, potential");
  outputs.add("--trace", trace, "FILE.csv", "Write the value of every step (lipschitz, clipped)");
  outputs.add("--save-phi", save_phi, "FILE.json",
              "Write the potential or critic of the answer (see motmot evaluate)");
  outputs.add(
      "--certificate", certificate, "FILE.json",
      "Write plan and potentials behind the answer, for motmot-verify, which shares no code with motmot");
  to.footer(
      "Examples:\n"
      "  motmot distance x.csv y.csv\n"
      "  motmot distance x.csv y.csv --tau 0.05 --scale robust --rows rows.csv --verbose\n"
      "  motmot distance x.csv y.csv --tau auto --report page.html\n"
      "  motmot distance may.csv june.csv --kinds zip=category,when=time --missing level\n"
      "  motmot distance x.csv y.csv --estimator mou --blocks 71 --seed 7 --json result.json\n"
      "  motmot distance a.csv b.csv --estimator mou-diag --metric mmd\n"
      "  motmot distance a.npy b.npy --estimator mom --critic clipped --scheme swor --blocks 101 "
      "--block-size 4\n"
      "  zcat x.csv.gz | motmot distance - y.csv --columns height,weight --quiet --json -");
}

/// Complains about options that were given and have no use.
void DistanceCommand::require_use(std::size_t n, std::size_t m, const Coding& coding) const {
  const auto check = [&](std::string_view field, const std::string& option) {
    if (command->get_option_no_throw(option) == nullptr || command->count(option) == 0) return;
    const std::string use = useless(field, options, n, m, coding.has_levels());
    require(use.empty(), Errc::invalid_argument, option, " does nothing here: it is for ", use);
  };
  const auto check_field = [&](const auto& field) {
    for (const char* suffix : {"", "-x", "-y"}) check(field.name, option_name(field.name) + suffix);
  };
  for_each_field<DistanceOptions>(check_field);
  for_each_field<AscentOptions>(check_field);
  check("trace", "--trace");
  require(save_phi.empty() || coding.is_plain(), Errc::invalid_argument,
          "--save-phi does nothing here: it is for tables of numbers alone, none missing");
  require(save_phi.empty() || options.metric == Metric::w1, Errc::invalid_argument,
          "--save-phi does nothing here: it is for metric w1; the functions of a kernel are not kept");
  require(command->count("--in-memory") == 0 ||
              (options.estimator == Estimator::company && weights_x.empty() && weights_y.empty()),
          Errc::invalid_argument, "--in-memory does nothing here: it is for estimator company");
  require(certificate.empty() || (options.estimator == Estimator::company && coding.is_plain()),
          Errc::invalid_argument,
          "--certificate does nothing here: it is for estimator company and tables of numbers alone, none "
          "missing");
  for (const char* option : {"--rows", "--save-phi"})
    require((weights_x.empty() && weights_y.empty()) || command->count(option) == 0, Errc::invalid_argument,
            option, " does nothing here: it is for rows without weights; with weights no critic is fitted");
}

/// What is asked for, before anything is read.
void DistanceCommand::prepare() {
  require_distinct({{"X", x}, {"Y", y}}, {{"--json", json},
                                          {"--report", report},
                                          {"--rows", rows},
                                          {"--trace", trace},
                                          {"--save-phi", save_phi},
                                          {"--certificate", certificate},
                                          {"--checkpoint", options.checkpoint}});
  require(cache.empty() || may_map(), Errc::invalid_argument,
          "--cache does nothing here: it is for the estimators that take all rows (mom, mou, mou-diag, "
          "plain), numbers alone, no weights and no --report");
  read.options.threads = options.threads;
  read.time_limit = options.time_limit;
  options.files = {x, y};
  options.ascent.trace = !trace.empty() || !report.empty();
  for_page = !options.paper && !report.empty() && options.estimator == Estimator::company;
  options.paper = options.paper || for_page;
  options.keep_rows = !rows.empty() || !report.empty();
  options.ranks = ranks;
  folder = cache_folder();
  mappable = may_map();
  if (ranks->rank() != 0) quiet = true;
  leave_writing_to_the_first(*ranks, {&json, &trace, &save_phi, &rows, &report, &certificate});
  options.progress = progress_bar(quiet);
}

/// The outputs that were asked for, opened before the work.
struct DistanceCommand::Outputs {
  explicit Outputs(const DistanceCommand& of)
      : json(of.json),
        trace(of.trace),
        phi(of.save_phi),
        rows(of.rows),
        report(of.report),
        certificate(of.certificate) {}
  OptionalOutput json, trace, phi, rows, report, certificate;
};

void DistanceCommand::write(const Distance& result, const PerSample<RowNumbers>& from,
                            Outputs& outputs) const {
  outputs.trace.write(trace_csv(result));
  outputs.rows.write(rows_csv(result, from));
  if (outputs.phi) outputs.phi.write(result.phi->to_json());
  outputs.json.write(distance_json(result, from));
}

void DistanceCommand::say(const Distance& result) const {
  if (quiet) return;
  Distance said = result;
  if (for_page && !verbose) said.neighbours.paper.reset();
  print(text(said, {.verbose = verbose, .where_rows = "--rows FILE lists them"}) + read.note_lines(),
        {json, trace, save_phi, rows, report, certificate});
}

/// Last words, and the work itself.
Distance DistanceCommand::answer(const std::function<Distance()>& work) const {
  const std::string where = options.checkpoint.empty()
                                ? "nothing was written"
                                : "the same command goes on from '" + options.checkpoint + "'";
  prepare_last_words(*ranks, "motmot distance", where);
  if (ranks->alone()) catch_interrupts();
  Distance result = work();
  if (interrupted()) throw Interrupted{"interrupted; " + where};
  return result;
}

/// The page of a report draws rows: with one, files are read.
bool DistanceCommand::may_map() const {
  return options.estimator != Estimator::company && weights_x.empty() && weights_y.empty() &&
         report.empty() && read.options.missing != Missing::level && read.kinds.empty();
}

/// Where samples are cached that cannot be mapped as they are: where the option says, or by itself for files
/// above 1 GB beside the first output. Empty: nowhere.
std::string DistanceCommand::cache_folder() const {
  if (!cache.empty()) return cache;
  constexpr std::uintmax_t large = std::uintmax_t{1} << 30;
  const auto is_large = [](const std::string& path) {
    std::error_code unknown;
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    return !unknown && size > large;
  };
  if (!is_large(x) && !is_large(y)) return "";
  for (const std::string& output : {json, rows, trace, save_phi})
    if (!output.empty() && output != "-") {
      const std::filesystem::path beside = std::filesystem::path(output).parent_path();
      return beside.empty() ? "." : beside.string();
    }
  return "";
}

/// Nothing: the samples are to be read. A cache that nobody asked for is not made of what has words. Of
/// several ranks each looks at the values of its own rows, later.
std::optional<PerSample<MappedSample>> DistanceCommand::map_or_leave() const {
  try {
    return map_samples(read, x, y, folder, ranks->alone());
  } catch (const Error&) {
    if (!cache.empty() || folder.empty()) throw;
    return {};
  }
}

/// All: the first rank makes the caches, where they are needed, that the others then find.
std::optional<PerSample<MappedSample>> DistanceCommand::map_on_all_ranks() const {
  std::optional<PerSample<MappedSample>> samples;
  const bool first = ranks->rank() == 0;
  ranks->agree([&] {
    if (mappable && first) samples = map_or_leave();
  });
  ranks->agree([&] {
    if (mappable && !first) samples = map_or_leave();
  });
  return samples;
}

/// Samples that stay in their files. Several ranks look at their own rows alone where rows are split.
void DistanceCommand::answer_mapped(PerSample<MappedSample> samples) {
  const MappedPoints &of_x = samples.x.points, &of_y = samples.y.points;
  std::optional<Outputs> outputs;
  PerSample<RowRange> here{{0, of_x.rows()}, {0, of_y.rows()}};
  ranks->agree([&] {
    Coding numbers;
    numbers.columns.resize(of_x.cols());
    require_use(of_x.rows(), of_y.rows(), numbers);
    if (!ranks->alone()) here = rows_of_rank(of_x.rows(), of_y.rows(), options);
    outputs.emplace(*this);
  });
  give_names(samples.x.columns);
  options.column_names = samples.x.columns;
  options.rows_dropped = {samples.x.rows_dropped, samples.y.rows_dropped};
  options.memory_limit = std::numeric_limits<std::uint64_t>::max();  // the pages of a file can be had again
  const auto part = [](const MappedPoints& file, const RowRange& own) {
    return SamplePart{.rows = file.part(own.first, own.count()), .first = own.first, .all = file.rows()};
  };
  const bool split = here.x.count() < of_x.rows() || here.y.count() < of_y.rows();
  const Distance result = answer([&] {
    return split ? distance(part(of_x, here.x), part(of_y, here.y), options) : distance(of_x, of_y, options);
  });
  if (ranks->rank() != 0) return;
  write(result, {{samples.x.rows}, {samples.y.rows}}, *outputs);
  say(result);
}

void DistanceCommand::operator()() {
  ranks->agree([&] { prepare(); });
  require_same_everywhere(*ranks, {x, y});
  if (auto mapped = map_on_all_ranks()) return answer_mapped(std::move(*mapped));
  DrawnFrames tables;
  Coding coding;
  std::optional<Outputs> outputs;
  ranks->agree([&] {
    tables = read_tables();
    give_names(tables.x);
    give_names(tables.y);
    coding = learn_coding(
        tables.x, tables.y,
        {options.scale, options.category_weight, read.options.missing, {name_of(x), name_of(y)}});
    require_use(tables.x.n(), tables.y.n(), coding);
    options.memory_limit = read.memory.limit();
    require_memory(distance_bytes(tables.x.n(), tables.y.n(), coding.width(), options), options.memory_limit);
    outputs.emplace(*this);
  });
  options.weights = {tables.x.weights, tables.y.weights};
  options.rows_dropped = {tables.x.rows_dropped, tables.y.rows_dropped};
  options.rows_read = tables.rows_read;
  const Distance result = answer([&] {
    const Points points_x = encode(tables.x, coding), points_y = encode(tables.y, coding);
    return coded_distance(points_x, points_y, coding, options);
  });
  if (ranks->rank() != 0) return;
  const PerSample<RowNumbers> from{{tables.x.rows}, {tables.y.rows}};
  if (outputs->certificate) {
    const PerSample<std::size_t> kept{tables.x.n() - result.left_out.x.size(),
                                      tables.y.n() - result.left_out.y.size()};
    require(result.asked.rows_used == kept && tables.rows_read == PerSample<std::uint64_t>{} &&
                !result.run.stopped,
            Errc::invalid_argument,
            "--certificate is for answers from all rows of both tables, not stopped early");
    outputs->certificate.write(
        certificate_of(result, encode(tables.x, coding), encode(tables.y, coding), coding, {x, y}, from));
  }
  write(result, from, *outputs);
  if (outputs->report) {
    const Points page_x = drawn(tables.x, coding), page_y = drawn(tables.y, coding);
    outputs->report.write(
        page_html(distance_page(result, {page_x, from.x, &tables.x}, {page_y, from.y, &tables.y}, typed)));
  }
  say(result);
}

/// Large samples may be drawn from where the answer looks at some of their rows anyway.
DrawnFrames DistanceCommand::read_tables() const {
  if (options.estimator == Estimator::company && weights_x.empty() && weights_y.empty())
    return read_drawn_frames(read, x, y, {.most_values = in_memory, .seed = options.seed});
  auto [table_x, table_y] = read_frames(read, x, y, weights_x, weights_y);
  return {std::move(table_x), std::move(table_y)};
}

}  // namespace

void add_distance(CLI::App& program, const std::string& typed, Communicator& ranks) {
  DistanceCommand command;
  command.typed = typed;
  command.ranks = &ranks;
  add_command(program, "distance", "How far apart two samples are, and whether by more than chance",
              std::move(command));
}

}  // namespace motmot::app
