// The samples, each by itself; the pairs; what lies near what.
#include "motmot/matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "answer/about_columns.hpp"
#include "answer/sentences.hpp"
#include "answer/sides.hpp"
#include "base/euclidean.hpp"
#include "base/memory.hpp"
#include "base/rank_statistics.hpp"
#include "base/require.hpp"
#include "base/spread.hpp"
#include "base/statistics.hpp"
#include "base/text.hpp"
#include "blocks/sampler.hpp"
#include "costs/scanner.hpp"
#include "data/complaint.hpp"
#include "data/robust_scale.hpp"
#include "data/units.hpp"
#include "data/without.hpp"
#include "inference/lone_rows.hpp"
#include "matrix/arrange.hpp"
#include "matrix/permutation_law.hpp"
#include "motmot/transport.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_samples = 1000;
constexpr std::size_t rows_for_skewness = 200;
constexpr std::size_t least_rows_for_halves = 8;
constexpr std::uint64_t splits = 4;

// ---------------------------------------------------------------------------------------------- complaints

void validate(std::span<const NamedFrame> samples, const MatrixOptions& o) {
  require(samples.size() >= 2, Errc::invalid_argument, "a matrix needs two samples or more, got ",
          samples.size());
  require(samples.size() <= most_samples, Errc::invalid_argument, "a matrix has at most ", most_samples,
          " samples, got ", samples.size());
  require(o.tau >= 0 && o.tau < 0.5, Errc::invalid_argument, "tau must lie in [0, 1/2), got ", o.tau);
  require(o.alpha > 0 && o.alpha < 1, Errc::invalid_argument, "alpha must lie in (0, 1), got ", o.alpha);
  std::set<std::string_view> names;
  for (const NamedFrame& sample : samples) {
    require(!sample.name.empty(), Errc::invalid_argument, "every sample needs a name");
    require(names.insert(sample.name).second, Errc::invalid_argument, "two samples are called ",
            shown(sample.name));
  }
  require(!o.against || names.contains(*o.against), Errc::invalid_argument, "no sample is called ",
          shown(o.against.value_or("")), "; there are ",
          listed(samples.size(), [&](std::size_t k) { return samples[k].name; }));
}

void require_moderate(const Points& points, const std::string& name) {
  constexpr double largest = 1e300;
  for (const double value : points.values())
    require(std::abs(value) <= largest, Errc::numeric, name, " has the value ", value,
            "; beyond 1e300 distances overflow: choose a larger unit");
}

// ------------------------------------------------------------------------------------- a sample by itself

RowList lonely_rows(const Points& points, double tau) {
  Team alone(1);
  Passes passes{Progress{}};
  const Points scaled_points = scaled(points, robust_scale(points, points));
  return lone_rows(scaled_points, std::array{tau}, alone, passes).front().rows;
}

Points rows_at(const Points& points, const RowList& rows) {
  return without(points, rows_without(points.rows(), rows));
}

/// W1 between rows [first, first + count) and the `count` rows after them, in this order.
double w1_between(const Points& points, std::span<const std::uint32_t> order, std::size_t first,
                  std::size_t count) {
  Points x(count, points.cols()), y(count, points.cols());
  for (std::size_t i = 0; i < count; ++i) {
    std::ranges::copy(points.row(order[first + i]), x.row(i).begin());
    std::ranges::copy(points.row(order[first + count + i]), y.row(i).begin());
  }
  return transport(x, y, {}, {}, {.want_plan = false, .want_potentials = false}).cost;
}

/// What chance gives, from halves and quarters of the rows.
void measure_chance(const Points& points, std::uint64_t seed, MatrixSample& sample) {
  const std::size_t n = points.rows();
  if (n < least_rows_for_halves) return;
  double halves = 0, quarters = 0;
  for (std::uint64_t split = 0; split < splits; ++split) {
    Rng rng(seed, Purpose::split_x, split + 1);
    const std::vector<std::uint32_t> order = partition_blocks(n, 1, rng).index;
    halves += w1_between(points, order, 0, n / 2) / splits;
    for (const std::size_t first : {std::size_t{0}, n / 2})
      quarters += w1_between(points, order, first, n / 4) / (2 * splits);
  }
  sample.halves = halves;
  sample.rate = halves > 0 ? std::clamp(std::log2(quarters / halves), 0.0, 0.5) : 0.5;
}

