/// One reader per format; read_table() chooses among them.
#pragma once

#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/byte_source.hpp"
#include "data/row_stream.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// A file whose columns may be of several kinds. The points hold what FoundColumns makes of words and times.
struct Cells {
  struct Column {
    Kind kind = Kind::number;
    bool given = false;                 ///< the kind was set
    std::vector<std::string> levels{};  ///< of a category: its words, by their codes
  };
  Table table{};
  std::vector<Column> columns{};          ///< empty: numbers alone
  std::vector<std::size_t> read_again{};  ///< categories whose words were taken for numbers or times at first
};

// With a sink, rows go there and the table has none.

/// Separated values; `separator` 0 means that the first line tells.
Table read_csv(ByteReader& in, const ReadOptions& options, char separator = 0, const RowSink* sink = nullptr);
/// The same with columns of any kind; those at the places `words` are categories.
Cells read_csv_cells(ByteReader& in, const ReadOptions& options, char separator,
                     std::span<const std::size_t> words);
Table read_npy(ByteReader& in, const ReadOptions& options, const RowSink* sink = nullptr);
Table read_idx(ByteReader& in, const ReadOptions& options, const RowSink* sink = nullptr);
Table read_raw(ByteReader& in, const ReadOptions& options, const RowSink* sink = nullptr);
/// Member "x" is x.npy in the archive; empty stands for the only one.
Table read_npz(const std::string& path, const std::string& member, const ReadOptions& options,
               const RowSink* sink = nullptr);

/// A file of any format, with columns of any kind where it is text.
Cells read_cells(const std::string& path, const ReadOptions& options);

/// The file and the member that "a.npz:member" names, unless a file is called that; otherwise no member.
std::pair<std::string, std::string> split_member(const std::string& path);

/// Whether a file has no header, by its name: .bin, .raw.
[[nodiscard]] bool is_raw(const std::string& path);

[[nodiscard]] std::string lower_case(std::string text);  ///< of ASCII letters

/// Room for as many values as a file promises or is guessed to have. Memory that is not used costs nothing,
/// so that a promise may be too large; where there is no room, memory grows with what comes.
template <class T>
void reserve_if_possible(std::vector<T>& values, double count) {
  if (count >= static_cast<double>(values.max_size())) return;
  try {
    values.reserve(static_cast<std::size_t>(count));
  } catch (const std::bad_alloc&) {
    return;
  }
}

}  // namespace motmot
