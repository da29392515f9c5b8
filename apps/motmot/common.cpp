#include "common.hpp"

#include <algorithm>

namespace motmot::app {

CLI::Validator count() {
  return {[](const std::string& text) {
            return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos
                       ? std::string()
                       : "must be a whole number, got '" + text + "'";
          },
          ""};
}

void ReadFlags::add_to(CLI::App& command) {
  command
      .add_option("--columns", options.columns, "Columns to use, by name or number (from 1), comma-separated")
      ->delimiter(',')
      ->type_name("A,B,...")
      ->group("Input");
  command.add_option("--exclude", options.exclude, "Columns to leave out, such as a label")
      ->delimiter(',')
      ->type_name("C,...")
      ->group("Input");
  command.add_option("--missing", missing, "Rows with missing or infinite values: error (default) or drop")
      ->type_name(all_names<Missing>())
      ->group("Input");
}

Table ReadFlags::read(const std::string& path, const std::string& weights) const {
  ReadOptions with = options;
  with.missing = choice<Missing>("--missing", missing);
  with.weights = weights;
  return read_table(path, with);
}

namespace {

/// Columns without a name have their number.
bool is_name(const std::string& text) { return text.find_first_not_of("0123456789") != std::string::npos; }

/// Files that share a column's name must have the same columns in the same order; others are just named
/// otherwise.
void require_same_columns(const std::string& x, const std::vector<std::string>& of_x, const std::string& y,
                          const std::vector<std::string>& of_y) {
  const bool share = std::ranges::any_of(of_x, [&](const std::string& name) {
    return is_name(name) && std::ranges::find(of_y, name) != of_y.end();
  });
  if (!share || of_x == of_y) return;
  const std::ptrdiff_t j = std::ranges::mismatch(of_x, of_y).in1 - of_x.begin();
  fail(Errc::invalid_argument, "column ", j + 1, " is '", of_x.begin()[j], "' in '", x, "' and '",
       of_y.begin()[j], "' in '", y, "': choose columns with --columns, by name or by number");
}

}  // namespace

std::pair<Table, Table> read_samples(const ReadFlags& flags, const std::string& x, const std::string& y,
                                     const std::string& weights_x, const std::string& weights_y) {
  require(x != "-" || y != "-", Errc::invalid_argument, "X and Y cannot both be standard input");
  std::pair<Table, Table> samples{flags.read(x, weights_x), flags.read(y, weights_y)};
  require(samples.first.points.cols() == samples.second.points.cols(), Errc::invalid_argument,
          "X and Y must have the same number of columns: '", x, "' has ", samples.first.points.cols(), ", '",
          y, "' has ", samples.second.points.cols());
  if (flags.options.columns.empty())
    require_same_columns(x, samples.first.columns, y, samples.second.columns);
  return samples;
}

OptionalOutput::OptionalOutput(const std::string& path)
    : file_(path.empty() ? nullptr : std::make_unique<OutputFile>(path)) {}

void OptionalOutput::write(const std::string& text) {
  if (file_ == nullptr) return;
  file_->stream() << text;
  file_->commit();
}

void RunFlags::add_to(CLI::App& command) {
  command.add_option("--seed", seed, "The run is a function of the data, the options and this (default 0)")
      ->type_name("S")
      ->check(count())
      ->group("Run");
  command.add_option("--threads", threads, "Threads (default: all cores); the answer does not depend on it")
      ->type_name("N")
      ->check(count())
      ->group("Run");
  command.add_flag("--quiet", quiet, "No progress, no summary: only what was asked for")->group("Run");
}

}  // namespace motmot::app
