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

std::vector<std::string> text_lines(const std::string& text, std::size_t width) {
  std::istringstream words(text);
  std::vector<std::string> lines;
  for (std::string word; words >> word;) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) lines.push_back(std::move(word));
    else lines.back().append(" ").append(word);
  }
  return lines;
}

std::string wrap(const std::string& first, const std::string& text, std::size_t width) {
  std::string wrapped = first;
  const std::string indent = "\n" + std::string(first.size(), ' ');
  for (const std::string& line : text_lines(text, width - std::min(width, first.size())))
    wrapped.append(wrapped.size() == first.size() ? "" : indent).append(line);
  return wrapped + "\n";
}

}  // namespace motmot
