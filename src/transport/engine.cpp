#include "transport/engine.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/euclidean.hpp"
#include "base/require.hpp"
#include "transport/forest.hpp"

namespace motmot {

using namespace solver;

namespace {

// Row scans per row before searches give way to the simplex. Searches grow longer with n; measured on shifted
// samples with outliers in the plane they win at 6000 rows (3 s against 10) and lose at 10^4 (25 s against
// 11).
constexpr std::uint64_t scans_per_row(std::size_t n) { return n <= 8000 ? 1000 : 100; }
// Columns a row that searches look at, and passes over whole rows that an auction takes, before points are
// taken to lie on lines (a number beside a flag, incomes beside ages): most ways then cost the same, and the
// simplex starts anew. Measured on 19 kinds of points. 2000 rows: up to 1100 columns where the auction is the
// better one, 1300 to 82 000 where the simplex is, 3 to 10 times; 6000 rows: up to 1200, or 3000 to 83 000.
// 60 passes and none at all are the same to shifts, shapes, modes and outliers (500 to 2000 rows, seeds 91
// and 92); 40 cost them up to 1.8 times.
constexpr std::uint64_t columns_per_row = 1500;
constexpr std::uint64_t passes_per_row = 60;
// Bids a row without epsilon before the searches.
constexpr std::uint64_t free_bids = 8;

// Points lie on lines if their dimension is between these (clusters that are far from each other have less),
// and exactly if they are off a line by less than this share of the way along it: ties are ties then, and no
// costs in double tell more. Measured on 18 kinds of points, 500 to 6000 rows: where the rule holds, 1.2 to 4
// times faster on most, 7 at best; points on a circle lose up to half. Fewer rows are not worth the look.
constexpr double thinner_than_line = 0.7, between_line_and_plane = 1.5;
constexpr double exact_line = 1e-9;
constexpr std::size_t fewest_on_lines = 256;
// The simplex looks for pairs that it lacks in so many blocks of rows, with pivots after each: on lines one
// pair that is missing makes many rows ask for pairs. 2000 rows on two lines: 13 passes over all rows in one
// block, 5 in eight; elsewhere blocks take a tenth more time, but passes that ask a tree take longer than
// pivots do: a vertex of 4 * 10^4 clustered points 67 passes in one block, 5 in eight.
constexpr std::uint32_t several_blocks = 8;
constexpr std::size_t nodes_for_blocks = 100000;

// Shares of the cost: a gap that asks for nothing more, and rounding that a gap need not count.
constexpr double good_gap = 1e-9, rounding_of_cost = 1e-12;

void require_points(PointsView points, const char* name) {
  require(points.rows() > 0 && points.cols() > 0, Errc::invalid_argument, "sample ", name,
          " is empty: ", points.rows(), " rows, ", points.cols(), " columns");
  require(points.rows() < (std::size_t{1} << 31), Errc::unsupported, "sample ", name, " has ", points.rows(),
          " rows, more than 2^31 - 1");
  const std::size_t count = points.rows() * points.cols();
  for (std::size_t k = 0; k < count; ++k)
    require(std::isfinite(points.data[k]), Errc::numeric, "sample ", name, ", row ", k / points.cols(),
            ", column ", k % points.cols(), " is not finite");
}

void require_limits(const TransportOptions& options) {
  require(std::isfinite(options.gap) && 0 <= options.gap && options.gap < 1, Errc::invalid_argument,
          "the gap must be a share of the cost of at least 0 and below 1, got ", options.gap);
  require(std::isfinite(options.time_limit) && options.time_limit >= 0, Errc::invalid_argument,
          "the time limit must be a number of seconds above 0, or 0 for none; got ", options.time_limit);
}

/// u_i = min_j (c'_ij - v_j), exactly (in double), for every row; `plan` has at least one entry of each row
/// and only serves to look in the right place first.
void exact_row_minima(const Geometry& geometry, ColumnSearch& search, std::span<const FlowEntry> plan,
                      std::span<const double> v, std::vector<double>& u) {
  search.set(v);
  u.assign(geometry.rows(), std::numeric_limits<double>::max());
  for (const FlowEntry& entry : plan)
    u[entry.row] = std::min(u[entry.row], geometry.cost(entry.row, entry.col) - v[entry.col]);
  for (std::size_t i = 0; i < geometry.rows(); ++i)
    for (const std::uint32_t j : search.below(i, u[i])) u[i] = std::min(u[i], geometry.cost(i, j) - v[j]);
}

/// Whether sums of a few distances are numbers that double has.
bool sums_fit(PointsView points) {
  constexpr double most = std::numeric_limits<double>::max() / 16;
  return std::all_of(points.data, points.data + points.rows() * points.cols(),
                     [](double value) { return std::abs(value) <= most; });
}

/// Nothing is certified of numbers that double does not have.
Transport checked(Transport result) {
  const auto finite = [](double value) { return std::isfinite(value); };
  require(
      finite(result.cost) && finite(result.gap) && std::ranges::all_of(result.u, finite) &&
          std::ranges::all_of(result.v, finite),
      Errc::numeric,
      "distances between these rows are beyond the range of double (1.8e308): divide all columns by the same "
      "number");
  return result;
}

}  // namespace

void TransportEngine::bind(PointsView x, PointsView y) {
  require_points(x, "x");
  require_points(y, "y");
  require(x.cols() == y.cols(), Errc::invalid_argument, "x has ", x.cols(), " columns, y has ", y.cols());
  x_ = x;
  y_ = y;
  known_ = false;
  last_v_.clear();
}

Transport TransportEngine::solve(std::span<const double> a, std::span<const double> b,
                                 const TransportOptions& options, bool warm) {
  require_limits(options);
  masses_.from_weights(x_.rows(), y_.rows(), a, b);
  if (same_sample()) return trivial(options);
  if (x_.cols() == 1 && settings.sort_one_dimension)
    return checked(solve_one_dimension(x_, y_, masses_, options));
  put_copies_together();
  return checked(solve_general(options, false, warm));
}

Transport TransportEngine::solve_partial(double tau_x, double tau_y, const TransportOptions& options,
                                         bool warm) {
  require_limits(options);
  masses_.from_shares(x_.rows(), y_.rows(), tau_x, tau_y);
  if (same_sample()) return trivial(options);
  if (x_.cols() == 1 && settings.sort_one_dimension && sums_fit(x_) && sums_fit(y_))
    return checked(solve_partial_line(x_, y_, masses_, options));
  put_copies_together();
  return checked(solve_general(options, true, warm));
}

// The same rows in the same order with the same masses: nothing has to move, not even by rounding.
bool TransportEngine::same_sample() const {
  return x_.rows() == y_.rows() && masses_.rows == masses_.cols && masses_.a == masses_.b &&
         std::equal(x_.data, x_.data + x_.rows() * x_.cols(), y_.data);
}

Transport TransportEngine::trivial(const TransportOptions& options) const {
  Transport result;
  const double count = static_cast<double>(masses_.total);
  Mass left = masses_.total;  // partial transport moves no more than 1
  if (options.want_plan)
    for (std::size_t k = 0; k < masses_.rows.size() && left > 0; ++k) {
      const Mass mass = std::min(left, masses_.a[k]);
      result.plan.push_back({masses_.rows[k], masses_.rows[k], static_cast<double>(mass) / count});
      left -= mass;
    }
  if (options.want_potentials) {
    result.u.assign(x_.rows(), 0);
    result.v.assign(y_.rows(), 0);
  }
  return result;
}

Transport TransportEngine::solve_general(const TransportOptions& options, bool slack, bool warm) {
  status_ = TransportStatus::optimal;
  started_ = std::chrono::steady_clock::now();
  work_ = {};
  search_ = &flat_search_;
  warm = warm && !last_v_.empty();
  set_geometry(options, slack);
  start_prices(warm);
  if (masses_.rows.size() == 1 || masses_.cols.size() == 1) {
    solve_single();
  } else if (!warm && suits_tree() &&
             (x_.cols() == 2 ? solve_by_tree<2>(options) : solve_by_tree<3>(options))) {
    return report(options, slack);
  } else if (settings.finish == Finish::augment ||
             (settings.finish == Finish::automatic && masses_.equal && !on_lines_)) {
    solve_assignment(options, warm);
  } else {
    solve_flow(options, warm);
  }
  exact_row_minima(geometry_, *search_, plan_, v_, u_);
  if (geometry_.is_wild() &&
      (status_ == TransportStatus::optimal || status_ == TransportStatus::work_limit) &&
      gap() > good_gap * plan_cost())
    try_far_apart(options, slack);
  if (geometry_.refined()) {
    geometry_.coarsen(u_, v_);
    known_ = false;  // the costs that are stored are the refined ones
  }
  return report(options, slack);
}

// Where far points serve each other, differences of what they cost are lost in how far they are: they are
// taken apart from the near ones, as if between the two all distances were one, far smaller one. A plan that
// moves nothing between them is right for the true distances, too. Kept if it certifies more.
void TransportEngine::try_far_apart(const TransportOptions& options, bool slack) {
  const double before = gap();
  const TransportStatus status = status_;
  const Geometry geometry = geometry_;
  const std::vector<FlowEntry> plan = plan_;
  const std::vector<double> u = u_, v = v_;
  known_ = false;
  set_geometry(options, slack);
  if (geometry_.can_be_taken_apart()) {
    status_ = TransportStatus::optimal;
    start_prices(false);
    far_apart_ = true;
    solve_flow(options, false);
    far_apart_ = false;
    exact_row_minima(geometry_, *search_, plan_, v_, u_);
    if (!geometry_.connects_far(plan_) && gap() < before) return;
  }
  status_ = status;
  geometry_ = geometry;
  plan_ = plan;
  u_ = u;
  v_ = v;
  known_ = false;
}

void TransportEngine::set_geometry(const TransportOptions& options, bool slack) {
  const std::size_t n = masses_.rows.size();
  const std::size_t m = masses_.cols.size();
  if (!known_ || known_rows_ != masses_.rows || known_cols_ != masses_.cols) {
    const Storage storage = settings.storage != Storage::automatic
                                ? settings.storage
                                : choose_storage(n, m, x_.cols(), options.stored_costs);
    cols_ = storage == Storage::boxes ? neighbour_order(y_, masses_.cols) : masses_.cols;
    geometry_.build(x_, y_, masses_.rows, cols_, masses_.a.size() > n, masses_.b.size() > m);
    scanner_.bind(geometry_, storage, options.stored_costs);
    look_for_lines();
    known_rows_ = masses_.rows;
    known_cols_ = masses_.cols;
    known_ = !slack;
  }
  b_ = masses_.b;
  // The geometry may have its columns in another order.
  std::vector<Mass> of_point(y_.rows());
  for (std::size_t k = 0; k < m; ++k) of_point[masses_.cols[k]] = masses_.b[k];
  for (std::size_t k = 0; k < m; ++k) b_[k] = of_point[cols_[k]];
}

void TransportEngine::look_for_lines() {
  on_lines_ = on_thin_lines_ = false;
  if (std::min(geometry_.x().n, geometry_.y().n) < fewest_on_lines || suits_tree()) return;
  const Surroundings around = surroundings(geometry_);
  on_lines_ = thinner_than_line < around.dimension && around.dimension < between_line_and_plane;
  on_thin_lines_ = on_lines_ && !geometry_.is_wild() && around.thickness > exact_line;
}

// Zero in the gauge is the distance from the centre: right for far points, a fair start for others.
void TransportEngine::start_prices(bool warm) {
  v_.assign(geometry_.cols(), 0);
  if (warm)
    for (std::size_t j = 0; j < cols_.size(); ++j)
      v_[j] = last_v_[cols_[j]] / geometry_.unit() - geometry_.y().apart(j);
  if (warm && geometry_.has_slack_col()) v_.back() = last_v_left_out_ / geometry_.unit();
  prices_.reset(geometry_, v_);
  lists_.reset(geometry_, scanner_);
}

bool TransportEngine::ask(const TransportOptions& options, double done) {
  if (status_ == TransportStatus::stopped) return false;
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  };
  if ((options.progress && !options.progress(done)) ||
      (options.time_limit > 0 && seconds() >= options.time_limit))
    status_ = TransportStatus::stopped;
  return status_ != TransportStatus::stopped;
}

