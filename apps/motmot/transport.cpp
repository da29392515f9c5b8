// motmot transport X Y: exact optimal transport, not robust.
#include "motmot/transport.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "interrupt.hpp"

namespace motmot::app {
namespace {

std::string plan_csv(const Transport& transport) {
  std::string text = "row,col,mass\n";
  for (const PlanEntry& entry : transport.plan)
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", entry.row + 1, entry.col + 1, entry.mass);
  return text;
}

struct TransportCommand {
  std::string x, y, weights_x, weights_y, plan, json;
  ReadFlags read{};
  bool quiet = false;

  void add_to(CLI::App& command);
  void operator()() const;
};

void TransportCommand::add_to(CLI::App& command) {
  command.add_option("X", x, "First sample, in any format that 'motmot distance' reads")->required();
  command.add_option("Y", y, "Second sample")->required();
  command.add_option("--weights-x", weights_x, "Column of row weights in X (default: equal weights)")
      ->type_name("COL");
  command.add_option("--weights-y", weights_y, "Column of row weights in Y")->type_name("COL");
  read.add_to(command);
  command.add_option("--plan", plan, "Write the plan: row of X, row of Y (both from 1), mass")
      ->type_name("FILE.csv");
  command.add_option("--json", json, "Write the result as JSON to this file, or to standard output (-)")
      ->type_name("FILE|-");
  command.add_flag("--quiet", quiet, "No progress, no summary");
  command.footer(
      "Examples:\n"
      "  motmot transport x.csv y.csv --plan plan.csv\n"
      "  motmot transport x.csv y.csv --weights-x w --json -");
}

void TransportCommand::operator()() const {
  const auto [table_x, table_y] = read_samples(read, x, y, weights_x, weights_y);
  OptionalOutput plan_file(plan), json_file(json);
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  const Transport t = transport(table_x.points, table_y.points, table_x.weights, table_y.weights,
                                {.want_plan = static_cast<bool>(plan_file), .progress = progress_bar(quiet)});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (interrupted()) throw Interrupted{};
  plan_file.write(plan_csv(t));
  const nlohmann::ordered_json result{{"cost", t.cost},
                                      {"status", name(t.status)},
                                      {"gap", t.gap},
                                      {"n", table_x.points.rows()},
                                      {"m", table_y.points.rows()},
                                      {"d", table_x.points.cols()},
                                      {"seconds", seconds},
                                      {"threads", 1},
                                      {"version", version()}};
  json_file.write(result.dump(2) + "\n");
  if (quiet) return;
  fmt::print(json == "-" || plan == "-" ? stderr : stdout,
             "  W1 {:.12g}   {}, certified to {:.1e}; {} x {} rows, {} columns, {:.3g} s\n", t.cost,
             name(t.status), t.gap, table_x.points.rows(), table_y.points.rows(), table_x.points.cols(),
             seconds);
}

}  // namespace

void add_transport(CLI::App& program) {
  const auto command = std::make_shared<TransportCommand>();
  CLI::App* sub =
      program.add_subcommand("transport", "Exact optimal transport between two samples (not robust)");
  command->add_to(*sub);
  sub->callback([command] { (*command)(); });
}

}  // namespace motmot::app
