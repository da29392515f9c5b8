#include "critics/row_split.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/require.hpp"

namespace motmot {

SampleSplit::SampleSplit(std::size_t n, const LeafShare& share)
    : n_(n),
      held_(0),
      leaves_(share.leaves),
      leaf_rows_(static_cast<std::uint32_t>(std::max<std::size_t>(1, (n + share.leaves - 1) / share.leaves))),
      first_leaf_(static_cast<std::uint32_t>(share.first)),
      here_{std::min(n, share.first * leaf_rows_), std::min(n, share.last * leaf_rows_)} {
  held_ = here_.count();
}

SampleSplit::SampleSplit(std::vector<std::uint32_t> listed, const SampleSplit& longer)
    : n_(listed.size()),
      held_(0),
      leaves_(longer.leaves_),
      leaf_rows_(longer.leaf_rows_),
      first_leaf_(longer.first_leaf_),
      here_(longer.here_),
      listed_(std::move(listed)),
      places_(n_) {
  for (std::size_t i = 0; i < n_; ++i)
    if (holds(static_cast<std::uint32_t>(i))) places_[i] = static_cast<std::uint32_t>(held_++);
}

std::vector<std::uint32_t> SampleSplit::listed_here() const {
  std::vector<std::uint32_t> rows;
  rows.reserve(held_);
  for (std::size_t i = 0; i < n_; ++i)
    if (holds(static_cast<std::uint32_t>(i)))
      rows.push_back(listed_[i] - static_cast<std::uint32_t>(here_.first));
  return rows;
}

RowSplit split_rows(std::size_t n, std::size_t m, std::size_t leaves, Communicator& ranks) {
  if (leaves == 1) return {&alone(), LeafShare{}, SampleSplit(n, LeafShare{}), SampleSplit(m, LeafShare{})};
  require(ranks.size() <= leaves, Errc::invalid_argument, "the rows of a step fill ", leaves,
          " parts, and each rank needs one: start at most ", leaves, " ranks, got ", ranks.size());
  const LeafShare share = leaf_share(leaves, ranks.rank(), ranks.size());
  return {&ranks, share, SampleSplit(n, share), SampleSplit(m, share)};
}

SamplePart rows_here(const SamplePart& sample, const SampleSplit& split) {
  const RowRange here = split.here();
  const PointsView rows = sample.rows;
  require(sample.first <= here.first && here.last <= sample.first + rows.n, Errc::invalid_argument,
          "this rank needs the rows ", here.first, " to ", here.last, ", got ", sample.first, " to ",
          sample.first + rows.n);
  return {.rows = {rows.data + (here.first - sample.first) * rows.d, here.count(), rows.d},
          .first = here.first,
          .all = sample.all};
}

std::size_t leaves_for(std::size_t rows_of_a_step) noexcept {
  constexpr std::size_t rows_of_a_leaf = 768, most = 64;
  return std::min(most, std::bit_floor(std::max<std::size_t>(1, rows_of_a_step / rows_of_a_leaf)));
}

std::vector<float> gather_rows(std::span<const float> held, const SampleSplit& sample, Communicator& ranks) {
  if (ranks.alone()) return {held.begin(), held.end()};
  const std::vector<std::string> parts =
      ranks.gather(std::string(reinterpret_cast<const char*>(held.data()), held.size_bytes()));
  std::vector<float> all(sample.rows());
  if (sample.listed().empty()) {
    char* to = reinterpret_cast<char*>(all.data());
    for (const std::string& part : parts) to = std::copy(part.begin(), part.end(), to);
    return all;
  }
  // Listed rows come in the order of the list, each from the rank whose turn it is.
  std::vector<std::size_t> next(parts.size(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t rank = sample.rank_of(static_cast<std::uint32_t>(i), ranks.size());
    std::memcpy(&all[i], parts[rank].data() + sizeof(float) * next[rank]++, sizeof(float));
  }
  return all;
}

}  // namespace motmot