double TransportEngine::typical() const {
  const double shared = std::min(geometry_.x().largest, geometry_.y().largest);
  return shared > 0 ? std::min(geometry_.scale(), shared) : geometry_.scale();
}

// The largest difference that prices may have to bridge is what both samples reach, in float32.
double TransportEngine::first_epsilon(bool warm) const {
  if (warm) return settings.warm_epsilon * typical();
  const double reached = std::min({geometry_.x().largest, geometry_.y().largest, Geometry::float_reach});
  return settings.first_epsilon * std::max(typical(), reached);
}

// Passing over a stored row is cheap while the costs fit a cache; otherwise lists pay earlier.
Bidder TransportEngine::bidder(const AuctionSettings& tuned) {
  double pays = settings.list_pays_out_of_cache;
  if (scanner_.storage() == Storage::boxes) pays = settings.list_pays_in_boxes;
  if (scanner_.storage() == Storage::stored &&
      geometry_.rows() * geometry_.padded_cols() * sizeof(float) <= settings.cache)
    pays = tuned.list_pays;
  return {geometry_, lists_, scanner_, prices_, pays};
}

// A tree over the columns pays in two and three dimensions, from some size on.
bool TransportEngine::tree_pays(std::size_t points) const {
  const std::size_t d = x_.cols();
  return (d == 2 || d == 3) && settings.finish == Finish::automatic &&
         points >= (d == 2 ? settings.rays.fewest : settings.rays.fewest_in_space);
}

