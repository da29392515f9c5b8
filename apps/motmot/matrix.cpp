// motmot matrix A B C ...: how far apart many samples are.
#include "motmot/matrix.hpp"

#include <algorithm>
#include <filesystem>

#include "commands.hpp"
#include "common.hpp"
#include "data/complaint.hpp"
#include "interrupt.hpp"
#include "ranks.hpp"
#include "report/matrix_page.hpp"

namespace motmot::app {
namespace {

namespace fs = std::filesystem;

/// The files of a folder by name, hidden ones apart; a file is itself.
std::vector<std::string> files_of(const std::string& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.'))
      files.push_back(entry.path().string());
  require(!files.empty(), Errc::io, "the folder ", name_of(path), " has no files");
  std::ranges::sort(files);
  return files;
}

/// The names of files without their folders, where that tells them apart.
std::vector<std::string> sample_names(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const std::string& file : files) names.push_back(fs::path(file).filename().string());
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end() ? names : files;
}

struct MatrixCommand {
  std::vector<std::string> paths;
  std::string by, json, csv, square, report;
  ReadFlags read{.options = {.missing = Missing::level}, .any_kind = true};
  MatrixOptions options{};
  bool quiet = false;
  std::string typed{};
  Communicator* ranks = &alone();

  void add_to(CLI::App& to);
  void operator()();

 private:
  [[nodiscard]] std::vector<std::string> files() const;
  [[nodiscard]] std::vector<FrameGroup> samples(const std::vector<std::string>& files) const;
  [[nodiscard]] std::vector<FrameGroup> groups() const;
};

void MatrixCommand::add_to(CLI::App& to) {
  const Options arguments(to), input(to, "Input"), outputs(to, "Outputs");
  to.add_option(
        "SAMPLES", paths,
        "Files, one for each sample, in any format that 'motmot distance' reads; a folder: all of its files")
      ->type_name("")
      ->required();
  add_fields(to, options);
  Options(to, "Run").add(
      "--most-rows", options.most_rows, "N",
      "Rows of a sample that are compared at most, drawn by the seed; 0: all (default 2000)");
  input.add("--by", by, "COLUMN", "One file: its samples are the rows that share a value of this column");
  read.add_to(to);
  Options(to, "Run").flag("--quiet", quiet, "No progress, no summary: only what was asked for");
  outputs.add("--json", json, "FILE|-", "Write the result as JSON to this file, or to standard output (-)");
  outputs.add("--csv", csv, "FILE.csv", "Write one line for each pair: distance, chance, p-value, q-value");
  outputs.add("--square", square, "FILE.csv", "Write the distances as a square table");
  outputs.add("--report", report, "FILE.html",
              "Write one HTML page to look at: heat map, dendrogram, a map of the samples, all pairs");
  to.footer(
      "Rows that stand alone in their own sample are left out once for each sample. 'motmot distance' of two "
      "of "
      "them may differ: it also leaves out rows that lie where the other sample has none, and that other is "
      "not the same for every pair.\n\n"
      "Examples:\n"
      "  motmot matrix jan.csv feb.csv mar.csv apr.csv --report months.html\n"
      "  motmot matrix batches/ --tau 0.05 --csv pairs.csv --square distances.csv\n"
      "  motmot matrix sales.csv --by shop --scale robust --json -\n"
      "  motmot matrix batches/ --against 2024-01.csv");
}

std::vector<FrameGroup> MatrixCommand::groups() const {
  require(paths.size() == 1 && !fs::is_directory(paths[0]), Errc::invalid_argument,
          "--by groups the rows of one file, got ", paths.size() == 1 ? "a folder" : "several files");
  ReadOptions with = read.read_options();
  if (!with.columns.empty() && std::ranges::find(with.columns, by) == with.columns.end())
    with.columns.push_back(by);
  if (std::ranges::find(with.kinds, by, &ColumnKind::column) == with.kinds.end())
    with.kinds.push_back({by, Kind::category});
  return groups_by(read_frame(paths[0], with, read.patience()), by, name_of(paths[0]));
}

std::vector<std::string> MatrixCommand::files() const {
  std::vector<std::string> files;
  for (const std::string& path : paths)
    for (std::string& file : files_of(path)) files.push_back(std::move(file));
  return files;
}

std::vector<FrameGroup> MatrixCommand::samples(const std::vector<std::string>& files) const {
  if (!by.empty()) return groups();
  require(files.size() >= 2, Errc::invalid_argument, "a matrix needs two samples or more; ",
          name_of(files[0]), " is one (--by COLUMN makes several of it)");
  const std::vector<std::string> names = sample_names(files);
  std::vector<FrameGroup> samples;
  for (std::size_t k = 0; k < files.size(); ++k) {
    samples.push_back({names[k], read_frame(files[k], read.read_options(), read.patience())});
    make_comparable(read, files[0], samples[0].frame, files[k], samples[k].frame);
  }
  return samples;
}

void MatrixCommand::operator()() {
  std::vector<std::string> all_files;
  std::vector<FrameGroup> read_samples;
  std::optional<OptionalOutput> json_file, csv_file, square_file, report_file;
  ranks->agree([&] {
    all_files = files();
    std::vector<NamedFile> inputs;
    inputs.reserve(all_files.size());
    for (const std::string& file : all_files) inputs.push_back({"SAMPLES", file});
    require_distinct(inputs, {{"--json", json}, {"--csv", csv}, {"--square", square}, {"--report", report}});
  });
  require_same_everywhere(*ranks, all_files);
  if (ranks->rank() != 0) quiet = true;
  leave_writing_to_the_first(*ranks, {&json, &csv, &square, &report});
  ranks->agree([&] {
    read.hold_memory(all_files);
    read_samples = samples(all_files);
    for (FrameGroup& sample : read_samples) give_names(sample.frame);
    json_file.emplace(json);
    csv_file.emplace(csv);
    square_file.emplace(square);
    report_file.emplace(report);
  });
  std::vector<NamedFrame> named_frames;
  std::vector<RowNumbers> from;
  for (const FrameGroup& sample : read_samples) {
    named_frames.push_back({sample.name, &sample.frame});
    from.push_back({sample.frame.rows});
  }
  options.missing = read.options.missing;
  options.memory_limit = read.memory.limit();
  options.progress = progress_bar(quiet);
  options.ranks = ranks;
  prepare_last_words(*ranks, "motmot matrix", "nothing was written");
  if (ranks->alone()) catch_interrupts();
  const Matrix result = matrix(named_frames, options);
  if (interrupted()) throw Interrupted{};
  if (ranks->rank() != 0) return;
  csv_file->write(pairs_csv(result));
  if (*square_file) square_file->write(square_csv(result));
  json_file->write(matrix_json(result, from));
  if (*report_file) report_file->write(page_html(matrix_page(result, from, typed)));
  if (!quiet) print(text(result) + read.note_lines(), {json, csv, square, report});
}

}  // namespace

void add_matrix(CLI::App& program, const std::string& typed, Communicator& ranks) {
  MatrixCommand command;
  command.typed = typed;
  command.ranks = &ranks;
  add_command(program, "matrix", "How far apart many samples are, each from each or one from all others",
              std::move(command));
}

}  // namespace motmot::app
