#include "critics/model.hpp"
#include "motmot/critics.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

TEST(Critic, KeepsItsBitsThroughAFile) {
  Rng rng(1, Purpose::test);
  const test::TempDir folder;
  const Critic critic = clipped_critic(Mlp(3, {17, 5}, rng));
  const Points x = test::gaussian(rng, 100, 3);
  critic.save((folder / "critic.json").string());
  const Critic again = Critic::load((folder / "critic.json").string());
  EXPECT_EQ(again.kind(), "clipped");
  EXPECT_EQ(again.dimension(), 3u);
  EXPECT_EQ(again(x), critic(x));
}

TEST(Critic, KeepsItsBitsThroughAText) {
  Rng rng(2, Purpose::test);
  const Critic critic = clipped_critic(Mlp(2, {9}, rng));
  const Points x = test::gaussian(rng, 50, 2);
  const Critic again = Critic::from_json(critic.to_json());
  EXPECT_EQ(again.to_json(), critic.to_json());
  EXPECT_EQ(again(x), critic(x));
  EXPECT_NE(test::error_of([] { (void)Critic::from_json("[]"); }).find("the text is not a critic"),
            std::string::npos);
}

TEST(Critic, SaysWhatIsWrongWithAFile) {
  const test::TempDir folder;
  const auto message = [&](const std::string& text) {
    test::write_file(folder / "c.json", text);
    return test::error_of([&] { (void)Critic::load((folder / "c.json").string()); });
  };
  EXPECT_NE(
      test::error_of([&] { (void)Critic::load((folder / "none.json").string()); }).find("cannot read critic"),
      std::string::npos);
  EXPECT_NE(message("{").find("is not a critic"), std::string::npos);
  EXPECT_NE(message(R"({"motmot_critic": 9})").find("version"), std::string::npos);
  EXPECT_NE(message(R"({"motmot_critic": 1, "kind": "sphinx"})").find("'sphinx' is unknown"),
            std::string::npos);
  EXPECT_NE(
      message(R"({"motmot_critic": 1, "kind": "clipped", "dimension": 2, "hidden": [3], "weights": [1]})")
          .find("needs 13 weights, the file has 1"),
      std::string::npos);
}

TEST(Critic, RefusesRowsOfAnotherDimension) {
  const Critic critic = clipped_critic(Mlp(2, {3}));
  EXPECT_EQ(test::error_of([&] { (void)critic(Points(4, 3)); }),
            "the critic takes 2 columns, the data have 3");
}

}  // namespace
}  // namespace motmot
