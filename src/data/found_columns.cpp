#include "data/found_columns.hpp"

#include <algorithm>
#include <limits>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/times.hpp"

namespace motmot {
namespace {

constexpr double missing_value = std::numeric_limits<double>::quiet_NaN();

bool is_of(Kind kind, const std::string& text, const Dialect& dialect) {
  double ignored = 0;
  return kind == Kind::time ? parse_time(text).has_value() : classify(text, dialect, ignored) == Cell::number;
}

/// The words in the order of their codes.
std::vector<std::string> in_order(std::unordered_map<std::string, std::uint32_t>&& levels) {
  std::vector<std::string> words(levels.size());
  while (!levels.empty()) {
    auto node = levels.extract(levels.begin());
    words[node.mapped()] = std::move(node.key());
  }
  return words;
}

}  // namespace

FoundColumns::FoundColumns(const FileColumns& columns, const ColumnChoice& choice, const ReadOptions& options,
                           std::span<const std::size_t> words)
    : file_(columns),
      choice_(choice),
      missing_(options.missing),
      mixed_(options.mixed),
      columns_(choice.dimension) {
  choose_kinds(options);
  for (const std::size_t slot : words) {
    columns_[slot].kind = Kind::category;
    columns_[slot].read_again = any_text_ = true;
  }
}

void FoundColumns::choose_kinds(const ReadOptions& options) {
  for (const auto& [asked, kind] : options.kinds) {
    const std::size_t slot = choice_.slot(find_column(file_, asked));
    require(slot < columns_.size(), Errc::invalid_argument, "--kinds names the column ", shown(asked), " of ",
            file_.file, ", which is not read");
    columns_[slot].kind = kind;
    columns_[slot].given = true;
    any_text_ = any_text_ || kind != Kind::number;
  }
}

double FoundColumns::value(std::size_t slot, FieldPlace field) {
  Column& column = columns_[slot];
  if (column.kind == Kind::time)
    if (const auto seconds = parse_time(field.text)) return *seconds;
  double number = 0;
  const Cell cell = classify(field.text, file_.dialect, number);
  if (cell == Cell::missing) {
    odd_.push_back({slot, true});
    if (column.first_missing.row == 0) column.first_missing = std::move(field);
    return missing_value;
  }
  if (column.kind == Kind::number && cell == Cell::number) return number;
  if (column.kind == Kind::category) {
    const auto code = static_cast<std::uint32_t>(column.levels.size());
    return column.levels.try_emplace(std::move(field.text), code).first->second;
  }
  const bool is_first = !column.given && rows_ == column.missing;
  if (is_first) {
    const bool time = parse_time(field.text).has_value();
    column.kind = time ? Kind::time : Kind::category;
    any_text_ = true;
    if (!time) column.first_word = field;
    return value(slot, std::move(field));
  }
  odd_.push_back({slot, false});
  if (column.first_word.row == 0) column.first_word = std::move(field);
  return missing_value;
}

void FoundColumns::add_row() {
  for (const Odd& odd : odd_) ++(odd.missing ? columns_[odd.slot].missing : columns_[odd.slot].odd);
  ++rows_;
}

std::string FoundColumns::label(std::size_t slot) const {
  const std::size_t column = choice_.column(slot);
  return column_label(column, file_.name(column));
}

/// Whether half of the values of a category, or more, are numbers, or times.
bool FoundColumns::looks_like(Kind kind, std::size_t slot, const Table& table) const {
  std::vector<bool> fits(columns_[slot].levels.size());
  for (const auto& [text, code] : columns_[slot].levels) fits[code] = is_of(kind, text, file_.dialect);
  std::size_t fitting = 0, present = 0;
  for (std::size_t i = 0; i < table.points.rows(); ++i) {
    const double code = table.points(i, slot);
    if (!(code >= 0)) continue;
    ++present;
    fitting += fits[static_cast<std::size_t>(code)] ? 1 : 0;
  }
  return fitting > 0 && 2 * fitting >= present;
}

/// Whether all of its words would be numbers with the other decimal sign.
bool FoundColumns::has_other_decimals(const Column& column) const {
  Dialect other = file_.dialect;
  other.decimal = other.decimal == '.' ? ',' : '.';
  return !column.levels.empty() && std::ranges::all_of(column.levels, [&](const auto& level) {
    return is_of(Kind::number, level.first, other);
  });
}

bool FoundColumns::has_fractions(const Table& table) const {
  for (std::size_t slot = 0; slot < columns_.size(); ++slot)
    for (std::size_t i = 0; columns_[slot].kind == Kind::number && i < table.points.rows(); ++i)
      if (is_fraction(table.points(i, slot))) return true;
  return false;
}

FoundColumns::Complaint FoundColumns::refuse(std::size_t slot, Kind kind, const Table& table,
                                             bool hash_first) const {
  const Column& column = columns_[slot];
  const FieldPlace& word = column.first_word;
  std::string advice;
  if (kind == Kind::number)
    advice = dialect_advice(word.text, choice_.column(slot), file_.dialect, hash_first, has_fractions(table));
  if (advice.empty() && column.given) advice = "--kinds says that the column holds nothing else";
  if (advice.empty())
    advice = "half of the column or more are: --na makes it a missing value, " +
             kinds_option(file_.name(choice_.column(slot)), "category") + " takes them all as they are spelt";
  return {word.row, slot,
          shown(word.text) +
              (kind == Kind::time ? " is not a time such as 2024-01-31T12:30:00Z; " : " is not a number; ") +
              advice};
}

FoundColumns::Complaint FoundColumns::complaint(std::size_t slot, const Table& table, bool hash_first) const {
  const Column& column = columns_[slot];
  const bool category = column.kind == Kind::category;
  Complaint found;
  if (category && !column.given && !column.read_again && !mixed_) {
    for (const Kind kind : {Kind::number, Kind::time})
      if (looks_like(kind, slot, table)) found = refuse(slot, kind, table, hash_first);
    if (has_other_decimals(column)) found = refuse(slot, Kind::number, table, hash_first);
  }
  const std::uint64_t fitting = rows_ - column.missing - column.odd;
  if (column.odd > 0 && (column.given || (fitting >= column.odd && !mixed_)))
    found = refuse(slot, column.kind, table, hash_first);
  const FieldPlace& gap = column.first_missing;
  if (!category && missing_ == Missing::error && gap.row > 0 && (found.row == 0 || gap.row < found.row))
    found = {gap.row, slot,
             "missing value " + shown(gap.text) +
                 "; --missing level makes it something to compare, --missing drop leaves such rows out"};
  return found;
}

Cells FoundColumns::finish(Table table, bool hash_first) {
  Complaint first;
  for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
    Complaint found = complaint(slot, table, hash_first);
    if (found.row > 0 && (first.row == 0 || found.row < first.row)) first = std::move(found);
  }
  if (first.row > 0) {
    const Column& column = columns_[first.slot];
    const FieldPlace& at = column.first_missing.row == first.row ? column.first_missing : column.first_word;
    fail(Errc::io, file_.file, ", row ", at.row, " (line ", at.line, "), ", label(first.slot), ": ",
         first.text);
  }
  Cells cells{.table = std::move(table)};
  for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
    Column& column = columns_[slot];
    if (column.odd > 0) cells.read_again.push_back(slot);
    cells.columns.push_back({column.kind, column.given, in_order(std::move(column.levels))});
  }
  return cells;
}

}  // namespace motmot
