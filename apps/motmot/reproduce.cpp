// motmot reproduce STUDY: the figures and claims of Section 4.2, from nothing.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "commands.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "report/study_report.hpp"

namespace motmot::app {
namespace {

struct ReproduceCommand {
  Study study{};
  std::string output, peers, report;
  bool quick = false;
  std::vector<std::string> data, estimators;
  std::vector<double> tau;
  std::vector<std::size_t> blocks, hidden;
  std::optional<std::size_t> repetitions, n, steps, epochs;
  RunFlags run;

  void add_to(CLI::App& command);
  [[nodiscard]] StudyOptions options() const;
  void operator()() const;

 private:
  void write(const StudyResult& result, const std::vector<Claim>& claims) const;
  void save(const std::string& file, const std::string& text) const;
};

/// The command that makes the same numbers, whatever the defaults are.
std::string command_line(const StudyOptions& o) {
  std::string data, estimators;
  for (const Toy toy : o.data) data.append(data.empty() ? "" : ",").append(name(toy));
  for (const Estimator e : o.estimators) estimators.append(estimators.empty() ? "" : ",").append(name(e));
  std::string line = fmt::format(
      "motmot reproduce {} --data {} --tau {} --blocks {} --estimators {} --repetitions {} --n {} --seed {}",
      name(o.study), data, fmt::join(o.tau, ","), fmt::join(o.blocks, ","), estimators, o.repetitions, o.n,
      o.seed);
  if (o.study != Study::breakdown)
    line += fmt::format(" --hidden {} --steps {}", fmt::join(o.hidden, ","), o.steps);
  if (o.study == Study::convergence) line += fmt::format(" --epochs {}", o.epochs);
  return line + " --output DIR";
}

void ReproduceCommand::add_to(CLI::App& command) {
  command.add_option("--output", output, "Folder for results, figures and finished cells; made if missing")
      ->required()
      ->type_name("DIR");
  command.add_option("--report", report, "One page with figures, tables and claims")->type_name("FILE.html");
  command.add_flag("--quick", quick, "A small grid, under 40 seconds on two cores");
  command.add_option("--data", data, "Toy samples, see motmot generate")
      ->delimiter(',')
      ->type_name("TOY,...")
      ->group("Grid");
  command.add_option("--tau", tau, "Shares of outliers")->delimiter(',')->type_name("T,...")->group("Grid");
  command.add_option("--blocks", blocks, "Numbers of blocks K_X = K_Y")
      ->delimiter(',')
      ->check(count())
      ->type_name("K,...")
      ->group("Grid");
  command.add_option("--estimators", estimators, "mou-diag, mou, mom")
      ->delimiter(',')
      ->type_name("E,...")
      ->group("Grid");
  command.add_option("--repetitions", repetitions, "Repetitions, each with data of its own")
      ->check(count())
      ->type_name("R")
      ->group("Grid");
  command.add_option("--n", n, "Rows of X and of Y (default 500)")
      ->check(count())
      ->type_name("N")
      ->group("Grid");
  if (study == Study::breakdown) {
    command.add_option("--peers", peers, "Results of experiments/peers.py, to stand beside ours")
        ->type_name("FILE.csv");
  } else {
    command.add_option("--hidden", hidden, "Hidden layers (default 128, the paper's text; 128,64 its code)")
        ->delimiter(',')
        ->check(count())
        ->type_name("H,...")
        ->group("Network");
    command.add_option("--steps", steps, "Steps of the ascent; for convergence at most so many")
        ->check(count())
        ->type_name("S")
        ->group("Network");
  }
  if (study == Study::convergence)
    command.add_option("--epochs", epochs, "Epochs of K steps (default 1000)")
        ->check(count())
        ->type_name("E")
        ->group("Network");
  run.add_to(command);
}

StudyOptions ReproduceCommand::options() const {
  StudyOptions o = quick ? quick_study(study) : full_study(study);
  if (!data.empty()) o.data.clear();
  for (const std::string& word : data) o.data.push_back(choice<Toy>("--data", word));
  if (!estimators.empty()) o.estimators.clear();
  for (const std::string& word : estimators) o.estimators.push_back(choice<Estimator>("--estimators", word));
  if (!tau.empty()) o.tau = tau;
  if (!blocks.empty()) o.blocks = blocks;
  if (!hidden.empty()) o.hidden = hidden;
  o.repetitions = repetitions.value_or(o.repetitions);
  o.n = n.value_or(o.n);
  o.steps = steps.value_or(o.steps);
  o.epochs = epochs.value_or(o.epochs);
  o.seed = run.seed;
  o.threads = run.threads;
  o.folder = output;
  o.progress = progress_bar(run.quiet);
  return o;
}

void ReproduceCommand::save(const std::string& file, const std::string& text) const {
  OptionalOutput((std::filesystem::path(output) / file).string()).write(text);
}

void ReproduceCommand::write(const StudyResult& result, const std::vector<Claim>& claims) const {
  const std::string base(name(study));
  save(base + ".csv", study_csv(result));
  save(base + "-summary.csv", summary_csv(result));
  save(base + ".json", study_json(result, claims));
  save(base + "-claims.md", claims_markdown(claims));
  for (const StudyFigure& f : study_figures(result)) save(f.file, figure_svg(f.figure));
  if (study != Study::breakdown) return;
  save("breakdown.svg", heat_svg(breakdown_table(result)));
  save("breakdown-blocks.svg", heat_svg(blocks_table(result, "mom")));
}

void ReproduceCommand::operator()() const {
  catch_interrupts();
  OptionalOutput page(report);
  if (!peers.empty())
    require(std::filesystem::exists(peers), Errc::io, "cannot read '", peers, "': there is no such file");
  StudyResult result = run_study(options());
  if (!result.complete())
    throw Interrupted{fmt::format("interrupted; {} of {} cells are kept in '{}': the same command goes on",
                                  result.cells_done, result.cells, output)};
  if (!peers.empty()) add_peers(result, peers);
  const std::vector<Claim> claims = check_claims(result);
  write(result, claims);
  if (page) page.write(page_html(study_page(result, claims, command_line(result.options))));
  if (run.quiet) return;
  fmt::print("{}: {} cells ({} found finished), {} repetitions; results and figures in {}\n\n", name(study),
             result.cells, result.cells_reused, result.options.repetitions, output);
  fmt::print("{}", claims_text(claims));
}

struct Figure1Command {
  std::string output;
  std::uint64_t seed = 1;
  bool quiet = false;

