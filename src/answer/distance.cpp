#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "answer/about_columns.hpp"
#include "answer/company.hpp"
#include "answer/paper.hpp"
#include "base/memory.hpp"
#include "base/rank_statistics.hpp"
#include "base/require.hpp"
#include "data/units.hpp"
#include "motmot/answer.hpp"

namespace motmot {
namespace {

/// The answer by an estimator with blocks, or by plain.
Distance blocks_answer(const SamplePart& x, const SamplePart& y, const DistanceOptions& o,
                       const SampleNames& names, Team& team, Watch& watch) {
  TauGiven tau{.tau = o.tau};
  if (o.tau_auto) {
    const TauGrid grid = look_over_tau(scale(x.rows, y.rows), o.seed, team, watch.part(0, 0));
    tau = find_tau(o, grid, names);
  }
  PaperAnswer found = paper_answer(x, y, o, tau.tau, names, o.network ? 0.5 : 1, team, watch);
  const PaperEstimate& e = found.estimate;
  Distance w{.value = e.value,
             .plain = found.plain,
             .partial = found.partial,
             .tau_x = tau.tau.x,
             .tau_y = tau.tau.y,
             .warnings = std::move(found.warnings),
             .asked = {.bandwidth = found.bandwidth,
                       .why_critic = found.why_critic,
                       .why_tau = tau.why,
                       .rows_used = {x.all, y.all}},
             .run = {.stopped = found.stopped,
                     .solves = e.solves,
                     .bytes_a_step = found.bytes_a_step,
                     .trace = std::move(found.trace)},
             .phi = found.critic};
  if (e.low && e.high) w.interval = {*e.low, *e.high};
  if (o.keep_rows)
    w.rows = {{.phi = std::move(found.phi.x), .frequency = std::move(found.frequency.x)},
              {.phi = std::move(found.phi.y), .frequency = std::move(found.frequency.y)}};
  w.neighbours.paper = e;
  return w;
}

/// The paper's estimate beside company, with the blocks that tau asks for.
PaperEstimate paper_beside(const SamplePart& x, const SamplePart& y, const DistanceOptions& o,
                           const Distance& w, const SampleNames& names, Team& team, Watch& watch) {
  DistanceOptions paper;
  paper.estimator = Estimator::mom;
  paper.seed = o.seed;
  paper.ranks = o.ranks;
  return paper_answer(x, y, paper, {w.tau_x, w.tau_y}, names, 0.95, team, watch).estimate;
}

NetworkEstimate network_beside(const SamplePart& x, const SamplePart& y, const DistanceOptions& o,
                               const Distance& w, const SampleNames& names, Team& team, Watch& watch) {
  DistanceOptions blocks = o;
  if (o.estimator == Estimator::company) blocks.estimator = Estimator::mom;
  const BlockPlan plan = plan_blocks(x.all, y.all, blocks, {w.tau_x, w.tau_y}, names).blocks;
  const Estimate e = estimate_lipschitz(x, y,
                                        {.estimator = blocks.estimator,
                                         .plan = plan,
                                         .read_out = o.read_out,
                                         .ascent = o.ascent,
                                         .seed = o.seed,
                                         .ranks = o.ranks},
                                        team, watch.part(0.5, 1));
  return {.held_out = e.held_out,
          .value = std::max(0.0, e.value),
          .sd = e.sd,
          .lipschitz = *e.lipschitz,
          .settled = e.settled};
}

/// From samples in the units that they are compared in to everything that is said of them.
Distance answer(const SamplePart& x, const SamplePart& y, const Coding& coding, const DistanceOptions& o,
                const SampleNames& names) {
  Watch watch(o.progress, o.time_limit);
  Team team(o.threads);
  const bool company = o.estimator == Estimator::company;
  Distance w = company ? company_answer(x.rows, y.rows, coding, o, names, team, watch)
                       : blocks_answer(x, y, o, names, team, watch);
  if (company && o.paper && !watch.stopped())
    w.neighbours.paper = paper_beside(x, y, o, w, names, team, watch);
  if (o.network && !watch.stopped()) w.neighbours.network = network_beside(x, y, o, w, names, team, watch);
  w.asked.estimator = o.estimator;
  w.asked.metric = o.metric;
  w.asked.scale = coding.scale;
  w.asked.n = x.all;
  w.asked.m = y.all;
  w.asked.d = coding.columns.size();
  w.asked.seed = o.seed;
  w.run.stopped = w.run.stopped || watch.stopped();
  w.run.seconds = watch.seconds();
  w.run.threads = team.size();
  w.run.ranks = o.ranks->size();
  if (!o.ranks->alone()) w.run.bytes_sent = count_over_ranks(o.ranks->sent().bytes, *o.ranks);
  if (w.run.stopped)
    w.warnings.push_back({WarningCode::stopped, "stopped early: this is the best answer so far"});
  return w;
}

// ------------------------------------------------------------------------------------ exchanging X and Y

template <class T>
void exchange(PerSample<T>& both) {
  std::swap(both.x, both.y);
}

DistanceOptions exchanged(DistanceOptions o) {
  exchange(o.tau);
  exchange(o.blocks);
  exchange(o.block_size);
  exchange(o.weights);
  exchange(o.rows_read);
  return o;
}

/// What distance(y, x) found, said of x and y.
Distance exchanged(Distance w) {
  if (w.floor) exchange(w.floor->rows);
  if (w.subsampling)
    for (SizePoint& size : w.subsampling->sizes) exchange(size.rows);
  exchange(w.left_out);
  for (Reading& reading : w.readings) reading.sample = reading.sample == Sample::x ? Sample::y : Sample::x;
  for (ProfilePoint& point : w.profile) std::swap(point.x, point.y);
  for (ColumnMove& column : w.columns) {
    if (column.kind != Kind::category) column.moved = -column.moved;
    for (LevelMove& level : column.levels) level.moved = -level.moved;
  }
  std::swap(w.tau_x, w.tau_y);
  for (TauPoint& point : w.tau_path) std::swap(point.x, point.y);
  if (w.neighbours.paper) {
    exchange(w.neighbours.paper->blocks);
    exchange(w.neighbours.paper->block_size);
  }
  std::swap(w.asked.n, w.asked.m);
  exchange(w.asked.rows_used);
  exchange(w.rows);
  for (std::vector<double>* phi : {&w.rows.x.phi, &w.rows.y.phi})
    for (double& value : *phi) value = -value;
  if (w.phi) w.phi = w.phi->negated();
  return w;
}

/// Which of two samples (and of what the options say of them) comes first. Any fixed order will do.
bool comes_first(const SamplePart& a, const SamplePart& b, const DistanceOptions& o,
                 const DistanceOptions& other) {
  if (a.all != b.all) return a.all > b.all;
  const std::span<const double> of_a(a.rows.data, a.rows.n * a.rows.d),
      of_b(b.rows.data, b.rows.n * b.rows.d);
  const auto [at_a, at_b] = std::ranges::mismatch(of_a, of_b);
  std::string found = at_a == of_a.end() ? "" : *at_a < *at_b ? "a" : "b";
  if (!a.whole())
    for (const std::string& of_rank : o.ranks->gather(std::exchange(found, "")))
      if (found.empty()) found = of_rank;
  if (!found.empty()) return found == "a";
  return std::tie(o.tau.x, o.blocks.x, o.block_size.x) <
         std::tie(other.tau.x, other.blocks.x, other.block_size.x);
}

/// The solver and the ascents treat their two samples differently. The samples therefore go in in a fixed
/// order, and exchanging them cannot change the value.
Distance ordered_answer(const SamplePart& x, const SamplePart& y, const Coding& coding,
                        const DistanceOptions& options) {
  const DistanceOptions other = exchanged(options);
  if (options.critic != CriticKind::clipped && comes_first(y, x, other, options))
    return exchanged(answer(y, x, coding, other, {'Y', 'X'}));
  return answer(x, y, coding, options, {'X', 'Y'});
}

// ------------------------------------------------------------------------------------------------ columns

/// Numbers alone, as they are given.
Coding number_coding(const std::vector<std::string>& names, std::span<const double> units,
                     const std::string& scale) {
  Coding coding{.scale = scale};
  for (std::size_t k = 0; k < names.size(); ++k)
    coding.columns.push_back({.name = names[k], .place = k, .unit = units[k]});
  return coding;
}

/// The answer in the units of the columns; x and y are coded.
Distance answer_in_units(const SamplePart& x, const SamplePart& y, const Coding& coding,
                         const DistanceOptions& o) {
  Distance w = ordered_answer(x, y, coding, o);
  std::vector<double> units;
  for (const CodedColumn& column : coding.columns) {
    units.push_back(column.unit);
    w.asked.columns.push_back(column.name);
    w.asked.kinds.push_back(column.kind);
  }
  const bool as_they_are = std::ranges::all_of(units, [](double unit) { return unit == 1; });
  if (w.phi && coding.is_plain() && !as_they_are) w.phi = w.phi->in_units(units);
  if (w.phi && coding.is_plain() && has_names(w.asked.columns)) w.phi = w.phi->with_columns(w.asked.columns);
  w.asked.columns_left_out = coding.left_out;
  if (coding.has_levels()) w.asked.category_weight = coding.category_weight;
  w.asked.files = o.files;
  w.asked.rows_dropped = o.rows_dropped;
  w.asked.rows_read = o.rows_read;
  const Warnings said = about_columns(x, y, coding, w, o);
  w.warnings.insert(w.warnings.begin(), said.begin(), said.end());
  return w;
}

}  // namespace

Distance distance(PointsView x, PointsView y, const DistanceOptions& options) {
  DistanceOptions o = options;
  if (o.column_names.empty()) o.column_names = default_column_names(x.cols());
  if (o.scale == "auto") o.scale = "none";
  o.ranks->agree([&] { validate(whole(x), whole(y), o); });
  const std::vector<double> units = column_units(x, y, o.scale, o.column_names);
  const Coding coding = number_coding(o.column_names, units, o.scale);
  if (std::ranges::all_of(units, [](double unit) { return unit == 1; }))
    return answer_in_units(whole(x), whole(y), coding, o);
  const Points in_units_x = in_units(x, units), in_units_y = in_units(y, units);
  return answer_in_units(whole(in_units_x), whole(in_units_y), coding, o);
}

PerSample<RowRange> rows_of_rank(std::size_t n, std::size_t m, const DistanceOptions& o) {
  if (o.estimator == Estimator::company || o.metric != Metric::w1) return {{0, n}, {0, m}};
  const CriticKind critic = o.critic == CriticKind::automatic ? choose_critic(n, m).critic : o.critic;
  const RowSplit split = row_split(critic, n, m, o.estimator, plan_blocks(n, m, o, o.tau).blocks, *o.ranks);
  return {split.x.here(), split.y.here()};
}

Distance distance(const SamplePart& x, const SamplePart& y, const DistanceOptions& options) {
  DistanceOptions o = options;
  if (o.column_names.empty()) o.column_names = default_column_names(x.rows.cols());
  if (o.scale == "auto") o.scale = "none";
  o.ranks->agree([&] {
    require(o.scale == "none", Errc::unsupported,
            "rows that are split over ranks are compared in their own units: ", "scale must be none, got ",
            o.scale);
    require(!o.tau_auto, Errc::unsupported,
            "tau auto looks at all rows, which are split over ranks: give a number");
    validate(x, y, o);
    const PerSample<RowRange> needed = rows_of_rank(x.all, y.all, o);
    for (const auto& [part, rows] : {std::pair(x, needed.x), std::pair(y, needed.y)})
      require(part.first == rows.first && part.rows.n == rows.count(), Errc::invalid_argument,
              "this rank needs rows ", rows.first, " to ", rows.last, ", got ", part.first, " to ",
              part.first + part.rows.n);
  });
  const std::vector<double> units(o.column_names.size(), 1.0);
  return answer_in_units(x, y, number_coding(o.column_names, units, o.scale), o);
}

Distance coded_distance(PointsView x, PointsView y, const Coding& coding, const DistanceOptions& options) {
  for (const PointsView points : {x, y})
    require(points.cols() == coding.width(), Errc::invalid_argument, "the rows have ", points.cols(),
            " coordinates and the coding has ", coding.width());
  DistanceOptions o = options;
  o.column_names = default_column_names(x.cols());
  o.scale = "none";
  o.ranks->agree([&] { validate(whole(x), whole(y), o); });
  return answer_in_units(whole(x), whole(y), coding, o);
}

Distance distance(const Frame& x, const Frame& y, const DistanceOptions& options) {
  const Coding coding = learn_coding(x, y, {options.scale, options.category_weight, options.missing});
  require_memory(distance_bytes(x.n(), y.n(), coding.width(), options), options.memory_limit);
  DistanceOptions o = options;
  o.weights = {x.weights, y.weights};
  o.rows_dropped = {x.rows_dropped, y.rows_dropped};
  return coded_distance(encode(x, coding), encode(y, coding), coding, o);
}

}  // namespace motmot
