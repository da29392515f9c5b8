#include "base/bucket_select.hpp"

#include <algorithm>
#include <limits>

#include "support/support.hpp"

namespace motmot {
namespace {

std::vector<double> values_of_some_kind(Rng& rng) {
  std::vector<double> values = test::normals(rng, 1 + rng.below(400));
  const std::uint32_t kind = rng.below(6);
  for (double& value : values) {
    if (kind == 1) value = std::floor(value);                                 // ties
    if (kind == 2 && rng.below(5) == 0) value *= 1e300;                       // a few far away
    if (kind == 3) value = 7;                                                 // all equal
    if (kind == 4) value *= std::numeric_limits<double>::denorm_min() * 1e3;  // next to nothing
    if (kind == 5) value = value < 0 ? -1.7e308 : 1.7e308;                    // no difference fits a double
  }
  return values;
}

TEST(BucketSelect, FindsWhatSortingFinds) {
  BucketSelect select;
  test::for_each_seed(500, [&](Rng& rng) {
    const std::vector<double> values = values_of_some_kind(rng);
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    const std::size_t first = rng.below(static_cast<std::uint32_t>(values.size()));
    const std::size_t last = first + rng.below(static_cast<std::uint32_t>(values.size() - first));
    const BucketSelect::Two found = select(values, first, last);
    EXPECT_EQ(found.first, sorted[first]);
    EXPECT_EQ(found.last, sorted[last]);
    EXPECT_EQ(select(values, last), sorted[last]);
  });
}

TEST(BucketSelect, FindsManyRanksAtOnce) {
  BucketSelect select;
  test::for_each_seed(500, [&](Rng& rng) {
    const std::vector<double> values = values_of_some_kind(rng);
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    std::vector<std::size_t> ranks(1 + rng.below(20));
    for (std::size_t& rank : ranks) rank = rng.below(static_cast<std::uint32_t>(values.size()));
    if (rng.below(2)) std::ranges::sort(ranks);
    std::vector<double> found(ranks.size());
    select(values, ranks, found);
    for (std::size_t k = 0; k < ranks.size(); ++k) EXPECT_EQ(found[k], sorted[ranks[k]]);
  });
}

}  // namespace
}  // namespace motmot
