// motmot compare X Y: several distances side by side.
#include "motmot/compare.hpp"

#include "commands.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "report/matrix_page.hpp"

namespace motmot::app {
namespace {

struct CompareCommand {
  std::string x, y, json, csv, report;
  ReadFlags read{.any_kind = true};
  CompareOptions options{};
  bool quiet = false;
  std::string typed{};

  void add_to(CLI::App& to);
  void operator()();
};

void CompareCommand::add_to(CLI::App& to) {
  const Options arguments(to), outputs(to, "Outputs");
  arguments.add("X", x, "", "First sample, in any format that 'motmot distance' reads");
  arguments.add("Y", y, "", "Second sample");
  add_fields(to, options);
  read.add_to(to);
  Options(to, "Run").flag("--quiet", quiet, "No progress, no summary: only what was asked for");
  outputs.add("--json", json, "FILE|-", "Write the result as JSON to this file, or to standard output (-)");
  outputs.add("--csv", csv, "FILE.csv", "Write one line for each method and dirt");
  outputs.add("--report", report, "FILE.html", "Write one HTML page to look at");
  to.footer(
      "Methods: company (the answer of 'motmot distance'), mom, mou and mou-diag (the paper's), plain W1, "
      "partial "
      "transport,\nsliced W1, energy distance.\n\n"
      "Examples:\n"
      "  motmot compare x.csv y.csv\n"
      "  motmot compare x.csv y.csv --stress --tau 0.05 --report methods.html");
}

void CompareCommand::operator()() {
  require_distinct({{"X", x}, {"Y", y}}, {{"--json", json}, {"--csv", csv}, {"--report", report}});
  auto [table_x, table_y] = read_frames(read, x, y);
  give_names(table_x);
  give_names(table_y);
  options.missing = read.options.missing;
  options.memory_limit = read.memory.limit();
  options.progress = progress_bar(quiet);
  OptionalOutput json_file(json), csv_file(csv), report_file(report);
  catch_interrupts();
  const Comparison result = compare(table_x, table_y, options);
  if (interrupted()) throw Interrupted{};
  csv_file.write(compare_csv(result));
  json_file.write(compare_json(result));
  if (report_file) report_file.write(page_html(compare_page(result, typed)));
  if (!quiet) print(text(result) + read.note_lines(), {json, csv, report});
}

}  // namespace

void add_compare(CLI::App& program, const std::string& typed) {
  CompareCommand command;
  command.typed = typed;
  add_command(program, "compare", "Several distances of two samples side by side, and what dirt does to each",
              std::move(command));
}

}  // namespace motmot::app
