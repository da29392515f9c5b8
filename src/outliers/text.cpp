// The rows that stand out, in words.
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

#include "motmot/outliers.hpp"

namespace motmot {
namespace {

std::string summary(const OutlierSample& sample, const std::string& name) {
  const std::size_t found = sample.suspects.size();
  if (found == 0)
    return "No row of " + name + " (" + counted(sample.n, "row") + ", tau " + significant(sample.tau, 3) +
           ") stands out; wrong rows that lie among the others do not show.";
  std::string text = std::to_string(found) + " of the " + counted(sample.n, "row") + " of " + name +
                     (found == 1 ? " stands out." : " stand out.");
  const std::string share =
      sample.false_share < 0.001 ? "less than 0.1 %" : percent(std::round(1000 * sample.false_share) / 1000);
  return text + " Expected to be right all the same: " + share +
         " of them, if the distances of the others fall off about as their body does.";
}

std::string row_number(const OutlierRow& row, const PerSample<std::vector<std::uint64_t>>& rows) {
  const auto& numbers = row.sample == Sample::x ? rows.x : rows.y;
  return std::to_string(numbers.empty() ? row.row + 1 : numbers[row.row]);
}

std::string table_of(const Outliers& found, bool suspects,
                     const PerSample<std::vector<std::uint64_t>>& rows) {
  constexpr std::size_t most = 30;
  TextTable table(found.y ? "lrrl" : "rrl");
  std::size_t left = 0, shown = 0;
  for (const OutlierRow& row : found.rows) {
    if (row.suspect != suspects) continue;
    if (shown++ >= most) {
      ++left;
      continue;
    }
    std::vector<std::string> line{row_number(row, rows), readable(row.score, 2), row.reason};
    if (found.y) line.insert(line.begin(), row.sample == Sample::x ? "X" : "Y");
    if (shown == 1)
      table.add(found.y ? std::vector<std::string>{"", "row", "score", "reason"}
                        : std::vector<std::string>{"row", "score", "reason"});
    table.add(std::move(line));
  }
  if (shown == 0) return "";
  return table.text("  ") + (left > 0 ? "  ... and " + counted(left, "row") + " more\n" : "");
}

}  // namespace

std::string text(const Outliers& found, const PerSample<std::vector<std::uint64_t>>& rows) {
  if (found.run.stopped) return "  Stopped before anything was found.\n";
  std::string text = wrap("  ", summary(found.x, "X"));
  if (found.y) text += wrap("  ", summary(*found.y, "Y"));
  for (const ColumnLeftOut& column : found.columns_left_out)
    text += wrap("  ", "Left out: " + column.name + " " + column.why + ".");
  for (const std::string& note : found.notes) text += wrap("  ", note);
  if (const std::string table = table_of(found, true, rows); !table.empty()) text += "\n" + table;
  if (const std::string table = table_of(found, false, rows); !table.empty())
    text += "\n  Of the others, the strangest first:\n" + table;
  return text;
}

}  // namespace motmot
