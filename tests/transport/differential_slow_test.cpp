// Random problems against LEMON's network simplex: kinds of points, weights, sizes, ties, offsets, partial
// shares; and problems that are too large for LEMON, of which plan and potentials are the proof.
// MOTMOT_PROBLEMS says how many (scripts/check differential: 100 000), MOTMOT_FIRST_SEED where the large ones
// begin; the worst disagreement is printed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "motmot/transport.hpp"
#include "support/support.hpp"
#include "transport/reference.hpp"

namespace motmot::test {
namespace {

std::uint64_t problems_asked() {
  const char* text = std::getenv("MOTMOT_PROBLEMS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 5000;
}

void shift(Points& points, double by) {
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (double& value : points.row(i)) value += by;
}

struct Worst {
  double difference = 0;  ///< of the costs, relative to the larger of cost and mean spread
  double gap = 0;
  std::uint64_t seed = 0;

  void take(double found, double wanted, double certified, double size, std::uint64_t at) {
    const double relative = std::abs(found - wanted) / size;
    if (relative > difference) difference = relative, seed = at;
    gap = std::max(gap, certified / size);
  }
};

/// The largest distance from the first row: what rounding of the coordinates is relative to.
double size_of(const Case& problem) {
  double largest = 0;
  for (std::size_t i = 0; i < problem.x.points.rows(); ++i)
    largest = std::max(largest, distance(problem.x.points, i, problem.y.points, 0));
  for (std::size_t j = 0; j < problem.y.points.rows(); ++j)
    largest = std::max(largest, distance(problem.x.points, 0, problem.y.points, j));
  return largest + 1e-300;
}

TEST(Differential, AgainstLemon) {
  constexpr std::uint64_t first_seed = 1'000'000;
  Worst whole, partial;
  std::uint64_t solved = 0, with_shares = 0, with_offset = 0;
  TransportWorkspace workspace;
  for (std::uint64_t seed = first_seed; seed < first_seed + problems_asked() && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed, Purpose::test);
    Case problem = random_case(rng, 24, 12);
    if (rng.below(4) == 0) {
      constexpr std::array offsets{1e3, -1e6, 1e9};
      const double by = offsets[rng.below(3)];
      shift(problem.x.points, by);
      shift(problem.y.points, by);
      ++with_offset;
    }
    const double size = size_of(problem);
    const auto a = problem.x.real_weights(), b = problem.y.real_weights();
    const Transport w = transport(workspace, problem.x.points, problem.y.points, a, b);
    whole.take(w.cost, lemon_w1(problem.x, problem.y), w.gap, size, seed);
    EXPECT_LE(whole.difference, 1e-12);
    EXPECT_LE(whole.gap, 1e-12);
    ++solved;
    if (rng.below(3) != 0) continue;
    const std::size_t n = problem.x.points.rows(), m = problem.y.points.rows();
    const std::int64_t kept_x = 1 + rng.below(static_cast<std::uint32_t>(n)),
                       kept_y = 1 + rng.below(static_cast<std::uint32_t>(m));
    const auto share = [](std::int64_t kept, std::size_t of) {
      return 1 - static_cast<double>(kept) / static_cast<double>(of);
    };
    const Transport p =
        partial_transport(workspace, problem.x.points, problem.y.points, share(kept_x, n), share(kept_y, m));
    const double wanted = lemon_partial(problem.x.points, problem.y.points, kept_x, kept_y);
    partial.take(p.cost, wanted, p.gap, size, seed);
    // A share is taken as 1e-12 more than it is.
    EXPECT_LE(partial.difference, 1e-10);
    EXPECT_LE(p.cost - p.gap, wanted + 1e-11 * size) << "a bound that is none";
    ++with_shares;
  }
  std::printf(
      "%llu problems (%llu with an offset) against LEMON: costs differ by %.1e of the largest distance at "
      "most "
      "(seed %llu), gaps are %.1e at most\n%llu with partial shares: %.1e (seed %llu), gaps %.1e\n",
      static_cast<unsigned long long>(solved), static_cast<unsigned long long>(with_offset), whole.difference,
      static_cast<unsigned long long>(whole.seed), whole.gap, static_cast<unsigned long long>(with_shares),
      partial.difference, static_cast<unsigned long long>(partial.seed), partial.gap);
}

/// Thousands of rows in few columns, where trees, boxes, tours and lists of candidates are at work: sizes
/// that leave any remainder when divided by the width of a block, different ones, ties, clusters of very
/// different scale, weights over six decades.
Case large_case(Rng& rng) {
  constexpr std::uint32_t least = 1000, most = 12'000;
  const std::size_t d = 1 + std::max(1u, rng.below(3)), n = least + rng.below(most - least),
                    m = rng.below(2) == 0 ? n : 1 + rng.below(most);
  const unsigned kind = rng.below(6);
  const bool of_scales = rng.below(4) == 0;
  const auto sample = [&](std::size_t rows) {
    Sample drawn{reference::random_points(rng, rows, d, kind), reference::random_weights(rng, rows)};
    if (rng.below(2) == 0) drawn.weights.assign(rows, 1);
    for (std::size_t i = 0; of_scales && i < rows; ++i)
      for (double& value : drawn.points.row(i))
        value = value * std::pow(10, -static_cast<double>(i % 4)) + static_cast<double>(i % 4);
    return drawn;
  };
  return {sample(n), sample(m)};
}

/// The judge takes a problem and the rest of its random numbers, and returns the gap of its solution.
template <class Judge>
void judge_at_size(const char* what, std::uint64_t problems, std::uint64_t first_seed, Judge judge) {
  if (const char* text = std::getenv("MOTMOT_FIRST_SEED")) first_seed = std::strtoull(text, nullptr, 10);
  double gap = 0;
  std::uint64_t judged = 0;
  for (; judged < problems && !testing::Test::HasFailure(); ++judged) {
    Rng rng(first_seed + judged, Purpose::test);
    const Case problem = large_case(rng);
    SCOPED_TRACE(testing::Message() << "seed " << first_seed + judged << ": " << problem.x.points.rows()
                                    << " and " << problem.y.points.rows() << " rows of "
                                    << problem.x.points.cols() << " columns");
    gap = std::max(gap, judge(problem, rng) / size_of(problem));
  }
  std::printf("%llu %s problems of up to 12 000 rows: gaps are %.1e of the largest distance at most\n",
              static_cast<unsigned long long>(judged), what, gap);
}

TEST(Differential, PartialCertifiedAtSize) {
  TransportWorkspace workspace;
  judge_at_size("partial", problems_asked() / 1000, 4'000'000, [&](const Case& problem, Rng& rng) {
    const Points &x = problem.x.points, &y = problem.y.points;
    const Shares tau{rng.below(4) == 0 ? 0 : rng.uniform(0, 0.5),
                     rng.below(4) == 0 ? 0 : rng.uniform(0, 0.5)};
    SCOPED_TRACE(testing::Message() << tau.x << " and " << tau.y << " left out");
    const Transport w = partial_transport(workspace, x, y, tau.x, tau.y);
    EXPECT_EQ(w.status, TransportStatus::optimal);
    expect_certified_partial(w, x, y, tau);
    EXPECT_LE(w.gap, 1e-10 * size_of(problem));
    return w.gap;
  });
}

// The first of them went round in circles: potentials had drifted in a tree with a tour.
TEST(Differential, CertifiedAtSize) {
  TransportWorkspace workspace;
  judge_at_size("whole", problems_asked() / 500, 2'000'059, [&](const Case& problem, Rng&) {
    const auto a = problem.x.real_weights(), b = problem.y.real_weights();
    const Transport w = transport(workspace, problem.x.points, problem.y.points, a, b);
    expect_certified(w, problem.x.points, problem.y.points, a, b, 1e-10);
    return w.gap;
  });
}

}  // namespace
}  // namespace motmot::test
