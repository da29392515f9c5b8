// motmot reproduce rate and schemes: the theory of Section 3 as experiments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "commands.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "ranks.hpp"
#include "report/claims.hpp"
#include "report/rate_report.hpp"
#include "report/schemes_report.hpp"
#include "study/cells.hpp"
#include "study/rate.hpp"

namespace motmot::app {
namespace {

struct RateCommand {
  std::string output{}, report{};
  bool quick = false;
  std::vector<RateLaw> laws{};
  std::vector<std::size_t> d{}, n{};
  std::vector<double> tau{}, alpha{};
  std::vector<Estimator> estimators{};
  std::vector<BlockRule> rules{};
  std::optional<std::size_t> repetitions{};
  RunFlags run{};
  Communicator* ranks = &alone();

  void add_to(CLI::App& command);
  [[nodiscard]] RateOptions options() const;
  void operator()() const;

 private:
  void save(const std::string& file, const std::string& text) const;
};

template <class E>
std::string comma_names(const std::vector<E>& values) {
  std::string text;
  for (const E value : values) text.append(text.empty() ? "" : ",").append(name(value));
  return text;
}

std::string rate_command_line(const RateOptions& o) {
  return fmt::format(
      "motmot reproduce rate --laws {} --d {} --n {} --tau {} --alpha {} --estimators {} --rules {} "
      "--repetitions {} --seed {} --output DIR",
      comma_names(o.laws), fmt::join(o.d, ","), fmt::join(o.n, ","), fmt::join(o.tau, ","),
      fmt::join(o.alpha, ","), comma_names(o.estimators), comma_names(o.rules), o.repetitions, o.seed);
}

void RateCommand::add_to(CLI::App& command) {
  const Options options(command), grid(command, "Grid");
  options.add("--output", output, "DIR", "Folder for results, figures and finished cells; made if missing")
      ->required();
  options.add("--report", report, "FILE.html", "One page with figures, tables and claims");
  options.flag("--quick", quick, "A small grid, under a minute on two cores");
  grid.add("--laws", laws, "LAW,...", "same, shift, spread: laws on balls whose distance is known");
  grid.add("--d", d, "D,...", "Numbers of columns");
  grid.add("--n", n, "N,...", "Numbers of rows of X and of Y, rising");
  grid.add("--tau", tau, "T,...", "Fixed shares of outliers in each sample, in [0, 0.25)");
  grid.add("--alpha", alpha, "A,...", "Falling shares: n^A outliers in each sample (Assumption 3)");
  grid.add("--estimators", estimators, "E,...", "company, plain, mom, mou, mou-diag");
  grid.add("--rules", rules, "R,...", "Rules for K: default, prop4, section42, seventy, gan");
  grid.add("--repetitions", repetitions, "R", "Repetitions, each with data of its own");
  run.add_to(command);
}

RateOptions RateCommand::options() const {
  RateOptions o = quick ? quick_rate() : RateOptions{};
  if (!laws.empty()) o.laws = laws;
  if (!d.empty()) o.d = d;
  if (!n.empty()) o.n = n;
  if (!tau.empty()) o.tau = tau;
  if (!alpha.empty()) o.alpha = alpha;
  if (!estimators.empty()) o.estimators = estimators;
  if (!rules.empty()) o.rules = rules;
  o.repetitions = repetitions.value_or(o.repetitions);
  o.seed = run.seed;
  o.threads = run.threads;
  o.folder = output;
  o.progress = progress_bar(run.quiet || ranks->rank() != 0);
  o.ranks = ranks;
  return o;
}

void RateCommand::save(const std::string& file, const std::string& text) const {
  OptionalOutput((std::filesystem::path(output) / file).string()).write(text);
}

void RateCommand::operator()() const {
  const RateOptions asked = options();
  std::optional<OptionalOutput> page;
  begin_study(*ranks, output, [&] {
    require_distinct({},
                     {{"--report", report}, {"--output", cell_file(output, "rate", rate_settings(asked))}});
    page.emplace(ranks->rank() == 0 ? report : "");
  });
  const RateResult result = run_rate(asked);
  if (ranks->rank() != 0) return;
  if (!result.complete())
    throw Interrupted{fmt::format("interrupted; {} of {} cells are kept in '{}': the same command goes on",
                                  result.cells_done, result.cells, output)};
  const std::vector<Claim> claims = check_rate_claims(result);
  save("rate.csv", rate_csv(result));
  save("rate-summary.csv", rate_summary_csv(result));
  save("rate.json", rate_json(result, claims));
  save("rate-slopes.md", slopes_markdown(result));
  save("rate-claims.md", claims_markdown(claims));
  for (const StudyFigure& f : rate_figures(result)) save(f.file, figure_svg(f.figure));
  if (*page) page->write(page_html(rate_page(result, claims, rate_command_line(result.options))));
  if (run.quiet) return;
  print(fmt::format("rate: {} cells ({} found finished), {} repetitions; results and figures in {}\n\n{}",
                    result.cells, result.cells_reused, result.options.repetitions, output,
                    claims_text(claims)));
}

struct SchemesCommand {
  std::string output{}, report{};
  bool quick = false;
  std::vector<RateLaw> laws{};
  std::vector<Estimator> estimators{};
  std::vector<Scheme> schemes{};
  std::vector<std::size_t> blocks{};
  std::vector<double> sizes{};
  std::optional<std::size_t> repetitions{}, n{}, d{};
  std::optional<double> tau{};
  RunFlags run{};
  Communicator* ranks = &alone();

