// motmot distance X Y: the robust distance between two files.
#include <cstdio>

#include "commands.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "motmot/answer.hpp"
#include "motmot/report.hpp"
#include "report/distance_page.hpp"

namespace motmot::app {
namespace {

/// An option for both samples, and one for each.
template <class T>
struct PerSample {
  std::optional<T> both, x, y;

  void add_to(CLI::App& command, const std::string& name, const std::string& type, const std::string& text) {
    for (CLI::Option* option :
         {command.add_option(name, both, text), command.add_option(name + "-x", x, "The same for X alone"),
          command.add_option(name + "-y", y, "The same for Y alone")}) {
      option->type_name(type)->group("Blocks");
      if constexpr (std::is_integral_v<T>) option->check(count());
    }
  }

  void apply(const std::string& name, T& to_x, T& to_y) const {
    require(!both || (!x && !y), Errc::invalid_argument, name, " sets both samples: leave out ", name,
            x ? "-x" : "-y");
    if (both) to_x = to_y = *both;
    if (x) to_x = *x;
    if (y) to_y = *y;
  }

  /// Numbers of things: none is no number.
  void require_positive(const std::string& name) const {
    for (const auto& [value, suffix] : {std::pair{both, ""}, std::pair{x, "-x"}, std::pair{y, "-y"}})
      require(!value || *value >= 1, Errc::invalid_argument, name, suffix, " must be at least 1, got 0");
  }
};

/// "0.1", or "auto" for both samples.
double tau_number(const std::string& option, const std::string& text) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
  }
  require(used == text.size() && used > 0, Errc::invalid_argument, option, " must be a number in [0, 0.5)",
          option == "--tau" ? " or auto" : "", "; got '", text, "'");
  return value;
}

PageSample page_sample(const std::string& path, const Table& table) {
  return {.points = table.points, .name = path, .columns = table.columns, .rows = table.rows};
}

struct DistanceCommand {
  std::string x, y;
  ReadFlags read{};
  RunFlags run{};
  std::string estimator = "mom", critic = "auto", scheme = "shuffle";
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
  command
      .add_option("X", x,
                  "First sample: .csv, .tsv, .npy, .npz[:member], IDX, each also .gz; - is standard input")
      ->required();
  command.add_option("Y", y, "Second sample")->required();
  command.add_option("--estimator", estimator, "Which row of Definition 2 (default mom)")
      ->type_name(all_names<Estimator>());
  command
      .add_option("--critic", critic,
                  "Functions the supremum runs over: exact (all 1-Lipschitz ones), lipschitz (networks), "
                  "clipped (the paper's, in an unknown unit); auto (default) goes by the size of the data")
      ->type_name(all_names<CriticKind>());
  command.add_flag("--certify", certify, "Also prove a bracket [lower, upper] on one fixed partition");
  command
      .add_option("--time-limit", time_limit, "Seconds after which the best answer so far is given, flagged")
      ->type_name("S");
  add_blocks_to(command);
  add_network_to(command);
  read.add_to(command);
  command.add_option("--weights-x", weights_x, "Column of row weights in X, for --estimator plain")
      ->type_name("COL")
      ->group("Input");
  command.add_option("--weights-y", weights_y, "Column of row weights in Y")
      ->type_name("COL")
      ->group("Input");
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
  tau.add_to(
      command, "--tau", "T",
      "Largest share of outliers in a sample, in [0, 0.5) (default 0.1), or auto to look for it in the data; "
      "chooses the number of blocks");
  blocks.add_to(command, "--blocks", "K", "Number of blocks; used as it is");
  command
      .add_option("--scheme", scheme, "How blocks are drawn (default shuffle: a fresh partition every step)")
      ->type_name(all_names<Scheme>())
      ->group("Blocks");
  block_size.add_to(command, "--block-size", "B", "Rows per block, for --scheme swor");
  command.add_option("--pairs", pairs, "Pairs per block, for --scheme pairs")
      ->type_name("M")
      ->check(count())
      ->group("Blocks");
}

