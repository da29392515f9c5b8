// motmot evaluate CRITIC X: a saved critic on new rows.
#include <algorithm>

#include "commands.hpp"
#include "common.hpp"
#include "data/complaint.hpp"
#include "motmot/critics.hpp"

namespace motmot::app {
namespace {

bool share_a_name(const std::vector<std::string>& some, const std::vector<std::string>& others) {
  return std::ranges::any_of(
      some, [&](const std::string& name) { return std::ranges::find(others, name) != others.end(); });
}

Points columns_at(const std::vector<std::size_t>& places, Points points) {
  if (places.size() == points.cols() && std::ranges::is_sorted(places)) return points;
  Points some(points.rows(), places.size());
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (std::size_t k = 0; k < places.size(); ++k) some(i, k) = points(i, places[k]);
  return some;
}

struct EvaluateCommand {
  std::string critic, x, output = "-";
  ReadFlags read{};

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("CRITIC", critic, "", "File that 'motmot distance --save-phi' wrote");
    options.add("X", x, "",
                "Rows to evaluate, in any format that 'motmot distance' reads; columns go by name where both "
                "have names, and columns of other names by --columns, in the order of the critic");
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
    const Points rows = taken(phi, read_numbers(x, read.read_options()));
    write_csv(output, Points(phi(rows, read.memory.limit()), 1), {"phi"});
  }

 private:
  /// The columns that the critic takes, in its order.
  [[nodiscard]] Points taken(const Critic& phi, Table table) const {
    give_names(table.columns);
    if (!read.options.columns.empty() && !share_a_name(phi.columns(), table.columns))
      return std::move(table.points);
    return columns_at(phi.places(table.columns, name_of(x)), std::move(table.points));
  }
};

}  // namespace

void add_evaluate(CLI::App& program) {
  add_command<EvaluateCommand>(program, "evaluate", "A saved critic on new rows: one value per row");
}

}  // namespace motmot::app
