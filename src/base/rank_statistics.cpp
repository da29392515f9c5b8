#include "base/rank_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "base/leaf_sum.hpp"

namespace motmot {
namespace {

constexpr unsigned digit_bits = 12, digits = 6;  // 72 bits hold a key of 64
constexpr std::size_t few_values = 4096;         // values that are sent as they are

/// Keys sort as the doubles do.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);  // -0 is 0
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}
double value_of(std::uint64_t key) {
  return std::bit_cast<double>((key >> 63) != 0 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

std::size_t digit_of(std::uint64_t key, unsigned round) {
  const unsigned from_top = (round + 1) * digit_bits;
  const std::uint64_t shifted = from_top <= 64 ? key >> (64 - from_top) : key << (from_top - 64);
  return shifted & ((std::size_t{1} << digit_bits) - 1);
}

/// Whole numbers: any order of adding will do.
std::vector<std::uint64_t> sum_over_ranks(const std::vector<std::uint64_t>& here, Communicator& ranks) {
  LeafSum<std::uint64_t> sum(ranks, std::bit_ceil(ranks.size()), here.size());
  std::ranges::copy(here, sum.part(0).begin());
  const std::span<const std::uint64_t> all = sum.sum();
  return {all.begin(), all.end()};
}

std::vector<std::uint64_t> keys_of_all(const std::vector<std::uint64_t>& here, Communicator& ranks) {
  std::vector<std::uint64_t> all;
  for (const std::string& part :
       ranks.gather({reinterpret_cast<const char*>(here.data()), here.size() * sizeof(std::uint64_t)})) {
    if (part.empty()) continue;  // memcpy takes no null pointer, not even for nothing
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(std::uint64_t));
    std::memcpy(all.data() + before, part.data(), part.size());
  }
  return all;
}

}  // namespace

std::size_t count_over_ranks(std::size_t here, Communicator& ranks) {
  return ranks.alone() ? here : sum_over_ranks({here}, ranks).front();
}

double kth_over_ranks(std::span<const double> here, std::size_t k, Communicator& ranks) {
  std::vector<std::uint64_t> keys(here.size());
  std::ranges::transform(here, keys.begin(), key_of);
  for (unsigned round = 0; round < digits; ++round) {
    std::vector<std::uint64_t> counts(std::size_t{1} << digit_bits, 0);
    for (const std::uint64_t key : keys) ++counts[digit_of(key, round)];
    counts = sum_over_ranks(counts, ranks);
    std::size_t digit = 0;
    while (k >= counts[digit]) k -= counts[digit++];
    std::erase_if(keys, [&](std::uint64_t key) { return digit_of(key, round) != digit; });
    if (counts[digit] <= few_values) break;
  }
  // A few values, or very many that are all the same.
  if (keys.size() > few_values) keys.resize(std::max<std::size_t>(few_values, 1));
  std::vector<std::uint64_t> all = keys_of_all(keys, ranks);
  k = std::min(k, all.size() - 1);
  std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(k));
  return value_of(all[k]);
}

double median_over_ranks(std::span<const double> here, Communicator& ranks) {
  const std::size_t n = count_over_ranks(here.size(), ranks);
  const double high = kth_over_ranks(here, n / 2, ranks);
  return n % 2 == 1 ? high : std::midpoint(kth_over_ranks(here, n / 2 - 1, ranks), high);
}

double quantile_over_ranks(std::span<const double> here, double q, Communicator& ranks) {
  const std::size_t n = count_over_ranks(here.size(), ranks);
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(n - 1);
  const auto below = static_cast<std::size_t>(place);
  const double rest = place - static_cast<double>(below), low = kth_over_ranks(here, below, ranks);
  if (rest == 0 || below + 1 == n) return low;
  return (1 - rest) * low + rest * kth_over_ranks(here, below + 1, ranks);
}

}  // namespace motmot
