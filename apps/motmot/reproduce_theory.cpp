// motmot reproduce rate and schemes: the theory of Section 3 as experiments.
#include <fmt/ranges.h>

#include "commands.hpp"
#include "report/rate_report.hpp"
#include "report/schemes_report.hpp"
#include "study/cells.hpp"
#include "study/rate.hpp"
#include "study_flags.hpp"

namespace motmot::app {
namespace {

constexpr const char* law_words = "same, shift, spread: laws on balls whose distance is known";

struct RateCommand {
  StudyFlags flags{};
  std::vector<RateLaw> laws{};
  std::vector<std::size_t> d{}, n{};
  std::vector<double> tau{}, alpha{};
  std::vector<Estimator> estimators{};
  std::vector<BlockRule> rules{};

  void add_to(CLI::App& command);
  [[nodiscard]] RateOptions options() const;
  void operator()() const;
};

std::string rate_command_line(const RateOptions& o) {
  return fmt::format(
      "motmot reproduce rate --laws {} --d {} --n {} --tau {} --alpha {} --estimators {} --rules {} "
      "--repetitions {} --seed {} --output DIR",
      comma_names(o.laws), fmt::join(o.d, ","), fmt::join(o.n, ","), fmt::join(o.tau, ","),
      fmt::join(o.alpha, ","), comma_names(o.estimators), comma_names(o.rules), o.repetitions, o.seed);
}

void RateCommand::add_to(CLI::App& command) {
  const Options grid(command, "Grid");
  flags.add_to(command, "A small grid, under a minute on two cores");
  grid.add("--laws", laws, "LAW,...", law_words);
  grid.add("--d", d, "D,...", "Numbers of columns");
  grid.add("--n", n, "N,...", "Numbers of rows of X and of Y, rising");
  grid.add("--tau", tau, "T,...", "Fixed shares of outliers in each sample, in [0, 0.25)");
  grid.add("--alpha", alpha, "A,...", "Falling shares: n^A outliers in each sample (Assumption 3)");
  grid.add("--estimators", estimators, "E,...", "company, plain, mom, mou, mou-diag");
  grid.add("--rules", rules, "R,...", "Rules for K: default, prop4, section42, seventy, gan");
}

RateOptions RateCommand::options() const {
  RateOptions o = flags.with(flags.quick ? quick_rate() : RateOptions{});
  replace(o.laws, laws);
  replace(o.d, d);
  replace(o.n, n);
  replace(o.tau, tau);
  replace(o.alpha, alpha);
  replace(o.estimators, estimators);
  replace(o.rules, rules);
  return o;
}

void RateCommand::operator()() const {
  const RateOptions asked = options();
  OptionalOutput page =
      flags.begin({}, cell_file(flags.output, "rate", rate_settings(asked)),
                  {"rate.csv", "rate-summary.csv", "rate.json", "rate-slopes.md", "rate-claims.md"});
  const RateResult result = run_rate(asked);
  if (flags.ranks->rank() != 0) return;
  flags.require_complete(result);
  const std::vector<Claim> claims = check_rate_claims(result);
  flags.save("rate.csv", rate_csv(result));
  flags.save("rate-summary.csv", rate_summary_csv(result));
  flags.save("rate.json", rate_json(result, claims));
  flags.save("rate-slopes.md", slopes_markdown(result));
  flags.save("rate-claims.md", claims_markdown(claims));
  for (const StudyFigure& f : rate_figures(result)) flags.save(f.file, figure_svg(f.figure));
  if (page) page.write(page_html(rate_page(result, claims, rate_command_line(result.options))));
  flags.print_end("rate", result, claims);
}

struct SchemesCommand {
  StudyFlags flags{};
  std::vector<RateLaw> laws{};
  std::vector<Estimator> estimators{};
  std::vector<Scheme> schemes{};
  std::vector<std::size_t> blocks{};
  std::vector<double> sizes{};
  std::optional<std::size_t> n{}, d{};
  std::optional<double> tau{};

  void add_to(CLI::App& command);
  [[nodiscard]] SchemesOptions options() const;
  void operator()() const;
};

void SchemesCommand::add_to(CLI::App& command) {
  const Options grid(command, "Grid");
  flags.add_to(command, "A small grid, under a minute on two cores");
  grid.add("--laws", laws, "LAW,...", law_words);
  grid.add("--estimators", estimators, "E,...", "mom, mou, mou-diag");
  grid.add("--schemes", schemes, "S,...", "partition, shuffle, swor, pairs");
  grid.add("--blocks", blocks, "K,...", "Numbers of blocks K_X = K_Y");
  grid.add("--sizes", sizes, "F,...", "swor, pairs: sizes of a block, times rows over K");
  grid.add("--n", n, "N", "Rows of X and of Y (default 500)");
  grid.add("--d", d, "D", "Columns (default 2)");
  grid.add("--tau", tau, "T", "Share of outliers in each sample (default 0.02)");
}

SchemesOptions SchemesCommand::options() const {
  SchemesOptions o = flags.with(flags.quick ? quick_schemes() : SchemesOptions{});
  replace(o.laws, laws);
  replace(o.estimators, estimators);
  replace(o.schemes, schemes);
  replace(o.blocks, blocks);
  replace(o.sizes, sizes);
  o.n = n.value_or(o.n);
  o.d = d.value_or(o.d);
  o.tau = tau.value_or(o.tau);
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
  const SchemesOptions asked = options();
  OptionalOutput page = flags.begin({}, cell_file(flags.output, "schemes", schemes_settings(asked)),
                                    {"schemes.csv", "schemes.json", "schemes.md", "schemes-claims.md"});
  const SchemesResult result = run_schemes(asked);
  if (flags.ranks->rank() != 0) return;
  flags.require_complete(result);
  const std::vector<Claim> claims = check_schemes_claims(result);
  flags.save("schemes.csv", schemes_csv(result));
  flags.save("schemes.json", schemes_json(result, claims));
  flags.save("schemes.md", schemes_markdown(result));
  flags.save("schemes-claims.md", claims_markdown(claims));
  const StudyFigure figure = schemes_figure(result);
  flags.save(figure.file, figure_svg(figure.figure));
  if (page) page.write(page_html(schemes_page(result, claims, schemes_command_line(result.options))));
  flags.print_end("schemes", result, claims);
}

}  // namespace

void add_theory_studies(CLI::App& reproduce, Communicator& ranks) {
  add_command(reproduce, "rate", "Prop. 4 and Theorem 6: error over n, and how fast it falls",
              RateCommand{.flags = {.ranks = &ranks}});
  add_command(reproduce, "schemes", "Section 3.1: ways to draw blocks, by error, spread and cost",
              SchemesCommand{.flags = {.ranks = &ranks}});
}

}  // namespace motmot::app
