#include <sqlite3.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "base/require.hpp"
#include "data/byte_source.hpp"
#include "data/complaint.hpp"
#include "tables/column_builder.hpp"
#include "tables/sources.hpp"

namespace motmot {
namespace {

/// An integer in all its digits, another number in the fewest that read back to it.
std::string level_text(double value) {
  char digits[64];
  const auto end = std::abs(value) < 1e15 && value == std::floor(value)
                       ? std::to_chars(digits, digits + sizeof digits, static_cast<long long>(value))
                       : std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

/// A database that is only read.
class Database {
 public:
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

  explicit Database(const std::string& path) : name_(name_of(path)) {
    ByteReader(open_source(path), name_).peek(1);  // complains if the file cannot be read
    sqlite3* opened = nullptr;
    const int state = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(opened);
    if (state != SQLITE_OK) complain();
    sqlite3_busy_timeout(opened, 5000);  // while somebody else writes
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] Statement prepare(const std::string& query) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database_.get(), query.c_str(), -1, &statement, nullptr) != SQLITE_OK) complain();
    return {statement, sqlite3_finalize};
  }

  /// Whether there is another row.
  [[nodiscard]] bool step(const Statement& statement) const {
    const int state = sqlite3_step(statement.get());
    if (state != SQLITE_ROW && state != SQLITE_DONE) complain();
    return state == SQLITE_ROW;
  }

 private:
  [[noreturn]] void complain() const {
    fail(Errc::io, name_, ": SQLite says: ", sqlite3_errmsg(database_.get()));
  }

  std::string name_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_{nullptr, sqlite3_close};
};

std::string_view text_of(sqlite3_stmt* row, int column) {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  if (text == nullptr) throw std::bad_alloc();
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

/// A column whose values may be of any type: numbers until the first text comes, and a category from then on.
class LooseColumn {
 public:
  LooseColumn(std::size_t number, const FileColumns& columns)
      : number_(static_cast<int>(number)),
        name_(columns.name(number)),
        label_(columns.file + ", " + column_label(number, name_)),
        builder_(name_, Kind::number) {}

  void add(sqlite3_stmt* row, std::size_t row_number) {
    switch (sqlite3_column_type(row, number_)) {
      case SQLITE_NULL:
        return builder_.add_missing(1);
      case SQLITE_INTEGER:
      case SQLITE_FLOAT:
        return add(sqlite3_column_double(row, number_));
      case SQLITE_TEXT:
        become_category();
        return builder_.add_code(builder_.code(text_of(row, number_)));
      default:
        fail(Errc::io, label_, ", row ", row_number, ": a blob; leave the column out with --exclude");
    }
  }

  Column finish() && { return std::move(builder_).finish(); }

 private:
  void add(double number) {
    if (builder_.so_far().kind == Kind::category) builder_.add_code(builder_.code(level_text(number)));
    else builder_.add_number(number);
  }

  void become_category() {
    if (builder_.so_far().kind == Kind::category) return;
    const ColumnBuilder numbers = std::exchange(builder_, ColumnBuilder(name_, Kind::category));
    for (const double number : numbers.so_far().numbers) {
      if (std::isnan(number)) builder_.add_missing(1);
      else add(number);
    }
  }

  int number_;
  std::string name_;
  std::string label_;  ///< for complaints
  ColumnBuilder builder_;
};

std::string only_table(const Database& database) {
  const auto statement = database.prepare(
      "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite\\_%' escape "
      "'\\' "
      "order by name");
  std::vector<std::string> tables;
  while (database.step(statement)) tables.emplace_back(text_of(statement.get(), 0));
  require(!tables.empty(), Errc::io, database.name(), " has no tables");
  require(tables.size() == 1, Errc::io, database.name(), " has ", tables.size(), " tables (",
          listed(tables.size(), [&](std::size_t k) { return tables[k]; }),
          "); write the one that is meant after the name and a colon");
  return tables.front();
}

std::vector<std::string> column_names(const Database::Statement& statement) {
  std::vector<std::string> names(static_cast<std::size_t>(sqlite3_column_count(statement.get())));
  for (std::size_t j = 0; j < names.size(); ++j)
    names[j] = sqlite3_column_name(statement.get(), static_cast<int>(j));
  return names;
}

}  // namespace

Frame read_sqlite(const std::string& path, const std::string& table, const ReadOptions& options) {
  const Database database(path);
  const std::string chosen_table = table.empty() ? only_table(database) : table;
  const Database::Statement rows = database.prepare("select * from " + in_quotes(chosen_table, '"'));
  const FileColumns names = named_columns(database.name(), column_names(rows));
  const ColumnChoice choice = choose_columns(names, options);
  std::vector<LooseColumn> columns;
  for (std::size_t slot = 0; slot < choice.slots(); ++slot) columns.emplace_back(choice.column(slot), names);
  for (std::size_t row = 1; database.step(rows); ++row)
    for (LooseColumn& column : columns) column.add(rows.get(), row);
  return make_frame(names, choice, finish_all(std::move(columns)));
}

}  // namespace motmot
