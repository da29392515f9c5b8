#include "blocks/pair_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <functional>

namespace motmot {

void PairMatrix::assign(std::span<const double> a, std::span<const double> b) {
  a_.resize(a.size());
  b_.resize(b.size());
  for (std::uint32_t k = 0; k < a.size(); ++k) a_[k] = {a[k], k};
  for (std::uint32_t l = 0; l < b.size(); ++l) b_[l] = {b[l], l};
  std::ranges::sort(a_, std::less<>(), &Entry::value);
  std::ranges::sort(b_, std::greater<>(), &Entry::value);
  below_.resize(a.size());
  up_to_.resize(a.size());
}

/// ends[row] = number of entries of the row that come before the pivot (by < or by <=); their sum. Rounded
/// subtraction is monotone, so the stairs only go down.
template <class Before>
std::uint64_t PairMatrix::stairs(double pivot, Before before, std::vector<std::uint32_t>& ends) const {
  std::uint64_t total = 0;
  std::size_t col = b_.size();
  for (std::size_t row = 0; row < a_.size(); ++row) {
    while (col > 0 && !before(at(row, col - 1), pivot)) --col;
    ends[row] = static_cast<std::uint32_t>(col);
    total += col;
  }
  return total;
}

/// The middle candidate of the row in which half of the candidates are reached.
double PairMatrix::pivot(std::uint64_t candidates) const {
  std::uint64_t seen = 0;
  for (std::size_t row = 0; row < a_.size(); ++row) {
    seen += last_[row] - first_[row];
    if (2 * seen >= candidates && first_[row] < last_[row]) return at(row, (first_[row] + last_[row]) / 2);
  }
  assert(false);
  return 0;
}

double PairMatrix::select_listed(std::uint64_t rank) {
  listed_.clear();
  for (std::size_t row = 0; row < a_.size(); ++row)
    for (std::size_t col = first_[row]; col < last_[row]; ++col) listed_.push_back(at(row, col));
  const auto answer = listed_.begin() + static_cast<std::ptrdiff_t>(rank);
  std::ranges::nth_element(listed_, answer);
  return *answer;
}

double PairMatrix::select(std::uint64_t rank) {
  assert(rank < size());
  first_.assign(a_.size(), 0);
  last_.assign(a_.size(), static_cast<std::uint32_t>(b_.size()));
  std::uint64_t dropped = 0;  // entries known to come before the candidates
  for (std::uint64_t candidates = size(); candidates > 4 * (a_.size() + b_.size());) {
    const double middle = pivot(candidates);
    const std::uint64_t smaller = stairs(middle, std::less<>(), below_);
    if (rank < smaller) {
      last_.swap(below_);
      candidates = smaller - dropped;
      continue;
    }
    const std::uint64_t smaller_or_equal = stairs(middle, std::less_equal<>(), up_to_);
    if (rank < smaller_or_equal) return middle;
    candidates -= smaller_or_equal - dropped;
    first_.swap(up_to_);
    dropped = smaller_or_equal;
  }
  return select_listed(rank - dropped);
}

std::uint64_t PairMatrix::count_between(double low, double high, std::span<std::uint64_t> of_a,
                                        std::span<std::uint64_t> of_b) {
  const std::uint64_t total = stairs(high, std::less_equal<>(), up_to_) - stairs(low, std::less<>(), below_);
  for (std::size_t row = 0; row < a_.size(); ++row) of_a[a_[row].position] = up_to_[row] - below_[row];
  // Column `col` holds the rows with below <= col < up_to; both fall as the row grows.
  std::size_t in = a_.size(), out = a_.size();
  for (std::size_t col = 0; col < b_.size(); ++col) {
    while (in > 0 && up_to_[in - 1] <= col) --in;
    while (out > 0 && below_[out - 1] <= col) --out;
    of_b[b_[col].position] = in - out;
  }
  return total;
}

}  // namespace motmot