// Its distances are not in the gauge: it leaves points that lie so far out that rounding would show to the
// others.
bool TransportEngine::suits_tree() const {
  return tree_pays(std::min(masses_.rows.size(), masses_.cols.size())) &&
         std::max(geometry_.x().largest, geometry_.y().largest) <= Geometry::far_ratio * geometry_.scale();
}

// False when it gave up: what it did is then forgotten.
template <std::size_t D>
bool TransportEngine::solve_by_tree(const TransportOptions& options) {
  const std::vector<RayPoint<D>> rows = ray_points<D>(geometry_.x());
  const std::vector<RayPoint<D>> cols = ray_points<D>(geometry_.y());
  RaySolver<D> rays;
  RaySettings tuned = settings.rays;
  tuned.gap = options.gap;
  tuned.on_gap = options.on_gap;
  tuned.keep_settled = options.time_limit > 0;
  const RayEnd end = rays.run({rows, cols, masses_.a, b_}, tuned, [&] { return ask(options, 0.5); });
  if (end == RayEnd::work_limit) return false;
  work_.bids = rays.bids();
  work_.searches = rays.searches();
  const auto in_gauge = [](std::span<const double> values, double sign, const Side& side,
                           std::vector<double>& out) {
    out.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
      out[k] = sign * values[k] - (k < side.n ? side.norm[k] : 0);
  };
  in_gauge(rays.prices(), -1, geometry_.y(), v_);
  if (rays.done()) {
    plan_ = FlowForest(geometry_).make(rays.flows());
    in_gauge(rays.row_minima(), 1, geometry_.x(), u_);
    if (settle_for_gap(options) || status_ != TransportStatus::optimal || !options.vertex) return true;
  }
  plan_ = rays.flows();
  prices_.reset(geometry_, v_);
  auto tree = std::make_unique<TreeSearch<D>>(geometry_);
  tree->build(plan_);
  tree->set(v_);
  for (std::size_t i = 0; i < rows.size(); ++i)
    lists_.take(i, tree->below(i, std::numeric_limits<double>::infinity()));
  tree_search_ = std::move(tree);
  search_ = tree_search_.get();
  run_simplex(options);
  exact_row_minima(geometry_, *search_, plan_, v_, u_);
  return true;
}

