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

/// Ascending by (value, position).
Sorted sorted(std::span<const double> values) {
  std::vector<std::pair<double, std::uint32_t>> order(values.size());
  for (std::uint32_t i = 0; i < values.size(); ++i) order[i] = {values[i], i};
  std::sort(order.begin(), order.end());
  Sorted result;
  result.value.reserve(values.size());
  result.position.reserve(values.size());
  for (const auto& [value, position] : order) {
    result.value.push_back(value);
    result.position.push_back(position);
  }
  return result;
}

Sorted reversed(Sorted s) {
  std::ranges::reverse(s.value);
  std::ranges::reverse(s.position);
  return s;
}

/// a ascending, b descending, so that a_k - b_l ascends along rows and along columns. Rounded
/// subtraction is monotone, so this holds for the computed differences too.
class DifferenceMatrix {
 public:
  DifferenceMatrix(std::span<const double> a, std::span<const double> b)
      : a_(sorted(a)), b_(reversed(sorted(b))) {}

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
  /// A value and how many entries come before it.
  struct Mark {
    double value;
    std::uint64_t count;
  };

  [[nodiscard]] bool few() const { return left_.size() <= 2 * matrix_.rows(); }

  /// Drops every entry on the wrong side of the pivot.
  void probe(double pivot) {
    const std::uint64_t below = matrix_.count(pivot, std::less<>(), below_);
    if (rank_ < below) {
      for (std::size_t row = 0; row < matrix_.rows(); ++row)
        left_.last[row] = std::max(left_.first[row], std::min(left_.last[row], below_[row]));
      high_ = {pivot, below};
      return;
    }
    const std::uint64_t upto = matrix_.count(pivot, std::less_equal<>(), upto_);
    if (rank_ < upto) {
      std::size_t row = 0;
      while (below_[row] == upto_[row]) ++row;
      found_ = matrix_.pair(row, below_[row]);
      return;
    }
    for (std::size_t row = 0; row < matrix_.rows(); ++row)
      left_.first[row] = std::min(left_.last[row], std::max(left_.first[row], upto_[row]));
    low_ = {pivot, upto};
  }

  /// The median of all differences lies close to the difference of the medians: probes beside that, then by
  /// interpolation between the nearest ones on either side, soon leave few entries. Whatever the data, this
  /// is a constant number of probes; weighted medians do the rest.
  void probe_around_middle() {
    if (few()) return;
    const auto [middle, spread] = matrix_.middle();
    double step = 0.05 * spread / std::sqrt(static_cast<double>(matrix_.rows()));
    double at = middle;
    for (int tries = 0; tries < 8 && !found_ && !(low_ && high_) && std::isfinite(at); ++tries, step *= 3) {
      probe(at);
      at += low_ ? step : -step;
    }
    for (int tries = 0; tries < 8 && !found_ && low_ && high_ && !few(); ++tries)
      if (!probe_between(tries % 2 == 0 ? -0.5 : 0.5)) return;
  }

  /// Aims `rows` of the matrix's rows off the rank, so that probes close in from both sides.
  bool probe_between(double rows) {
    const double aim = static_cast<double>(rank_) + rows * static_cast<double>(matrix_.rows());
    const double share =
        (aim - static_cast<double>(low_->count)) / static_cast<double>(high_->count - low_->count);
    const double at = low_->value + share * (high_->value - low_->value);
    if (!(low_->value < at && at < high_->value)) return false;
    probe(at);
    return true;
  }

  /// What is left is few: list it.
  [[nodiscard]] Difference select_listed() const {
    std::vector<Difference> list;
    for (std::size_t row = 0; row < matrix_.rows(); ++row)
      for (std::size_t col = left_.first[row]; col < left_.last[row]; ++col)
        list.push_back(matrix_.pair(row, col));
    const auto answer = list.begin() + static_cast<std::ptrdiff_t>(rank_ - (low_ ? low_->count : 0));
    std::ranges::nth_element(list, answer, [](const Difference& p, const Difference& q) {
      return std::tie(p.value, p.k, p.l) < std::tie(q.value, q.k, q.l);
    });
    return *answer;
  }

  const DifferenceMatrix& matrix_;
  std::uint64_t rank_;
  std::optional<Mark> low_, high_;  ///< nearest probes on either side; entries up to low_ are dropped
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
