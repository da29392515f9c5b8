#include "motmot/communicator.hpp"

#include <mutex>

#include "base/leaf_sum.hpp"
#include "support/support.hpp"
#include "support/thread_ranks.hpp"

namespace motmot {
namespace {

constexpr std::size_t length = 5;

/// What leaf `leaf` has to add: numbers of very different sizes, so that the order of adding shows.
float value(std::size_t leaf, std::size_t i) {
  return std::ldexp(1.0f + static_cast<float>((leaf * 7 + i * 3) % 11) / 11.0f,
                    static_cast<int>(leaf * 5 % 23));
}

/// The definition: the tree, written down.
float tree(std::size_t first, std::size_t last, std::size_t i) {
  if (last - first == 1) return value(first, i);
  const std::size_t middle = (first + last) / 2;
  return tree(first, middle, i) + tree(middle, last, i);
}

TEST(LeafSum, HasTheBitsOfTheTreeOnAnyNumberOfRanks) {
  for (const std::size_t leaves : {1u, 2u, 8u, 64u})
    for (const std::size_t ranks : {1u, 2u, 3u, 5u, 7u, 8u, 64u}) {
      if (ranks > leaves) continue;
      on_ranks(ranks, [&](Communicator& here) {
        LeafSum<float> sum(here, leaves, length);
        for (int again = 0; again < 2; ++again) {
          for (std::size_t k = 0; k < sum.share().count(); ++k)
            for (std::size_t i = 0; i < length; ++i) sum.part(k)[i] = value(sum.share().first + k, i);
          const std::span<const float> total = sum.sum();
          for (std::size_t i = 0; i < length; ++i)
            EXPECT_EQ(total[i], tree(0, leaves, i)) << leaves << " leaves, " << ranks << " ranks";
        }
      });
    }
}

TEST(LeafSum, SendsOneVectorUpAndOneDownWhereRanksHaveWholeSubtrees) {
  for (const std::size_t ranks : {1u, 2u, 4u, 8u}) {
    std::mutex mutex;
    std::uint64_t bytes = 0;
    on_ranks(ranks, [&](Communicator& here) {
      LeafSum<float> sum(here, 64, length);
      sum.sum();
      const std::lock_guard lock(mutex);
      bytes += here.sent().bytes;
    });
    EXPECT_EQ(bytes, 2 * (ranks - 1) * length * sizeof(float)) << ranks << " ranks";
  }
}

TEST(LeafSum, EveryLeafHasOneOwner) {
  for (std::size_t leaves = 1; leaves <= 64; leaves *= 2)
    for (std::size_t ranks = 1; ranks <= leaves; ++ranks)
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        const LeafShare share = leaf_share(leaves, rank, ranks);
        EXPECT_GE(share.count(), 1u);
        for (std::size_t leaf = share.first; leaf < share.last; ++leaf)
          EXPECT_EQ(leaf_owner(leaf, leaves, ranks), rank);
      }
}

TEST(Communicator, GathersByRankOnEveryRank) {
  on_ranks(3, [](Communicator& here) {
    const std::vector<std::string> all = here.gather(std::string(here.rank(), 'a'));
    EXPECT_EQ(all, (std::vector<std::string>{"", "a", "aa"}));
  });
}

TEST(Communicator, AFailureOfOneRankIsThrownOnAll) {
  std::mutex mutex;
  std::vector<std::string> said;
  on_ranks(3, [&](Communicator& here) {
    try {
      here.agree([&] {
        if (here.rank() == 1) throw Error(Errc::io, "no such file");
      });
      FAIL() << "rank " << here.rank() << " went on";
    } catch (const AgreedError& error) {
      EXPECT_EQ(error.code(), Errc::io);
      const std::lock_guard lock(mutex);
      said.emplace_back(error.what());
    }
  });
  EXPECT_EQ(said, std::vector<std::string>(3, "rank 1 of 3: no such file"));
}

TEST(Communicator, AFailureOfAllIsToldAsItIs) {
  on_ranks(2, [&](Communicator& here) {
    EXPECT_THROW(
        {
          try {
            here.agree([] { throw Error(Errc::numeric, "too large"); });
          } catch (const AgreedError& error) {
            EXPECT_STREQ(error.what(), "too large");
            throw;
          }
        },
        AgreedError);
  });
}

TEST(Communicator, AloneNothingIsSent) {
  Communicator& one = alone();
  EXPECT_EQ(one.size(), 1u);
  EXPECT_EQ(one.gather("a"), std::vector<std::string>{"a"});
  EXPECT_THROW(one.agree([] { throw Error(Errc::io, "as it is"); }), Error);
  EXPECT_EQ(one.sent().bytes, 0u);
}

}  // namespace
}  // namespace motmot
