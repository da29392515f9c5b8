#include <algorithm>
#include <bit>
#include <charconv>
#include <ostream>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "data/array_reader.hpp"
#include "data/csv_text.hpp"
#include "motmot/data.hpp"

namespace motmot {
namespace {

bool is_default_naming(const std::vector<std::string>& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (columns[j] != std::to_string(j + 1)) return false;
  return true;
}

bool reads_as_number(const std::string& name) {
  double ignored = 0;
  return classify(name, {}, ignored) != Cell::text;
}

void write_header(std::ostream& out, const std::vector<std::string>& columns) {
  for (std::size_t j = 0; j < columns.size(); ++j) out << (j > 0 ? "," : "") << quoted_if_needed(columns[j]);
  out << '\n';
}

/// Appends the shortest text that reads back as `value`; at most 24 characters.
char* print(char* to, double value) { return std::to_chars(to, to + 32, value).ptr; }

}  // namespace

std::string quoted_if_needed(const std::string& text) {
  const bool plain =
      text.find_first_of(",;\t\"\r\n") == std::string::npos && !text.starts_with(' ') && !text.ends_with(' ');
  if (plain) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

void write_csv(const std::string& path, PointsView points, const std::vector<std::string>& columns) {
  require(columns.empty() || columns.size() == points.cols(), Errc::invalid_argument, "cannot write '", path,
          "': ", columns.size(), " column names for ", points.cols(), " columns");
  const bool header = !is_default_naming(columns);
  require(!header || !std::ranges::all_of(columns, reads_as_number), Errc::invalid_argument, "cannot write '",
          path, "': column names that are all numbers would read back as a row");
  OutputFile file(path);
  if (header) write_header(file.stream(), columns);
  std::vector<char> line(points.cols() * 33 + 1);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    char* end = line.data();
    for (const double value : points.row(i)) {
      if (end != line.data()) *end++ = ',';
      end = print(end, value);
    }
    *end++ = '\n';
    file.stream().write(line.data(), end - line.data());
  }
  file.commit();
}

void write_npy(const std::string& path, PointsView points) {
  OutputFile file(path);
  const char* const type = std::endian::native == std::endian::little ? "<f8" : ">f8";
  file.stream() << npy_header(type, {points.rows(), points.cols()});
  file.stream().write(reinterpret_cast<const char*>(points.data),
                      static_cast<std::streamsize>(points.rows() * points.cols() * sizeof(double)));
  file.commit();
}

}  // namespace motmot
