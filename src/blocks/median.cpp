#include "blocks/median.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "blocks/pair_matrix.hpp"

namespace motmot {
namespace {

MedianPair of_differences(std::span<const double> a, std::span<const double> b,
                          std::array<std::uint32_t, 2> x, std::array<std::uint32_t, 2> y, EvenMedian even) {
  if (even == EvenMedian::upper) {
    x[0] = x[1];
    y[0] = y[1];
  }
  const double low = a[x[0]] - b[y[0]];
  const double high = a[x[1]] - b[y[1]];
  return {.value = low == high ? low : low / 2 + high / 2, .x = x, .y = y};
}

MedianPair median_mou_diag(std::span<const double> a, std::span<const double> b, EvenMedian even) {
  assert(a.size() == b.size());
  std::vector<double> differences(a.size());
  std::ranges::transform(a, b, differences.begin(), std::minus<>());
  const auto middle = middle_positions(differences);
  return of_differences(a, b, middle, middle, even);
}

MedianPair median_mou(std::span<const double> a, std::span<const double> b, EvenMedian even) {
  const std::uint64_t pairs = std::uint64_t{a.size()} * b.size();
  PairMatrix matrix;
  matrix.assign(a, b);
  const PairMatrix::Pair high = matrix.find(matrix.select(pairs / 2));
  const PairMatrix::Pair low =
      pairs % 2 == 1 || even == EvenMedian::upper ? high : matrix.find(matrix.select(pairs / 2 - 1));
  return of_differences(a, b, {low.k, high.k}, {low.l, high.l}, even);
}

/// Positions of the max(1, share * size) values that are nearest to the centre, in order of position: rows
/// are then summed in an order that selection does not decide.
std::vector<std::uint32_t> nearest_to(std::span<const double> values, double centre, double share) {
  const auto size = static_cast<double>(values.size());
  const auto count = static_cast<std::size_t>(std::clamp(std::round(share * size), 1.0, size));
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto nearer = [&](std::uint32_t i, std::uint32_t j) {
    const double at_i = std::abs(values[i] - centre), at_j = std::abs(values[j] - centre);
    return at_i != at_j ? at_i < at_j : i < j;
  };
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(count - 1), nearer);
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

double median_of(std::span<const double> values) {
  const auto middle = middle_positions(values);
  return values[middle[0]] / 2 + values[middle[1]] / 2;
}

}  // namespace

MedianBand median_band(Estimator estimator, std::span<const double> a, std::span<const double> b,
                       double value, double share) {
  if (estimator == Estimator::plain || estimator == Estimator::mom)
    return {.x = nearest_to(a, median_of(a), share), .y = nearest_to(b, median_of(b), share)};
  std::vector<double> differences(std::min(a.size(), b.size()));
  for (std::size_t k = 0; k < differences.size(); ++k) differences[k] = a[k] - b[k];
  const std::vector<std::uint32_t> pairs = nearest_to(differences, value, share);
  return {.x = pairs, .y = pairs};
}

std::array<std::uint32_t, 2> middle_positions(std::span<const double> values) {
  assert(!values.empty());
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto before = [&](std::uint32_t i, std::uint32_t j) {
    return values[i] != values[j] ? values[i] < values[j] : i < j;
  };
  const auto high = order.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(order.begin(), high, order.end(), before);
  if (values.size() % 2 == 1) return {*high, *high};
  return {*std::max_element(order.begin(), high, before), *high};
}

MedianPair median_pair(Estimator estimator, std::span<const double> a, std::span<const double> b,
                       EvenMedian even) {
  switch (estimator) {
    case Estimator::plain:
    case Estimator::company:  // has no blocks either
    case Estimator::mom:
      return of_differences(a, b, middle_positions(a), middle_positions(b), even);
    case Estimator::mou_diag:
      return median_mou_diag(a, b, even);
    case Estimator::mou:
      return median_mou(a, b, even);
  }
  return {};
}

}  // namespace motmot
