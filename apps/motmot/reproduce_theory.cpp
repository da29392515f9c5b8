// motmot reproduce rate and schemes: the theory of Section 3 as experiments.
#include "commands.hpp"
#include "report/rate_report.hpp"
#include "report/schemes_report.hpp"
#include "study/cells.hpp"
#include "study/rate.hpp"
#include "study_flags.hpp"

namespace motmot::app {
namespace {

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
  const RateOptions usual;
  flags.add_to(command, "A small grid, under a minute on two cores", usual.repetitions);
  grid.add("--laws", laws, "LAW,...", "Laws on balls whose distance is known" + by_default(usual.laws));
  grid.add("--d", d, "D,...", "Numbers of columns" + by_default(usual.d));
  grid.add("--n", n, "N,...", "Numbers of rows of X and of Y, rising" + by_default(usual.n));
  grid.add("--tau", tau, "T,...",
           "Fixed shares of outliers in each sample, in [0, 0.25)" + by_default(usual.tau));
  grid.add("--alpha", alpha, "A,...",
           "Falling shares: n^A outliers in each sample (Assumption 3)" + by_default(usual.alpha));
  grid.add("--estimators", estimators, "E,...", "Estimators" + by_default(usual.estimators));
  grid.add("--rules", rules, "R,...", "Rules for K" + by_default(usual.rules));
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
  const SchemesOptions usual;
  flags.add_to(command, "A small grid, under a minute on two cores", usual.repetitions);
  grid.add("--laws", laws, "LAW,...",
           "same, shift, spread: laws on balls whose distance is known" + by_default(usual.laws));
  grid.add("--estimators", estimators, "E,...", "Estimators" + by_default(usual.estimators));
  grid.add("--schemes", schemes, "S,...", "Schemes" + by_default(usual.schemes));
  grid.add("--blocks", blocks, "K,...", "Numbers of blocks K_X = K_Y" + by_default(usual.blocks));
  grid.add("--sizes", sizes, "F,...",
           "swor, pairs: sizes of a block, times rows over K" + by_default(usual.sizes));
  grid.add("--n", n, "N", "Rows of X and of Y" + by_default(static_cast<double>(usual.n)));
  grid.add("--d", d, "D", "Columns" + by_default(static_cast<double>(usual.d)));
  grid.add("--tau", tau, "T", "Share of outliers in each sample" + by_default(usual.tau));
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
