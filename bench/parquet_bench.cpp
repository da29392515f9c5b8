// How long columns of a Parquet file take to become a Frame, against what DuckDB's own aggregate over the
// same columns takes, with as many threads; DuckDB's start-up, which both have, is measured apart and taken
// off.
//
//   parquet_bench FILE [THREADS] [ROUNDS]      THREADS 0 (all cores), ROUNDS 7 unless said
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <string>

#include "motmot/tables.hpp"

namespace {

using namespace motmot;

double seconds(const std::string& source, const ReadOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(read_source(source, options));
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What DuckDB computes over the columns: the sum of numbers, the latest time, the last of the levels.
std::string aggregate(const std::string& file, const std::vector<Column>& columns) {
  std::string list;
  for (const Column& column : columns)
    list += fmt::format("{}{}(\"{}\")", list.empty() ? "" : ", ", column.kind == Kind::number ? "sum" : "max",
                        column.name);
  return "sql:select " + list + " from '" + file + "'";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return fmt::print(stderr, "usage: parquet_bench FILE [THREADS] [ROUNDS]\n"), 2;
  const std::string file = argv[1];
  const std::size_t threads = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 7;
  const Frame whole = read_source(file, {.threads = threads});
  std::vector<std::vector<Column>> cases{{}};
  for (const Column& column : whole.columns) {
    cases.push_back({Column{.name = column.name, .kind = column.kind}});
    cases.front().push_back(cases.back().front());
  }
  const double never = std::numeric_limits<double>::infinity();
  double start_up = never;
  for (int round = 0; round < 3 * rounds; ++round)
    start_up = std::min(start_up, seconds("sql:select 1", {.threads = threads}));
  for (const std::vector<Column>& columns : cases) {
    ReadOptions options{.threads = threads};
    for (const Column& column : columns) options.columns.push_back(column.name);
    double read = never, peer = never;
    for (int round = 0; round < rounds; ++round) {  // in turn, the best of each
      read = std::min(read, seconds(file, options));
      peer = std::min(peer, seconds(aggregate(file, columns), {.threads = threads}));
    }
    fmt::print("{:>12}: {} rows in {:6.1f} ms; DuckDB's aggregate {:6.1f} ms; {:4.2f} times\n",
               columns.size() == 1 ? columns.front().name : "all columns", whole.n(), 1e3 * (read - start_up),
               1e3 * (peer - start_up), (read - start_up) / (peer - start_up));
  }
  fmt::print("start-up, taken off: {:.1f} ms\n", 1e3 * start_up);
}
