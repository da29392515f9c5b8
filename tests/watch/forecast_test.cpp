// Every front door forecasts its memory: never less than it takes, and at most twice as much. And refuses
// what is forecast to take more than it may.
#include "support/forecast.hpp"

#include <functional>

#include "base/memory.hpp"
#include "base/threads.hpp"
#include "motmot/compare.hpp"
#include "motmot/doctor.hpp"
#include "motmot/matrix.hpp"
#include "motmot/outliers.hpp"
#include "motmot/transport.hpp"
#include "motmot/watch.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

struct Size {
  std::size_t n, m, d;
};

Points rows(std::uint64_t seed, std::size_t n, std::size_t d, double shift = 0) {
  Rng rng(seed, Purpose::test);
  return test::gaussian(rng, n, d, shift);
}

Frame table(std::uint64_t seed, std::size_t n, std::size_t d, double shift = 0) {
  const Points points = rows(seed, n, d, shift);
  Frame frame{.columns = std::vector<Column>(d)};
  for (std::size_t j = 0; j < d; ++j) {
    frame.columns[j].name = "x" + std::to_string(j);
    for (std::size_t i = 0; i < n; ++i) frame.columns[j].numbers.push_back(points(i, j));
  }
  return frame;
}

void expect_forecast(const char* job, const Size& size, double forecast, const std::function<void()>& work,
                     double most = 2) {
  const std::string what = std::string(job) + ", " + std::to_string(size.n) + " x " + std::to_string(size.m) +
                           " rows, " + std::to_string(size.d) + " columns";
  test::expect_forecast(what, forecast, work, most);
}

