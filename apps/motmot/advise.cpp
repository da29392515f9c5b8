// motmot advise: how many blocks, and what they withstand.
#include <cstdio>

#include "commands.hpp"
#include "common.hpp"
#include "motmot/report.hpp"
#include "motmot/theory.hpp"

namespace motmot::app {
namespace {

struct AdviseCommand {
  AdviseOptions options{};
  std::optional<std::size_t> m;
  std::optional<double> tau, tau_x, tau_y;
  std::string estimator, json;
  bool quiet = false;

  void add_to(CLI::App& command);
  void operator()() const;
};

void AdviseCommand::add_to(CLI::App& command) {
  command.add_option("--n", options.n, "Rows of X (default 500)")->type_name("N")->check(count());
  command.add_option("--m", m, "Rows of Y (default: as many as X)")->type_name("M")->check(count());
  command.add_option("--d", options.bounds.d, "Columns (default 2)")->type_name("D")->check(count());
  command.add_option("--tau", tau, "Share of outliers in both samples, in [0, 0.5) (default 0.1)")
      ->type_name("T");
  command.add_option("--tau-x", tau_x, "Share of outliers in X")->type_name("T");
  command.add_option("--tau-y", tau_y, "Share of outliers in Y")->type_name("T");
  command.add_option("--estimator", estimator, "One estimator only (default: all)")
      ->type_name("mom|mou|mou-diag");
  command
      .add_option("--diameter", options.bounds.diameter,
                  "Diameter of the inliers, for the paper's bounds (default 1)")
      ->type_name("L");
  command
      .add_option("--c-l", options.bounds.c_l,
                  "Entropy constant C_L, which the paper leaves open (default 1)")
      ->type_name("C");
  command.add_option("--delta", options.bounds.delta, "Chance of failure in Prop. 5 (default 0.05)")
      ->type_name("P");
  command.add_option("--json", json, "Write the advice as JSON to this file, or to standard output (-)")
      ->type_name("FILE|-");
  command.add_flag("--quiet", quiet, "No text");
  command.footer(
      "Examples:\n"
      "  motmot advise --n 500 --tau-x 0.1 --tau-y 0\n"
      "  motmot advise --n 10000 --m 2000 --tau 0.05 --estimator mou --diameter 20");
}

void AdviseCommand::operator()() const {
  AdviseOptions o = options;
  o.m = m.value_or(o.n);
  if (tau) {
    require(!tau_x && !tau_y, Errc::invalid_argument,
            "--tau sets both samples: leave out --tau-x and --tau-y");
    o.tau_x = o.tau_y = *tau;
  }
  if (tau_x) o.tau_x = *tau_x;
  if (tau_y) o.tau_y = *tau_y;
  if (!estimator.empty()) o.estimator = choice<Estimator>("--estimator", estimator);
  const Advice advice = advise(o);
  OptionalOutput(json).write(advice_json(advice));
  if (!quiet) std::fputs(advice_text(advice).c_str(), json == "-" ? stderr : stdout);
}

}  // namespace

void add_advise(CLI::App& program) {
  const auto command = std::make_shared<AdviseCommand>();
  CLI::App* sub = program.add_subcommand("advise", "How many blocks to take, and what they withstand");
  command->add_to(*sub);
  sub->callback([command] { (*command)(); });
}

}  // namespace motmot::app
