#include "watch/apart.hpp"

#include <algorithm>

#include "answer/sides.hpp"
#include "data/without.hpp"
#include "inference/beside.hpp"
#include "watch/chunk_test.hpp"

namespace motmot {
namespace {

/// The larger sample first, as in distance(): which is x changes nothing but the last bits.
bool comes_first(PointsView x, PointsView y) { return x.rows() >= y.rows(); }

Apart apart_in_order(PointsView x, PointsView y, double tau, Team& team) {
  const ScaledSamples samples = scale(x, y);
  PerSample<Company> company = keep_company(samples.x, samples.y, {tau, tau}, team);
  const Points kept_x = without(samples.x, company.x.left_out),
               kept_y = without(samples.y, company.y.left_out);
  return {.distance = samples.by.scale * *w1(kept_x, kept_y),
          .left_out = {std::move(company.x.left_out), std::move(company.y.left_out)}};
}

}  // namespace

Apart apart(PointsView x, PointsView y, double tau, Team& team) {
  if (comes_first(x, y)) return apart_in_order(x, y, tau, team);
  Apart found = apart_in_order(y, x, tau, team);
  std::swap(found.left_out.x, found.left_out.y);
  return found;
}

RowList drawn_rows(std::size_t n, std::size_t count, std::uint64_t seed, Purpose purpose,
                   std::uint64_t step) {
  return drawn(n, count, Rng(seed, purpose, step));
}

std::vector<std::size_t> chunk_starts(std::size_t n, std::size_t rows, std::size_t most) {
  const std::size_t possible = n / rows, count = std::min(possible, most);
  std::vector<std::size_t> starts;
  for (std::size_t c = 0; c < count; ++c) starts.push_back(c * possible / count * rows);
  return starts;
}

std::optional<OwnChunks> own_chunks(std::size_t count, const std::function<HeldAgainst(std::size_t)>& make,
                                    const OwnChunkOptions& options, Team& team, Watch& watch) {
  constexpr std::size_t permutations = 199;
  OwnChunks own{.distance = std::vector<double>(count), .score = std::vector<double>(count)};
  watch.run(team, count, 0, [&](std::size_t i, const Progress&) {
    if (watch.stopped()) return;
    const HeldAgainst pair = make(i);
    Team alone(1);
    own.distance[i] = apart(pair.rows, pair.chunk, options.tau, alone).distance;
  });
  const Progress go_on = watch.part(0.5, 1);
  for (std::size_t i = 0; i < count; ++i) {  // each has a matrix of all pairs: one at a time
    if (watch.stopped() || (go_on && !go_on(static_cast<double>(i) / static_cast<double>(count)))) return {};
    const HeldAgainst pair = make(i);
    const ChunkTestOptions asked{.tau = options.tau, .permutations = permutations, .seed = options.seed};
    own.score[i] =
        options.held != nullptr
            ? test_chunk(*options.held, pair.places, pair.chunk, options.coding, asked, team).score
            : test_chunk(HeldRows(pair.rows, options.tau, team), pair.chunk, options.coding, asked, team)
                  .score;
  }
  return own;
}

}  // namespace motmot
