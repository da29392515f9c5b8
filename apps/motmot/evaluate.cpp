// motmot evaluate CRITIC X: a saved critic on new rows.
#include "commands.hpp"
#include "common.hpp"
#include "motmot/critics.hpp"

namespace motmot::app {
namespace {

struct EvaluateCommand {
  std::string critic, x, output = "-";
  ReadFlags read{};

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("CRITIC", critic, "", "File that 'motmot distance --save-phi' wrote");
    options.add("X", x, "", "Rows to evaluate, in any format that 'motmot distance' reads");
    options.add("--output", output, "FILE", "CSV file for the values (default: standard output)");
    read.add_to(command);
    command.footer(
        "Example:\n"
        "  motmot distance x.csv y.csv --save-phi critic.json\n"
        "  motmot evaluate critic.json new.csv --output phi.csv");
  }
  void operator()() const {
    require_distinct({{"CRITIC", critic}, {"X", x}}, {{"--output", output}});
    read.hold_memory({x});
    const Critic phi = Critic::load(critic, read.memory.limit());
    const Points rows = read_numbers(x, read.read_options()).points;
    write_csv(output, Points(phi(rows, read.memory.limit()), 1), {"phi"});
  }
};

}  // namespace

void add_evaluate(CLI::App& program) {
  add_command<EvaluateCommand>(program, "evaluate", "A saved critic on new rows: one value per row");
}

}  // namespace motmot::app
