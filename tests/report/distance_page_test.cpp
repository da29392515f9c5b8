#include "report/distance_page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "blocks/read_out.hpp"
#include "motmot/data.hpp"
#include "report/plane.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

struct Case {
  ToySample toy;
  Distance w;
  [[nodiscard]] Page page() const { return distance_page(w, {toy.x}, {toy.y}, "motmot"); }
};

Case run(const ToyOptions& toy, DistanceOptions options) {
  options.keep_rows = options.ascent.trace = true;
  Case r{.toy = generate(toy), .w = {}};
  r.w = distance(r.toy.x, r.toy.y, options);
  return r;
}

/// N(0, I) against N(5, I), 12 rows of X wrong.
const Case& toy_case() {
  static const Case made = run({.n = 120, .m = 90, .tau_x = 0.1, .seed = 1}, {.paper = true, .seed = 7});
  return made;
}

const Section* section(const Page& page, std::string_view heading) {
  for (const Section& s : page.sections)
    if (s.heading == heading) return &s;
  return nullptr;
}

/// {rows drawn, rows crossed} of the picture of the data.
std::pair<std::size_t, std::size_t> drawn_rows(const Page& page) {
  std::size_t drawn = 0, crossed = 0;
  for (const Series& s : section(page, "The data")->charts[0].series) {
    drawn += s.x.size();
    if (s.highlight) crossed += s.x.size();
  }
  return {drawn, crossed};
}

TEST(BlockDraw, DrawsTheBlocksThatTheValueIsAMeanOver) {
  for (const Estimator estimator : {Estimator::mom, Estimator::mou, Estimator::mou_diag})
    for (const Scheme scheme : {Scheme::shuffle, Scheme::swor}) {
      const Case r = run({.n = 80, .m = 70, .seed = 3}, {.estimator = estimator,
                                                         .critic = CriticKind::exact,
                                                         .scheme = scheme,
                                                         .blocks = {21, 21},
                                                         .seed = 5});
      const PaperEstimate& e = *r.w.neighbours.paper;
      double sum = 0;
      for (std::size_t t = 0; t < 500; ++t)
        sum += draw_block_means(estimator, {scheme, e.blocks.x, e.blocks.y, e.block_size.x, e.block_size.y},
                                r.w.rows.x.phi, r.w.rows.y.phi, r.w.asked.seed, t)
                   .median.value;
      EXPECT_NEAR(sum / 500, r.w.value, 1e-5 * r.w.value) << name(estimator) << ' ' << name(scheme);
    }
}

TEST(DistancePage, SaysWhatTheTextSays) {
  const Page page = toy_case().page();
  const std::string said = text(toy_case().w);
  const auto one_line = [](std::string words) {
    std::ranges::replace(words, '\n', ' ');
    return words;
  };
  EXPECT_NE(one_line(said).find(page.lead.substr(0, page.lead.find('.'))), std::string::npos) << page.lead;
  for (const std::string& sentence : section(page, "If some rows are wrong")->paragraphs)
    EXPECT_NE(said.find(sentence), std::string::npos) << sentence;
  EXPECT_NE(said.find(section(page, "Is it more than chance?")->paragraphs[0]), std::string::npos);
  EXPECT_EQ(page.json, distance_json(toy_case().w));
  EXPECT_EQ(section(page, "The same run again")->code, "motmot");
}

