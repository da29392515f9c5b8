#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <tuple>

#include "base/require.hpp"
#include "data/csv_text.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

constexpr std::string_view header = "data,tau,method,blocks,epoch,repetition,value,reference,shown";

/// A row of another program, on a place of this grid; the reference is ours.
Measurement row_of(const std::string& line, const StudyResult& result, const std::string& where) {
  const std::vector<std::string> fields = fields_of(line);
  require(fields.size() == 9, Errc::io, where, " needs 9 fields, has ", fields.size());
  Measurement m;
  const std::optional<Toy> toy = named<Toy>(fields[0]);
  require(toy.has_value(), Errc::io, where, " names no toy sample: '", fields[0], "'");
  m.data = *toy;
  m.method = fields[2];
  require(reads_as(fields[1], m.tau) && reads_as(fields[3], m.k) && reads_as(fields[5], m.repetition) &&
              reads_as(fields[6], m.value) && reads_as(fields[7], m.reference),
          Errc::io, where, " has a field that is not a number");
  const auto same = [&](const Measurement& o) {
    return o.data == m.data && o.tau == m.tau && o.repetition == m.repetition && o.method == "plain";
  };
  const auto ours = std::ranges::find_if(result.measurements, same);
  require(ours != result.measurements.end(), Errc::io, where, " is not of this study's grid: '", line, "'");
  require(std::abs(ours->reference - m.reference) <= 1e-6 * ours->reference, Errc::io, where,
          " was made on other data: W1 of its inliers is ", m.reference, ", here ", ours->reference);
  m.reference = ours->reference;
  return m;
}

}  // namespace

void add_peers(StudyResult& result, const std::string& path) {
  std::ifstream file(path);
  require(file.good(), Errc::io, "cannot read '", path, "'");
  std::string line;
  require(std::getline(file, line) && line == header, Errc::io, "the first line of '", path, "' must be ",
          header);
  std::vector<Measurement> peers;
  for (std::size_t number = 2; std::getline(file, line); ++number)
    peers.push_back(row_of(line, result, fmt::format("line {} of '{}'", number, path)));
  const auto place = [](const Measurement& m) { return std::tuple(m.data, m.tau, m.method, m.k); };
  std::ranges::stable_sort(peers, {}, place);
  result.measurements.insert(result.measurements.end(), peers.begin(), peers.end());
  result.summary = summarise(result.options.study, result.measurements);
}

}  // namespace motmot
