// motmot distance X Y: the robust distance between two files.
#include <cstdio>

#include "commands.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "motmot/estimate.hpp"
#include "motmot/report.hpp"

namespace motmot::app {
namespace {

constexpr std::array<std::pair<std::string_view, Estimator>, 4> estimators{{{"mom", Estimator::mom},
                                                                            {"mou", Estimator::mou},
                                                                            {"mou-diag", Estimator::mou_diag},
                                                                            {"plain", Estimator::plain}}};
constexpr std::array<std::pair<std::string_view, Scheme>, 4> schemes{{{"shuffle", Scheme::shuffle},
                                                                      {"partition", Scheme::partition},
                                                                      {"swor", Scheme::swor},
                                                                      {"pairs", Scheme::pairs}}};
constexpr std::array<std::pair<std::string_view, CriticKind>, 1> critics{{{"clipped", CriticKind::clipped}}};

/// An option for both samples and one for each; 0 is no number of anything.
struct PerSample {
  std::optional<std::size_t> both, x, y;

  void add_to(CLI::App& command, const std::string& name, const std::string& type, const std::string& text) {
    CLI::Option* all = command.add_option(name, both, text)->type_name(type);
    command.add_option(name + "-x", x, "The same for X alone")->type_name(type)->excludes(all);
    command.add_option(name + "-y", y, "The same for Y alone")->type_name(type)->excludes(all);
  }

  void apply(const std::string& name, std::size_t& to_x, std::size_t& to_y) const {
    set(name, both, to_x);
    set(name, both, to_y);
    set(name + "-x", x, to_x);
    set(name + "-y", y, to_y);
  }

 private:
  static void set(const std::string& name, const std::optional<std::size_t>& value, std::size_t& to) {
    if (!value) return;
    require(*value >= 1, Errc::invalid_argument, name, " must be at least 1, got ", *value);
    to = *value;
  }
};

struct DistanceCommand {
  std::string x, y;
  ReadFlags read{};
  RunFlags run{};
  std::string estimator = "mom", critic = "clipped", scheme = "shuffle";
  PerSample blocks{}, block_size{};
  std::optional<double> tau, tau_x, tau_y;
  std::optional<std::size_t> pairs, steps;
  std::vector<std::size_t> hidden{128, 64};
  AscentOptions ascent{};
  std::string trace, save_critic, json;

  void add_to(CLI::App& command);
  [[nodiscard]] EstimateOptions options() const;
  void operator()() const;

