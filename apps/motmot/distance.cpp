// motmot distance X Y: how far apart two files are.
#include "commands.hpp"
#include "common.hpp"
#include "data/complaint.hpp"
#include "interrupt.hpp"
#include "report/distance_page.hpp"

namespace motmot::app {
namespace {

/// What the page draws: numbers as they are, other tables as they were compared.
Points drawn(const Frame& frame, Coding coding) {
  if (coding.is_plain())
    for (CodedColumn& column : coding.columns) column.unit = 1;
  return encode(frame, coding);
}

struct DistanceCommand {
  std::string x, y;
  ReadFlags read{.any_kind = true};
  DistanceOptions options{};
  std::string weights_x, weights_y;
  std::string trace, save_phi, rows, json, report;
  bool quiet = false, verbose = false;
  std::string typed{};                ///< the command as it was given, for the report
  const CLI::App* command = nullptr;  ///< knows which options were given

  void add_to(CLI::App& to);
  void operator()();

 private:
  void require_use(std::size_t n, std::size_t m, const Coding& coding) const;
};

void DistanceCommand::add_to(CLI::App& to) {
  command = &to;
  const Options arguments(to), input(to, "Input"), outputs(to, "Outputs");
  arguments.add(
      "X", x, "",
      "First sample: .csv, .tsv, .npy, .npz[:member], IDX, each also .gz or .zst; - is standard input");
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
  for (const char* option : {"--rows", "--save-phi"})
    require((weights_x.empty() && weights_y.empty()) || command->count(option) == 0, Errc::invalid_argument,
            option, " does nothing here: it is for rows without weights; with weights no critic is fitted");
}

void DistanceCommand::operator()() {
  require_distinct({{"X", x}, {"Y", y}}, {{"--json", json},
                                          {"--report", report},
                                          {"--rows", rows},
                                          {"--trace", trace},
                                          {"--save-phi", save_phi}});
  read.options.threads = options.threads;
  auto [table_x, table_y] = read_frames(read, x, y, weights_x, weights_y);
  give_names(table_x);
  give_names(table_y);
  const Coding coding =
      learn_coding(table_x, table_y,
                   {options.scale, options.category_weight, read.options.missing, {name_of(x), name_of(y)}});
  require_use(table_x.n(), table_y.n(), coding);
  options.weights = {table_x.weights, table_y.weights};
  options.files = {x, y};
  options.rows_dropped = {table_x.rows_dropped, table_y.rows_dropped};
  options.ascent.trace = !trace.empty() || !report.empty();
  options.paper = options.paper || (!report.empty() && options.estimator == Estimator::company);
  options.keep_rows = !rows.empty() || !report.empty();
  options.progress = progress_bar(quiet);
  OptionalOutput json_file(json), trace_file(trace), phi_file(save_phi), rows_file(rows), report_file(report);
  catch_interrupts();
  const Points points_x = encode(table_x, coding), points_y = encode(table_y, coding);
  const Distance result = coded_distance(points_x, points_y, coding, options);
  if (interrupted()) throw Interrupted{};
  const PerSample<RowNumbers> from{{table_x.rows}, {table_y.rows}};
  trace_file.write(trace_csv(result));
  rows_file.write(rows_csv(result, from));
  if (phi_file) phi_file.write(result.phi->to_json());
  json_file.write(distance_json(result, from));
  if (report_file) {
    const Points page_x = drawn(table_x, coding), page_y = drawn(table_y, coding);
    report_file.write(
        page_html(distance_page(result, {page_x, from.x, &table_x}, {page_y, from.y, &table_y}, typed)));
  }
  if (!quiet)
    print(text(result, {.verbose = verbose, .where_rows = "--rows FILE lists them"}),
          {json, trace, save_phi, rows, report});
}

}  // namespace

void add_distance(CLI::App& program, const std::string& typed) {
  DistanceCommand command;
  command.typed = typed;
  add_command(program, "distance", "How far apart two samples are, and whether by more than chance",
              std::move(command));
}

}  // namespace motmot::app
