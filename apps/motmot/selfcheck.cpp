// motmot selfcheck: fixed seeds on the definition of every kernel, and a digest of what came out.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "base/random.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "kernels/kernels.hpp"
#include "motmot/answer.hpp"
#include "motmot/transport.hpp"

namespace motmot::app {
namespace {

/// FNV-1a over the bits of numbers.
class Digest {
 public:
  void add(double value) { add_bits(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::optional<double>& value) { add(value.value_or(-1)); }
  /// Six digits: for numbers behind which stands a cosine or a logarithm, whose last bit differs between
  /// mathematics libraries.
  void add_rounded(double value) { add(std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr)); }
  void add_bits(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) hash_ = (hash_ ^ (bits & 0xff)) * 0x100000001b3ull;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

/// Uniform points: no logarithm or cosine whose last bit a mathematics library could change.
Points uniform_points(Purpose purpose, std::size_t n, std::size_t d, double shift) {
  Rng rng(20210413, purpose);
  Points points(n, d);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < d; ++j) points(i, j) = shift + rng.uniform();
  return points;
}

/// Every estimator and scheme with one critic, and what stands beside the value.
std::uint64_t digest_of_critic(CriticKind critic) {
  Points x = uniform_points(Purpose::toy_x, 90, 3, 0);
  const Points y = uniform_points(Purpose::toy_y, 70, 3, 1);
  if (critic != CriticKind::clipped)
    for (std::size_t i = 0; i < 4; ++i) x(i, 0) += 30;  // outliers
  Digest digest;
  for (const Estimator estimator : {Estimator::plain, Estimator::mom, Estimator::mou_diag, Estimator::mou})
    for (const Scheme scheme : {Scheme::shuffle, Scheme::partition, Scheme::swor, Scheme::pairs}) {
      if (scheme == Scheme::pairs && estimator != Estimator::mou) continue;
      const std::size_t k = estimator == Estimator::plain ? 1 : 9;
      const Distance w = distance(x, y,
                                  {.estimator = estimator,
                                   .critic = critic,
                                   .scheme = scheme,
                                   .blocks = {k, k},
                                   .read_out = 20,
                                   .certify = critic == CriticKind::exact && estimator != Estimator::plain,
                                   .ascent = {.hidden = {12, 5}, .steps = 60},
                                   .seed = 1});
      const PaperEstimate& e = *w.neighbours.paper;
      const std::vector<double> phi = (*w.phi)(x);
      if (critic == CriticKind::clipped) {
        digest.add(w.value);
        for (const double value : phi) digest.add(value);
        continue;
      }
      for (const double value : {w.value, e.error_bar.value_or(-1), w.plain.value_or(-1),
                                 w.partial.value_or(-1), e.lower.value_or(-1), e.upper.value_or(-1), phi[7]})
        digest.add_rounded(value);
    }
  return digest.value();
}

/// The default answer: rows left out, interval, noise, columns, in one column and in several.
std::uint64_t digest_of_company() {
  Digest digest;
  for (const std::size_t d : {1u, 3u}) {
    Points x = uniform_points(Purpose::toy_x, 90, d, 0);
    const Points y = uniform_points(Purpose::toy_y, 70, d, 0.3);
    for (std::size_t i = 0; i < 6; ++i) x(i, 0) += 30;  // outliers that lie together
    for (const bool tau_auto : {false, true}) {
      const Distance w = distance(x, y, {.tau_auto = tau_auto, .scale = tau_auto ? "robust" : "none"});
      for (const double value :
           {w.value, w.interval->low, w.interval->high, *w.p_value, w.floor->level, w.population->value,
            w.needed.value_or(-1), *w.plain, *w.partial, w.columns[0].moved, w.tau_x, (*w.phi)(x)[7]})
        digest.add_rounded(value);
      digest.add_bits(w.left_out.x.size() + 100 * w.left_out.y.size() + 10'000 * w.readings.size());
    }
  }
  return digest.value();
}

/// The paths through the solver: assignment, flows of unequal sizes and weights, ties, one dimension, one
/// point, shares left out, warm starts, points on lines and close to a line.
std::uint64_t digest_of_solver() {
  Digest digest;
  const auto add = [&](const Transport& solved) {
    digest.add(solved.cost);
    digest.add_bits(solved.plan.size());
  };
  for (const std::size_t d : {1u, 2u, 7u}) {
    const Points x = uniform_points(Purpose::toy_x, 80, d, 0), y = uniform_points(Purpose::toy_y, 80, d, 0.5),
                 few = uniform_points(Purpose::test, 33, d, 0.2),
                 one = uniform_points(Purpose::test, 1, d, 0);
    Points ties = y;
    for (std::size_t i = 0; i < ties.rows(); ++i)
      for (double& value : ties.row(i)) value = std::floor(3 * value);
    std::vector<double> weights(80);
    for (std::size_t i = 0; i < 80; ++i) weights[i] = static_cast<double>(i % 7);
    for (const Points* other : std::initializer_list<const Points*>{&y, &few, &one, &ties})
      add(transport(x, *other));
    add(transport(x, y, weights));
    add(partial_transport(x, few, 0.1, 0.05));
    add(partial_transport(x, one, 0.1, 0));
    TransportSolver solver(x, y);
    add(solver.solve(weights));
    add(solver.solve({}, weights));
  }
  for (const bool flags : {true, false}) {
    const auto near_lines = [&](Purpose purpose, double shift) {
      Points points = uniform_points(purpose, 300, 2, shift);
      for (std::size_t i = 0; i < points.rows(); ++i)
        points(i, 1) = flags ? std::floor(2 * points(i, 1)) : points(i, 1) * 0x1p-10;
      return points;
    };
    add(transport(near_lines(Purpose::toy_x, 0), near_lines(Purpose::toy_y, 0.125)));
  }
  return digest.value();
}

void selfcheck() {
  // The choice of kernels is made once, at the first use: before that the definition is asked for.
  setenv("MOTMOT_ISA", "scalar", 1);
  require(std::string_view(kernels::table().name) == "scalar", Errc::numeric,
          "the kernels were chosen too early");
  const std::pair<const char*, std::uint64_t> parts[]{{"solver", digest_of_solver()},
                                                      {"company", digest_of_company()},
                                                      {"exact", digest_of_critic(CriticKind::exact)},
                                                      {"lipschitz", digest_of_critic(CriticKind::lipschitz)},
                                                      {"clipped", digest_of_critic(CriticKind::clipped)}};
  Digest all;
  std::string text =
      fmt::format("motmot {}, kernels of this machine: {}\n", version(), kernels::best_target());
  for (const auto& [name, digest] : parts) {
    text += fmt::format("  {:<10}{:016x}\n", name, digest);
    all.add_bits(digest);
  }
  print(text + fmt::format("Selfcheck: {:016x}\n", all.value()));
}

}  // namespace

void add_selfcheck(CLI::App& program) {
  CLI::App* sub = program.add_subcommand(
      "selfcheck", "Runs fixed seeds on scalar kernels and prints a digest, the same on every machine");
  sub->callback(selfcheck);
}

}  // namespace motmot::app
