// Where methods break, as tables of colours.
#include <fmt/format.h>

#include <algorithm>

#include "report/study_report.hpp"
#include "report/study_words.hpp"

namespace motmot {
namespace {

std::optional<double> mean_error(const StudyResult& r, Toy data, double tau, std::string_view method,
                                 std::size_t k) {
  for (const StudySummary& s : r.summary)
    if (s.data == data && s.tau == tau && s.method == method && s.k == k) return s.mean;
  return std::nullopt;
}

struct Column {
  std::string title, method;
  std::size_t k;
};

HeatTable heat(const StudyResult& r, const std::vector<Column>& columns) {
  HeatTable table{.unit = "%"};
  for (const Column& column : columns) table.columns.push_back(column.title);
  for (const Toy data : r.options.data)
    for (const double tau : r.options.tau) {
      HeatTable::Row row{.group = toy_words(data), .name = fmt::format("\u03c4 = {:g}", tau)};
      for (const Column& c : columns) row.values.push_back(mean_error(r, data, tau, c.method, c.k));
      table.rows.push_back(std::move(row));
    }
  return table;
}

bool has_method(const StudyResult& r, std::string_view method) {
  return std::ranges::any_of(r.summary, [&](const StudySummary& s) { return s.method == method; });
}

}  // namespace

HeatTable breakdown_table(const StudyResult& r) {
  if (r.options.study != Study::breakdown) return {};
  std::vector<Column> columns{{"plain W1", "plain", 1}};
  const std::size_t most = std::ranges::max(r.options.blocks);
  columns.push_back({fmt::format("block median K={}", most), "block-median", most});
  for (const Estimator estimator : r.options.estimators)
    columns.push_back({fmt::format("{} default K", name(estimator)), std::string(name(estimator)), 0});
  columns.push_back({"corrected", "corrected", 1});
  columns.push_back({"trim", "trim", 1});
  columns.push_back({"partial bound", "partial", 1});
  for (const Column& peer :
       {Column{"POT partial", "pot-partial", 1}, Column{"POT unbalanced", "pot-unbalanced", 1}})
    if (has_method(r, peer.method)) columns.push_back(peer);
  HeatTable table = heat(r, columns);
  table.title = "Where each method breaks: error in % of the inliers' W1";
  table.note = fmt::format(
      "Mean over {}, n = m = {}, exact critic. Red: too large, blue: too small, green: within {:g} %. "
      "Methods that "
      "take a share of outliers were told the true one. A dash: not offered.",
      repetition_words(r), r.options.n, table.mild);
  return table;
}

HeatTable blocks_table(const StudyResult& r, const std::string& method) {
  if (r.options.study != Study::breakdown) return {};
  std::vector<Column> columns;
  for (const std::size_t k : r.options.blocks) columns.push_back({fmt::format("K = {}", k), method, k});
  columns.push_back({"default K", method, 0});
  HeatTable table = heat(r, columns);
  table.title = fmt::format("{} over K: error in % of the inliers' W1", method);
  table.note = fmt::format("Mean over {}, n = m = {}, exact critic. Red: too large, blue: too small.",
                           repetition_words(r), r.options.n);
  return table;
}

}  // namespace motmot
