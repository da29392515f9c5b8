// Selection in the sorted matrix of differences: the median of MoU without listing its pairs.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
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

  /// The difference of the medians and the sum of the interquartile ranges.
  [[nodiscard]] std::pair<double, double> middle() const {
    const auto range = [](const Sorted& s) {
      const std::size_t size = s.value.size();
      return std::abs(s.value[3 * size / 4] - s.value[size / 4]);
    };
    return {at(rows() / 2, cols() / 2), range(a_) + range(b_)};
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

/// Selection by narrowing: entries known to lie before or after the answer are dropped until few are left.
class Selection {
 public:
  Selection(const DifferenceMatrix& matrix, std::uint64_t rank)
      : matrix_(matrix), rank_(rank), below_(matrix.rows()), upto_(matrix.rows()) {
    left_ = {.first = std::vector<std::size_t>(matrix.rows(), 0),
             .last = std::vector<std::size_t>(matrix.rows(), matrix.cols())};
  }

  Difference run() {
    probe_around_middle();
    while (!found_ && !few()) probe(pivot_of(matrix_, left_, middles_).value);
    return found_ ? *found_ : select_listed();
  }

 private:
  enum class Side { below, above, hit };

  [[nodiscard]] bool few() const { return left_.size() <= 4 * matrix_.rows(); }

  /// Drops every entry on the wrong side of the pivot.
  Side probe(double pivot) {
    if (rank_ < matrix_.count(pivot, std::less<>(), below_)) {
      for (std::size_t row = 0; row < matrix_.rows(); ++row)
        left_.last[row] = std::max(left_.first[row], std::min(left_.last[row], below_[row]));
      return Side::below;
    }
    const std::uint64_t upto = matrix_.count(pivot, std::less_equal<>(), upto_);
    if (rank_ < upto) {
      std::size_t row = 0;
      while (below_[row] == upto_[row]) ++row;
      found_ = matrix_.pair(row, below_[row]);
      return Side::hit;
    }
    for (std::size_t row = 0; row < matrix_.rows(); ++row)
      left_.first[row] = std::min(left_.last[row], std::max(left_.first[row], upto_[row]));
    dropped_ = upto;
    return Side::above;
  }

  /// The median of all differences lies close to the difference of the medians, so two probes beside that
  /// usually leave few entries. Whatever the data, this is a constant number of probes.
  void probe_around_middle() {
    if (few()) return;
    const auto [middle, spread] = matrix_.middle();
    double step = 0.02 * spread;
    Side side = probe(middle);
    const Side first = side;
    double at = middle;
    for (int tries = 0; tries < 4 && side == first && side != Side::hit; ++tries, step *= 4) {
      at += side == Side::below ? -step : step;
      if (std::isfinite(at)) side = probe(at);
    }
  }

  /// What is left is few: list it.
  [[nodiscard]] Difference select_listed() const {
    std::vector<Difference> list;
    for (std::size_t row = 0; row < matrix_.rows(); ++row)
      for (std::size_t col = left_.first[row]; col < left_.last[row]; ++col)
        list.push_back(matrix_.pair(row, col));
    const auto answer = list.begin() + static_cast<std::ptrdiff_t>(rank_ - dropped_);
    std::ranges::nth_element(list, answer, [](const Difference& p, const Difference& q) {
      return std::tie(p.value, p.k, p.l) < std::tie(q.value, q.k, q.l);
    });
    return *answer;
  }

  const DifferenceMatrix& matrix_;
  std::uint64_t rank_;
  std::uint64_t dropped_ = 0;  ///< entries known to come before the candidates
  Candidates left_;
  std::vector<std::size_t> below_, upto_;
  std::vector<std::pair<double, std::size_t>> middles_;
  std::optional<Difference> found_;
};

}  // namespace

Difference select_difference(std::span<const double> a, std::span<const double> b, std::uint64_t rank) {
  assert(rank < std::uint64_t{a.size()} * b.size());
  const DifferenceMatrix matrix(a, b);
  return Selection(matrix, rank).run();
}

}  // namespace motmot
