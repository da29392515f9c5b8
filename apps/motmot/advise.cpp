// motmot advise: how many blocks, and what they withstand.
#include "commands.hpp"
#include "common.hpp"
#include "motmot/report.hpp"
#include "motmot/theory.hpp"

namespace motmot::app {
namespace {

struct AdviseCommand {
  AdviseOptions options{};
  std::string json;
  bool quiet = false;

  void add_to(CLI::App& command);
  void operator()() const;
};

void AdviseCommand::add_to(CLI::App& command) {
  const Options add(command);
  add_fields(command, options);
  add.add("--json", json, "FILE|-", "Write the advice as JSON to this file, or to standard output (-)");
  add.flag("--quiet", quiet, "No text");
  command.footer(
      "Examples:\n"
      "  motmot advise --n 500 --tau-x 0.1 --tau-y 0\n"
      "  motmot advise --n 10000 --m 2000 --tau 0.05 --estimator mou --diameter 20");
}

void AdviseCommand::operator()() const {
  const Advice advice = advise(options);
  OptionalOutput(json).write(advice_json(advice));
  if (!quiet) print(text(advice), {json});
}

}  // namespace

void add_advise(CLI::App& program) {
  add_command<AdviseCommand>(program, "advise", "How many blocks to take, and what they withstand");
}

}  // namespace motmot::app
