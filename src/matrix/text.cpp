// The matrix in words.
#include "base/text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motmot/matrix.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_in_square = 12, most_listed = 8;

std::string cut(const std::string& name, std::size_t width = 16) {
  if (name.size() <= width) return name;
  std::size_t end = width - 2;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0u) == 0x80u) --end;  // no half of a letter
  return name.substr(0, end) + "..";
}

std::size_t differing(const Matrix& m) {
  return static_cast<std::size_t>(
      std::ranges::count_if(m.pairs, [](const MatrixPair& p) { return p.differ; }));
}

std::string verdict(const Matrix& m) {
  std::string text = std::to_string(differing(m)) + " of " + counted(m.pairs.size(), "pair") +
                     (m.pairs.size() == 1 ? " differs" : " differ") + " by more than chance (at most " +
                     percent(m.alpha) + " of these falsely).";
  std::size_t out = 0, rows = 0;
  for (const MatrixSample& sample : m.samples) {
    out += sample.left_out.size();
    rows += sample.n;
  }
  return text + " " + std::to_string(out) + " of " + counted(rows, "row") +
         " stand alone in their samples and were left out.";
}

/// The samples as they are shown.
std::vector<std::size_t> shown_order(const Matrix& m) {
  if (!m.order.empty()) return m.order;
  std::vector<std::size_t> all(m.samples.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

const MatrixPair* pair_of(const Matrix& m, std::size_t a, std::size_t b) {
  const auto found = std::ranges::find_if(
      m.pairs, [&](const MatrixPair& p) { return p.first == std::min(a, b) && p.second == std::max(a, b); });
  return found == m.pairs.end() ? nullptr : &*found;
}

std::string square(const Matrix& m) {
  const std::vector<std::size_t> order = shown_order(m);
  TextTable table("l" + std::string(order.size(), 'r'));
  std::vector<std::string> head{""};
  for (const std::size_t b : order) head.push_back(cut(m.samples[b].name, 12));
  table.add(head);
  for (const std::size_t a : order) {
    std::vector<std::string> row{cut(m.samples[a].name)};
    for (const std::size_t b : order) {
      const MatrixPair* pair = a == b ? nullptr : pair_of(m, a, b);
      row.push_back(pair == nullptr ? (a == b ? "0 " : "")
                                    : readable(pair->value, 3) + (pair->differ ? "*" : " "));
    }
    table.add(row);
  }
  return table.text("  ");
}

std::string listed_pairs(const Matrix& m, const std::vector<MatrixPair>& pairs) {
  TextTable table("llrrrr");
  table.add({"", "", "distance", "chance", "p", "q"});
  for (const MatrixPair& pair : pairs)
    table.add({cut(m.samples[pair.first].name), cut(m.samples[pair.second].name),
               readable(pair.value, 4) + (pair.differ ? "*" : " "),
               pair.floor ? readable(*pair.floor, 3) : "", significant(pair.p_value, 2),
               significant(pair.q_value, 2)});
  return table.text("  ");
}

/// The nearest and the farthest, or all of them where one sample is held against the others.
std::string lists(const Matrix& m) {
  std::vector<MatrixPair> pairs = m.pairs;
  std::ranges::stable_sort(pairs, {}, &MatrixPair::value);
  if (m.against || pairs.size() <= 2 * most_listed) return listed_pairs(m, pairs);
  const std::vector<MatrixPair> near(pairs.begin(), pairs.begin() + most_listed);
  const std::vector<MatrixPair> far(pairs.rbegin(), pairs.rbegin() + most_listed);
  return "  nearest\n" + listed_pairs(m, near) + "  farthest\n" + listed_pairs(m, far);
}

}  // namespace

std::string text(const Matrix& m) {
  std::string result =
      m.against
          ? wrap("  ", counted(m.samples.size() - 1, "sample") + " held against " +
                           m.samples[*m.against].name + ". " + verdict(m))
          : wrap("  ", counted(m.samples.size(), "sample") + ", each compared with each. " + verdict(m));
  result += "\n" + (m.against || m.samples.size() > most_in_square ? lists(m) : square(m));
  result +=
      "\n" + wrap("  ", "* more than chance; p-values are approximate" +
                            std::string(m.map_share ? ". A plane shows " +
                                                          percent(std::round(100 * *m.map_share) / 100) +
                                                          " of what there is to see."
                                                    : "."));
  for (const ColumnLeftOut& column : m.columns_left_out)
    result += wrap("  not compared: ", column.name + " " + column.why);
  for (const std::string& warning : m.warnings) result += wrap("  warning: ", warning);
  return result;
}

}  // namespace motmot