/// Chance at other sizes: `rows` is 1/n + 1/m.
std::optional<double> chance_at(const MatrixSample& sample, double rows) {
  if (!sample.halves) return {};
  const std::size_t half = sample.rows_used / 2;
  const double at_halves = 2 / static_cast<double>(half);
  return *sample.halves * std::pow(rows / at_halves, *sample.rate);
}

/// Its distances, in units.
void measure_within(ReadySample& ready) {
  const std::size_t n = ready.points.rows();
  ready.row_sums.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double distance =
          euclidean(std::as_const(ready.points).row(i), std::as_const(ready.points).row(j)) / ready.unit;
      ready.row_sums[i] += distance;
      ready.row_sums[j] += distance;
      ready.squares += 2 * distance * distance;
    }
}

/// A power of two above every coordinate's distance from the first sample's median.
double common_unit(const std::vector<ReadySample>& samples) {
  const Points& first = samples.front().points;
  const std::vector<double> centre = robust_scale(first, first).centre;
  double largest = 0;
  for (const ReadySample& sample : samples)
    for (std::size_t i = 0; i < sample.points.rows(); ++i)
      for (std::size_t k = 0; k < centre.size(); ++k)
        if (const double at = sample.points(i, k); at != centre[k])  // half of the least double would be 0
          largest = std::max(
              {largest, std::abs(at / 2 - centre[k] / 2), std::numeric_limits<double>::denorm_min()});
  return largest > 0 ? std::ldexp(1.0, std::min(std::ilogb(largest) + 2, 1023)) : 1;
}

// --------------------------------------------------------------------------------------------------- pairs

std::vector<MatrixPair> asked_pairs(std::size_t n, const std::optional<std::size_t>& against) {
  std::vector<MatrixPair> pairs;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      if (!against || a == *against || b == *against) pairs.push_back({.first = a, .second = b});
  return pairs;
}

/// Any fixed order will do: the solver treats its two samples differently.
bool comes_first(PointsView a, PointsView b) {
  if (a.rows() != b.rows()) return a.rows() > b.rows();
  return std::ranges::lexicographical_compare(std::span(a.data, a.n * a.d), std::span(b.data, b.n * b.d));
}

/// Rows of both that stand for the pair, as many of each as its share of all rows.
Points some_rows(const ReadySample& a, const ReadySample& b) {
  const std::size_t all = std::max<std::size_t>(1, a.points.rows() + b.points.rows()),
                    wanted = std::min(rows_for_skewness, all);
  const std::size_t of_a = std::min(wanted * a.points.rows() / all, a.some.size());
  const std::size_t of_b = std::min(wanted - of_a, b.some.size());
  Points some(of_a + of_b, a.points.cols());
  for (std::size_t i = 0; i < of_a; ++i) std::ranges::copy(a.points.row(a.some[i]), some.row(i).begin());
  for (std::size_t i = 0; i < of_b; ++i)
    std::ranges::copy(b.points.row(b.some[i]), some.row(of_a + i).begin());
  return some;
}

double total(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

struct EnergyTest {
  double energy = 0, p_value = 1;
};

EnergyTest energy_test(const ReadySample& a, const ReadySample& b) {
  const std::size_t n = a.points.rows(), m = b.points.rows();
  std::vector<double> sums(n + m);
  double squares = a.squares + b.squares;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      const double distance = euclidean(a.points.row(i), b.points.row(j)) / a.unit;
      sums[i] += distance;
      sums[n + j] += distance;
      squares += 2 * distance * distance;
    }
  const auto x = static_cast<double>(n), y = static_cast<double>(m);
  const double between = total(std::span(sums).first(n)) / (x * y);
  const double energy = 2 * between - total(a.row_sums) / (x * x) - total(b.row_sums) / (y * y);
  for (std::size_t i = 0; i < n; ++i) sums[i] += a.row_sums[i];
  for (std::size_t j = 0; j < m; ++j) sums[n + j] += b.row_sums[j];
  const Moments moments = permutation_moments(centred_sums(sums, squares), n, m);
  return {std::max(0.0, energy) * a.unit,
          upper_tail(energy, moments, permutation_skewness(some_rows(a, b), a.unit))};
}

