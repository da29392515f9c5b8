// motmot gan compare: many runs in one table, with intervals over seeds.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <sstream>

#include "common.hpp"
#include "gan_commands.hpp"
#include "motmot/gan/metrics.hpp"

namespace motmot::app {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

std::vector<Row> read_rows(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  require(in.good() && std::getline(in, line).good(), Errc::io, "cannot read '", path, "'");
  const std::vector<std::string> names = fields_of(line);
  std::vector<Row> rows;
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = fields_of(line);
    Row row;
    for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i) row[names[i]] = fields[i];
    rows.push_back(row);
  }
  return rows;
}

struct CompareCommand {
  std::string path, baseline = "wgan";
  std::vector<std::string> columns{"fid", "kid", "outlier_share", "precision", "used_dirty_share"};

  /// data, contaminate -> method -> seed -> value.
  using Values = std::map<std::string, std::map<std::string, std::map<std::string, double>>>;

  [[nodiscard]] Values values_of(const std::vector<Row>& rows, const std::string& column) const {
    Values values;
    for (Row row : rows) {
      for (const char* needed : {"data", "contaminate", "method", "seed"})
        require(row.contains(needed), Errc::io, "'", path, "' needs a column '", needed, "'");
      if (row[column].empty()) continue;
      std::size_t used = 0;
      double value = 0;
      try {
        value = std::stod(row[column], &used);
      } catch (const std::exception&) {
        used = 0;
      }
      require(used == row[column].size() && used > 0, Errc::io, "'", path, "', column '", column, "': '",
              row[column], "' is not a number");
      values[row["data"] + " " + row["contaminate"]][row["method"]][row["seed"]] = value;
    }
    return values;
  }

  void operator()() const {
    const std::vector<Row> rows = read_rows(path);
    fmt::print(
        "data,contaminate,method,column,seeds,mean,low,high,paired_seeds,difference,difference_low,"
        "difference_high\n");
    for (const std::string& column : columns)
      for (const auto& [setting, methods] : values_of(rows, column))
        for (const auto& [method, seeds] : methods) print(setting, method, column, seeds, methods);
  }

  void print(std::string setting, const std::string& method, const std::string& column,
             const std::map<std::string, double>& seeds,
             const std::map<std::string, std::map<std::string, double>>& methods) const {
    std::vector<double> all, mine, theirs;
    for (const auto& [seed, value] : seeds) {
      all.push_back(value);
      const auto base = methods.find(baseline);
      if (base == methods.end() || method == baseline || !base->second.contains(seed)) continue;
      mine.push_back(value);
      theirs.push_back(base->second.at(seed));
    }
    const gan::Interval own = gan::bootstrap(all);
    setting[setting.rfind(' ')] = ',';
    fmt::print("{},{},{},{},{:.5g},{:.5g},{:.5g},{}", setting, method, column, all.size(), own.mean, own.low,
               own.high, mine.size());
    if (mine.empty()) {
      fmt::print(",,,\n");
      return;
    }
    const gan::Interval difference = gan::paired_bootstrap(mine, theirs);
    fmt::print(",{:.5g},{:.5g},{:.5g}\n", difference.mean, difference.low, difference.high);
  }
};

}  // namespace

void add_gan_compare(CLI::App& program) {
  const auto c = std::make_shared<CompareCommand>();
  CLI::App* sub = program.add_subcommand(
      "compare", "Means over seeds with 95 % bootstrap intervals, and paired differences from a baseline");
  sub->add_option("RUNS", c->path,
                  "CSV with the columns data, contaminate, method, seed and what is to be compared")
      ->required();
  sub->add_option("--baseline", c->baseline,
                  "Method that the others are compared with, seed by seed (default wgan)")
      ->type_name("METHOD");
  sub->add_option("--columns", c->columns,
                  "What to compare (default fid,kid,outlier_share,precision,used_dirty_share)")
      ->delimiter(',')
      ->type_name("A,B");
  sub->footer("Example:\n  motmot gan compare experiments/table1/runs.csv");
  sub->callback([c] { (*c)(); });
}

}  // namespace motmot::app
