// motmot distance X Y: the robust distance between two files.
#include "commands.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "motmot/answer.hpp"
#include "motmot/report.hpp"
#include "report/distance_page.hpp"

namespace motmot::app {
namespace {

/// "0.1", or "auto" for both samples.
double tau_number(const std::string& option, const std::string& text) {
  double value = 0;
  require(CLI::detail::lexical_cast(text, value) && std::isfinite(value), Errc::invalid_argument, option,
          " must be a number in [0, 0.5)", option == "--tau" ? " or auto" : "", ", got '", text, "'");
  return value;
}

PageSample page_sample(const std::string& path, const Table& table) {
  return {.points = table.points, .name = path, .columns = table.columns, .rows = table.rows};
}

struct DistanceCommand {
  std::string x, y;
  ReadFlags read{};
  RunFlags run{};
  Estimator estimator = Estimator::mom;
  CriticKind critic = CriticKind::automatic;
  Scheme scheme = Scheme::shuffle;
  PerSample<std::string> tau{};
  PerSample<std::size_t> blocks{}, block_size{};
  std::optional<std::size_t> pairs, steps;
  std::string weights_x, weights_y;
  std::vector<std::size_t> hidden{128, 64};
  AscentOptions ascent{};
  bool certify = false;
  double time_limit = 0;
  std::string trace, save_critic, rows, json, report;
  std::string typed{};  ///< the command as it was given, for the report

  void add_to(CLI::App& command);
  [[nodiscard]] DistanceOptions options() const;
  void operator()() const;