  void add_to(CLI::App& command) {
    command.add_option("--output", output, "Folder for figure1.svg; made if missing")
        ->required()
        ->type_name("DIR");
    command.add_option("--seed", seed, "Of the blocks drawn (default 1)")->type_name("S")->check(count());
    command.add_flag("--quiet", quiet, "No summary");
  }
  void operator()() const {
    std::error_code error;
    std::filesystem::create_directories(output, error);
    require(!error, Errc::io, "cannot make folder '", output, "': ", error.message());
    OptionalOutput((std::filesystem::path(output) / "figure1.svg").string()).write(figure1_svg(seed));
    if (!quiet) fmt::print("figure1: wrote figure1.svg to {}\n", output);
  }
};

void add_study(CLI::App& reproduce, Study study, const std::string& words) {
  const auto command = std::make_shared<ReproduceCommand>();
  command->study = study;
  CLI::App* sub = reproduce.add_subcommand(std::string(name(study)), words);
  command->add_to(*sub);
  sub->callback([command] { (*command)(); });
}

}  // namespace

void add_reproduce(CLI::App& program) {
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
      "  motmot reproduce figure1 --output study");
  add_study(*reproduce, Study::error, "Figures 2 and 4: absolute deviation over K");
  add_study(*reproduce, Study::convergence, "Figures 3 and 5: value over epochs");
  add_study(*reproduce, Study::breakdown, "Where each method breaks, in the data's units");
  const auto figure = std::make_shared<Figure1Command>();
  CLI::App* sub =
      reproduce->add_subcommand("figure1", "Figure 1: sampling schemes, admitted shares of outliers");
  figure->add_to(*sub);
  sub->callback([figure] { (*figure)(); });
}

}  // namespace motmot::app