void DistanceCommand::add_network_to(CLI::App& command) {
  command
      .add_option("--steps", steps,
                  "Steps of the ascent (default: lipschitz 1000, clipped 500 for each block)")
      ->type_name("N")
      ->check(count())
      ->group("Networks");
  command.add_option("--hidden", hidden, "Clipped: hidden layers (default 128,64; the paper's text: 128)")
      ->delimiter(',')
      ->type_name("H,...")
      ->check(count())
      ->group("Networks");
  command.add_option("--rate", ascent.rate, "Clipped: learning rate (default 5e-5)")
      ->type_name("R")
      ->group("Networks");
  command.add_option("--clip", ascent.clip, "Clipped: weights stay in [-C, C] (default 0.01)")
      ->type_name("C")
      ->group("Networks");
}

void DistanceCommand::add_outputs_to(CLI::App& command) {
  const auto output = [&](const char* name, std::string& path, const char* text, const char* type) {
    command.add_option(name, path, text)->type_name(type)->group("Outputs");
  };
  output("--json", json, "Write the result as JSON to this file, or to standard output (-)", "FILE|-");
  output("--report", report,
         "Write one HTML page to look at: the answer in words, charts, suspects, settings", "FILE.html");
  output("--rows", rows, "Write what is known of every row: critic value, median frequency, trimmed or not",
         "FILE.csv");
  output("--trace", trace, "Write the value of every step (lipschitz, clipped)", "FILE.csv");
  output("--save-critic", save_critic, "Write the fitted critic (see motmot evaluate)", "FILE.json");
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
  if (!tau_x.empty()) o.tau_x = tau_number(tau.both ? "--tau" : "--tau-x", tau_x);
  if (!tau_y.empty()) o.tau_y = tau_number(tau.both ? "--tau" : "--tau-y", tau_y);
}

DistanceOptions DistanceCommand::options() const {
  DistanceOptions o;
  o.estimator = choice<Estimator>("--estimator", estimator);
  o.critic = choice<CriticKind>("--critic", critic);
  o.scheme = choice<Scheme>("--scheme", scheme);
  blocks.require_positive("--blocks");
  block_size.require_positive("--block-size");
  require(pairs.value_or(1) >= 1, Errc::invalid_argument, "--pairs must be at least 1, got 0");
  require(steps.value_or(1) >= 1, Errc::invalid_argument, "--steps must be at least 1, got 0");
  blocks.apply("--blocks", o.k_x, o.k_y);
  block_size.apply("--block-size", o.b_x, o.b_y);
  apply_tau(o);
  o.pairs = pairs.value_or(0);
  o.mlp.hidden = hidden;
  o.ascent = ascent;
  o.ascent.steps = steps.value_or(0);
  o.ascent.keep_trace = !trace.empty() || !report.empty();
  o.certify = certify;
  o.keep_rows = !rows.empty() || !report.empty();
  o.time_limit = time_limit;
  o.seed = run.seed;
  o.threads = run.threads;
  return o;
}

void DistanceCommand::operator()() const {
  DistanceOptions o = options();
  const auto [table_x, table_y] = read_samples(read, x, y, weights_x, weights_y);
  o.weights_x = table_x.weights;
  o.weights_y = table_y.weights;
  OptionalOutput json_file(json), trace_file(trace), critic_file(save_critic), rows_file(rows),
      report_file(report);
  catch_interrupts();
  o.progress = progress_bar(run.quiet);
  const Distance result = distance(table_x.points, table_y.points, o);
  if (interrupted()) throw Interrupted{};
  trace_file.write(trace_csv(result));
  rows_file.write(rows_csv(result));
  if (critic_file) critic_file.write(result.critic->to_json());
  json_file.write(distance_json(result));
  if (report_file)
    report_file.write(
        page_html(distance_page(result, page_sample(x, table_x), page_sample(y, table_y), typed)));
  if (run.quiet) return;
  // Standard output belongs to what was asked for there.
  const bool taken = json == "-" || trace == "-" || save_critic == "-" || rows == "-" || report == "-";
  std::fputs(distance_text(result).c_str(), taken ? stderr : stdout);
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
