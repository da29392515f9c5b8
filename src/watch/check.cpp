#include "watch/check.hpp"

#include <cmath>

#include "base/memory.hpp"
#include "base/require.hpp"
#include "base/statistics.hpp"
#include "watch/apart.hpp"

namespace motmot {
namespace {

void require_options(const CheckOptions& o) {
  require(0.001 <= o.alpha && o.alpha <= 0.5, Errc::invalid_argument, "alpha must lie in [0.001, 0.5], got ",
          o.alpha);
  require(!o.effect || (std::isfinite(*o.effect) && *o.effect >= 0), Errc::invalid_argument,
          "the smallest distance that matters must be a number from 0 on, got ", o.effect.value_or(0));
  require(o.rows >= least_chunk_rows, Errc::invalid_argument, "at least ", least_chunk_rows,
          " rows are compared, got ", o.rows);
}

/// As many permutations as the alpha asks for, where the size would give fewer: p is never below 1 / (B + 1).
std::optional<std::size_t> permutations_for_level(double alpha, std::size_t n, std::size_t m) {
  constexpr double usual = 0.05;
  constexpr std::size_t most_permuted_rows = 2000;  // beyond, p is of 999 permutations in any case
  if (alpha >= usual || std::max(n, m) > most_permuted_rows) return {};
  return std::max<std::size_t>(99, static_cast<std::size_t>(std::ceil(1 / alpha - 1e-9)) - 1);
}

/// By the central limit theorem for transport: the distance moves by the mean of the potential of the rows
/// drawn.
std::optional<double> subsample_error(const RowDiagnostics& known, std::size_t all) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < known.phi.size(); ++i)
    if (!known.left_out[i]) kept.push_back(known.phi[i]);
  if (known.phi.size() == all || kept.size() < 2) return {};
  const double drawn = static_cast<double>(known.phi.size()) / static_cast<double>(all);
  return sd_of(kept, mean_of(kept)) * std::sqrt((1 - drawn) / static_cast<double>(kept.size()));
}

/// Advice on what the reference has settled: "a reference made with --exclude 'when' compares the rest".
std::string for_reference(std::string advice) {
  for (const char* option : {"--exclude ", "--scale ", "--tau"}) {
    const std::size_t at = advice.find(option);
    if (at != std::string::npos) return advice.insert(at, "a reference made with ");
  }
  return advice;
}

bool differs(const Distance& w, const CheckOptions& o) {
  return *w.p_value <= o.alpha && (!o.effect || w.population->interval.value_or(Interval{}).low > *o.effect);
}

}  // namespace

double check_bytes(const Reference& reference, std::size_t m, const CheckOptions& o) {
  constexpr double to_spare = 1.25, bytes_a_row = 100;
  const std::size_t n = reference.rows.n(), d = width_in(reference.coding, reference.rows);
  DistanceOptions asked;
  asked.threads = o.threads;
  return distance_bytes(std::min(n, o.rows), std::min(m, o.rows), d, asked) +
         to_spare * (2.2 * sample_bytes(n + m, d) + bytes_a_row * static_cast<double>(n + m));
}

Checked checked(const Reference& reference, const Frame& given, const CheckOptions& o) {
  require_options(o);
  require_memory(check_bytes(reference, given.n(), o), o.memory_limit);
  const Frame y = matched(reference, given, o.source);
  const RowList of_x = drawn_rows(reference.rows.n(), o.rows, o.seed, Purpose::reference_rows, 2),
                of_y = drawn_rows(y.n(), o.rows, o.seed, Purpose::chunk_rows);
  Checked found{.x = rows_of(reference.rows, of_x), .y = rows_of(y, of_y)};
  const Coding coding = with_units_of_both(reference.coding, found.x, found.y);
  found.coded = without_idle(coding, encode(found.x, coding), encode(found.y, coding));
  DistanceOptions asked;
  asked.tau = {reference.tau, reference.tau};
  asked.files = {reference.name, o.source};
  asked.rows_dropped = {reference.rows.rows_dropped, y.rows_dropped};
  asked.permutations = permutations_for_level(o.alpha, found.x.n(), found.y.n());
  asked.keep_rows = true;
  asked.seed = o.seed;
  asked.memory_limit = o.memory_limit;
  asked.threads = o.threads;
  asked.progress = o.progress;
  found.distance = coded_distance(found.coded.x, found.coded.y, found.coded.coding, asked);
  for (Warning& warning : found.distance.warnings) warning.text = for_reference(std::move(warning.text));
  const Distance& w = found.distance;
  require(w.p_value && w.population, Errc::invalid_argument, "stopped before the check was made");
  found.check = {.differs = differs(w, o),
                 .alpha = o.alpha,
                 .effect = o.effect,
                 .reference = reference.name,
                 .digest = reference.digest,
                 .rows = {reference.source_rows, y.n()},
                 .subsample_error = subsample_error(w.rows.y, y.n()),
                 .distance = w};
  found.check.distance.rows = {};
  for (std::uint32_t& row : found.check.distance.left_out.x)
    row = static_cast<std::uint32_t>(found.x.rows[row] - 1);
  for (std::uint32_t& row : found.check.distance.left_out.y) row = of_y[row];
  return found;
}

Check check(const Reference& reference, const Frame& y, const CheckOptions& options) {
  return checked(reference, y, options).check;
}

}  // namespace motmot
