// motmot reproduce STUDY: the figures and claims of Section 4.2, from nothing.
#include "commands.hpp"
#include "report/study_report.hpp"
#include "study/cells.hpp"
#include "study_flags.hpp"

namespace motmot::app {
namespace {

struct ReproduceCommand {
  Study study{};
  StudyFlags flags{};
  std::string peers{};
  std::vector<Toy> data{};
  std::vector<Estimator> estimators{};
  std::vector<double> tau{};
  std::vector<std::size_t> blocks{}, hidden{};
  std::optional<std::size_t> n{}, steps{}, epochs{};

  void add_to(CLI::App& command);
  [[nodiscard]] StudyOptions options() const;
  void operator()() const;

 private:
  [[nodiscard]] std::vector<std::string> files() const;
  void write(const StudyResult& result, const std::vector<Claim>& claims) const;
};

/// The command that makes the same numbers, whatever the defaults are.
std::string command_line(const StudyOptions& o) {
  std::string line = fmt::format(
      "motmot reproduce {} --data {} --tau {} --blocks {} --estimators {} --repetitions {} --n {} --seed {}",
      name(o.study), comma_names(o.data), fmt::join(o.tau, ","), fmt::join(o.blocks, ","),
      comma_names(o.estimators), o.repetitions, o.n, o.seed);
  if (o.study != Study::breakdown)
    line += fmt::format(" --hidden {} --steps {}", fmt::join(o.hidden, ","), o.steps);
  if (o.study == Study::convergence) line += fmt::format(" --epochs {}", o.epochs);
  return line + " --output DIR";
}

void ReproduceCommand::add_to(CLI::App& command) {
  const Options options(command), grid(command, "Grid"), network(command, "Network");
  const StudyOptions usual = full_study(study);
  flags.add_to(command, "A small grid, under 40 seconds on two cores", usual.repetitions);
  grid.add("--data", data, "TOY,...", "Toy samples, see motmot generate" + by_default(usual.data));
  grid.add("--tau", tau, "T,...", "Shares of outliers" + by_default(usual.tau));
  grid.add("--blocks", blocks, "K,...", "Numbers of blocks K_X = K_Y" + by_default(usual.blocks));
  grid.add("--estimators", estimators, "E,...", "mou-diag, mou, mom" + by_default(usual.estimators));
  grid.add("--n", n, "N", "Rows of X and of Y" + by_default(static_cast<double>(usual.n)));
  if (study == Study::breakdown) {
    options.add("--peers", peers, "FILE.csv", "Results of study/peers.py, to stand beside ours");
  } else {
    network.add("--hidden", hidden, "H,...",
                "Hidden layers (default 128, the paper's text; 128,64 its code)");
    network.add("--steps", steps, "S",
                "Steps of the ascent; for convergence at most so many" +
                    by_default(static_cast<double>(usual.steps)));
  }
  if (study == Study::convergence)
    network.add("--epochs", epochs, "E", "Epochs of K steps" + by_default(static_cast<double>(usual.epochs)));
}

StudyOptions ReproduceCommand::options() const {
  StudyOptions o = flags.with(flags.quick ? quick_study(study) : full_study(study));
  replace(o.data, data);
  replace(o.estimators, estimators);
  replace(o.tau, tau);
  replace(o.blocks, blocks);
  replace(o.hidden, hidden);
  o.n = n.value_or(o.n);
  o.steps = steps.value_or(o.steps);
  o.epochs = epochs.value_or(o.epochs);
  return o;
}

std::vector<std::string> ReproduceCommand::files() const {
  const std::string base(name(study));
  return {base + ".csv",
          base + "-summary.csv",
          base + ".json",
          base + "-claims.md",
          "figure2.svg",
          "figure3.svg",
          "figure5.svg",
          "figure6.svg",
          base + ".svg",
          base + "-blocks.svg",
          base + "-over-blocks.svg"};
}

void ReproduceCommand::write(const StudyResult& result, const std::vector<Claim>& claims) const {
  const std::string base(name(study));
  flags.save(base + ".csv", study_csv(result));
  flags.save(base + "-summary.csv", summary_csv(result));
  flags.save(base + ".json", study_json(result, claims));
  flags.save(base + "-claims.md", claims_markdown(claims));
  for (const StudyFigure& f : study_figures(result)) flags.save(f.file, figure_svg(f.figure));
  if (study != Study::breakdown) return;
  flags.save("breakdown.svg", heat_svg(breakdown_table(result)));
  flags.save("breakdown-blocks.svg", heat_svg(blocks_table(result, "mom")));
}

void ReproduceCommand::operator()() const {
  const StudyOptions asked = options();
  OptionalOutput page = flags.begin({{"--peers", peers}}, cell_file(asked), files());
  StudyResult result = run_study(asked);
  if (flags.ranks->rank() != 0) return;
  flags.require_complete(result);
  if (!peers.empty()) add_peers(result, peers);
  const std::vector<Claim> claims = check_claims(result);
  write(result, claims);
  if (page) page.write(page_html(study_page(result, claims, command_line(result.options))));
  flags.print_end(name(study), result, claims);
}

struct Figure1Command {
  std::string output{};
  std::uint64_t seed = 1;
  bool quiet = false;
  Communicator* ranks = &alone();

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("--output", output, "DIR", "Folder for figure1.svg; made if missing")->required();
    options.add("--seed", seed, "S", "Of the blocks drawn (default 1)");
    options.flag("--quiet", quiet, "No summary");
  }
  void operator()() const {
    if (ranks->rank() != 0) return;
    make_folder(output);
    OptionalOutput((std::filesystem::path(output) / "figure1.svg").string()).write(figure1_svg(seed));
    if (!quiet) print(fmt::format("figure1: wrote figure1.svg to {}\n", output));
  }
};

}  // namespace

void add_reproduce(CLI::App& program, Communicator& ranks) {
  CLI::App* reproduce = program.add_subcommand("reproduce", "The paper's figures and claims, from nothing");
  reproduce->require_subcommand(1);
  reproduce->footer(
      "Finished cells are kept in DIR: a run that was interrupted goes on where it stopped, and one with "
      "more\n"
      "repetitions or another grid re-uses them.\n\n"
      "Examples:\n"
      "  motmot reproduce error --quick --output study\n"
      "  motmot reproduce convergence --output study\n"
      "  motmot reproduce breakdown --output study\n"
      "  motmot reproduce rate --quick --output study\n"
      "  motmot reproduce schemes --quick --output study\n"
      "  motmot reproduce figure1 --output study");
  add_command(*reproduce, "error", "Figures 2 and 5: absolute deviation over K",
              ReproduceCommand{.study = Study::error, .flags = {.ranks = &ranks}});
  add_command(*reproduce, "convergence", "Figures 3 and 6: value over epochs",
              ReproduceCommand{.study = Study::convergence, .flags = {.ranks = &ranks}});
  add_command(*reproduce, "breakdown", "Where each method breaks, in the data's units",
              ReproduceCommand{.study = Study::breakdown, .flags = {.ranks = &ranks}});
  add_theory_studies(*reproduce, ranks);
  add_command(*reproduce, "figure1", "Figure 1: sampling schemes, admitted shares of outliers",
              Figure1Command{.ranks = &ranks});
}

}  // namespace motmot::app
