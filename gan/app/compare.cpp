// motmot gan compare: many runs in one table, with intervals over seeds.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>

#include "common.hpp"
#include "data/csv_text.hpp"
#include "gan_commands.hpp"
#include "motmot/gan/metrics.hpp"

namespace motmot::app {
namespace {

const std::vector<std::string> default_columns{"fid", "kid", "outlier_share", "precision",
                                               "used_dirty_share"};

using Row = std::map<std::string, std::string>;

/// At least one row; every row has all columns.
std::vector<Row> read_rows(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  require(in.good() && std::getline(in, line).good(), Errc::io, "cannot read '", path, "'");
  const std::vector<std::string> names = fields_of(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = fields_of(line);
    Row row;
    for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = i < fields.size() ? fields[i] : "";
    rows.push_back(row);
  }
  require(!rows.empty(), Errc::io, "'", path, "' has no row but its header");
  return rows;
}

struct CompareCommand {
  std::string path;
  std::optional<std::string> given_baseline{};
  std::vector<std::string> given_columns{};
  std::string baseline = "wgan";
  std::vector<std::string> columns{};

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("RUNS", path, "",
                "CSV with the columns data, contaminate, method, seed and what is to be compared");
    options.add("--baseline", given_baseline, "METHOD",
                "Method that the others are compared with, seed by seed (default wgan)");
    options.add("--columns", given_columns, "A,B",
                "What to compare (default fid,kid,outlier_share,precision,used_dirty_share, where there)");
    command.footer("Example:\n  motmot gan compare study/table1/runs.csv");
  }

  using Setting = std::pair<std::string, std::string>;                   ///< data, contaminate
  using Methods = std::map<std::string, std::map<std::string, double>>;  ///< method -> seed -> value
  using Values = std::map<Setting, Methods>;

  [[nodiscard]] Values values_of(const std::vector<Row>& rows, const std::string& column) const {
    Values values;
    for (Row row : rows) {
      if (row[column].empty()) continue;
      double value = 0;
      require(reads_as(row[column], value), Errc::io, "'", path, "', column '", column, "': '", row[column],
              "' is not a number");
      values[{row["data"], row["contaminate"]}][row["method"]][row["seed"]] = value;
    }
    return values;
  }

  /// Columns that are given must be there; of the default columns those are taken that are there.
  void choose(const std::vector<Row>& rows) {
    const auto there = [&](const std::string& column) { return rows.front().contains(column); };
    columns = given_columns;
    if (columns.empty()) std::ranges::copy_if(default_columns, std::back_inserter(columns), there);
    std::vector<std::string> needed{"data", "contaminate", "method", "seed"};
    needed.insert(needed.end(), columns.begin(), columns.end());
    for (const std::string& column : needed)
      require(there(column), Errc::io, "'", path, "' needs a column '", column, "'");
    if (!given_baseline) return;
    baseline = *given_baseline;
    require(std::ranges::any_of(rows, [&](const Row& row) { return row.at("method") == baseline; }),
            Errc::invalid_argument, "--baseline '", baseline, "' is not a method in '", path, "'");
  }

  void operator()() {
    const std::vector<Row> rows = read_rows(path);
    choose(rows);
    std::string table =
        "data,contaminate,method,column,seeds,mean,low,high,paired_seeds,difference,difference_low,"
        "difference_high\n";
    for (const std::string& column : columns)
      for (const auto& [setting, methods] : values_of(rows, column))
        for (const auto& entry : methods) table += line_of(setting, entry.first, column, methods);
    print(table);
  }

  [[nodiscard]] std::string line_of(const Setting& setting, const std::string& method,
                                    const std::string& column, const Methods& methods) const {
    std::vector<double> all, mine, theirs;
    for (const auto& [seed, value] : methods.at(method)) {
      all.push_back(value);
      const auto base = methods.find(baseline);
      if (base == methods.end() || method == baseline || !base->second.contains(seed)) continue;
      mine.push_back(value);
      theirs.push_back(base->second.at(seed));
    }
    const gan::Interval own = gan::bootstrap(all);
    const std::string line =
        fmt::format("{},{},{},{},{},{:.5g},{:.5g},{:.5g},{}", quoted_if_needed(setting.first),
                    quoted_if_needed(setting.second), quoted_if_needed(method), column, all.size(), own.mean,
                    own.low, own.high, mine.size());
    if (mine.empty()) return line + ",,,\n";
    const gan::Interval difference = gan::paired_bootstrap(mine, theirs);
    return line + fmt::format(",{:.5g},{:.5g},{:.5g}\n", difference.mean, difference.low, difference.high);
  }
};

}  // namespace

void add_gan_compare(CLI::App& program) {
  add_command<CompareCommand>(
      program, "compare",
      "Means over seeds with 95 % bootstrap intervals, and paired differences from a baseline");
}

}  // namespace motmot::app
