// motmot advise: how many blocks, and what they withstand.
#include "commands.hpp"
#include "common.hpp"
#include "motmot/report.hpp"
#include "motmot/theory.hpp"

namespace motmot::app {
namespace {

struct AdviseCommand {
  AdviseOptions options{};
  std::optional<std::size_t> m;
  std::string json;
  bool quiet = false;

  void add_to(CLI::App& command);
  void operator()() const;
};

void AdviseCommand::add_to(CLI::App& command) {
  const Options add(command);
  add.add("--n", options.n, "N", "Rows of X (default 500)");
  add.add("--m", m, "M", "Rows of Y (default: as many as X)");
  add.add("--d", options.bounds.d, "D", "Columns (default 2)");
  add.add_each("--tau", options.tau_x, options.tau_y, "T",
               "Share of outliers in a sample, in [0, 0.5) (default 0.1)");
  add.add("--estimator", options.estimator, "mom|mou|mou-diag", "One estimator only (default: all)");
  add.add("--diameter", options.bounds.diameter, "L",
          "Diameter of the inliers, for the paper's bounds (default 1)");
  add.add("--c-l", options.bounds.c_l, "C", "Entropy constant C_L, which the paper leaves open (default 1)");
  add.add("--delta", options.bounds.delta, "P", "Chance of failure in Prop. 5 (default 0.05)");
  add.add("--json", json, "FILE|-", "Write the advice as JSON to this file, or to standard output (-)");
  add.flag("--quiet", quiet, "No text");
  command.footer(
      "Examples:\n"
      "  motmot advise --n 500 --tau-x 0.1 --tau-y 0\n"
      "  motmot advise --n 10000 --m 2000 --tau 0.05 --estimator mou --diameter 20");
}

void AdviseCommand::operator()() const {
  AdviseOptions o = options;
  o.m = m.value_or(o.n);
  const Advice advice = advise(o);
  OptionalOutput(json).write(advice_json(advice));
  if (!quiet) print(advice_text(advice), {json});
}

}  // namespace

void add_advise(CLI::App& program) {
  add_command<AdviseCommand>(program, "advise", "How many blocks to take, and what they withstand");
}

}  // namespace motmot::app