// ------------------------------------------------------------------------------------------------ warnings

std::string few_rows_warning(const Matrix& found) {
  std::size_t few = 0;
  const MatrixSample* smallest = &found.samples.front();
  for (const MatrixSample& sample : found.samples) {
    if (sample.n < least_rows_for_company) ++few;
    if (sample.n < smallest->n) smallest = &sample;
  }
  if (few == 0) return "";
  return counted(few, "sample") + (few == 1 ? " has" : " have") + " fewer than " +
         std::to_string(least_rows_for_company) +
         " rows: too few to tell which stand alone, so none was left out there (" + smallest->name + " has " +
         std::to_string(smallest->n) + ")";
}

std::string subsample_warning(const Matrix& found, std::size_t most) {
  const auto is_part = [](const MatrixSample& sample) {
    return sample.rows_used + sample.left_out.size() < sample.n;
  };
  const auto parts = static_cast<std::size_t>(std::ranges::count_if(found.samples, is_part));
  if (parts == 0) return "";
  return counted(parts, "sample") + (parts == 1 ? " is" : " are") + " represented by " +
         std::to_string(most) + " rows, drawn by the seed (--most-rows 0 takes all)";
}

/// Which column rules the distances, where columns are taken as they are.
std::string units_warning(std::span<const Points> samples, const Coding& coding) {
  constexpr double nearly_all = 0.9;
  if (coding.scale != "none" || coding.columns.size() < 2) return "";
  std::vector<double> squares;
  for (std::size_t j = 0; j < coding.columns.size(); ++j) {
    std::vector<double> values;
    for (const Points& points : samples)
      for (std::size_t i = 0; i < points.rows(); ++i) values.push_back(points(i, j));
    const double spread = robust_spread(values);
    squares.push_back(spread * spread);
  }
  const double sum = std::accumulate(squares.begin(), squares.end(), 0.0);
  const auto largest = std::ranges::max_element(squares);
  if (!(*largest > nearly_all * sum) || !std::isfinite(sum)) return "";
  return ruling_column_sentence(coding.columns[static_cast<std::size_t>(largest - squares.begin())].name,
                                *largest / sum);
}

/// May, June, July: that their days differ is no news, and can hide what is.
std::string times_warning(std::span<const Points> samples, const Coding& coding,
                          std::span<const MatrixPair> pairs) {
  if (coding.columns.size() < 2) return "";
  std::size_t k = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t at = std::exchange(k, k + column.width());
    if (column.kind != Kind::time || column.unit == 0) continue;
    std::vector<Interval> bodies;
    for (const Points& points : samples) bodies.push_back(body_of(points, at));
    const auto lie_apart = [&](const MatrixPair& pair) {
      const Interval &a = bodies[pair.first], &b = bodies[pair.second];
      return std::min(samples[pair.first].rows(), samples[pair.second].rows()) >= enough_to_say_all &&
             (a.low > b.high || b.low > a.high);
    };
    const auto apart = static_cast<std::size_t>(std::ranges::count_if(pairs, lie_apart));
    if (2 * apart < pairs.size() || apart == 0) continue;
    return column.name + " alone tells " + std::to_string(apart) + " of " + counted(pairs.size(), "pair") +
           " apart; --exclude " + shown(column.name) + " compares the rest";
  }
  return "";
}

std::vector<double> square_of(const Matrix& found) {
  const std::size_t n = found.samples.size();
  std::vector<double> square(n * n);
  for (const MatrixPair& pair : found.pairs)
    square[pair.first * n + pair.second] = square[pair.second * n + pair.first] = pair.value;
  return square;
}

void arrange(Matrix& found) {
  const std::size_t n = found.samples.size();
  if (found.against || n < 3) return;
  const std::vector<double> square = square_of(found);
  found.merges = average_linkage(square, n);
  found.order = leaf_order(found.merges, n);
  PlaneMap map = plane_map(square, n);
  found.map = std::move(map.points);
  found.map_share = map.share;
}

