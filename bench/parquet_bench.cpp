// How long columns of a Parquet file take to become a Frame, against what DuckDB's own aggregate over the
// same columns takes, with as many threads; DuckDB's start-up, which both have, is measured apart and taken
// off. By the clock, and in processor time, which other processes disturb less: the best of all rounds.
//
//   parquet_bench FILE [THREADS] [ROUNDS]      THREADS 0 (all cores), ROUNDS 7 unless said
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <string>

#include "motmot/tables.hpp"

namespace {

using namespace motmot;

struct Seconds {
  double clock = std::numeric_limits<double>::infinity(), processor = clock;

  void best(const Seconds& other) {
    clock = std::min(clock, other.clock);
    processor = std::min(processor, other.processor);
  }
};

Seconds seconds(const std::string& source, const ReadOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t began = std::clock();
  static_cast<void>(read_source(source, options));
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC};
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
  Seconds start_up;
  for (int round = 0; round < 3 * rounds; ++round)
    start_up.best(seconds("sql:select 1", {.threads = threads}));
  for (const std::vector<Column>& columns : cases) {
    ReadOptions options{.threads = threads};
    for (const Column& column : columns) options.columns.push_back(column.name);
    Seconds read, peer;
    for (int round = 0; round < rounds; ++round) {  // in turn
      read.best(seconds(file, options));
      peer.best(seconds(aggregate(file, columns), {.threads = threads}));
    }
    const auto compared = [](double ours, double theirs, double both) {
      return fmt::format("{:6.1f} ms, DuckDB's aggregate {:6.1f}, {:4.2f} times", 1e3 * (ours - both),
                         1e3 * (theirs - both), (ours - both) / (theirs - both));
    };
    fmt::print("{:>12}: by the clock {}; processor {}\n",
               columns.size() == 1 ? columns.front().name : "all columns",
               compared(read.clock, peer.clock, start_up.clock),
               compared(read.processor, peer.processor, start_up.processor));
  }
  fmt::print("{} rows; start-up, taken off: {:.1f} ms\n", whole.n(), 1e3 * start_up.clock);
}