  void add_to(CLI::App& command);
  [[nodiscard]] SchemesOptions options() const;
  void operator()() const;
};

void SchemesCommand::add_to(CLI::App& command) {
  const Options add(command), grid(command, "Grid");
  add.add("--output", output, "DIR", "Folder for results, figures and finished cells; made if missing")
      ->required();
  add.add("--report", report, "FILE.html", "One page with figures, tables and claims");
  add.flag("--quick", quick, "A small grid, under a minute on two cores");
  grid.add("--laws", laws, "LAW,...", "same, shift, spread: laws on balls whose distance is known");
  grid.add("--estimators", estimators, "E,...", "mom, mou, mou-diag");
  grid.add("--schemes", schemes, "S,...", "partition, shuffle, swor, pairs");
  grid.add("--blocks", blocks, "K,...", "Numbers of blocks K_X = K_Y");
  grid.add("--sizes", sizes, "F,...", "swor, pairs: sizes of a block, times rows over K");
  grid.add("--n", n, "N", "Rows of X and of Y (default 500)");
  grid.add("--d", d, "D", "Columns (default 2)");
  grid.add("--tau", tau, "T", "Share of outliers in each sample (default 0.02)");
  grid.add("--repetitions", repetitions, "R", "Repetitions, each with data of its own");
  run.add_to(command);
}

SchemesOptions SchemesCommand::options() const {
  SchemesOptions o = quick ? quick_schemes() : SchemesOptions{};
  if (!laws.empty()) o.laws = laws;
  if (!estimators.empty()) o.estimators = estimators;
  if (!schemes.empty()) o.schemes = schemes;
  if (!blocks.empty()) o.blocks = blocks;
  if (!sizes.empty()) o.sizes = sizes;
  o.repetitions = repetitions.value_or(o.repetitions);
  o.n = n.value_or(o.n);
  o.d = d.value_or(o.d);
  o.tau = tau.value_or(o.tau);
  o.seed = run.seed;
  o.threads = run.threads;
  o.folder = output;
  o.progress = progress_bar(run.quiet || ranks->rank() != 0);
  o.ranks = ranks;
  return o;
}

std::string schemes_command_line(const SchemesOptions& o) {
  return fmt::format(
      "motmot reproduce schemes --laws {} --estimators {} --schemes {} --blocks {} --sizes {} --n {} --d {} "
      "--tau {} --repetitions {} --seed {} --output DIR",
      comma_names(o.laws), comma_names(o.estimators), comma_names(o.schemes), fmt::join(o.blocks, ","),
      fmt::join(o.sizes, ","), o.n, o.d, o.tau, o.repetitions, o.seed);
}

void SchemesCommand::operator()() const {
  std::optional<OptionalOutput> page;
  begin_study(*ranks, output, [&] { page.emplace(ranks->rank() == 0 ? report : ""); });
  const SchemesResult result = run_schemes(options());
  if (ranks->rank() != 0) return;
  if (!result.complete())
    throw Interrupted{fmt::format("interrupted; {} of {} cells are kept in '{}': the same command goes on",
                                  result.cells_done, result.cells, output)};
  const std::vector<Claim> claims = check_schemes_claims(result);
  const auto save = [&](const std::string& file, const std::string& text) {
    OptionalOutput((std::filesystem::path(output) / file).string()).write(text);
  };
  save("schemes.csv", schemes_csv(result));
  save("schemes.json", schemes_json(result, claims));
  save("schemes.md", schemes_markdown(result));
  save("schemes-claims.md", claims_markdown(claims));
  const StudyFigure figure = schemes_figure(result);
  save(figure.file, figure_svg(figure.figure));
  if (*page) page->write(page_html(schemes_page(result, claims, schemes_command_line(result.options))));
  if (run.quiet) return;
  print(fmt::format("schemes: {} cells ({} found finished), {} repetitions; results in {}\n\n{}",
                    result.cells, result.cells_reused, result.options.repetitions, output,
                    claims_text(claims)));
}

}  // namespace

void add_theory_studies(CLI::App& reproduce, Communicator& ranks) {
  add_command(reproduce, "rate", "Prop. 4 and Theorem 6: error over n, and how fast it falls",
              RateCommand{.ranks = &ranks});
  add_command(reproduce, "schemes", "Section 3.1: ways to draw blocks, by error, spread and cost",
              SchemesCommand{.ranks = &ranks});
}

}  // namespace motmot::app
