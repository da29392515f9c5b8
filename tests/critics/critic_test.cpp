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
  EXPECT_NE(message(R"({"motmot_critic": 1, "kind": "clipped", "dimension": 2, "hidden": [],
                        "weights": [1, 1, 1], "columns": ["age"]})")
                .find("it has 1 name and takes 2 columns"),
            std::string::npos);
}

TEST(Critic, KeepsTheNamesOfItsColumnsThroughAText) {
  const Critic named = clipped_critic(Mlp(2, {3})).with_columns({"age", "d\xe9j\xe0"});
  const Critic again = Critic::from_json(named.negated().in_units({2, 1}).to_json());
  EXPECT_EQ(again.columns(), named.columns());
  EXPECT_EQ(again.places(std::vector<std::string>{"d\xe9j\xe0", "age"}, "the data"),
            (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(test::error_of([&] { (void)named.with_columns({"age"}); }),
            "the critic takes 2 columns, got 1 name");
}

TEST(Critic, FindsItsColumnsByNameInAnyOrderWithOthersBesideThem) {
  const Critic named = clipped_critic(Mlp(3, {3})).with_columns({"age", "income", "weight"});
  const auto places = [&](const std::vector<std::string>& names) { return named.places(names, "'new.csv'"); };
  const auto complaint = [&](const std::vector<std::string>& names) {
    return test::error_of([&] { (void)places(names); });
  };
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(places({"age", "income", "weight"}), (Places{0, 1, 2}));
  EXPECT_EQ(places({"weight", "age", "income"}), (Places{1, 2, 0}));
  EXPECT_EQ(places({"id", "weight", "age", "income"}), (Places{2, 3, 1}));
  EXPECT_EQ(complaint({"age", "wage", "weight"}),
            "'new.csv' has no column 'income', which the critic takes; its columns are 'age', 'wage', "
            "'weight'");
  EXPECT_EQ(complaint({"age", "age", "income", "weight"}),
            "'new.csv' and the critic go by names, and several columns are called 'age'");
  const Critic twice = clipped_critic(Mlp(2, {3})).with_columns({"age", "age"});
  EXPECT_EQ(twice.places(std::vector<std::string>{"age", "age"}, "the data"), (Places{0, 1}));
  EXPECT_NE(test::error_of([&] {
              (void)twice.places(std::vector<std::string>{"id", "age"}, "the data");
            }).find("several columns are called 'age'"),
            std::string::npos);
}

TEST(Critic, GoesByPlaceWhereItOrTheDataHaveNoNames) {
  const Critic bare = clipped_critic(Mlp(2, {3})), named = bare.with_columns({"age", "income"});
  const auto places = [](const Critic& critic, const std::vector<std::string>& names) {
    return critic.places(names, "the data");
  };
  const std::vector<std::size_t> in_order{0, 1};
  EXPECT_EQ(places(bare, {"income", "age"}), in_order);
  for (const std::vector<std::string>& numbers :
       {std::vector<std::string>{"1", "2"}, {"c1", "c2"}, {"0", "1"}})
    EXPECT_EQ(places(named, numbers), in_order);
  EXPECT_EQ(test::error_of([&] {
              (void)places(named, {"c1", "c2", "c3"});
            }),
            "the critic takes 2 columns, the data have 3");
  EXPECT_EQ(test::error_of([&] {
              (void)places(bare, {"age", "income", "weight"});
            }),
            "the critic takes 2 columns, the data have 3");
}

TEST(Critic, RefusesRowsOfAnotherDimension) {
  const Critic critic = clipped_critic(Mlp(2, {3}));
  EXPECT_EQ(test::error_of([&] { (void)critic(Points(4, 3)); }),
            "the critic takes 2 columns, the data have 3");
}

}  // namespace
}  // namespace motmot
