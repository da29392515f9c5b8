#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "answer/plan.hpp"
#include "base/memory.hpp"
#include "base/require.hpp"
#include "base/threads.hpp"
#include "costs/scanner.hpp"
#include "critics/kernel_fit.hpp"
#include "data/units.hpp"
#include "inference/block_bounds.hpp"

namespace motmot {
namespace {

/// Coordinates up to here, and the lengths made of them, stay finite on their way through the solver.
constexpr double largest = 1e300;

void require_rows(const SamplePart& part, const char* sample) {
  const PointsView points = part.rows;
  require(part.all > 0 && points.cols() > 0, Errc::invalid_argument, sample, " is empty");
  require(part.all <= 0x7fffffffu, Errc::unsupported, sample, " has ", part.all,
          " rows; at most 2^31 - 1 are supported");
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (std::size_t j = 0; j < points.cols(); ++j)
      require(std::abs(points(i, j)) <= largest, Errc::numeric, "row ", part.first + i + 1, ", column ",
              j + 1, " of ", sample, " is ", points(i, j),
              std::isfinite(points(i, j)) ? "; beyond 1e300 distances overflow: choose a larger unit"
                                          : "; every value must be finite");
}

void require_tau(double tau, const char* option) {
  require(0 <= tau && tau < 0.5, Errc::invalid_argument, option, " must lie in [0, 0.5), got ", tau);
}

void require_scheme(const DistanceOptions& o) {
  require(o.scheme != Scheme::pairs || o.estimator == Estimator::mou, Errc::invalid_argument,
          "scheme pairs is for estimator mou, got ", name(o.estimator));
  require(o.scheme == Scheme::swor || (o.block_size == PerSample<std::size_t>{}), Errc::invalid_argument,
          "block sizes are free in scheme swor only, got scheme ", name(o.scheme));
  require(o.scheme == Scheme::pairs || o.pairs == 0, Errc::invalid_argument,
          "a number of pairs is for scheme pairs, got scheme ", name(o.scheme));
}

void require_network(const DistanceOptions& o) {
  for (const std::size_t size : o.ascent.hidden)
    require(1 <= size && size <= 65536, Errc::invalid_argument, "a hidden layer needs 1 to 65536 units, got ",
            size);
  require(o.ascent.tail >= 1, Errc::invalid_argument, "the tail needs at least one step, got ",
          o.ascent.tail);
  const auto positive = [](double value, const char* option) {
    require(std::isfinite(value) && value > 0, Errc::invalid_argument, option, " must be positive, got ",
            value);
  };
  positive(o.ascent.rate, "the rate");
  positive(o.ascent.clip, "the clip");
  positive(o.ascent.eps, "eps");
  require(0 <= o.ascent.alpha && o.ascent.alpha < 1, Errc::invalid_argument, "alpha must lie in [0, 1), got ",
          o.ascent.alpha);
}

void require_weights(const DistanceOptions& o) {
  if (o.weights.x.empty() && o.weights.y.empty()) return;
  require(
      o.estimator == Estimator::plain, Errc::invalid_argument,
      "row weights are for estimator plain: company counts rows and block means take none; got estimator ",
      name(o.estimator));
  require(o.critic == CriticKind::exact || o.critic == CriticKind::automatic, Errc::invalid_argument,
          "row weights need critic exact, got ", name(o.critic));
}

void require_tau_auto(const DistanceOptions& o) {
  require(!o.tau_auto || (o.estimator != Estimator::plain && o.blocks == PerSample<std::size_t>{}),
          Errc::invalid_argument,
          "tau auto says how many rows may be wrong: give no blocks, and not estimator plain");
}

void require_company(const DistanceOptions& o) {
  if (o.estimator != Estimator::company) return;
  require(o.critic == CriticKind::automatic || o.critic == CriticKind::exact, Errc::invalid_argument,
          "estimator company takes exact transport; critic ", name(o.critic),
          " is for the estimators with blocks (mom, mou, mou-diag)");
}

void require_run(const DistanceOptions& o) {
  require(o.read_out >= 1, Errc::invalid_argument,
          "the value needs at least one draw of blocks, got read_out = 0");
  require(std::isfinite(o.time_limit) && o.time_limit >= 0, Errc::invalid_argument,
          "the time limit must be a number of seconds above 0, or 0 for none; got ", o.time_limit);
  require(!o.network || (o.critic != CriticKind::clipped && o.estimator != Estimator::plain),
          Errc::invalid_argument,
          "a network beside the value needs a robust estimator and critic auto or exact");
}

void require_metric(const DistanceOptions& o) {
  require(std::isfinite(o.bandwidth) && o.bandwidth >= 0, Errc::invalid_argument,
          "the bandwidth must be positive, or 0 to take it from the data; got ", o.bandwidth);
  if (o.metric == Metric::w1) return;
  require(o.estimator != Estimator::company, Errc::invalid_argument, "metric ", name(o.metric),
          " is for the estimators plain, mom, mou and mou-diag, got company");
  require(o.critic == CriticKind::automatic || o.critic == CriticKind::exact, Errc::invalid_argument,
          "metric ", name(o.metric), " takes the functions of its kernel; critic ", name(o.critic),
          " is for metric w1");
  require(!o.network, Errc::invalid_argument, "a network beside the value is for metric w1, got ",
          name(o.metric));
}

}  // namespace

std::string useless(std::string_view option, const DistanceOptions& o, std::size_t n, std::size_t m,
                    bool has_levels) {
  if (option == "category_weight")
    return has_levels ? "" : "tables in which a category or a missing level takes part";
  const CriticKind critic = o.metric != Metric::w1              ? CriticKind::exact
                            : o.critic == CriticKind::automatic ? choose_critic(n, m).critic
                                                                : o.critic;
  const bool company = o.estimator == Estimator::company,
             blocks = !company && o.estimator != Estimator::plain,
             exact = company || critic == CriticKind::exact,
             clipped = !company && critic == CriticKind::clipped;
  const auto unless = [&](bool used, const char* with) {
    if (used) return std::string();
    std::string text = std::string(with).append("; this is estimator ").append(name(o.estimator));
    return company ? text : text.append(" with critic ").append(name(critic));
  };
  if (option == "bandwidth") return o.metric == Metric::mmd ? "" : "metric mmd";
  const auto is_one_of = [&](std::initializer_list<std::string_view> options) {
    return std::ranges::find(options, option) != options.end();
  };
  if (option == "tau") return unless(company || blocks, "estimators that withstand wrong rows");
  if (option == "critic") return unless(!company, "estimators with blocks (mom, mou, mou-diag) and plain");
  if (is_one_of({"blocks", "scheme", "block_size", "pairs"}))
    return unless(blocks, "estimators with blocks (mom, mou, mou-diag)");
  if (is_one_of({"certify", "read_out"}))
    return unless(blocks && !clipped, "estimators with blocks and the critics exact and lipschitz");
  if (is_one_of({"permutations", "paper"})) return unless(company, "estimator company");
  if (is_one_of({"checkpoint", "checkpoint_seconds"}))
    return unless(!exact, "the critics lipschitz and clipped");
  if (is_one_of({"hidden", "rate", "alpha", "eps", "clip", "tail"})) return unless(clipped, "critic clipped");
  if (option == "trace") return unless(!exact, "the critics lipschitz and clipped");
  if (option == "steps")
    return unless(!exact || o.network, "the critics lipschitz and clipped, and the network beside exact");
  return {};
}

namespace {

/// Costs of pairs that a solve keeps; at most, where it may be of some rows alone.
double kept_costs(std::size_t n, std::size_t m, std::size_t d, double least_share = 1) {
  return solver::stored_bytes(n, m, d, TransportOptions().stored_costs, least_share);
}

/// Rows without company are left out of what is solved.
double least_kept(const DistanceOptions& o) {
  constexpr double least_with_any_tau = 0.5;
  return o.tau_auto ? least_with_any_tau
                    : 1 - std::clamp(std::max(o.tau.x, o.tau.y), 0.0, least_with_any_tau);
}

/// What solves have of each row: in few columns trees and boxes, and searches of both side by side.
double company_row_bytes(std::size_t n, std::size_t m, std::size_t d, double threads) {
  constexpr std::size_t few_columns = 3, most_flat_rows = 8000;
  const double one = d > few_columns ? 1200 : std::max(n, m) <= most_flat_rows ? 1900 : 1300;
  return one + (d > few_columns ? 300 : 800) * (threads - 1);
}

double company_bytes(std::size_t n, std::size_t m, std::size_t d, const DistanceOptions& o, double threads) {
  constexpr std::size_t most_permuted_rows = 2000;
  const bool permutes = o.permutations ? *o.permutations > 0 : std::max(n, m) <= most_permuted_rows;
  const double costs = kept_costs(n, m, d, least_kept(o)), of_a_thread = permutes ? 2.5 : 1;
  return (6 + 5.6 * threads) * sample_bytes(n + m, d) + (1 + of_a_thread * threads) * costs +
         company_row_bytes(n, m, d, threads) * static_cast<double>(n + m);
}

/// The kernel's values of all pairs of rows, where they are kept.
double kernel_bytes(std::size_t rows) {
  return rows <= KernelSums::most_rows_kept
             ? sizeof(double) * static_cast<double>(rows) * static_cast<double>(rows)
             : 0;
}

/// Distances of pairs of blocks; and for w1 of few rows all distances for an ascent, beside which it solves.
double bracket_bytes(std::size_t n, std::size_t m, std::size_t d, const DistanceOptions& o, double threads) {
  const BlockPlan plan = plan_blocks(n, m, o, o.tau).blocks;
  const double pairs = static_cast<double>(plan.k_x) * static_cast<double>(plan.k_y),
               distances = static_cast<double>(BracketOptions().max_distances);
  if (o.metric != Metric::w1) return sizeof(double) * std::min(pairs, distances);
  const double cells = static_cast<double>(n) * static_cast<double>(m), rows = static_cast<double>(n + m),
               ascent =
                   static_cast<double>(m) * rows <= most_distances_for_ascent
                       ? sizeof(float) * static_cast<double>(m) * rows + (threads - 1) * kept_costs(n, m, d)
                       : 0;
  return sizeof(double) * pairs * std::min(1.0, distances / cells) + ascent;
}

/// Weights with what the ascent keeps of them: gradients (of each thread), moments, the best so far.
double network_bytes(std::size_t d, const std::vector<std::size_t>& hidden, double threads) {
  double weights = 0;
  std::size_t before = d;
  for (const std::size_t units : hidden) {
    weights += static_cast<double>(before + 1) * static_cast<double>(units);
    before = units;
  }
  return (4.5 + 0.5 * threads) * sizeof(float) * weights;
}

double lipschitz_bytes(std::size_t rows, std::size_t d) {
  return 2.7 * sample_bytes(rows, d) + 500 * std::min(static_cast<double>(rows), 1e5);
}

double estimator_bytes(std::size_t n, std::size_t m, std::size_t d, const DistanceOptions& o,
                       double threads) {
  const bool plain = o.estimator == Estimator::plain;
  const CriticKind critic = o.metric != Metric::w1              ? CriticKind::exact
                            : o.critic == CriticKind::automatic ? choose_critic(n, m).critic
                                                                : o.critic;
  const double samples = sample_bytes(n + m, d), rows = static_cast<double>(n + m);
  const bool several = threads > 1;
  const bool valid = 0 <= o.tau.x && o.tau.x < 0.5 && 0 <= o.tau.y && o.tau.y < 0.5;
  const double bracket = o.certify && !plain && valid ? bracket_bytes(n, m, d, o, threads) : 0;
  if (critic == CriticKind::clipped)
    return 2.9 * samples + 500 * std::min(rows, 1e5) + network_bytes(d, o.ascent.hidden, threads);
  const double of_solves = 600 * (threads - 1) * rows,
               blocks_or_one = (5.4 + 0.6 * threads) * samples + 1000 * rows + of_solves + bracket;
  if (o.metric != Metric::w1) return blocks_or_one + kernel_bytes(n + m);
  constexpr double of_median_blocks = 0.65;  // of the rows are in a median block now and then: 0.65 to 0.7
  const double costs = kept_costs(n, m, d, plain ? 1 : of_median_blocks);
  if (critic == CriticKind::exact) return blocks_or_one + (plain ? 1 : several ? 2.5 : 1.6) * costs;
  if (plain) return 2.9 * samples;
  const double exact_beside = affordable(n, m) ? (several ? 2 : 1) * costs + of_solves : 0;
  return lipschitz_bytes(n + m, d) + exact_beside + bracket;
}

}  // namespace

double distance_bytes(std::size_t n, std::size_t m, std::size_t d, const DistanceOptions& o) {
  constexpr double to_spare = 1.25;
  const auto threads = static_cast<double>(thread_count(o.threads));
  const bool company = o.estimator == Estimator::company;
  double bytes =
      process_bytes + (company ? company_bytes(n, m, d, o, threads) : estimator_bytes(n, m, d, o, threads));
  DistanceOptions beside;
  beside.estimator = Estimator::mom;
  constexpr double not_given_back = 0.25;  // mom comes after the rest
  if (company && o.paper) bytes += not_given_back * estimator_bytes(n, m, d, beside, threads);
  if (o.network) bytes += lipschitz_bytes(n + m, d);
  return to_spare * bytes;
}

void validate(const SamplePart& x, const SamplePart& y, const DistanceOptions& options) {
  require_tau(options.tau.x, options.tau.x == options.tau.y ? "tau" : "tau_x");
  require_tau(options.tau.y, "tau_y");
  require_scheme(options);
  require_weights(options);
  require_network(options);
  const std::size_t d = x.rows.cols();
  require(d == y.rows.cols(), Errc::invalid_argument, "X and Y must have the same number of columns, got ", d,
          " and ", y.rows.cols());
  require_rows(x, "X");
  require_rows(y, "Y");
  require_run(options);
  require_tau_auto(options);
  require_company(options);
  require_metric(options);
  require(options.column_names.size() == d, Errc::invalid_argument, "there are ", d, " columns and ",
          options.column_names.size(), " names of columns");
  (void)column_units(x.rows, y.rows, options.scale, options.column_names);
  require_memory(distance_bytes(x.rows.rows(), y.rows.rows(), d, options), options.memory_limit);
  if (options.estimator != Estimator::company) (void)plan_blocks(x.all, y.all, options, options.tau);
  require(std::isfinite(options.checkpoint_seconds) && options.checkpoint_seconds >= 0,
          Errc::invalid_argument, "the seconds between two checkpoints must be 0 or more, got ",
          options.checkpoint_seconds);
  require(options.ranks->alone() || options.time_limit == 0, Errc::unsupported,
          "a time limit is for one rank: several could not stop at the same place");
}

}  // namespace motmot
