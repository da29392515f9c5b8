// motmot evaluate CRITIC X: a saved critic on new rows.
#include "commands.hpp"
#include "common.hpp"
#include "motmot/critics.hpp"

namespace motmot::app {
namespace {

struct EvaluateCommand {
  std::string critic, x, output = "-";
  ReadFlags read{};

  void operator()() const {
    require_distinct({{"CRITIC", critic}, {"X", x}}, {{"--output", output}});
    const Critic phi = Critic::load(critic);
    const Table table = read.read(x);
    const std::vector<double> values = phi(table.points);
    write_csv(output, Points(values, 1), {"phi"});
  }
};

}  // namespace

void add_evaluate(CLI::App& program) {
  const auto command = std::make_shared<EvaluateCommand>();
  CLI::App* sub = program.add_subcommand("evaluate", "A saved critic on new rows: one value per row");
  const Options options(*sub);
  options.add("CRITIC", command->critic, "", "File that 'motmot distance --save-critic' wrote");
  options.add("X", command->x, "", "Rows to evaluate, in any format that 'motmot distance' reads");
  options.add("--output", command->output, "FILE", "CSV file for the values (default: standard output)");
  command->read.add_to(*sub);
  sub->footer(
      "Example:\n"
      "  motmot distance x.csv y.csv --save-critic critic.json\n"
      "  motmot evaluate critic.json new.csv --output phi.csv");
  sub->callback([command] { (*command)(); });
}

}  // namespace motmot::app
