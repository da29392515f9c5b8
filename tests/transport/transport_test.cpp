#include "motmot/transport.hpp"

#include "support/support.hpp"
#include "transport/engine.hpp"
#include "transport/reference.hpp"

namespace motmot::test {
namespace {

using transport::Finish;
using transport::Storage;

TEST(ExactW1, EqualsLemonOnSmallProblemsOfEveryKind) {
  TransportWorkspace workspace;
  for_each_seed(1500, [&](Rng& rng) {
    const Case problem = random_case(rng, 60, 20);
    const auto a = problem.x.real_weights();
    const auto b = problem.y.real_weights();
    const Transport w = exact_w1(workspace, problem.x.points, problem.y.points, a, b);
    const double expected = lemon_w1(problem.x, problem.y);
    EXPECT_NEAR(w.cost, expected, 1e-9 * expected + 1e-15);
    expect_certified(w, problem.x.points, problem.y.points, a, b);
  });
}

TEST(ExactW1, EveryFinishAndEveryStorageAgree) {
  for_each_seed(60, [](Rng& rng) {
    const std::size_t n = 2 + rng.below(150);
    const std::size_t d = 1 + rng.below(4);
    const Points x = gaussian(rng, n, d);
    const Points y = gaussian(rng, n, d, 0.5);
    const double expected = exact_w1(x, y).cost;
    for (const Finish finish : {Finish::augment, Finish::simplex})
      for (const Storage storage : {Storage::stored, Storage::rows, Storage::boxes}) {
        TransportWorkspace workspace;
        workspace.engine().settings.finish = finish;
        workspace.engine().settings.storage = storage;
        workspace.engine().settings.sort_one_dimension = false;
        const Transport w = exact_w1(workspace, x, y);
        EXPECT_NEAR(w.cost, expected, 1e-11 * expected);
        expect_certified(w, x, y, {}, {});
      }
  });
}

}  // namespace
}  // namespace motmot::test
