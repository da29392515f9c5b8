#include "report/distance_page.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "blocks/read_out.hpp"
#include "motmot/data.hpp"
#include "motmot/report.hpp"
#include "report/plane.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

struct Case {
  ToySample toy;
  Distance estimate;
  [[nodiscard]] Page page() const {
    return distance_page(estimate, {.points = toy.x}, {.points = toy.y}, "motmot");
  }
};

Case run(const ToyOptions& toy, DistanceOptions options) {
  options.keep_rows = options.ascent.trace = true;
  Case r{.toy = generate(toy), .estimate = {}};
  r.estimate = distance(r.toy.x, r.toy.y, options);
  return r;
}

const Section* section(const Page& page, std::string_view heading) {
  for (const Section& s : page.sections)
    if (s.heading == heading) return &s;
  return nullptr;
}

TEST(BlockDraw, DrawsTheBlocksThatTheValueIsAMeanOver) {
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag})
    for (const Scheme scheme : {Scheme::shuffle, Scheme::swor}) {
      const Case r = run({.n = 80, .m = 70, .seed = 3}, {.estimator = estimator,
                                                         .critic = CriticKind::exact,
                                                         .scheme = scheme,
                                                         .blocks = {21, 21},
                                                         .seed = 5});
      const Distance& e = r.estimate;
      double sum = 0;
      for (std::size_t t = 0; t < 500; ++t)
        sum += draw_block_means(
                   estimator,
                   {scheme, e.asked.blocks.x, e.asked.blocks.y, e.asked.block_size.x, e.asked.block_size.y},
                   e.rows.x.phi, e.rows.y.phi, e.asked.seed, t)
                   .median.value;
      EXPECT_NEAR(sum / 500, e.value, 1e-5 * e.value) << name(estimator) << ' ' << name(scheme);
    }
}

TEST(DistancePage, CarriesTheResultAndTheValues) {
  const Case r = run({.n = 120, .m = 90, .seed = 1}, {.certify = true, .seed = 7});
  const Page page = r.page();
  EXPECT_EQ(page.json, distance_json(r.estimate));
  const Chart& values = section(page, "The answer and its neighbours")->charts[0];
  EXPECT_EQ(values.series[0].y[0], r.estimate.value);
  EXPECT_EQ(values.series[0].high[0], r.estimate.value + *r.estimate.error_bar);
  EXPECT_EQ(values.series[1].y[0], *r.estimate.beside.plain);
  EXPECT_EQ(section(page, "The same run again")->code, "motmot");
}

TEST(DistancePage, MarksTheRowsThatTrimDrops) {
  const Case r = run({.n = 120, .m = 90, .seed = 1}, {.seed = 7});
  const Page page = r.page();
  const Chart& data = section(page, "The data")->charts[0];
  std::size_t marked = 0, drawn = 0;
  for (const Series& s : data.series) {
    drawn += s.x.size();
    if (s.highlight) marked += s.x.size();
  }
  ASSERT_GT(r.estimate.beside.trimmed.x, 0u);
  EXPECT_EQ(marked, r.estimate.beside.trimmed.x + r.estimate.beside.trimmed.y);
  EXPECT_EQ(drawn, 210u);
  EXPECT_EQ(section(page, "Rows that look like outliers")->tables[0].rows.size(), marked);
}

TEST(DistancePage, DrawsSomeThousandRowsOfALargeSampleAndEverySuspect) {
  const Case r =
      run({.n = 6000, .m = 5000, .d = 1, .tau_x = 0.01, .seed = 2}, {.critic = CriticKind::exact, .seed = 1});
  const Page page = r.page();
  std::size_t drawn = 0, marked = 0;
  for (const Series& s : section(page, "The data")->charts[0].series) {
    drawn += s.x.size();
    if (s.highlight) marked += s.x.size();
  }
  EXPECT_LT(drawn, 3500u);
  EXPECT_EQ(marked, r.estimate.beside.trimmed.x + r.estimate.beside.trimmed.y);
}

TEST(DistancePage, WorksForEveryCriticSchemeAndDimension) {
  const DistanceOptions networks{
      .critic = CriticKind::clipped, .blocks = {5, 5}, .ascent = {.hidden = {8}, .steps = 700}};
  DistanceOptions lipschitz{.critic = CriticKind::lipschitz, .ascent = {.steps = 20}};
  for (const std::size_t d : {1u, 2u, 7u})
    for (const DistanceOptions& o :
         {networks, lipschitz, DistanceOptions{.critic = CriticKind::exact},
          DistanceOptions{.critic = CriticKind::exact, .tau_auto = true},
          DistanceOptions{.estimator = Estimator::plain, .critic = CriticKind::exact},
          DistanceOptions{.estimator = Estimator::mou_diag, .critic = CriticKind::exact, .blocks = {9, 9}},
          DistanceOptions{.estimator = Estimator::mou,
          .critic = CriticKind::exact,
          .scheme = Scheme::pairs,
          .blocks = {9, 9}}}) {
      const Case r = run({.n = 60, .m = 50, .d = d, .seed = 4}, o);
      const Page page = r.page();
      const std::string html = page_html(page);
      EXPECT_NE(section(page, "The data"), nullptr);
      EXPECT_EQ(section(page, "How the value was found") != nullptr, !r.estimate.run.trace.empty());
      EXPECT_NE(html.find("</html>"), std::string::npos);
    }
}

TEST(DistancePage, WorksForWeightsWhichHaveNoCritic) {
  const ToySample toy = generate({.n = 20, .m = 30, .seed = 1});
  const std::vector<double> weights(20, 2.0);
  const Distance e =
      distance(toy.x, toy.y, {.estimator = Estimator::plain, .weights = {weights, {}}, .keep_rows = true});
  const Page page = distance_page(e, {.points = toy.x, .name = "a.csv"}, {.points = toy.y, .name = "b.csv"});
  EXPECT_EQ(section(page, "Rows that look like outliers"), nullptr);
  EXPECT_EQ(page.title, "Distance between a.csv and b.csv");
}

TEST(Plane, FindsTheDirectionsWhateverTheOutliers) {
  test::for_each_seed(20, [](Rng& rng) {
    Points x(400, 5), y(300, 5);
    for (Points* p : {&x, &y})
      for (std::size_t i = 0; i < p->rows(); ++i) {
        for (std::size_t j = 0; j < 5; ++j) (*p)(i, j) = 0.3 * rng.normal();
        (*p)(i, 3) += 10 * rng.normal();
        (*p)(i, 1) += 3 * rng.normal();
        if (i % 10 == 0) (*p)(i, 4) += 1e6;
      }
    const Plane plane = robust_plane(x, y);
    EXPECT_GT(std::abs(plane.axes[0][3]), 0.95);
    EXPECT_NEAR(std::inner_product(plane.axes[0].begin(), plane.axes[0].end(), plane.axes[1].begin(), 0.0), 0,
                1e-9);
  });
}

}  // namespace
}  // namespace motmot