TEST(DistancePage, DrawsTheNumbersOfTheAnswer) {
  const Distance& w = toy_case().w;
  const Page page = toy_case().page();
  const std::vector<Chart>& wrong = section(page, "If some rows are wrong")->charts;
  ASSERT_EQ(wrong.size(), 2u);
  EXPECT_EQ(wrong[0].series[0].x.back(), 100 * w.tau_path.back().tau);
  EXPECT_EQ(wrong[1].series[0].y.back(), w.profile.back().value);
  const Chart& chance = section(page, "Is it more than chance?")->charts[0];
  EXPECT_EQ(std::accumulate(chance.series[0].y.begin(), chance.series[0].y.end(), 0.0),
            static_cast<double>(w.floor->permuted.size()));
  EXPECT_EQ(chance.guides[0].at, w.value);
  const Chart& columns = section(page, "Which columns moved")->charts[0];
  EXPECT_NEAR(columns.series[0].y[0] + columns.series[0].y[1], 100, 1e-9);
  const Chart& values = section(page, "Other estimates")->charts[0];
  EXPECT_EQ(values.categories, (std::vector<std::string>{"distance", "all rows", "partial", "paper (mom)"}));
  EXPECT_EQ(values.series[0].y[0], w.value);
  EXPECT_EQ(values.series[0].high[0], w.interval->high);
  EXPECT_EQ(values.series[1].y[0], *w.plain);
}

TEST(DistancePage, CrossesAndListsTheRowsLeftOut) {
  const Case& r = toy_case();
  const Page page = r.page();
  ASSERT_EQ(r.w.left_out.x, r.toy.outliers_x);
  EXPECT_EQ(drawn_rows(page), std::pair(std::size_t{210}, r.toy.outliers_x.size()));
  const PageTable& table = section(page, "Rows left out")->tables[0];
  EXPECT_EQ(table.rows.size(), r.toy.outliers_x.size());
  EXPECT_EQ(table.columns,
            (std::vector<std::string>{"sample", "row", "to its own", "times the usual", "c1", "c2"}));
}

TEST(DistancePage, DrawsSomeThousandRowsOfALargeSampleAndEveryRowLeftOut) {
  const Case r = run({.n = 6000, .m = 5000, .d = 1, .tau_x = 0.01, .seed = 2}, {.permutations = 0});
  const auto [drawn, crossed] = drawn_rows(r.page());
  EXPECT_LT(drawn, 3500u);
  EXPECT_EQ(crossed, r.w.left_out.x.size() + r.w.left_out.y.size());
}

TEST(DistancePage, ComparesBarsWherePermutationsAreFew) {
  Case r = toy_case();
  r.w.floor->permuted.resize(1);
  const Page page = r.page();
  const Chart& chance = section(page, "Is it more than chance?")->charts[0];
  EXPECT_EQ(chance.series[0].y, (std::vector{r.w.floor->value, r.w.floor->level}));
}

TEST(DistancePage, LeavesOutWhatTheAnswerDoesNotHave) {
  const Case r = run({.n = 40, .m = 30, .tau_x = 0, .seed = 3}, {.tau = {0, 0}, .permutations = 0});
  const Page page = r.page();
  for (const char* heading : {"Is it more than chance?", "Which columns moved", "Rows left out"})
    EXPECT_EQ(section(page, heading), nullptr) << heading;
}

TEST(DistancePage, WorksForEveryEstimatorCriticSchemeAndDimension) {
  const DistanceOptions clipped{.estimator = Estimator::mom,
                                .critic = CriticKind::clipped,
                                .blocks = {5, 5},
                                .ascent = {.hidden = {8}, .steps = 700}};
  const DistanceOptions lipschitz{
      .estimator = Estimator::mom, .critic = CriticKind::lipschitz, .ascent = {.steps = 20}};
  for (const std::size_t d : {1u, 2u, 7u})
    for (const DistanceOptions& o :
         {clipped, lipschitz, DistanceOptions{}, DistanceOptions{.tau_auto = true, .scale = "robust"},
          DistanceOptions{.estimator = Estimator::mom, .certify = true},
          DistanceOptions{.estimator = Estimator::plain},
          DistanceOptions{.estimator = Estimator::mou_diag, .blocks = {9, 9}},
          DistanceOptions{.estimator = Estimator::mou, .scheme = Scheme::pairs, .blocks = {9, 9}}}) {
      const Case r = run({.n = 60, .m = 50, .d = d, .seed = 4}, o);
      const Page page = r.page();
      const std::string html = page_html(page);
      EXPECT_NE(section(page, "The data"), nullptr);
      EXPECT_EQ(section(page, "How the value was found") != nullptr, !r.w.run.trace.empty());
      EXPECT_EQ(section(page, "If some rows are wrong") != nullptr, o.estimator == Estimator::company);
      EXPECT_NE(html.find("</html>"), std::string::npos);
    }
}

