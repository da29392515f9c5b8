/// Columns of a text whose kinds show as they are read.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/columns.hpp"
#include "data/readers.hpp"

namespace motmot {

/// A field, for complaints.
struct FieldPlace {
  std::uint64_t row = 0;  ///< among the data rows, from 1; 0: no field
  std::uint64_t line = 0;
  std::string text{};
};

/// The first value of a column tells its kind: a number, a time, or else a category. A row keeps one number
/// of each column: the number itself, a time's seconds, the place of a level, or NaN where the value is
/// missing. A column of numbers in which a word turns up later is refused if most of its values are numbers
/// (unless ReadOptions::mixed); else it is a category, and its numbers were words that must be read again
/// (Cells::read_again). Times likewise.
class FoundColumns {
 public:
  /// `words`: places of columns that are known to be categories.
  FoundColumns(const FileColumns& columns, const ColumnChoice& choice, const ReadOptions& options,
               std::span<const std::size_t> words);

  /// Whether fields of the column go to value(), whatever they look like.
  [[nodiscard]] bool is_text(std::size_t slot) const { return columns_[slot].kind != Kind::number; }
  [[nodiscard]] bool any_text() const { return any_text_; }
  /// Of a field that is no plain number. A record may be read twice; it counts when add_row() is called.
  double value(std::size_t slot, FieldPlace field);
  void start_row() { odd_.clear(); }
  void add_row();

  /// Complains about the first value that does not fit its column.
  [[nodiscard]] Cells finish(Table table, bool hash_first);

 private:
  struct Column {
    Kind kind = Kind::number;
    bool given = false;         ///< the kind was set
    bool read_again = false;    ///< known to be a category from a first reading
    std::uint64_t missing = 0;  ///< how many values are
    std::uint64_t odd = 0;      ///< how many do not fit the kind
    FieldPlace first_missing{};
    FieldPlace first_word{};  ///< the first value that is no number; of times, no time
    std::unordered_map<std::string, std::uint32_t> levels{};
  };
  struct Odd {
    std::size_t slot;
    bool missing;
  };
  struct Complaint {
    std::uint64_t row = 0;  ///< 0: none
    std::size_t slot = 0;
    std::string text{};
  };

  double first_word(Column& column, FieldPlace field);
  void choose_kinds(const ReadOptions& options);
  [[nodiscard]] Complaint complaint(std::size_t slot, const Table& table, bool hash_first) const;
  [[nodiscard]] bool looks_like(Kind kind, std::size_t slot, const Table& table) const;
  [[nodiscard]] bool has_other_decimals(const Column& column) const;
  [[nodiscard]] Complaint refuse(std::size_t slot, Kind kind, const Table& table, bool hash_first) const;
  /// Whether a number of the file has decimals, which are written as the dialect says.
  [[nodiscard]] bool has_fractions(const Table& table) const;
  [[nodiscard]] std::string label(std::size_t slot) const;

  const FileColumns& file_;
  const ColumnChoice& choice_;
  Missing missing_;
  bool mixed_;
  std::vector<Column> columns_;
  std::vector<Odd> odd_{};  ///< of the record that is read
  std::uint64_t rows_ = 0;
  bool any_text_ = false;
};

}  // namespace motmot