/// What is known before anything is compared.
Matrix described(std::span<const NamedFrame> samples, const Coding& coding, const MatrixOptions& o) {
  Matrix found{.tau = o.tau, .alpha = o.alpha, .scale = coding.scale, .seed = o.seed};
  for (const NamedFrame& sample : samples) {
    if (sample.name == o.against) found.against = found.samples.size();
    found.samples.push_back(
        {.name = sample.name, .n = sample.frame->n(), .rows_dropped = sample.frame->rows_dropped});
  }
  for (const CodedColumn& column : coding.columns) {
    found.columns.push_back(column.name);
    found.kinds.push_back(column.kind);
  }
  found.columns_left_out = coding.left_out;
  if (coding.has_levels()) found.category_weight = coding.category_weight;
  found.pairs = asked_pairs(samples.size(), found.against);
  return found;
}

template <class T>
void put(std::string& to, const std::vector<T>& values) {
  const std::uint64_t size = values.size();
  to.append(reinterpret_cast<const char*>(&size), sizeof size);
  to.append(reinterpret_cast<const char*>(values.data()), size * sizeof(T));
}

template <class T>
std::vector<T> taken(std::string_view& from) {
  std::uint64_t size = 0;
  std::memcpy(&size, from.data(), sizeof size);
  std::vector<T> values(size);
  std::memcpy(values.data(), from.data() + sizeof size, size * sizeof(T));
  from.remove_prefix(sizeof size + size * sizeof(T));
  return values;
}

/// All: what each rank found of its samples becomes known to all.
void share_samples(MatrixPlan& plan, Communicator& ranks) {
  if (ranks.alone()) return;
  const std::size_t d = ranks.rank() < plan.ready.size() ? plan.ready[ranks.rank()].points.cols() : 0;
  std::string mine;
  for (const std::size_t k : tasks_of_rank(plan.ready.size(), ranks)) {
    const MatrixSample& sample = plan.so_far.samples[k];
    put(mine, sample.left_out);
    put(mine,
        std::vector<double>{static_cast<double>(d), sample.halves.value_or(-1), sample.rate.value_or(-1)});
    put(mine, plan.ready[k].points.values());
    put(mine, plan.ready[k].some);
  }
  const std::vector<std::string> all = ranks.gather(mine);
  std::vector<std::string_view> from(all.begin(), all.end());
  for (std::size_t k = 0; k < plan.ready.size(); ++k) {
    std::string_view& next = from[k % ranks.size()];
    MatrixSample& sample = plan.so_far.samples[k];
    sample.left_out = taken<std::uint32_t>(next);
    const std::vector<double> numbers = taken<double>(next);
    if (numbers[1] >= 0) sample.halves = numbers[1];
    if (numbers[2] >= 0) sample.rate = numbers[2];
    plan.ready[k].points = Points(taken<double>(next), static_cast<std::size_t>(numbers[0]));
    plan.ready[k].some = taken<std::uint32_t>(next);
    sample.rows_used = plan.ready[k].points.rows();
  }
}

