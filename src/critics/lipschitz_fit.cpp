#include <algorithm>
#include <numeric>

#include "critics/ascent.hpp"
#include "critics/lipschitz.hpp"
#include "data/mapping.hpp"

namespace motmot {
namespace {

using kernels::tile_rows;

std::size_t odd_like(std::size_t original, std::size_t k) {
  return original % 2 == 1 && k % 2 == 0 && k > 1 ? k - 1 : k;
}

/// Whether the k-th block of one sample is paired with the k-th of the other.
bool pairs_blocks(const LipschitzTask& task) {
  return task.estimator == Estimator::mou_diag || task.plan.scheme == Scheme::pairs;
}

void cap(const LipschitzTask& task, std::size_t& k, std::size_t& b) {
  if (k * b <= task.mini_above) return;
  constexpr std::size_t fewest = 31;
  k = odd_like(k, std::min(k, std::max(fewest, task.mini_rows / b)));
  b = std::min(b, std::max<std::size_t>(1, task.mini_rows / k));
}

/// phi of every row of data, by the kernels.
std::vector<float> evaluate_all(const Mlp& mlp, const FeatureMajor& data, Team& team) {
  std::vector<float> phi(data.ld());
  std::vector<Mlp::Workspace> workspaces;
  for (std::size_t worker = 0; worker < team.size(); ++worker) workspaces.emplace_back(mlp);
  team.run(data.tiles(), [&](std::size_t t, std::size_t worker) {
    float* const to = phi.data() + t * tile_rows;
    if (data.is_copy()) return mlp.evaluate(data.tile(t), data.ld(), to, workspaces[worker]);
    std::array<std::uint32_t, tile_rows> rows;
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(t * tile_rows));
    const std::size_t count = std::min(tile_rows, data.rows() - t * tile_rows);
    mlp.evaluate(data, std::span(rows).first(count), to, workspaces[worker]);
  });
  phi.resize(data.rows());
  return phi;
}

struct Ascent {
  Mlp network;
  double lipschitz = 0;
  AscentRun run;
};

/// Rows that a step draws.
std::size_t step_rows(const LipschitzTask& task, const BlockPlan& plan) {
  const BlockPlan step = step_plan(task, plan);
  return step.k_x * step.b_x + step.k_y * step.b_y;
}

/// The rows as the network sees them: a copy, or the data themselves where that would be large and a step
/// looks at few of its rows.
FeatureMajor rows_for(const LipschitzTask& task, const StandardRows& source, const BlockPlan& plan,
                      Team& team) {
  const bool few = 2 * step_rows(task, plan) <= source.size();
  if (few && source.size() * source.x.cols() > task.copy_values) return FeatureMajor(source);
  return standardised(source, team);
}

/// While it lives, the rows are looked at here and there.
class LookedAtAtRandom {
 public:
  explicit LookedAtAtRandom(const LipschitzTask& task) : task_(task) { say(Access::at_random); }
  ~LookedAtAtRandom() { say(Access::in_order); }
  LookedAtAtRandom(const LookedAtAtRandom&) = delete;
  LookedAtAtRandom& operator=(const LookedAtAtRandom&) = delete;

