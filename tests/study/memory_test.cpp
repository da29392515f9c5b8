// A study forecasts its memory: never less than it takes, and at most three times as much, because few cells
// are as large as the largest. And refuses what is forecast to take more than it may.
#include "motmot/study.hpp"
#include "support/forecast.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

StudyOptions small_study(Study study) {
  StudyOptions o = quick_study(study);
  o.data = {Toy::d1};
  o.tau = {0.1};
  o.blocks = {1, 5};
  o.repetitions = 2;
  o.steps = 3;
  o.threads = 1;
  return o;
}

TEST(StudyMemory, OfThePapersNetworksIsForecast) {
  StudyOptions wide = small_study(Study::error);
  wide.hidden = {1000, 500};
  test::expect_forecast(
      "error, wide", study_bytes(wide), [&] { (void)run_study(wide); }, 3);
  StudyOptions many = small_study(Study::error);
  many.n = 10;
  many.hidden = {2};
  many.repetitions = 2000;
  test::expect_forecast(
      "error, many cells", study_bytes(many), [&] { (void)run_study(many); }, 3);
  StudyOptions traced = many;
  traced.study = Study::convergence;
  traced.steps = 500;
  traced.repetitions = 300;
  test::expect_forecast(
      "convergence", study_bytes(traced), [&] { (void)run_study(traced); }, 3);
}

TEST(StudyMemory, OfExactCellsIsForecast) {
  StudyOptions broken = small_study(Study::breakdown);
  broken.n = 500;
  test::expect_forecast(
      "breakdown", study_bytes(broken), [&] { (void)run_study(broken); }, 3);
  RateOptions rate = quick_rate();
  rate.laws = {RateLaw::spread};
  rate.n = {100, 1000};
  rate.estimators = {Estimator::company, Estimator::mom};
  rate.repetitions = rate.threads = 1;
  test::expect_forecast(
      "rate", rate_bytes(rate), [&] { (void)run_rate(rate); }, 3);
  SchemesOptions schemes = quick_schemes();
  schemes.estimators = {Estimator::mom};
  schemes.schemes = {Scheme::partition, Scheme::swor};
  schemes.blocks = {51};
  schemes.n = 1000;
  schemes.repetitions = schemes.threads = 1;
  test::expect_forecast(
      "schemes", schemes_bytes(schemes), [&] { (void)run_schemes(schemes); }, 3);
}

TEST(StudyMemory, GrowsWithThreadsAndRepetitions) {
  StudyOptions o = small_study(Study::error);
  const double alone = study_bytes(o);
  o.threads = 2;
  EXPECT_GE(study_bytes(o), alone);
  o.repetitions = std::numeric_limits<std::size_t>::max();
  EXPECT_GT(study_bytes(o), 1e19);
}

TEST(StudyMemory, ThatIsNotAllowedIsRefusedBeforeTheWork) {
  const test::TempDir folder;
  constexpr std::uint64_t little = 1'000'000;
  const auto refused = [&](const std::function<void()>& call) {
    const std::string said = test::error_of(call);
    EXPECT_TRUE(said.starts_with("this would take about ")) << said;
    EXPECT_NE(said.find("1 MB are allowed (--memory-limit): take fewer rows, repetitions or threads"),
              std::string::npos)
        << said;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  StudyOptions study = small_study(Study::error);
  RateOptions rate = quick_rate();
  SchemesOptions schemes = quick_schemes();
  study.memory_limit = rate.memory_limit = schemes.memory_limit = little;
  study.folder = rate.folder = schemes.folder = folder.path();
  refused([&] { (void)run_study(study); });
  refused([&] { (void)run_rate(rate); });
  refused([&] { (void)run_schemes(schemes); });
}

}  // namespace
}  // namespace motmot
