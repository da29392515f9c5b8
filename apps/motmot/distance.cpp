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

struct DistanceCommand {
  std::string x, y;
  ReadFlags read{};
  RunFlags run{};
  std::string estimator = "mom", critic = "clipped", scheme = "shuffle";
  PerSample<std::size_t> blocks{}, block_size{};
  PerSample<double> tau{};
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
  tau.add_to(
      command, "--tau", "T",
      "Largest share of outliers in a sample, in [0, 0.5) (default 0.1); chooses the number of blocks");
  blocks.add_to(command, "--blocks", "K", "Number of blocks; used as it is");
  command
      .add_option("--scheme", scheme, "How blocks are drawn (default shuffle: a fresh partition every step)")
      ->type_name("shuffle|partition|swor|pairs")
      ->group("Blocks");
  block_size.add_to(command, "--block-size", "B", "Rows per block, for --scheme swor");
  command.add_option("--pairs", pairs, "Pairs per block, for --scheme pairs")
      ->type_name("M")
      ->check(count())
      ->group("Blocks");
}

void DistanceCommand::add_network_to(CLI::App& command) {
  command.add_option("--hidden", hidden, "Hidden layers (default 128,64; the paper's text: 128)")
      ->delimiter(',')
      ->type_name("H,...")
      ->check(count())
      ->group("Clipped network");
  command.add_option("--steps", steps, "Steps of the ascent (default: 500 for each block)")
      ->type_name("N")
      ->check(count())
      ->group("Clipped network");
  command.add_option("--rate", ascent.rate, "Learning rate (default 5e-5)")
      ->type_name("R")
      ->group("Clipped network");
  command.add_option("--clip", ascent.clip, "Weights stay in [-C, C] (default 0.01)")
      ->type_name("C")
      ->group("Clipped network");
}

void DistanceCommand::add_outputs_to(CLI::App& command) {
  command.add_option("--trace", trace, "Write the value of every step to this CSV file")
      ->type_name("FILE.csv")
      ->group("Outputs");
  command
      .add_option("--save-critic", save_critic,
                  "Write the fitted critic to this JSON file (see motmot evaluate)")
      ->type_name("FILE")
      ->group("Outputs");
  command.add_option("--json", json, "Write the result as JSON to this file, or to standard output (-)")
      ->type_name("FILE|-")
      ->group("Outputs");
}

EstimateOptions DistanceCommand::options() const {
  EstimateOptions o;
  o.estimator = choice("--estimator", estimator, estimators);
  o.critic = choice("--critic", critic, critics);
  o.scheme = choice("--scheme", scheme, schemes);
  blocks.require_positive("--blocks");
  block_size.require_positive("--block-size");
  blocks.apply("--blocks", o.k_x, o.k_y);
  block_size.apply("--block-size", o.b_x, o.b_y);
  tau.apply("--tau", o.tau_x, o.tau_y);
  if (pairs) {
    require(*pairs >= 1, Errc::invalid_argument, "--pairs must be at least 1, got 0");
    o.pairs = *pairs;
  }
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
