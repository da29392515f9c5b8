#include "critics/min_plus.hpp"

#include "critics/model.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

double distance(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += (p[k] - q[k]) * (p[k] - q[k]);
  return std::sqrt(sum);
}

/// The definition.
double min_plus_at(std::span<const double> row, PointsView anchors, std::span<const double> g) {
  double best = std::numeric_limits<double>::max();
  for (std::size_t j = 0; j < anchors.rows(); ++j)
    best = std::min(best, distance(row, anchors.row(j)) - g[j]);
  return best;
}

TEST(MinPlus, IsItsDefinition) {
  test::for_each_seed(20, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(5);
    const Points y = test::gaussian(rng, 1 + rng.below(90), d), x = test::gaussian(rng, 77, d);
    const std::vector<double> g = test::normals(rng, y.rows());
    std::vector<double> phi(x.rows());
    Team team(2);
    Anchors(y).min_plus(x, g, phi, team);
    for (std::size_t i = 0; i < x.rows(); ++i) ASSERT_NEAR(phi[i], min_plus_at(x.row(i), y, g), 1e-13);
  });
}

TEST(MinPlus, HasTheSameBitsForAnyTeam) {
  Rng rng(1, Purpose::test);
  const Points y = test::gaussian(rng, 130, 3), x = test::gaussian(rng, 333, 3);
  const std::vector<double> g = test::normals(rng, y.rows());
  std::vector<double> one(x.rows()), many(x.rows());
  Team alone(1);
  Anchors(y).min_plus(x, g, one, alone);
  for (const std::size_t threads : {2, 3, 7}) {
    Team team(threads);
    Anchors(y).min_plus(x, g, many, team);
    EXPECT_EQ(many, one) << threads;
  }
}

/// A critic with anchors near and absurdly far, in units of 1e-3 around 1e6.
Critic some_critic(Rng& rng, std::size_t d) {
  Points anchors = test::gaussian(rng, 60, d);
  for (std::size_t k = 0; k < d; ++k) anchors(3, k) = 1e18;
  std::vector<double> g = test::normals(rng, 60);
  g[3] = 1e8 * std::sqrt(static_cast<double>(d));
  return exact_critic({std::move(anchors), std::move(g), std::vector<double>(d, 1e6), 1e-3});
}

TEST(ExactCritic, IsOneLipschitz) {
  test::for_each_seed(20, [](Rng& rng) {
    const std::size_t d = 1 + rng.below(6);
    const Critic critic = some_critic(rng, d);
    Points rows(100, d);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      const double spread = std::pow(10.0, -4 + static_cast<double>(i % 24));  // 1e-4 .. 1e19
      for (std::size_t k = 0; k < d; ++k) rows(i, k) = 1e6 + spread * rng.normal();
    }
    const std::vector<double> phi = critic(rows);
    for (std::size_t i = 0; i < rows.rows(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        ASSERT_LE(std::abs(phi[i] - phi[j]), distance(rows.row(i), rows.row(j)) * (1 + 1e-6) + 1e-8)
            << i << ' ' << j;
  });
}

TEST(ExactCritic, KeepsItsBitsThroughAFile) {
  Rng rng(2, Purpose::test);
  const test::TempDir folder;
  const Critic critic = some_critic(rng, 3);
  critic.save((folder / "critic.json").string());
  const Critic again = Critic::load((folder / "critic.json").string());
  const Points x = test::gaussian(rng, 50, 3, 1e6);
  EXPECT_EQ(again.kind(), "exact");
  EXPECT_EQ(again.dimension(), 3u);
  EXPECT_EQ(again(x), critic(x));
}

TEST(ExactCritic, SaysWhatIsWrongWithAFile) {
  const test::TempDir folder;
  const auto message = [&](const std::string& fields) {
    test::write_file(folder / "c.json", R"({"motmot_critic": 1, "kind": "exact", )" + fields + "}");
    return test::error_of([&] { (void)Critic::load((folder / "c.json").string()); });
  };
  EXPECT_NE(message(R"("centre": [0, 0], "scale": 1, "g": [1], "anchors": [1])")
                .find("needs 2 coordinates of anchors, the file has 1"),
            std::string::npos);
  EXPECT_NE(message(R"("centre": [0], "scale": 0, "g": [1], "anchors": [1])").find("scale 0"),
            std::string::npos);
  EXPECT_NE(message(R"("centre": [], "scale": 1, "g": [], "anchors": [])").find("0 columns"),
            std::string::npos);
  EXPECT_NE(message(R"("scale": 1)").find("not a critic"), std::string::npos);
}

TEST(ExactCritic, RefusesRowsThatAreNotFinite) {
  const Critic critic = exact_critic({Points(1, 1), {0}, {0}, 1});
  Points row(1, 1);
  row(0, 0) = std::nan("");
  EXPECT_NE(test::error_of([&] { (void)critic(row); }).find("is not finite"), std::string::npos);
  row(0, 0) = 1e300;  // far, not wrong
  EXPECT_EQ(critic(row), std::vector{farthest_coordinate});
}

}  // namespace
}  // namespace motmot