 private:
  void add_blocks_to(CLI::App& command);
  void add_network_to(CLI::App& command);
  void add_outputs_to(CLI::App& command);
  void apply_tau(DistanceOptions& o) const;
};

void DistanceCommand::add_to(CLI::App& command) {
  const Options options(command), input(command, "Input");
  options.add("X", x, "",
              "First sample: .csv, .tsv, .npy, .npz[:member], IDX, each also .gz; - is standard input");
  options.add("Y", y, "", "Second sample");
  options.add("--estimator", estimator, all_names<Estimator>(), "Which row of Definition 2 (default mom)");
  options.add("--critic", critic, all_names<CriticKind>(),
              "Functions the supremum runs over: exact (all 1-Lipschitz ones), lipschitz (networks), "
              "clipped (the paper's, in an unknown unit); auto (default) goes by the size of the data");
  options.flag("--certify", certify, "Also prove a bracket [lower, upper] on one fixed partition");
  options
      .add("--time-limit", time_limit, "S", "Seconds after which the best answer so far is given, flagged")
      ->check(positive());
  add_blocks_to(command);
  add_network_to(command);
  read.add_to(command);
  input.add("--weights-x", weights_x, "COL", "Column of row weights in X, for --estimator plain");
  input.add("--weights-y", weights_y, "COL", "Column of row weights in Y");
  run.add_to(command);
  add_outputs_to(command);
  command.footer(
      "Examples:\n"
      "  motmot distance x.csv y.csv --tau 0.1\n"
      "  motmot distance x.csv y.csv --tau auto --certify --rows rows.csv\n"
      "  motmot distance x.csv y.csv --report page.html\n"
      "  motmot distance x.csv y.csv --estimator mou --blocks 71 --seed 7 --json result.json\n"
      "  motmot distance a.npy b.npy --critic clipped --scheme swor --blocks 101 --block-size 4\n"
      "  zcat x.csv.gz | motmot distance - y.csv --columns height,weight --quiet --json -");
}

void DistanceCommand::add_blocks_to(CLI::App& command) {
  const Options options(command, "Blocks");
  tau.add_to(
      options, "--tau", "T",
      "Largest share of outliers in a sample, in [0, 0.5) (default 0.1), or auto to look for it in the data; "
      "chooses the number of blocks");
  blocks.add_to(options, "--blocks", "K", "Number of blocks; used as it is");
  options.add("--scheme", scheme, all_names<Scheme>(),
              "How blocks are drawn (default shuffle: a fresh partition every step)");
  block_size.add_to(options, "--block-size", "B", "Rows per block, for --scheme swor");
  options.add("--pairs", pairs, "M", "Pairs per block, for --scheme pairs")->check(at_least_one());
}

void DistanceCommand::add_network_to(CLI::App& command) {
  const Options options(command, "Networks");
  options
      .add("--steps", steps, "N", "Steps of the ascent (default: lipschitz 1000, clipped 500 for each block)")
      ->check(at_least_one());
  options.add("--hidden", hidden, "H,...", "Clipped: hidden layers (default 128,64; the paper's text: 128)");
  options.add("--rate", ascent.rate, "R", "Clipped: learning rate (default 5e-5)");
  options.add("--clip", ascent.clip, "C", "Clipped: weights stay in [-C, C] (default 0.01)");
}

void DistanceCommand::add_outputs_to(CLI::App& command) {
  const Options options(command, "Outputs");
  options.add("--json", json, "FILE|-", "Write the result as JSON to this file, or to standard output (-)");
  options.add("--report", report, "FILE.html",
              "Write one HTML page to look at: the answer in words, charts, suspects, settings");
  options.add("--rows", rows, "FILE.csv",
              "Write what is known of every row: critic value, median frequency, trimmed or not");
  options.add("--trace", trace, "FILE.csv", "Write the value of every step (lipschitz, clipped)");
  options.add("--save-critic", save_critic, "FILE.json", "Write the fitted critic (see motmot evaluate)");
}

void DistanceCommand::apply_tau(DistanceOptions& o) const {
  if (tau.both == "auto") {
    require(!tau.x && !tau.y, Errc::invalid_argument,
            "--tau auto sets both samples: leave out --tau-x and --tau-y");
    o.tau_auto = true;
    return;
  }
  std::string tau_x, tau_y;
  tau.apply("--tau", tau_x, tau_y);
  if (!tau_x.empty()) o.tau.x = tau_number(tau.both ? "--tau" : "--tau-x", tau_x);
  if (!tau_y.empty()) o.tau.y = tau_number(tau.both ? "--tau" : "--tau-y", tau_y);
}

DistanceOptions DistanceCommand::options() const {
  DistanceOptions o;
  o.estimator = estimator;
  o.critic = critic;
  o.scheme = scheme;
  blocks.apply("--blocks", o.blocks.x, o.blocks.y);
  block_size.apply("--block-size", o.block_size.x, o.block_size.y);
  apply_tau(o);
  o.pairs = pairs.value_or(0);
  o.ascent = ascent;
  o.ascent.hidden = hidden;
  o.ascent.steps = steps.value_or(0);
  o.ascent.trace = !trace.empty() || !report.empty();
  o.certify = certify;
  o.keep_rows = !rows.empty() || !report.empty();
  o.time_limit = time_limit;
  o.seed = run.seed;
  o.threads = run.threads;
  return o;
}

void DistanceCommand::operator()() const {
  DistanceOptions o = options();
  require_distinct({{"X", x}, {"Y", y}}, {{"--json", json},
                                          {"--report", report},
                                          {"--rows", rows},
                                          {"--trace", trace},
                                          {"--save-critic", save_critic}});
  const auto [table_x, table_y] = read_samples(read, x, y, weights_x, weights_y);
  o.weights.x = table_x.weights;
  o.weights.y = table_y.weights;
  OptionalOutput json_file(json), trace_file(trace), critic_file(save_critic), rows_file(rows),
      report_file(report);
  catch_interrupts();
  o.progress = progress_bar(run.quiet);
  const Distance result = distance(table_x.points, table_y.points, o);
  if (interrupted()) throw Interrupted{};
  trace_file.write(trace_csv(result));
  rows_file.write(rows_csv(result));
  if (critic_file) critic_file.write(result.phi->to_json());
  json_file.write(distance_json(result));
  if (report_file)
    report_file.write(
        page_html(distance_page(result, page_sample(x, table_x), page_sample(y, table_y), typed)));
  if (run.quiet) return;
  print(distance_text(result), {json, trace, save_critic, rows, report});
}

}  // namespace

void add_distance(CLI::App& program, const std::string& typed) {
  const auto command = std::make_shared<DistanceCommand>();
  command->typed = typed;
  CLI::App* sub = program.add_subcommand("distance", "The robust distance between two samples");
  command->add_to(*sub);
  sub->callback([command] { (*command)(); });
}

}  // namespace motmot::app
