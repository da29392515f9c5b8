#include "report/text_table.hpp"

#include <algorithm>
#include <sstream>

namespace motmot {

std::string TextTable::text(const std::string& indent, const std::string& mark, std::size_t marked) const {
  std::vector<std::size_t> width;
  for (const auto& row : rows_) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) width[j] = std::max(width[j], row[j].size());
  }
  std::string lines;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    std::string line = i == marked ? mark : indent;
    for (std::size_t j = 0; j < rows_[i].size(); ++j) {
      const std::string blanks(width[j] - rows_[i][j].size(), ' ');
      const bool left = j == 0 || j + 1 == width.size();
      line += (j == 0 ? "" : "  ") + (left ? rows_[i][j] + blanks : blanks + rows_[i][j]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}

std::string wrap(const std::string& first, const std::string& text, std::size_t width) {
  std::istringstream words(text);
  const std::string indent(first.size(), ' ');
  std::string lines;
  std::string line = first;
  bool empty = true;
  for (std::string word; words >> word; empty = false) {
    if (!empty && line.size() + 1 + word.size() > width) {
      lines += line + "\n";
      line = indent;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
  }
  return lines + line + "\n";
}

}  // namespace motmot
