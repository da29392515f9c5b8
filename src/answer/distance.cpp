#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

#include "answer/company.hpp"
#include "answer/paper.hpp"
#include "data/units.hpp"
#include "motmot/answer.hpp"

namespace motmot {
namespace {

/// The answer by an estimator with blocks, or by plain.
Distance blocks_answer(PointsView x, PointsView y, const DistanceOptions& o, const SampleNames& names,
                       Team& team, Watch& watch) {
  TauGiven tau{.tau = o.tau};
  if (o.tau_auto) {
    const TauGrid grid = look_over_tau(scale(x, y), o.seed, team, watch.part(0, 0));
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
             .asked = {.why_critic = found.why_critic, .why_tau = tau.why, .rows_used = {x.rows(), y.rows()}},
             .run = {.stopped = found.stopped, .solves = e.solves, .trace = std::move(found.trace)},
             .phi = found.critic};
  if (e.low && e.high) w.interval = {*e.low, *e.high};
  if (o.keep_rows)
    w.rows = {{.phi = std::move(found.phi.x), .frequency = std::move(found.frequency.x)},
              {.phi = std::move(found.phi.y), .frequency = std::move(found.frequency.y)}};
  w.neighbours.paper = e;
  return w;
}

/// The paper's estimate beside company, with the blocks that tau asks for.
PaperEstimate paper_beside(PointsView x, PointsView y, const DistanceOptions& o, const Distance& w,
                           const SampleNames& names, Team& team, Watch& watch) {
  DistanceOptions paper;
  paper.estimator = Estimator::mom;
  paper.seed = o.seed;
  return paper_answer(x, y, paper, {w.tau_x, w.tau_y}, names, 0.95, team, watch).estimate;
}

NetworkEstimate network_beside(PointsView x, PointsView y, const DistanceOptions& o, const Distance& w,
                               const SampleNames& names, Team& team, Watch& watch) {
  DistanceOptions blocks = o;
  if (o.estimator == Estimator::company) blocks.estimator = Estimator::mom;
  const BlockPlan plan = plan_blocks(x.rows(), y.rows(), blocks, {w.tau_x, w.tau_y}, names).blocks;
  const Estimate e = estimate_lipschitz(x, y, {blocks.estimator, plan, o.read_out, o.ascent, o.seed}, team,
                                        watch.part(0.5, 1));
  return {.held_out = e.held_out,
          .value = std::max(0.0, e.value),
          .sd = e.sd,
          .lipschitz = *e.lipschitz,
          .settled = e.settled};
}

/// From samples in the units that they are compared in to everything that is said of them.
Distance answer(PointsView x, PointsView y, const DistanceOptions& o, const SampleNames& names) {
  Watch watch(o.progress, o.time_limit);
  Team team(o.threads);
  const bool company = o.estimator == Estimator::company;
  Distance w =
      company ? company_answer(x, y, o, names, team, watch) : blocks_answer(x, y, o, names, team, watch);
  if (company && o.paper && !watch.stopped())
    w.neighbours.paper = paper_beside(x, y, o, w, names, team, watch);
  if (o.network && !watch.stopped()) w.neighbours.network = network_beside(x, y, o, w, names, team, watch);
  w.asked.estimator = o.estimator;
  w.asked.scale = o.scale;
  w.asked.n = x.rows();
  w.asked.m = y.rows();
  w.asked.d = x.cols();
  w.asked.seed = o.seed;
  w.run.stopped = w.run.stopped || watch.stopped();
  w.run.seconds = watch.seconds();
  w.run.threads = team.size();
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
  return o;
}

/// What distance(y, x) found, said of x and y.
Distance exchanged(Distance w) {
  if (w.floor) exchange(w.floor->rows);
  exchange(w.left_out);
  for (Reading& reading : w.readings) reading.sample = reading.sample == Sample::x ? Sample::y : Sample::x;
  for (ProfilePoint& point : w.profile) std::swap(point.x, point.y);
  for (ColumnMove& column : w.columns) column.moved = -column.moved;
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
bool comes_first(PointsView a, PointsView b, const DistanceOptions& o, const DistanceOptions& other) {
  if (a.rows() != b.rows()) return a.rows() > b.rows();
  const std::span<const double> of_a(a.data, a.n * a.d), of_b(b.data, b.n * b.d);
  if (const auto [at_a, at_b] = std::ranges::mismatch(of_a, of_b); at_a != of_a.end()) return *at_a < *at_b;
  return std::tie(o.tau.x, o.blocks.x, o.block_size.x) <
         std::tie(other.tau.x, other.blocks.x, other.block_size.x);
}

/// The solver and the ascents treat their two samples differently. The samples therefore go in in a fixed
/// order, and exchanging them cannot change the value.
Distance ordered_answer(PointsView x, PointsView y, const DistanceOptions& options) {
  const DistanceOptions other = exchanged(options);
  if (options.critic != CriticKind::clipped && comes_first(y, x, other, options))
    return exchanged(answer(y, x, other, {'Y', 'X'}));
  return answer(x, y, options, {'X', 'Y'});
}

// ------------------------------------------------------------------------------------------------- units

/// Which column rules the distance, where columns are taken as they are: its spread and its shift are nearly
/// all of what there is.
std::vector<Warning> about_units(PointsView x, PointsView y, const DistanceOptions& o) {
  if (o.scale != "none" || x.cols() < 2 || o.critic == CriticKind::clipped) return {};
  std::vector<double> sizes = robust_spreads(x, y);
  const std::vector<double> shifts = median_shifts(x, y);
  double sum = 0;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    sizes[k] = sizes[k] * sizes[k] + shifts[k] * shifts[k];
    sum += sizes[k];
  }
  const auto largest = std::ranges::max_element(sizes);
  constexpr double nearly_all = 0.9;
  if (!(*largest > nearly_all * sum) || !std::isfinite(sum)) return {};
  const std::string& column = o.column_names[static_cast<std::size_t>(largest - sizes.begin())];
  std::ostringstream text;
  text.precision(3);
  text << column << " has " << 100 * (*largest / sum) << " % of the spread and so rules the distance; "
       << "--scale robust weighs columns alike";
  return {{WarningCode::units, text.str()}};
}

std::vector<Warning> about_left_out_columns(std::span<const double> units, const DistanceOptions& o) {
  std::string columns;
  for (std::size_t k = 0; k < units.size(); ++k)
    if (units[k] == 0) columns += (columns.empty() ? "" : ", ") + o.column_names[k];
  if (columns.empty()) return {};
  return {{WarningCode::constant_columns,
           "left out, because within each sample it has one value only and so no spread: " + columns}};
}

}  // namespace

Distance distance(PointsView x, PointsView y, const DistanceOptions& options) {
  DistanceOptions o = options;
  if (o.column_names.empty()) o.column_names = default_column_names(x.cols());
  validate(x, y, o);
  const std::vector<double> units = column_units(x, y, o.scale, o.column_names);
  const bool as_they_are = std::ranges::all_of(units, [](double unit) { return unit == 1; });
  Distance w =
      as_they_are ? ordered_answer(x, y, o) : ordered_answer(in_units(x, units), in_units(y, units), o);
  for (std::size_t k = 0; k < w.columns.size(); ++k) {
    w.columns[k].unit = units[k];
    w.columns[k].moved *= units[k];
  }
  if (w.phi && !as_they_are) w.phi = w.phi->in_units(units);
  w.asked.files = o.files;
  w.asked.columns = o.column_names;
  w.asked.rows_dropped = o.rows_dropped;
  std::vector<Warning> said = about_units(x, y, o);
  for (Warning& warning : about_left_out_columns(units, o)) said.push_back(std::move(warning));
  w.warnings.insert(w.warnings.begin(), said.begin(), said.end());
  return w;
}

}  // namespace motmot