void TransportEngine::solve_assignment(const TransportOptions& options, bool warm) {
  const std::size_t n = geometry_.rows();
  const AuctionSettings& tuned = settings.assignment;
  bool tied = false;
  const std::uint64_t most_scans = scanner_.scans() + passes_per_row * n;
  work_.bids = assignment_.run(
      n, bidder(tuned), first_epsilon(warm), tuned.last_epsilon * typical(), tuned,
      [&] {
        tied = scanner_.scans() > most_scans;
        return !tied && ask(options, 0.2);
      },
      [&] { return !settle_for_assignment(options); });
  if (status_ == TransportStatus::close) return;
  if (!tied) {
    for (std::size_t j = 0; j < n; ++j) v_[j] = static_cast<double>(prices_[j]);
    const Augmenter::End end = augment(assignment_.columns(), options);
    if (end == Augmenter::End::done) return;
    tied = end == Augmenter::End::many_ties;
  }
  if (tied) {
    start_prices(false);
  } else {
    prices_.reset(geometry_, v_);
    lists_.reset(geometry_, scanner_);
  }
  solve_flow(options, !tied);
}

// Shortest paths from the prices v_ and the columns of rows so far.
Augmenter::End TransportEngine::augment(std::span<const std::uint32_t> columns,
                                        const TransportOptions& options) {
  const std::size_t n = geometry_.rows();
  const Augmenter::End end = augmenter_.run(geometry_, scanner_, lists_, columns, v_, free_bids * n,
                                            {.scans = scans_per_row(n) * n, .columns = columns_per_row * n},
                                            [&] { return ask(options, 0.5); });
  work_.searches += augmenter_.searches();
  plan_.clear();
  for (std::uint32_t i = 0; i < n; ++i)
    if (augmenter_.column_of(i) != nobody) plan_.push_back({i, augmenter_.column_of(i), masses_.a[i]});
  return end;
}

