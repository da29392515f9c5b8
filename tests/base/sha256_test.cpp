#include "base/sha256.hpp"

#include "support/support.hpp"

namespace motmot::test {
namespace {

// The examples of FIPS 180-4 and of its validation system.
TEST(Sha256, IsTheStandards) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  for_each_seed(20, [](Rng& rng) {
    std::string all;
    Sha256 hash;
    while (all.size() < 300) {
      const std::string piece(rng.below(130), static_cast<char>('a' + rng.below(26)));
      hash.add(piece);
      all += piece;
    }
    EXPECT_EQ(hash.digest(), sha256(all));
  });
}

}  // namespace
}  // namespace motmot::test
