#include "blocks/pair_matrix.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>

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

/// The median of all differences lies close to the difference of the medians, so the first guesses go
/// outwards from there, and the next ones interpolate. They aim half a row to either side of the rank in
/// turn, so that the bracket closes in from both sides. NaN when nothing better than pivot() is known.
double PairMatrix::guess(const Bracket& bracket, std::uint64_t rank, int tries) const {
  constexpr int most_guesses = 16;  // data that defeat so many are left to pivot(), which always halves
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const double rows = static_cast<double>(a_.size());
  const bool has_low = std::isfinite(bracket.low), has_high = std::isfinite(bracket.high);
  if (tries >= most_guesses) return none;
  if (has_low && has_high) {
    const double aim = static_cast<double>(rank) + (tries % 2 == 0 ? -0.5 : 0.5) * rows;
    const double share = (aim - static_cast<double>(bracket.up_to_low)) /
                         static_cast<double>(bracket.below_high - bracket.up_to_low);
    return bracket.low + share * (bracket.high - bracket.low);
  }
  if (!has_low && !has_high) return tries == 0 ? at(a_.size() / 2, b_.size() / 2) : none;
  const auto quartiles = [](const std::vector<Entry>& sorted) {
    return std::abs(sorted[3 * sorted.size() / 4].value - sorted[sorted.size() / 4].value);
  };
  const double step = 0.05 * (quartiles(a_) + quartiles(b_)) / std::sqrt(rows) * std::pow(3.0, tries - 1);
  return has_low ? bracket.low + step : bracket.high - step;
}

double PairMatrix::select(std::uint64_t rank) {
  assert(rank < size());
  constexpr double infinity = std::numeric_limits<double>::infinity();
  first_.assign(a_.size(), 0);
  last_.assign(a_.size(), static_cast<std::uint32_t>(b_.size()));
  Bracket bracket{-infinity, infinity, 0, size()};
  for (int tries = 0;; ++tries) {
    const std::uint64_t candidates = bracket.below_high - bracket.up_to_low;
    if (candidates <= 4 * (a_.size() + b_.size())) return select_listed(rank - bracket.up_to_low);
    double middle = guess(bracket, rank, tries);
    if (!(bracket.low < middle && middle < bracket.high)) middle = pivot(candidates);
    const std::uint64_t below = stairs(middle, std::less<>(), below_);
    if (rank < below) {
      last_.swap(below_);
      bracket.high = middle;
      bracket.below_high = below;
      continue;
    }
    const std::uint64_t up_to = stairs(middle, std::less_equal<>(), up_to_);
    if (rank < up_to) return middle;
    first_.swap(up_to_);
    bracket.low = middle;
    bracket.up_to_low = up_to;
  }
}

PairMatrix::Pair PairMatrix::find(double difference) {
  stairs(difference, std::less<>(), below_);
  stairs(difference, std::less_equal<>(), up_to_);
  const std::size_t row =
      static_cast<std::size_t>(std::ranges::mismatch(below_, up_to_).in1 - below_.begin());
  assert(row < a_.size());
  // Equal means stand behind the one that was found, in any order.
  const auto among_equals = [](const std::vector<Entry>& sorted, std::size_t at, auto better) {
    std::uint32_t chosen = sorted[at].position;
    while (++at < sorted.size() && sorted[at].value == sorted[at - 1].value)
      if (better(sorted[at].position, chosen)) chosen = sorted[at].position;
    return chosen;
  };
  return {among_equals(a_, row, std::less<>()), among_equals(b_, below_[row], std::greater<>())};
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