TEST(DistancePage, SaysOfOtherEstimatorsWhatTheyAre) {
  const auto lead = [](DistanceOptions o) {
    return run({.n = 60, .m = 50, .seed = 4}, std::move(o)).page().lead;
  };
  EXPECT_TRUE(lead({.estimator = Estimator::mom}).starts_with("The inliers of the two samples are "));
  EXPECT_NE(
      lead({.estimator = Estimator::mom})
          .find(" apart, assuming that at most 10 % of each are wrong. All rows taken at face value give "),
      std::string::npos);
  EXPECT_TRUE(lead({.estimator = Estimator::mom, .critic = CriticKind::lipschitz, .ascent = {.steps = 5}})
                  .starts_with("The laws behind the inliers of the two samples are "));
  EXPECT_TRUE(lead({.estimator = Estimator::plain})
                  .ends_with(" apart, all rows taken at face value: this is not robust."));
  EXPECT_TRUE(lead({.estimator = Estimator::mom, .critic = CriticKind::clipped, .ascent = {.steps = 5}})
                  .ends_with("times a constant that clipping leaves unknown. Compare it with values of the "
                             "same settings only."));
}

TEST(DistancePage, WorksForWeightsWhichHaveNoPotential) {
  const ToySample toy = generate({.n = 20, .m = 30, .seed = 1});
  const std::vector<double> weights(20, 2.0);
  const Distance w = distance(toy.x, toy.y,
                              {.estimator = Estimator::plain,
                               .files = {"a.csv", "b.csv"},
                               .weights = {weights, {}},
                               .keep_rows = true});
  const Page page = distance_page(w, {toy.x}, {toy.y});
  EXPECT_EQ(section(page, "Rows left out"), nullptr);
  EXPECT_EQ(page.title, "Distance between a.csv and b.csv");
}

TEST(DistanceJson, HasTheNumbersOfTheFile) {
  Distance w = toy_case().w;
  w.left_out = {{0, 2}, {1}};
  w.asked.columns = {"a\xff", "b"};
  const std::vector<std::uint64_t> rows{1, 5, 6};
  const auto json = nlohmann::json::parse(distance_json(w, {{rows}, {}}));
  EXPECT_EQ(json["left_out"]["x"], (std::vector<int>{1, 6}));
  EXPECT_EQ(json["left_out"]["y"], (std::vector<int>{2}));
  EXPECT_EQ(json["interval"], (std::vector{w.interval->low, w.interval->high}));
  EXPECT_EQ(json["asked"]["columns"][0], "a\xef\xbf\xbd") << "names that are not UTF-8 do not break it";
  EXPECT_TRUE(json["neighbours"]["network"].is_null());
  EXPECT_EQ(json["schema"], 1);
}

TEST(RowsCsv, LeavesEmptyWhatTheEstimatorDoesNotSay) {
  Distance w;
  w.asked.n = 2;
  w.asked.m = 1;
  w.rows.x = {.phi = {1.5, 2}, .score = {0.25, 9}, .left_out = {false, true}};
  w.rows.y = {.phi = {-1}, .frequency = {1}};
  const std::vector<std::uint64_t> rows{3, 4};
  EXPECT_EQ(rows_csv(w, {{rows}, {}}),
            "sample,row,left_out,score,phi,frequency\nx,3,0,0.25,1.5,\nx,4,1,9,2,\ny,1,,,-1,1\n");
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