 private:
  void say(Access access) const {
    expect(task_.x, access);
    expect(task_.y, access);
  }
  const LipschitzTask& task_;
};

/// Fits a fresh network to the rows of data, the first n of them X.
Ascent fit(const LipschitzTask& task, const FeatureMajor& data, std::size_t n, const BlockPlan& plan,
           Team& team, const Progress& progress) {
  const LookedAtAtRandom at_random(task);
  Mlp network = lipschitz_mlp(data.features(), task.hidden, Rng(task.seed, Purpose::weights));
  OrthonormalAdam rule(network, task.rate, task.steps);
  AscentRun run = ascend(network, rule,
                         {.data = data,
                          .n = n,
                          .estimator = task.estimator,
                          .plan = step_plan(task, plan),
                          .band = task.band,
                          .steps = task.steps,
                          .tail = std::max<std::size_t>(1, task.steps / 10),
                          .keep_trace = task.keep_trace,
                          .seed = task.seed},
                         team, progress);
  const double lipschitz = normalise(network);
  return {.network = std::move(network), .lipschitz = lipschitz, .run = std::move(run)};
}

/// The rows 0 .. n - 1 in random order; the first half is for fitting.
std::vector<std::uint32_t> random_order(std::size_t n, std::uint64_t seed, Purpose purpose) {
  Rng rng(seed, purpose);
  return partition_blocks(n, 1, rng).index;
}

/// As many blocks for fewer rows as keeps their size.
BlockPlan plan_for(const LipschitzTask& task, std::size_t n, std::size_t m) {
  BlockPlan plan = task.plan;
  const auto part = [](std::size_t k, std::size_t rows, std::size_t all) {
    return odd_like(k, std::max<std::size_t>(1, k * rows / all));
  };
  plan.k_x = part(plan.k_x, n, task.x.rows());
  plan.k_y = part(plan.k_y, m, task.y.rows());
  if (pairs_blocks(task)) plan.k_x = plan.k_y = std::min(plan.k_x, plan.k_y);
  if (plan.scheme == Scheme::swor || plan.scheme == Scheme::pairs) {
    plan.b_x = std::min(plan.b_x, n);
    plan.b_y = std::min(plan.b_y, m);
  } else {
    plan.b_x = n / plan.k_x;
    plan.b_y = m / plan.k_y;
  }
  return plan;
}

/// The rows of both samples, in random order; the first halves are for fitting.
struct Split {
  std::vector<std::uint32_t> x, y;
};

/// phi of the listed rows of x, then of those of y. A large sample is gone through in the order of its rows.
std::vector<float> evaluate_listed(const LipschitzTask& task, const Mlp& mlp,
                                   std::span<const std::uint32_t> rows_x,
                                   std::span<const std::uint32_t> rows_y, const BlockPlan& plan, Team& team) {
  std::vector<std::uint32_t> x(rows_x.begin(), rows_x.end()), y(rows_y.begin(), rows_y.end());
  std::ranges::sort(x);
  std::ranges::sort(y);
  const std::vector<float> sorted =
      evaluate_all(mlp, rows_for(task, {task.standard, task.x, task.y, x, y}, plan, team), team);
  std::vector<float> phi;
  phi.reserve(sorted.size());
  for (const std::uint32_t row : rows_x)
    phi.push_back(sorted[static_cast<std::size_t>(std::ranges::lower_bound(x, row) - x.begin())]);
  for (const std::uint32_t row : rows_y)
    phi.push_back(sorted[x.size() + static_cast<std::size_t>(std::ranges::lower_bound(y, row) - y.begin())]);
  return phi;
}

/// Fits on one half of the rows of each sample and reads on the other. Nothing when the run was stopped.
std::optional<double> held_out_value(const LipschitzTask& task, Team& team, const Progress& progress) {
  const Split split{.x = random_order(task.x.rows(), task.seed, Purpose::split_x),
                    .y = random_order(task.y.rows(), task.seed, Purpose::split_y)};
  const std::size_t n = split.x.size() / 2, m = split.y.size() / 2;
  const BlockPlan plan = plan_for(task, n, m);
  const Ascent half = [&] {
    const StandardRows first{task.standard, task.x, task.y, std::span(split.x).first(n),
                             std::span(split.y).first(m)};
    return fit(task, rows_for(task, first, plan, team), n, plan, team, progress);
  }();
  if (half.run.stopped) return std::nullopt;
  const auto rest_x = std::span(split.x).subspan(n), rest_y = std::span(split.y).subspan(m);
  const std::vector<float> phi = evaluate_listed(task, half.network, rest_x, rest_y, plan, team);
  BlockPlan rest = plan_for(task, rest_x.size(), rest_y.size());
  if (rest.scheme == Scheme::partition) rest.scheme = Scheme::shuffle;  // these rows have no kept partition
  const ReadOut read = read_out(task.estimator, rest, std::span(phi).first(rest_x.size()),
                                std::span(phi).last(rest_y.size()), task.draws, task.seed, team);
  return task.standard.scale * read.mean;
}

/// The part [from, from + share] of a callback's range.
Progress part_of(const Progress& progress, double from, double share) {
  if (!progress) return {};
  return [&progress, from, share](double done) { return progress(from + share * done); };
}

std::vector<double> in_units(std::span<const float> phi, double scale) {
  std::vector<double> values(phi.size());
  std::ranges::transform(phi, values.begin(),
                         [&](float value) { return scale * static_cast<double>(value); });
  return values;
}

LipschitzFit fit_all_rows(const LipschitzTask& task, Team& team, const Progress& progress) {
  const FeatureMajor data = rows_for(task, {task.standard, task.x, task.y}, task.plan, team);
  Ascent ascent = fit(task, data, task.x.rows(), task.plan, team, progress);
  const std::vector<float> phi = evaluate_all(ascent.network, data, team);
  const auto phi_x = std::span(phi).first(task.x.rows()), phi_y = std::span(phi).last(task.y.rows());
  const ReadOut read = read_out(task.estimator, task.plan, phi_x, phi_y, task.draws, task.seed, team);
  const double scale = task.standard.scale;
  for (double& value : ascent.run.trace) value *= scale;
  return {.value = scale * read.mean,
          .sd = scale * read.sd,
          .lipschitz = ascent.lipschitz,
          .phi_x = in_units(phi_x, scale),
          .phi_y = in_units(phi_y, scale),
          .steps = ascent.run.steps,
          .settled = ascent.run.settled,
          .stopped = ascent.run.stopped,
          .trace = std::move(ascent.run.trace),
          .network = std::move(ascent.network)};
}

}  // namespace

BlockPlan step_plan(const LipschitzTask& task, const BlockPlan& plan) {
  BlockPlan step = plan;
  cap(task, step.k_x, step.b_x);
  cap(task, step.k_y, step.b_y);
  if (pairs_blocks(task)) step.k_x = step.k_y = std::min(step.k_x, step.k_y);
  step.mini = step.k_x < plan.k_x || step.k_y < plan.k_y || step.b_x < plan.b_x || step.b_y < plan.b_y;
  if (step.mini && step.scheme == Scheme::partition) step.scheme = Scheme::shuffle;
  return step;
}

LipschitzFit fit_lipschitz(const LipschitzTask& task, Team& team, const Progress& progress) {
  const double share = task.held_out ? 0.5 : 1;
  LipschitzFit result = fit_all_rows(task, team, part_of(progress, 0, share));
  const bool halves = std::min(task.x.rows(), task.y.rows()) >= 2;
  if (task.held_out && halves && !result.stopped) {
    result.held_out = held_out_value(task, team, part_of(progress, share, 1 - share));
    result.stopped = !result.held_out.has_value();
  }
  return result;
}

}  // namespace motmot