 private:
  void add_blocks_to(CLI::App& command);
  void add_network_to(CLI::App& command);
  void add_outputs_to(CLI::App& command);
};

void DistanceCommand::add_to(CLI::App& command) {
  command
      .add_option("X", x,
                  "First sample: .csv, .tsv, .npy, .npz[:member], IDX, each also .gz; - is standard input")
      ->required();
  command.add_option("Y", y, "Second sample")->required();
  command.add_option("--estimator", estimator, "Which row of Definition 2 (default mom)")
      ->type_name("mom|mou|mou-diag|plain");
  command
      .add_option("--critic", critic,
                  "Functions the supremum runs over (default clipped: the paper's network)")
      ->type_name("clipped");
  add_blocks_to(command);
  add_network_to(command);
  read.add_to(command);
  run.add_to(command);
  add_outputs_to(command);
  command.footer(
      "Examples:\n"
      "  motmot distance x.csv y.csv --tau 0.1\n"
      "  motmot distance x.csv y.csv --estimator mou --blocks 71 --seed 7 --json result.json\n"
      "  motmot distance a.npy b.npy --scheme swor --blocks 101 --block-size 4\n"
      "  zcat x.csv.gz | motmot distance - y.csv --columns height,weight --quiet --json -");
}

void DistanceCommand::add_blocks_to(CLI::App& command) {
  CLI::Option* both =
      command
          .add_option("--tau", tau,
                      "Largest share of outliers in either sample, in [0, 0.5) (default 0.1); "
                      "chooses the number of blocks")
          ->type_name("T");
  command.add_option("--tau-x", tau_x, "The same for X alone")->type_name("T")->excludes(both);
  command.add_option("--tau-y", tau_y, "The same for Y alone")->type_name("T")->excludes(both);
  blocks.add_to(command, "--blocks", "K", "Number of blocks; used as it is");
  command
      .add_option("--scheme", scheme, "How blocks are drawn (default shuffle: a fresh partition every step)")
      ->type_name("shuffle|partition|swor|pairs");
  block_size.add_to(command, "--block-size", "B", "Rows per block, for --scheme swor");
  command.add_option("--pairs", pairs, "Pairs per block, for --scheme pairs")->type_name("M");
}

void DistanceCommand::add_network_to(CLI::App& command) {
  command.add_option("--hidden", hidden, "Hidden layers (default 128,64; the paper's text: 128)")
      ->delimiter(',')
      ->type_name("H,...");
  command.add_option("--steps", steps, "Steps of the ascent (default: 500 for each block)")->type_name("N");
  command.add_option("--rate", ascent.rate, "Learning rate (default 5e-5)")->type_name("R");
  command.add_option("--clip", ascent.clip, "Weights stay in [-C, C] (default 0.01)")->type_name("C");
}

void DistanceCommand::add_outputs_to(CLI::App& command) {
  command.add_option("--trace", trace, "Write the value of every step to this CSV file")
      ->type_name("FILE.csv");
  command
      .add_option("--save-critic", save_critic,
                  "Write the fitted critic to this JSON file (see motmot evaluate)")
      ->type_name("FILE");
  command.add_option("--json", json, "Write the result as JSON to this file, or to standard output (-)")
      ->type_name("FILE|-");
}

EstimateOptions DistanceCommand::options() const {
  EstimateOptions o;
  o.estimator = choice("--estimator", estimator, estimators);
  o.critic = choice("--critic", critic, critics);
  o.scheme = choice("--scheme", scheme, schemes);
  blocks.apply("--blocks", o.k_x, o.k_y);
  block_size.apply("--block-size", o.b_x, o.b_y);
  if (pairs) {
    require(*pairs >= 1, Errc::invalid_argument, "--pairs must be at least 1, got 0");
    o.pairs = *pairs;
  }
  if (tau) o.tau_x = o.tau_y = *tau;
  if (tau_x) o.tau_x = *tau_x;
  if (tau_y) o.tau_y = *tau_y;
  o.mlp.hidden = hidden;
  o.ascent = ascent;
  if (steps) {
    require(*steps >= 1, Errc::invalid_argument, "--steps must be at least 1, got 0");
    o.ascent.steps = *steps;
  }
  o.ascent.keep_trace = !trace.empty();
  o.seed = run.seed;
  o.threads = run.threads;
  return o;
}

void DistanceCommand::operator()() const {
  EstimateOptions o = options();
  const auto [table_x, table_y] = read_samples(read, x, y);
  OptionalOutput json_file(json), trace_file(trace), critic_file(save_critic);
  catch_interrupts();
  o.progress = progress_bar(run.quiet);
  const Estimate result = robust_w1(table_x.points, table_y.points, o);
  if (interrupted()) throw Interrupted{};
  trace_file.write(trace_csv(result));
  critic_file.write(result.critic->to_json());
  json_file.write(estimate_json(result));
  if (run.quiet) return;
  // Standard output belongs to the JSON when that was asked for there.
  std::FILE* out = json == "-" || trace == "-" || save_critic == "-" ? stderr : stdout;
  std::fputs(estimate_text(result).c_str(), out);
}

}  // namespace

void add_distance(CLI::App& program) {
  const auto command = std::make_shared<DistanceCommand>();
  CLI::App* sub = program.add_subcommand("distance", "The robust distance between two samples");
  command->add_to(*sub);
  sub->callback([command] { (*command)(); });
}

}  // namespace motmot::app