// After a phase of the auction: rows without a column take the best of those that nobody has.
bool TransportEngine::settle_for_assignment(const TransportOptions& options) {
  if (options.gap <= 0) return false;
  const std::size_t n = geometry_.rows();
  for (std::size_t j = 0; j < n; ++j) v_[j] = static_cast<double>(prices_[j]);
  std::vector<std::uint32_t> column_of = assignment_.columns();
  std::vector<std::uint8_t> taken(n, 0);
  for (const std::uint32_t j : column_of)
    if (j != nobody) taken[j] = 1;
  std::vector<std::uint32_t> open;
  for (std::uint32_t j = 0; j < n; ++j)
    if (taken[j] == 0) open.push_back(j);
  if (open.size() * open.size() > n) return false;  // far from settled
  plan_.clear();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (column_of[i] == nobody) {
      const auto best =
          std::ranges::min_element(open, {}, [&](std::uint32_t j) { return geometry_.cost(i, j) - v_[j]; });
      column_of[i] = *best;
      open.erase(best);
    }
    plan_.push_back({i, column_of[i], masses_.a[i]});
  }
  exact_row_minima(geometry_, *search_, plan_, v_, u_);
  return settle_for_gap(options);
}

void TransportEngine::solve_flow(const TransportOptions& options, bool warm) {
  AuctionSettings tuned = geometry_.rows() < settings.few_rows ? settings.few : settings.flow;
  if (geometry_.rows() > settings.many_rows)
    tuned.last_epsilon *=
        std::pow(static_cast<double>(settings.many_rows) / static_cast<double>(geometry_.rows()),
                 settings.finer_with_many);
  const auto auction = [&](std::size_t patience) {
    const bool settled =
        flow_.run(masses_.a, b_, bidder(tuned), first_epsilon(warm), tuned.last_epsilon * typical(), tuned,
                  patience, [&] { return ask(options, 0.2); });
    work_.bids += flow_.bids();
    return settled;
  };
  if (!auction(warm ? settings.warm_patience : 0)) {
    warm = false;
    start_prices(warm);
    auction(0);
  }
  for (std::size_t j = 0; j < geometry_.cols(); ++j) v_[j] = static_cast<double>(prices_[j]);
  flow_.entries(plan_);
  if (on_thin_lines_ && scanner_.storage() == Storage::stored) auction_refined(tuned, options);
  run_simplex(options);
}