MatrixPlan plan(std::span<const NamedFrame> samples, const MatrixOptions& o, Team& team, Watch& watch) {
  o.ranks->agree([&] { validate(samples, o); });
  const Coding coding = learn_coding(samples, {o.scale, o.category_weight, o.missing});
  std::vector<std::size_t> rows;
  for (const NamedFrame& sample : samples) rows.push_back(sample.frame->n());
  require_memory(matrix_bytes(rows, coding.width(), o), o.memory_limit);
  MatrixPlan plan{.so_far = described(samples, coding, o), .ready = std::vector<ReadySample>(samples.size())};
  std::vector<Points> coded;
  for (const NamedFrame& sample : samples) {
    coded.push_back(encode(*sample.frame, coding));
    require_moderate(coded.back(), sample.name);
  }
  const std::vector<std::size_t> mine = tasks_of_rank(samples.size(), *o.ranks);
  watch.run(team, mine.size(), 0, [&](std::size_t task, const Progress& progress) {
    if (progress && !progress(0)) return;
    const std::size_t k = mine[task];
    MatrixSample& sample = plan.so_far.samples[k];
    ReadySample& ready = plan.ready[k];
    sample.left_out = lonely_rows(coded[k], o.tau);
    ready.points = without(coded[k], sample.left_out);
    if (o.most_rows > 0 && ready.points.rows() > o.most_rows)
      ready.points = rows_at(ready.points,
                             drawn(ready.points.rows(), o.most_rows, Rng(o.seed, Purpose::subsample_x, 2)));
    sample.rows_used = ready.points.rows();
    measure_chance(ready.points, o.seed, sample);
    Rng rng(o.seed, Purpose::subsample_y, 2);
    ready.some = partition_blocks(sample.rows_used, 1, rng).index;
    ready.some.resize(std::min(ready.some.size(), rows_for_skewness));
  });
  if (watch.stopped()) return plan;
  share_samples(plan, *o.ranks);
  const double unit = common_unit(plan.ready);
  team.run(samples.size(), [&](std::size_t k, std::size_t) {
    plan.ready[k].unit = unit;
    measure_within(plan.ready[k]);
  });
  for (const std::string& warning :
       {units_warning(coded, coding), times_warning(coded, coding, plan.so_far.pairs),
        few_rows_warning(plan.so_far), subsample_warning(plan.so_far, o.most_rows)})
    if (!warning.empty()) plan.so_far.warnings.push_back(warning);
  return plan;
}

}  // namespace

std::optional<double> Matrix::between(std::size_t a, std::size_t b) const {
  if (a == b) return 0;
  const std::pair wanted(std::min(a, b), std::max(a, b));
  const auto places = [](const MatrixPair& pair) { return std::pair(pair.first, pair.second); };
  const auto found = std::ranges::lower_bound(pairs, wanted, {}, places);
  return found == pairs.end() || places(*found) != wanted ? std::nullopt : std::optional(found->value);
}

MatrixPlan plan_matrix(std::span<const NamedFrame> samples, const MatrixOptions& options) {
  Team team(options.threads);
  Watch watch(options.progress, 0);
  MatrixPlan planned = plan(samples, options, team, watch);
  planned.so_far.run = {.stopped = watch.stopped(), .seconds = watch.seconds(), .threads = team.size()};
  return planned;
}

PairFound pair_found(const ReadySample& a, const ReadySample& b, const Progress& progress) {
  if (comes_first(b.points, a.points)) return pair_found(b, a, progress);
  const Transport solved = transport(a.points, b.points, {}, {},
                                     {.want_plan = false, .want_potentials = false, .progress = progress});
  if (solved.status == TransportStatus::stopped) return {.stopped = true};
  const EnergyTest test = energy_test(a, b);
  return {.value = solved.cost, .energy = test.energy, .p_value = test.p_value};
}

Matrix finish_matrix(MatrixPlan plan, std::span<const PairFound> found) {
  Matrix done = std::move(plan.so_far);
  require(found.size() == done.pairs.size(), Errc::invalid_argument, "the matrix has ", done.pairs.size(),
          " pairs, got the answers of ", found.size());
  std::vector<MatrixPair> pairs;
  std::vector<double> p_values;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k].stopped) continue;
    MatrixPair pair = done.pairs[k];
    const MatrixSample &a = done.samples[pair.first], &b = done.samples[pair.second];
    pair.value = found[k].value;
    pair.energy = found[k].energy;
    pair.p_value = found[k].p_value;
    const double rows = 1 / static_cast<double>(a.rows_used) + 1 / static_cast<double>(b.rows_used);
    const std::optional<double> of_a = chance_at(a, rows), of_b = chance_at(b, rows);
    if (of_a || of_b) pair.floor = ((of_a ? *of_a : *of_b) + (of_b ? *of_b : *of_a)) / 2;
    pairs.push_back(pair);
    p_values.push_back(pair.p_value);
  }
  const std::vector<double> shares = false_shares(p_values);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    pairs[k].q_value = shares[k];
    pairs[k].differ = shares[k] <= done.alpha;
  }
  done.run.stopped = done.run.stopped || pairs.size() < done.pairs.size();
  const std::size_t with_halves = static_cast<std::size_t>(std::ranges::count_if(
      done.samples, [](const MatrixSample& sample) { return sample.halves.has_value(); }));
  done.run.solves = pairs.size() + 3 * splits * with_halves;
  done.pairs = std::move(pairs);
  if (done.run.stopped) done.warnings.push_back("stopped early: only some of the pairs were compared");
  else arrange(done);
  return done;
}

