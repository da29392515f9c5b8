#include "data/radix_medians.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>

namespace motmot {
namespace {

constexpr unsigned digit_bits = 16;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
constexpr std::uint64_t sign = std::uint64_t{1} << 63;

/// Whole numbers in the order of the doubles.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

double value_of(std::uint64_t key) { return std::bit_cast<double>((key & sign) != 0 ? key ^ sign : ~key); }

/// One order statistic of one column, known from its first digit on.
class Selection {
 public:
  explicit Selection(std::uint64_t rank) : rank_(rank), count_(digits) {}

  /// `shift`: bits behind the digit that is looked for.
  void count(std::uint64_t key, unsigned shift) {
    // A shift by all 64 bits is not defined; before the first digit every key fits.
    if (shift + digit_bits == 64 || key >> (shift + digit_bits) == prefix_)
      ++count_[key >> shift & (digits - 1)];
  }
  void take_digit() {
    std::size_t digit = 0;
    for (; rank_ >= count_[digit]; ++digit) rank_ -= count_[digit];
    prefix_ = prefix_ << digit_bits | digit;
    std::ranges::fill(count_, 0u);
  }
  [[nodiscard]] std::uint64_t key() const { return prefix_; }

 private:
  std::uint64_t rank_;  ///< among the keys that start with the prefix
  std::uint64_t prefix_ = 0;
  std::vector<std::uint64_t> count_;
};

void medians_of(PointsView x, PointsView y, std::size_t first, std::span<double> medians) {
  const std::uint64_t n = x.rows() + y.rows();
  std::vector<std::array<Selection, 2>> middle(medians.size(), {Selection((n - 1) / 2), Selection(n / 2)});
  for (unsigned shift = 64; shift > 0;) {
    shift -= digit_bits;
    for (const PointsView points : {x, y})
      for (std::size_t i = 0; i < points.rows(); ++i)
        for (std::size_t j = 0; j < medians.size(); ++j) {
          const std::uint64_t key = key_of(points(i, first + j));
          for (Selection& one : middle[j]) one.count(key, shift);
        }
    for (auto& both : middle)
      for (Selection& one : both) one.take_digit();
  }
  for (std::size_t j = 0; j < medians.size(); ++j)
    medians[j] = std::midpoint(value_of(middle[j][0].key()), value_of(middle[j][1].key()));
}

}  // namespace

std::vector<double> radix_medians(PointsView x, PointsView y) {
  constexpr std::size_t at_a_time = 64;
  std::vector<double> medians(x.cols());
  for (std::size_t first = 0; first < medians.size(); first += at_a_time)
    medians_of(x, y, first, std::span(medians).subspan(first, std::min(at_a_time, medians.size() - first)));
  return medians;
}

}  // namespace motmot
