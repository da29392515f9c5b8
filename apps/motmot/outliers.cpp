// motmot outliers X [Y] and motmot doctor X [Y]: what is wrong with rows, and with tables.
#include <optional>

#include "commands.hpp"
#include "common.hpp"
#include "data/complaint.hpp"
#include "interrupt.hpp"
#include "report/tables_page.hpp"

namespace motmot::app {
namespace {

constexpr const char* first_table =
    "Table: .csv, .tsv, .npy, .npz[:member], IDX, each also .gz or .zst; .parquet, .sqlite:table, sql:select "
    "...; - is "
    "standard input";

/// One table or two, with names for columns that have none.
struct Tables {
  Frame x;
  std::optional<Frame> y;
};

Tables read_tables(const ReadFlags& flags, const std::string& x, const std::string& y) {
  Tables tables;
  if (y.empty()) {
    tables.x = read_one_frame(flags, x);
  } else {
    auto [first, second] = read_frames(flags, x, y);
    tables = {std::move(first), std::move(second)};
    give_names(*tables.y);
  }
  give_names(tables.x);
  return tables;
}

void add_samples(CLI::App& command, std::string& x, std::string& y) {
  const Options arguments(command);
  arguments.add("X", x, "", first_table);
  arguments.add("Y", y, "", "Second table, if there is one")->required(false);
}

// ---------------------------------------------------------------------------------------------- outliers

struct OutliersCommand {
  std::string x, y;
  ReadFlags read{.options = {.missing = Missing::level}, .any_kind = true};
  OutlierOptions options{};
  std::string json, csv, report;
  bool quiet = false;
  std::string typed{};
  const CLI::App* command = nullptr;

  void add_to(CLI::App& to);
  void operator()();
};

void OutliersCommand::add_to(CLI::App& to) {
  command = &to;
  add_samples(to, x, y);
  add_fields(to, options);
  read.add_to(to);
  const Options outputs(to, "Outputs");
  Options(to, "Run").flag("--quiet", quiet, "No progress, no summary: only what was asked for");
  outputs.add("--json", json, "FILE|-", "Write the result as JSON to this file, or to standard output (-)");
  outputs.add("--csv", csv, "FILE.csv",
              "Write every row with its rank and score, those listed with their reason");
  outputs.add("--report", report, "FILE.html", "Write one HTML page to look at");
  to.footer(
      "Examples:\n"
      "  motmot outliers x.csv\n"
      "  motmot outliers x.csv --tau 0.02 --kinds zip=category --csv ranked.csv\n"
      "  motmot outliers may.csv june.csv --report page.html\n"
      "  motmot outliers orders.parquet --exclude id --quiet --json -");
}

void OutliersCommand::operator()() {
  require_distinct({{"X", x}, {"Y", y}}, {{"--json", json}, {"--csv", csv}, {"--report", report}});
  require(!y.empty() || command->count("--tau-y") == 0, Errc::invalid_argument,
          "--tau-y does nothing here: it is for two tables");
  read.options.threads = options.threads;
  const Tables tables = read_tables(read, x, y);
  options.memory_limit = read.memory.limit();
  options.missing = read.options.missing;
  options.files = {x, y};
  options.rows_dropped = {tables.x.rows_dropped, tables.y ? tables.y->rows_dropped : 0};
  options.progress = progress_bar(quiet);
  OptionalOutput json_file(json), csv_file(csv), report_file(report);
  catch_interrupts();
  const Outliers found = tables.y ? outliers(tables.x, *tables.y, options) : outliers(tables.x, options);
  if (interrupted()) throw Interrupted{};
  const PerSample<std::vector<std::uint64_t>> rows{tables.x.rows,
                                                   tables.y ? tables.y->rows : std::vector<std::uint64_t>{}};
  const PerSample<RowNumbers> from{{rows.x}, {rows.y}};
  json_file.write(outliers_json(found, from));
  csv_file.write(outliers_csv(found, from));
  if (report_file) report_file.write(page_html(outliers_page(found, from, typed)));
  if (!quiet) print(text(found, rows) + read.note_lines(), {json, csv, report});
}

// ------------------------------------------------------------------------------------------------ doctor

struct DoctorCommand {
  std::string x, y;
  ReadFlags read{.options = {.missing = Missing::level, .mixed = true}, .any_kind = true};
  std::string json, csv, report;
  bool quiet = false;
  std::string typed{};

  void add_to(CLI::App& to);
  void operator()() const;
};

void DoctorCommand::add_to(CLI::App& to) {
  add_samples(to, x, y);
  read.add_to(to);
  const Options outputs(to, "Outputs");
  Options(to, "Run").flag("--quiet", quiet, "No summary: only what was asked for");
  outputs.add("--json", json, "FILE|-", "Write the findings as JSON to this file, or to standard output (-)");
  outputs.add("--csv", csv, "FILE.csv", "Write the findings, a line for each");
  outputs.add("--report", report, "FILE.html", "Write one HTML page to look at");
  to.footer(
      "Examples:\n"
      "  motmot doctor x.csv\n"
      "  motmot doctor may.csv june.csv --kinds zip=category --json findings.json");
}

void DoctorCommand::operator()() const {
  require_distinct({{"X", x}, {"Y", y}}, {{"--json", json}, {"--csv", csv}, {"--report", report}});
  const Tables tables = read_tables(read, x, y);
  OptionalOutput json_file(json), csv_file(csv), report_file(report);
  const Checkup found =
      tables.y ? doctor(tables.x, *tables.y, read.memory.limit()) : doctor(tables.x, read.memory.limit());
  json_file.write(doctor_json(found));
  csv_file.write(doctor_csv(found));
  if (report_file) report_file.write(page_html(doctor_page(found, typed)));
  if (!quiet) print(text(found) + read.note_lines(), {json, csv, report});
}

}  // namespace

void add_outliers(CLI::App& program, const std::string& typed) {
  OutliersCommand command;
  command.typed = typed;
  add_command(program, "outliers", "Which rows of a table are likely wrong, ranked, and why",
              std::move(command));
}

void add_doctor(CLI::App& program, const std::string& typed) {
  DoctorCommand command;
  command.typed = typed;
  add_command(program, "doctor", "What stands in the way of comparing tables, and what to type",
              std::move(command));
}

}  // namespace motmot::app