// Float32 does not tell columns apart along a line that is not quite one: the auction goes on with the costs
// that its prices leave over. Lists do not reach far there, so that whole rows are looked at.
void TransportEngine::auction_refined(const AuctionSettings& tuned, const TransportOptions& options) {
  geometry_.refine(v_);
  scanner_.bind(geometry_, Storage::stored, options.stored_costs);
  v_.assign(geometry_.cols(), 0);
  prices_.reset(geometry_, v_);
  lists_.reset(geometry_, scanner_);
  const Bidder by_rows{geometry_, lists_, scanner_, prices_, std::numeric_limits<double>::infinity()};
  flow_.run(masses_.a, b_, by_rows, tuned.last_epsilon * typical() / tuned.divide,
            settings.refined_epsilon * typical(), tuned, 0, [&] { return ask(options, 0.3); });
  work_.bids += flow_.bids();
  for (std::size_t j = 0; j < geometry_.cols(); ++j) v_[j] = static_cast<double>(prices_[j]);
  flow_.entries(plan_);
}

// From the flows in plan_ and the prices v_.
void TransportEngine::run_simplex(const TransportOptions& options) {
  // Phases that passed over whole rows made no lists; without arcs the simplex would find its way row by row.
  for (std::size_t i = 0; i < geometry_.rows(); ++i)
    if (!lists_.made(i)) lists_.rebuild(i, prices_);
  const auto basis = start_.make(geometry_, plan_, lists_, v_, masses_.a, b_);
  if (options.gap > 0) {
    plan_.clear();
    std::ranges::copy_if(basis, std::back_inserter(plan_), [](const FlowEntry& f) { return f.amount > 0; });
    exact_row_minima(geometry_, *search_, plan_, v_, u_);
    if (settle_for_gap(options)) return;
  }
  std::vector<double> before = v_;
  const bool in_blocks =
      on_lines_ || search_ == tree_search_.get() || geometry_.rows() + geometry_.cols() >= nodes_for_blocks;
  const auto go_on = [&] { return ask(options, 0.8); };
  const auto close = [&] {
    if (options.gap <= 0) return false;
    take_from_tree();
    exact_row_minima(geometry_, *search_, plan_, v_, u_);
    return settle_for_gap(options);
  };
  if (far_apart_) {
    geometry_.take_far_apart();
    for (std::size_t j = 0; j < cols_.size(); ++j) before[j] += geometry_.y().lift[j];
  }
  simplex_.begin(geometry_, *search_, lists_, basis, v_, settings.nodes_for_tour);
  Simplex::End end = simplex_.run(in_blocks ? several_blocks : 1, go_on, close);
  if (end == Simplex::End::optimal && !far_apart_ && lift_far_of_tree()) {
    for (std::size_t j = 0; j < cols_.size(); ++j) before[j] += geometry_.y().lift[j];
    simplex_.costs_have_changed();
    end = simplex_.run(1, go_on, close);
  }
  if (end == Simplex::End::work_limit) status_ = TransportStatus::work_limit;
  work_.pivots = simplex_.pivots();
  if (end == Simplex::End::close) return;
  take_from_tree();
  if (end != Simplex::End::optimal) keep_better_prices(before);
}

bool TransportEngine::lift_far_of_tree() {
  const auto of_distances = [](const Side& side, std::span<const double> potentials) {
    std::vector<double> phi(side.n);
    for (std::size_t k = 0; k < side.n; ++k) phi[k] = potentials[k] + side.apart(k);
    return phi;
  };
  return geometry_.tells_far_apart() &&
         geometry_.lift_far(of_distances(geometry_.x(), simplex_.tree().row_potentials()),
                            of_distances(geometry_.y(), simplex_.tree().col_potentials()));
}

void TransportEngine::take_from_tree() {
  simplex_.tree().flows(masses_.a, b_, plan_);
  for (std::size_t j = 0; j < geometry_.cols(); ++j) v_[j] = simplex_.tree().v(j);
}

// A simplex that has not ended has prices that may be far from what the auction knew.
void TransportEngine::keep_better_prices(std::span<const double> before) {
  const auto exact_gap = [&] {
    exact_row_minima(geometry_, *search_, plan_, v_, u_);
    return gap();
  };
  const std::vector<double> now = v_;
  const double gap_now = exact_gap();
  v_.assign(before.begin(), before.end());
  if (exact_gap() >= gap_now) v_ = now;
}