double matrix_bytes(std::span<const std::size_t> rows, std::size_t d, const MatrixOptions& o) {
  constexpr double to_spare = 1.2, bytes_a_row = 200;
  std::size_t all = 0, most = 0;
  for (const std::size_t n : rows) {
    all += n;
    most = std::max(most, n);
  }
  const std::size_t used = o.most_rows > 0 ? std::min(most, o.most_rows) : most,
                    threads = thread_count(o.threads), pairs = rows.size() * (rows.size() - 1) / 2;
  // Pairs go to the threads in batches of a hundredth; halves of samples, a quarter of the pairs each, sample
  // by sample.
  const auto pairs_at_once = static_cast<double>(std::min(threads, std::max<std::size_t>(1, pairs / 100))),
             samples_at_once = static_cast<double>(std::min(threads, rows.size()));
  const double costs = solver::stored_bytes(used, used, d, TransportOptions().stored_costs);
  return to_spare *
         (process_bytes + 3.9 * sample_bytes(all, d) + 4.8 * samples_at_once * sample_bytes(most, d) +
          (pairs_at_once + samples_at_once / 4) * costs + bytes_a_row * static_cast<double>(all));
}

Matrix matrix(std::span<const NamedFrame> samples, const MatrixOptions& options) {
  Team team(options.threads);
  Watch watch(options.progress, 0);
  MatrixPlan planned = plan(samples, options, team, watch);
  const std::vector<MatrixPair>& pairs = planned.so_far.pairs;
  std::vector<PairFound> found(pairs.size(), {.stopped = true});
  const std::vector<std::size_t> mine = tasks_of_rank(pairs.size(), *options.ranks);
  // In batches, so that progress has something to tell.
  const std::size_t batch = std::max<std::size_t>(1, mine.size() / 100);
  for (std::size_t first = 0; first < mine.size() && !watch.stopped(); first += batch) {
    const double done = 0.05 + 0.95 * static_cast<double>(first) / static_cast<double>(mine.size());
    watch.run(team, std::min(batch, mine.size() - first), done, [&](std::size_t k, const Progress& progress) {
      const MatrixPair& pair = pairs[mine[first + k]];
      found[mine[first + k]] = pair_found(planned.ready[pair.first], planned.ready[pair.second], progress);
    });
  }
  share_results(*options.ranks, std::span(found));
  planned.so_far.run = {.stopped = watch.stopped(), .threads = team.size(), .ranks = options.ranks->size()};
  if (!options.ranks->alone())
    planned.so_far.run.bytes_sent = count_over_ranks(options.ranks->sent().bytes, *options.ranks);
  Matrix result = finish_matrix(std::move(planned), found);
  result.run.seconds = watch.seconds();
  return result;
}

Matrix matrix(std::span<const PointsView> samples, std::span<const std::string> names,
              const MatrixOptions& options) {
  require(samples.size() == names.size(), Errc::invalid_argument, "there are ", samples.size(),
          " samples and ", names.size(), " names");
  std::vector<Frame> frames;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    Frame frame{.columns = std::vector<Column>(samples[k].cols())};
    for (std::size_t j = 0; j < samples[k].cols(); ++j) {
      frame.columns[j].name = "c" + std::to_string(j + 1);
      for (std::size_t i = 0; i < samples[k].rows(); ++i)
        frame.columns[j].numbers.push_back(samples[k](i, j));
    }
    frames.push_back(settled(std::move(frame), {.missing = options.missing}, names[k]));
  }
  std::vector<NamedFrame> named_frames;
  for (std::size_t k = 0; k < frames.size(); ++k) named_frames.push_back({names[k], &frames[k]});
  return matrix(named_frames, options);
}

}  // namespace motmot
