// motmot selfcheck: fixed seeds on the definition of every kernel, and a digest of what came out.
#include <fmt/format.h>

#include <bit>
#include <cstdlib>

#include "base/random.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "kernels/kernels.hpp"
#include "motmot/answer.hpp"

namespace motmot::app {
namespace {

/// FNV-1a over the bits of numbers.
class Digest {
 public:
  void add(double value) {
    auto bits = std::bit_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) hash_ = (hash_ ^ (bits & 0xff)) * 0x100000001b3ull;
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

/// Uniform points: no logarithm or cosine whose last bit a mathematics library could change.
Points uniform_points(Purpose purpose, std::size_t n, double shift) {
  Rng rng(20210413, purpose);
  Points points(n, 3);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < 3; ++j) points(i, j) = shift + rng.uniform();
  return points;
}

std::uint64_t digest_of_runs() {
  const Points x = uniform_points(Purpose::toy_x, 90, 0), y = uniform_points(Purpose::toy_y, 70, 1);
  Digest digest;
  for (const Estimator estimator : {Estimator::plain, Estimator::mom, Estimator::mou_diag, Estimator::mou}) {
    for (const Scheme scheme : {Scheme::shuffle, Scheme::partition, Scheme::swor, Scheme::pairs}) {
      if (scheme == Scheme::pairs && estimator != Estimator::mou) continue;
      const std::size_t k = estimator == Estimator::plain ? 1 : 9;
      const Distance result = distance(x, y,
                                       {.estimator = estimator,
                                        .critic = CriticKind::clipped,
                                        .scheme = scheme,
                                        .blocks = {k, k},
                                        .ascent = {.hidden = {12, 5}, .steps = 60},
                                        .seed = 1});
      digest.add(result.value);
      for (const double phi : (*result.phi)(x)) digest.add(phi);
    }
  }
  return digest.value();
}

void selfcheck() {
  // The choice of kernels is made once, at the first use: before that the definition is asked for.
  setenv("MOTMOT_ISA", "scalar", 1);
  require(std::string_view(kernels::table().name) == "scalar", Errc::numeric,
          "the kernels were chosen too early");
  print(fmt::format("motmot {}, kernels of this machine: {}\nSelfcheck: {:016x}\n", version(),
                    kernels::best_target(), digest_of_runs()));
}

}  // namespace

void add_selfcheck(CLI::App& program) {
  CLI::App* sub = program.add_subcommand(
      "selfcheck", "Runs fixed seeds on scalar kernels and prints a digest, the same on every machine");
  sub->callback(selfcheck);
}

}  // namespace motmot::app