// Primal minus dual of plan_, v_ and the exact minima u_, in the caller's units: sum of flow * (c'_ij - u_i -
// v_j), each term not negative. Potentials that are far larger than the cost may hide a difference by their
// rounding: it counts as one then.
double TransportEngine::gap() const {
  double gap = 0, rounding = 0;
  for (const auto& [row, col, amount] : plan_) {
    const auto mass = static_cast<double>(amount);
    gap += mass * std::max(0.0, geometry_.cost(row, col) - v_[col] - u_[row]);
    rounding += mass * (std::abs(u_[row]) + std::abs(v_[col])) * 0x1p-52;
  }
  const auto in_units = [&](double sum) {
    return sum / static_cast<double>(masses_.total) * geometry_.unit();
  };
  const double cost = plan_cost();
  return in_units(cost > 0 && in_units(rounding) > rounding_of_cost * cost ? gap + rounding : gap);
}

// True when plan_, v_ and the exact minima u_ are as close as was asked for.
bool TransportEngine::settle_for_gap(const TransportOptions& options) {
  if (status_ != TransportStatus::optimal || options.gap <= 0) return false;
  const double left = gap(), cost = plan_cost();
  if (options.on_gap) options.on_gap(cost > 0 ? left / cost : 0);
  if (left > options.gap * cost) return false;
  status_ = TransportStatus::close;
  return true;
}

// u_ has the exact minima.
Transport TransportEngine::report(const TransportOptions& options, bool slack) {
  Transport result;
  const double total = static_cast<double>(masses_.total);
  result.status = status_;
  result.cost = plan_cost();
  result.gap = gap();
  work_.scans = scanner_.scans();
  result.work = work_;
  if (options.want_plan)
    for (const FlowEntry& entry : caller_plan())
      result.plan.push_back({entry.row, entry.col, static_cast<double>(entry.amount) / total});
  if (options.want_potentials) fill_potentials(result, slack);
  last_v_ = result.v;
  last_v_left_out_ = result.v_left_out;
  return result;
}

// From the caller's points: centring may have rounded.
double TransportEngine::plan_cost() const {
  double cost = 0;
  for (const FlowEntry& entry : plan_) {
    if (entry.row >= masses_.rows.size() || entry.col >= cols_.size()) continue;
    const double distance = euclidean(x_.row(masses_.rows[entry.row]), y_.row(cols_[entry.col]));
    const bool known = distance < std::numeric_limits<double>::max();
    cost += static_cast<double>(entry.amount) / static_cast<double>(masses_.total) *
            (known ? distance : std::numeric_limits<double>::infinity());
  }
  return cost;
}

void TransportEngine::fill_potentials(Transport& result, bool slack) const {
  const double unit = geometry_.unit();
  result.u.assign(x_.rows(), 0);
  result.v.assign(y_.rows(), 0);
  for (std::size_t i = 0; i < masses_.rows.size(); ++i)
    result.u[masses_.rows[i]] = (u_[i] + geometry_.x().apart(i)) * unit;
  for (std::size_t j = 0; j < cols_.size(); ++j) result.v[cols_[j]] = (v_[j] + geometry_.y().apart(j)) * unit;
  const auto to_copies = [](const Copies& copies, std::vector<double>& potentials) {
    for (std::size_t p = 0; p < copies.points(); ++p)
      for (std::uint32_t k = copies.begin[p]; k < copies.begin[p + 1]; ++k)
        potentials[copies.rows[k]] = potentials[copies.rows[copies.begin[p]]];
  };
  if (together_) {
    to_copies(copies_x_, result.u);
    to_copies(copies_y_, result.v);
  }
  if (slack) {
    if (geometry_.rows() > masses_.rows.size()) result.u_left_out = u_.back() * unit;
    if (geometry_.cols() > cols_.size()) result.v_left_out = v_.back() * unit;
  }
  extend_potentials(result);
}

}  // namespace motmot
