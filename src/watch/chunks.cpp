// One table as a series of chunks.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/times.hpp"
#include "motmot/watch.hpp"
#include "watch/frames.hpp"

namespace motmot {
namespace {

constexpr double day = 86400;

/// The time of every row; all must have one.
std::vector<double> times_of(const Frame& table, const ChunkOptions& o, const std::string& source) {
  const auto found = std::ranges::find(table.columns, o.time, &Column::name);
  require(found != table.columns.end(), Errc::invalid_argument, source, " has no column ", shown(o.time),
          "; its columns are ",
          listed(table.columns.size(), [&](std::size_t j) { return table.columns[j].name; }));
  require(found->kind == Kind::time || (!o.by && found->kind == Kind::number), Errc::invalid_argument, source,
          ", column ", shown(o.time), " is a ", name(found->kind),
          o.by ? "; days and weeks need times, such as 2024-01-31T12:30:00Z" : ", which has no order");
  for (std::size_t i = 0; i < table.n(); ++i)
    require(std::isfinite(found->numbers[i]), Errc::invalid_argument, source, ", row ", source_row(table, i),
            ", column ", shown(o.time), ": a missing time: nobody knows which chunk the row belongs to");
  return found->numbers;
}

/// The first second of the day or of the week, which begins on Monday; 1970-01-01 was a Thursday.
double period_of(double time, ChunkBy by) {
  const double days = std::floor(time / day);
  return day * (by == ChunkBy::day ? days : days - std::fmod(std::fmod(days + 3, 7) + 7, 7));
}

Frame without_column(Frame table, const std::string& name) {
  std::erase_if(table.columns, [&](const Column& column) { return column.name == name; });
  return table;
}

ChunkSource source_of(const std::shared_ptr<const Frame>& table, std::string name, RowList rows) {
  return {std::move(name), [table, rows = std::move(rows)] { return rows_of(*table, rows); }};
}

}  // namespace

std::vector<ChunkSource> chunks_of(Frame given, const ChunkOptions& o, const std::string& source) {
  require(o.by.has_value() != (o.rows > 0), Errc::invalid_argument,
          "a series is cut by day, by week or into chunks of a number of rows");
  const std::vector<double> times = times_of(given, o, source);
  RowList order = stretch(0, given.n());
  std::ranges::stable_sort(order, {}, [&](std::uint32_t row) { return times[row]; });
  const auto table = std::make_shared<const Frame>(without_column(std::move(given), o.time));
  std::vector<ChunkSource> chunks;
  if (!o.by) {
    for (std::size_t first = 0; first + o.rows <= order.size(); first += o.rows)
      chunks.push_back(source_of(
          table,
          "rows " + std::to_string(first + 1) + " to " + std::to_string(first + o.rows) + " by " + o.time,
          {order.begin() + static_cast<std::ptrdiff_t>(first),
           order.begin() + static_cast<std::ptrdiff_t>(first + o.rows)}));
    return chunks;
  }
  std::map<double, RowList> periods;
  for (const std::uint32_t row : order) periods[period_of(times[row], *o.by)].push_back(row);
  for (auto& [first, rows] : periods) chunks.push_back(source_of(table, time_text(first), std::move(rows)));
  return chunks;
}

}  // namespace motmot