TEST(Memory, OfTransportAndDistanceIsForecast) {
  for (const Size size : {Size{50, 40, 2}, Size{2500, 2000, 20}, Size{200, 150, 1000}}) {
    const auto [n, m, d] = size;
    expect_forecast("transport", size, transport_bytes(n, m, d),
                    [&] { (void)transport(rows(1, n, d), rows(2, m, d, 0.1)); });
    if (n * d > 200'000) continue;
    for (const Estimator estimator : {Estimator::company, Estimator::plain, Estimator::mom}) {
      DistanceOptions options;
      options.estimator = estimator;
      options.threads = 2;
      options.permutations = n > 100 ? std::optional<std::size_t>(3) : std::nullopt;
      if (estimator != Estimator::company) options.permutations.reset(), options.read_out = 3;
      expect_forecast(
          std::string(name(estimator)).c_str(), size, distance_bytes(n, m, d, options),
          [&] {
            const Frame x = table(1, n, d), y = table(2, m, d, 0.1);
            (void)distance(x, y, options);
          },
          3);  // two threads: the peak depends on which solves happen to run together
    }
  }
}

// A solve of some of the rows stores its costs where one of all rows is too large for that; in few columns
// every row has a place in trees and boxes.
TEST(Memory, OfSolvesOfSomeRowsIsForecast) {
  for (const Size size : {Size{3700, 3700, 2}, Size{5000, 5000, 2}, Size{6500, 6500, 2}})
    for (const Estimator estimator : {Estimator::company, Estimator::mom}) {
      const auto [n, m, d] = size;
      DistanceOptions options;
      options.estimator = estimator;
      options.threads = 2;
      if (estimator == Estimator::mom) options.read_out = 3;
      expect_forecast(
          std::string(name(estimator)).c_str(), size, distance_bytes(n, m, d, options),
          [&] { (void)distance(rows(1, n, d), rows(2, m, d, 0.1), options); }, 3);
    }
}

// What an option adds: brackets, kernels, large networks, exact solves beside a network.
TEST(Memory, OfOtherWaysToADistanceIsForecast) {
  const Size size{1500, 1200, 5};
  const auto [n, m, d] = size;
  const auto expect_distance = [&](const char* job, DistanceOptions options, double most) {
    options.threads = 1;
    options.read_out = 3;
    expect_forecast(
        job, size, distance_bytes(n, m, d, options),
        [&] { (void)distance(rows(1, n, d), rows(2, m, d, 0.1), options); }, most);
  };
  expect_distance("mom, bracket", {.estimator = Estimator::mom, .certify = true}, 2);
  expect_distance("mou, bracket", {.estimator = Estimator::mou, .certify = true}, 2);
  expect_distance("mmd", {.estimator = Estimator::plain, .metric = Metric::mmd}, 2);
  expect_distance("energy", {.estimator = Estimator::mom, .metric = Metric::energy, .certify = true}, 2);
  DistanceOptions network{.estimator = Estimator::mom};
  network.critic = CriticKind::clipped;
  network.ascent.hidden = {1000, 1000};
  network.ascent.steps = 3;
  expect_distance("clipped", network, 2);
  network.critic = CriticKind::lipschitz;
  network.ascent.hidden = {};
  expect_distance("lipschitz", network, 2);
}

TEST(Memory, OfRowsWithManyCopiesIsNoMoreThanForecast) {
  const Size size{2000, 2000, 3};
  const auto rounded = [&](std::uint64_t seed) {
    Points points = rows(seed, size.n, size.d);
    for (std::size_t i = 0; i < size.n; ++i)
      for (double& value : points.row(i)) value = std::round(2 * value);
    return points;
  };
  for (const Estimator estimator : {Estimator::company, Estimator::mom}) {
    const DistanceOptions options{.estimator = estimator, .threads = 1};
    expect_forecast(
        "copies", size, distance_bytes(size.n, size.m, size.d, options),
        [&] { (void)distance(rounded(1), rounded(2), options); }, 20);
  }
}

TEST(Memory, OfJobsOnTablesIsForecast) {
  for (const Size size : {Size{60, 50, 2}, Size{3000, 2000, 8}, Size{150, 120, 600}}) {
    const auto [n, m, d] = size;
    const auto x = [&] { return table(1, n, d); };
    const auto y = [&] { return table(2, m, d, 0.1); };
    const std::size_t sizes[] = {n, m};
    expect_forecast("matrix", size, matrix_bytes(sizes, d, {.threads = 1}), [&] {
      const Frame a = x(), b = y();
      (void)matrix(std::vector<NamedFrame>{{"a", &a}, {"b", &b}}, {.threads = 1});
    });
    expect_forecast("outliers", size, outlier_bytes(n, m, d, {.threads = 1}),
                    [&] { (void)outliers(x(), y(), {.threads = 1}); });
    expect_forecast("doctor", size, doctor_bytes(n, m, d), [&] { (void)doctor(x(), y()); });
    const ReferenceOptions learning{.chunks = 10, .threads = 1};
    expect_forecast("reference", {n, 0, d}, reference_bytes(n, d, learning),
                    [&] { (void)make_reference(x(), learning); });
    const Reference reference = make_reference(x(), learning);
    expect_forecast("monitor", size, monitor_bytes(reference, m, {.one_in = 2, .threads = 1}), [&] {
      const std::vector<ChunkSource> chunks{{"a", y}};
      (void)monitor(reference, chunks, {.one_in = 2, .threads = 1});
    });
    if (n > 1000) continue;  // they are distances
    expect_forecast("check", size, check_bytes(reference, m, {.threads = 1}),
                    [&] { (void)check(reference, y(), {.threads = 1}); });
    expect_forecast("compare", size, compare_bytes(n, m, d, {.threads = 1}),
                    [&] { (void)compare(x(), y(), {.threads = 1}); });
  }
}

TEST(Memory, OfGeneratedRowsIsForecast) {
  for (const Size size : {Size{60'000, 50'000, 2}, Size{2'000'000, 1'000'000, 1}, Size{3000, 2000, 1000}}) {
    const ToyOptions options{.toy = Toy::both, .n = size.n, .m = size.m, .d = size.d};
    expect_forecast("generate", size, generate_bytes(options), [&] { (void)generate(options); });
  }
  const std::size_t most = std::numeric_limits<std::uint32_t>::max();
  const double everything = static_cast<double>(most) * static_cast<double>(most);
  EXPECT_GT(generate_bytes({.n = most, .m = most, .d = most}), 16 * everything);
  EXPECT_TRUE(test::error_of([&] {
                (void)generate({.n = most, .m = most, .d = most});
              }).starts_with("this would take about "));
}

TEST(Memory, OfACriticOnRowsIsForecast) {
  for (const CriticKind kind : {CriticKind::exact, CriticKind::lipschitz, CriticKind::clipped}) {
    DistanceOptions options{.estimator = Estimator::plain, .critic = kind, .threads = 1};
    options.ascent.steps = 3;
    const Critic small = *distance(rows(1, 50, 2), rows(2, 40, 2), options).phi;
    const Critic wide = *distance(rows(1, 60, 500), rows(2, 60, 500), options).phi;
    for (const Size size : {Size{200'000, 0, 2}, Size{500'000, 0, 2}, Size{3000, 0, 500}}) {
      const Critic& phi = size.d == 2 ? small : wide;
      expect_forecast(std::string(name(kind)).c_str(), size, evaluate_bytes(phi, size.n),
                      [&] { (void)phi(rows(3, size.n, size.d)); });
    }
  }
}

TEST(Memory, ThatIsNotAllowedIsRefusedBeforeTheWork) {
  const Points x = rows(1, 40, 3), y = rows(2, 30, 3);
  const Frame table_x = table(1, 40, 3), table_y = table(2, 30, 3);
  const Reference reference = make_reference(table_x, {.chunk_rows = 10});
  constexpr std::uint64_t little = 1'000'000;
  const auto refused = [](const std::function<void()>& call) {
    const std::string said = test::error_of(call);
    EXPECT_TRUE(said.starts_with("this would take about ")) << said;
    EXPECT_NE(said.find(", and 1 MB are allowed (--memory-limit): "), std::string::npos) << said;
  };
  const Critic phi = *distance(x, y).phi;
  refused([&] { (void)generate({.memory_limit = little}); });
  refused([&] { (void)phi(x, little); });
  refused([&] { (void)transport(x, y, {}, {}, {.memory_limit = little}); });
  refused([&] { (void)partial_transport(x, y, 0.1, 0.1, {.memory_limit = little}); });
  refused([&] { (void)distance(x, y, {.memory_limit = little}); });
  refused([&] { (void)distance(table_x, table_y, {.memory_limit = little}); });
  refused([&] {
    (void)matrix(std::vector<NamedFrame>{{"a", &table_x}, {"b", &table_y}}, {.memory_limit = little});
  });
  refused([&] { (void)compare(table_x, table_y, {.memory_limit = little}); });
  refused([&] { (void)outliers(table_x, {.memory_limit = little}); });
  refused([&] { (void)doctor(table_x, table_y, little); });
  refused([&] { (void)make_reference(table_x, {.memory_limit = little}); });
  refused([&] { (void)check(reference, table_y, {.memory_limit = little}); });
  refused([&] {
    const std::vector<ChunkSource> chunks{{"a", [&] { return table_y; }}};
    (void)monitor(reference, chunks, {.one_in = 2, .memory_limit = little});
  });
}

}  // namespace
}  // namespace motmot
