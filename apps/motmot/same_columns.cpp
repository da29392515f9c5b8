#include "same_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/require.hpp"
#include "common.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "data/times.hpp"

namespace motmot::app {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& one) {
  return std::ranges::find(list, one) != list.end();
}

/// Whether a name is a number or a time. Where a name is missing, the column's number stands for it.
bool is_value(const std::string& name, bool may_be_place) {
  double number = 0;
  if (may_be_place && !is_name(name)) return false;
  return reads_as(name, number) || parse_time(name).has_value();
}

/// Whether the names are likely a row that was read as a header: words, and numbers or times among them. A
/// number may stand for a missing name, unless one of the words is a level of a column.
bool look_like_row(const NamedColumns& x, const NamedColumns& other) {
  const bool has_level = std::ranges::any_of(x.names, [&](const std::string& name) {
    return contains(x.levels, name) || contains(other.levels, name);
  });
  const auto is_place = [&](std::size_t j) {
    return !has_level && (x.chosen || x.names[j] == std::to_string(j + 1));
  };
  bool any_value = false;
  for (std::size_t j = 0; j < x.names.size(); ++j) any_value = any_value || is_value(x.names[j], is_place(j));
  return any_value && std::ranges::any_of(x.names, is_name);
}

bool have_names(const NamedColumns& x) {
  return std::ranges::all_of(x.names, is_name) &&
         std::ranges::none_of(x.names, [](const std::string& name) { return is_value(name, false); });
}

void require_header(const NamedColumns& x, const NamedColumns& y) {
  const auto no_row_beside_names = [](const NamedColumns& row, const NamedColumns& named) {
    require(!have_names(named) || !look_like_row(row, named), Errc::invalid_argument, "the first line of ",
            name_of(row.path), " looks like a row (",
            listed(row.names.size(), [&](std::size_t j) { return row.names[j]; }), ") where ",
            name_of(named.path), " has names: give it a header");
  };
  no_row_beside_names(x, y);
  no_row_beside_names(y, x);
}

std::vector<std::string> shared_names(const NamedColumns& x, const NamedColumns& y) {
  std::vector<std::string> shared;
  for (const std::string& name : x.names)
    if (is_name(name) && contains(y.names, name)) shared.push_back(name);
  return shared;
}

/// "; --columns id,age compares those that both have"
std::string advice_on(const std::vector<std::string>& shared) {
  constexpr std::size_t most_listed = 12;
  const bool plain = std::ranges::none_of(
      shared, [](const std::string& name) { return name.find(',') != std::string::npos; });
  if (shared.empty()) return "";
  if (!plain || shared.size() > most_listed) return "; --columns chooses those that both have";
  return "; --columns " + shell_word(fmt::format("{}", fmt::join(shared, ","))) +
         " compares those that both have";
}

/// "column 1 is 'id' in 'x.csv' and 'visits' in 'y.csv'", of the first that differs.
std::string first_difference(const NamedColumns& x, const NamedColumns& y) {
  const auto j = static_cast<std::size_t>(std::ranges::mismatch(x.names, y.names).in1 - x.names.begin());
  return "column " + std::to_string(j + 1) + " is " + shown(x.names[j]) + " in " + name_of(x.path) + " and " +
         shown(y.names[j]) + " in " + name_of(y.path);
}

/// Nothing where a name is missing in one of them, or is there twice.
std::optional<std::vector<std::size_t>> order_by_name(const NamedColumns& x, const NamedColumns& y) {
  std::vector<std::size_t> order;
  for (const std::string& name : x.names) {
    const auto found = std::ranges::find(y.names, name);
    if (found == y.names.end() || std::ranges::count(x.names, name) > 1) return std::nullopt;
    order.push_back(static_cast<std::size_t>(found - y.names.begin()));
  }
  return order;
}

template <class T>
std::vector<T> in_order(std::vector<T>& things, const std::vector<std::size_t>& order) {
  std::vector<T> ordered;
  ordered.reserve(order.size());
  for (const std::size_t j : order) ordered.push_back(std::move(things[j]));
  return ordered;
}

}  // namespace

bool is_name(const std::string& text) { return text.find_first_not_of("0123456789") != std::string::npos; }

NamedColumns columns_of(const std::string& path, const Frame& frame, const ReadOptions& options) {
  NamedColumns columns{.path = path, .names = {}, .chosen = !options.columns.empty()};
  for (const Column& column : frame.columns) {
    columns.names.push_back(column.name);
    columns.levels.insert(columns.levels.end(), column.levels.begin(), column.levels.end());
  }
  return columns;
}

NamedColumns columns_of(const std::string& path, const Table& table, const ReadOptions& options) {
  return {.path = path, .names = table.columns, .chosen = !options.columns.empty()};
}

Match match_columns(const NamedColumns& x, const NamedColumns& y) {
  const std::vector<std::string> shared = shared_names(x, y);
  require(x.names.size() == y.names.size(), Errc::invalid_argument,
          "X and Y must have the same number of columns: ", name_of(x.path), " has ", x.names.size(), ", ",
          name_of(y.path), " has ", y.names.size(), advice_on(shared));
  if (x.names == y.names) return {};
  if (shared.empty()) require_header(x, y);
  if (x.chosen) {
    const bool named = std::ranges::all_of(x.names, is_name) && std::ranges::all_of(y.names, is_name);
    return {.note = named ? first_difference(x, y) + ": compared by their numbers, as --columns says" : ""};
  }
  if (shared.empty()) return {};
  if (auto order = order_by_name(x, y))
    return {.order = *order,
            .note = "the columns of " + name_of(y.path) +
                    " are matched by name: their order is not that of " + name_of(x.path)};
  fail(Errc::invalid_argument, first_difference(x, y), advice_on(shared));
}

void reorder(Frame& frame, const std::vector<std::size_t>& order) {
  if (!order.empty()) frame.columns = in_order(frame.columns, order);
}

void reorder(Table& table, const std::vector<std::size_t>& order) {
  if (order.empty()) return;
  table.columns = in_order(table.columns, order);
  std::vector<double> row(order.size());
  for (std::size_t i = 0; i < table.points.rows(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) row[j] = table.points(i, order[j]);
    std::ranges::copy(row, table.points.row(i).begin());
  }
}

}  // namespace motmot::app
