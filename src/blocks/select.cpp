// Selection in the sorted matrix of differences: the median of MoU without listing its pairs.
#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

#include "blocks/median.hpp"

namespace motmot {
namespace {

struct Sorted {
  std::vector<double> value;
  std::vector<std::uint32_t> position;
};

template <class Less>
Sorted sorted(std::span<const double> values, Less less) {
  Sorted result{.value = {}, .position = std::vector<std::uint32_t>(values.size())};
  std::iota(result.position.begin(), result.position.end(), 0u);
  std::ranges::sort(result.position, [&](std::uint32_t i, std::uint32_t j) {
    return values[i] != values[j] ? less(values[i], values[j]) : i < j;
  });
  for (const std::uint32_t i : result.position) result.value.push_back(values[i]);
  return result;
}

/// a ascending, b descending, so that a_k - b_l ascends along rows and along columns. Rounded
/// subtraction is monotone, so this holds for the computed differences too.
class DifferenceMatrix {
 public:
  DifferenceMatrix(std::span<const double> a, std::span<const double> b)
      : a_(sorted(a, std::less<>())), b_(sorted(b, std::greater<>())) {}

  [[nodiscard]] std::size_t rows() const { return a_.value.size(); }
  [[nodiscard]] std::size_t cols() const { return b_.value.size(); }
  [[nodiscard]] double at(std::size_t row, std::size_t col) const { return a_.value[row] - b_.value[col]; }
  [[nodiscard]] Difference pair(std::size_t row, std::size_t col) const {
    return {at(row, col), a_.position[row], b_.position[col]};
  }

  /// For each row the number of entries that come before `pivot`, where before is < or <=; walks the
  /// staircase once, O(rows + cols). Returns their sum.
  template <class Before>
  std::uint64_t count(double pivot, Before before, std::vector<std::size_t>& counts) const {
    std::uint64_t total = 0;
    std::size_t col = cols();
    for (std::size_t row = 0; row < rows(); ++row) {
      while (col > 0 && !before(at(row, col - 1), pivot)) --col;
      counts[row] = col;
      total += col;
    }
    return total;
  }

 private:
  Sorted a_, b_;
};

/// The entries that may still be the answer: columns [first, last) of every row.
struct Candidates {
  std::vector<std::size_t> first, last;

  [[nodiscard]] std::uint64_t size() const {
    std::uint64_t total = 0;
    for (std::size_t row = 0; row < first.size(); ++row) total += last[row] - first[row];
    return total;
  }
};

/// The median of the rows' middle candidates, each counted as often as its row has candidates: at least
/// a quarter of all candidates lie on either side.
Difference pivot_of(const DifferenceMatrix& matrix, const Candidates& left,
                    std::vector<std::pair<double, std::size_t>>& middles) {
  middles.clear();
  for (std::size_t row = 0; row < matrix.rows(); ++row)
    if (left.first[row] < left.last[row])
      middles.emplace_back(matrix.at(row, (left.first[row] + left.last[row]) / 2), row);
  std::ranges::sort(middles);
  const std::uint64_t half = left.size() / 2;
  std::uint64_t seen = 0;
  std::size_t chosen = middles.back().second;
  for (const auto& [value, row] : middles) {
    seen += left.last[row] - left.first[row];
    if (seen > half) {
      chosen = row;
      break;
    }
  }
  return matrix.pair(chosen, (left.first[chosen] + left.last[chosen]) / 2);
}

/// What is left is few: list it.
Difference select_listed(const DifferenceMatrix& matrix, const Candidates& left, std::uint64_t rank) {
  std::vector<Difference> list;
  for (std::size_t row = 0; row < matrix.rows(); ++row)
    for (std::size_t col = left.first[row]; col < left.last[row]; ++col)
      list.push_back(matrix.pair(row, col));
  const auto answer = list.begin() + static_cast<std::ptrdiff_t>(rank);
  std::ranges::nth_element(list, answer, [](const Difference& p, const Difference& q) {
    return std::tie(p.value, p.k, p.l) < std::tie(q.value, q.k, q.l);
  });
  return *answer;
}

}  // namespace

Difference select_difference(std::span<const double> a, std::span<const double> b, std::uint64_t rank) {
  assert(rank < std::uint64_t{a.size()} * b.size());
  const DifferenceMatrix matrix(a, b);
  Candidates left{.first = std::vector<std::size_t>(matrix.rows(), 0),
                  .last = std::vector<std::size_t>(matrix.rows(), matrix.cols())};
  std::vector<std::size_t> below(matrix.rows()), upto(matrix.rows());
  std::vector<std::pair<double, std::size_t>> middles;
  std::uint64_t dropped = 0;  // entries known to come before the candidates
  while (left.size() > 4 * matrix.rows()) {
    const Difference pivot = pivot_of(matrix, left, middles);
    const std::uint64_t smaller = matrix.count(pivot.value, std::less<>(), below);
    if (rank < smaller) {
      for (std::size_t row = 0; row < matrix.rows(); ++row)
        left.last[row] = std::max(left.first[row], std::min(left.last[row], below[row]));
      continue;
    }
    const std::uint64_t smaller_or_equal = matrix.count(pivot.value, std::less_equal<>(), upto);
    if (rank < smaller_or_equal) return pivot;
    for (std::size_t row = 0; row < matrix.rows(); ++row)
      left.first[row] = std::min(left.last[row], std::max(left.first[row], upto[row]));
    dropped = smaller_or_equal;
  }
  return select_listed(matrix, left, rank - dropped);
}

}  // namespace motmot
