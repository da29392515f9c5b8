// motmot transport X Y: exact optimal transport, of all rows or without the shares that may be left out.
#include "motmot/transport.hpp"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "certificate.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "data/without.hpp"
#include "interrupt.hpp"

namespace motmot::app {
namespace {

/// Rows are numbered as in the files.
std::string plan_csv(const Transport& transport, const Table& x, const Table& y) {
  std::string text = "row,col,mass\n";
  for (const PlanEntry& entry : transport.plan)
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", x.source_row(entry.row), y.source_row(entry.col),
                   entry.mass);
  return text;
}

/// ", 3 rows of X dropped", or nothing.
std::string dropped(const Table& table, const char* sample) {
  return table.rows_dropped == 0 ? "" : fmt::format(", {} rows of {} dropped", table.rows_dropped, sample);
}

std::string certificate_of(const Transport& transport, const Table& x, const Table& y,
                           const PerSample<std::string>& files, const PerSample<std::string>& weights) {
  std::vector<CertifiedColumn> columns;
  for (const std::string& name : x.columns) columns.push_back({name});
  Certificate certificate(files, columns, {{x.rows}, {y.rows}});
  certificate.weights(weights);
  certificate.add_transport(transport.cost, transport,
                            {rows_without(x.points.rows(), {}), rows_without(y.points.rows(), {})});
  return certificate.text();
}

struct TransportCommand {
  std::string x, y, weights_x, weights_y, plan, json, certificate;
  double tau_x = 0, tau_y = 0, gap = 0, time_limit = 0;
  ReadFlags read{.any_size = true};
  bool vertex = false, quiet = false;

  void add_to(CLI::App& command);
  void operator()() const;

 private:
  void require_whole_for_tau() const;
};

void TransportCommand::add_to(CLI::App& command) {
  const Options options(command);
  options.add("X", x, "", "First sample, in any format that 'motmot distance' reads");
  options.add("Y", y, "", "Second sample");
  options.add("--weights-x", weights_x, "COL", "Column of row weights in X (default: equal weights)");
  options.add("--weights-y", weights_y, "COL", "Column of row weights in Y");
  options.add_each(
      "--tau", tau_x, tau_y, "T",
      "Share of X and of Y that may be left out, in [0, 1): the cheapest transport of the rest (default 0)");
  read.add_to(command);
  options.add("--gap", gap, "SHARE", "Stop when the cost is certified to this share of itself, such as 0.01");
  options.add("--time-limit", time_limit, "SECONDS",
              "Give the best plan so far, with its certified gap, after so many seconds");
  options.flag(
      "--vertex", vertex,
      "Many points in two or three dimensions: go on from a gap of 1e-11 to an exact vertex of all plans");
  options.add("--plan", plan, "FILE.csv", "Write the plan: row of X, row of Y (both from 1), mass");
  options.add("--certificate", certificate, "FILE.json",
              "Write plan and potentials, for motmot-verify, which shares no code with motmot");
  options.add("--json", json, "FILE|-", "Write the result as JSON to this file, or to standard output (-)");
  options.flag("--quiet", quiet, "No progress, no summary");
  command.footer(
      "Examples:\n"
      "  motmot transport x.csv y.csv --plan plan.csv\n"
      "  motmot transport x.csv y.csv --weights-x w --json -\n"
      "  motmot transport x.csv y.csv --tau 0.1\n"
      "  motmot transport x.csv y.csv --gap 0.01 --time-limit 60");
}

void TransportCommand::require_whole_for_tau() const {
  if (tau_x == 0 && tau_y == 0) return;
  require(weights_x.empty() && weights_y.empty(), Errc::invalid_argument,
          "--tau leaves out rows of equal weight: it does not go with --weights-x and --weights-y");
  require(certificate.empty(), Errc::invalid_argument,
          "--certificate proves the transport of all rows and does not go with --tau ('motmot distance "
          "--certificate' proves the distance of the rows kept)");
}

void TransportCommand::operator()() const {
  require_whole_for_tau();
  require_distinct({{"X", x}, {"Y", y}},
                   {{"--plan", plan}, {"--json", json}, {"--certificate", certificate}});
  const auto [table_x, table_y] = read_samples(read, x, y, weights_x, weights_y);
  OptionalOutput plan_file(plan), json_file(json), certificate_file(certificate);
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  std::string note;
  std::function<void(double)> on_gap;
  if (shows_progress(quiet)) on_gap = [&](double share) { note = fmt::format("  gap {:.1e}", share); };
  const TransportOptions options{.memory_limit = read.memory.limit(),
                                 .want_plan = plan_file || certificate_file,
                                 .gap = gap,
                                 .time_limit = time_limit,
                                 .vertex = vertex,
                                 .on_gap = on_gap,
                                 .progress = progress_bar(quiet, [&] { return note; })};
  const bool partial = tau_x != 0 || tau_y != 0;
  const Transport t =
      partial ? partial_transport(table_x.points, table_y.points, tau_x, tau_y, options)
              : transport(table_x.points, table_y.points, table_x.weights, table_y.weights, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (interrupted()) throw Interrupted{};
  plan_file.write(plan_csv(t, table_x, table_y));
  if (certificate_file)
    certificate_file.write(certificate_of(t, table_x, table_y, {x, y}, {weights_x, weights_y}));
  nlohmann::ordered_json result{{"cost", t.cost},
                                {"status", name(t.status)},
                                {"gap", t.gap},
                                {"n", table_x.points.rows()},
                                {"m", table_y.points.rows()},
                                {"d", table_x.points.cols()},
                                {"rows_dropped", {{"x", table_x.rows_dropped}, {"y", table_y.rows_dropped}}},
                                {"seconds", seconds},
                                {"threads", 1},
                                {"version", version()}};
  if (partial) result["tau"] = {{"x", tau_x}, {"y", tau_y}};
  json_file.write(result.dump(2) + "\n");
  if (quiet) return;
  print(fmt::format("  {} {:.12g}   {}, certified to {:.1e}; {} x {} rows{}{}, {}, {:.3g} s\n",
                    partial ? "partial W1" : "W1", t.cost, name(t.status), t.gap, table_x.points.rows(),
                    table_y.points.rows(), dropped(table_x, "X"), dropped(table_y, "Y"),
                    counted(table_x.points.cols(), "column"), seconds) +
            read.note_lines(),
        {json, plan, certificate});
}

}  // namespace

void add_transport(CLI::App& program) {
  add_command<TransportCommand>(program, "transport",
                                "Exact optimal transport between two samples (not robust)");
}

}  // namespace motmot::app
