#include <algorithm>

#include "critics/ascent.hpp"
#include "critics/evaluate_rows.hpp"
#include "critics/lipschitz.hpp"
#include "data/mapping.hpp"

namespace motmot {
namespace {

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

/// The rows of the split that are held here, as the network sees them: a copy, or the data themselves where
/// that would be large and a step looks at few of all rows.
FeatureMajor rows_for(const LipschitzTask& task, const StandardRows& source, const RowSplit& split,
                      const BlockPlan& plan, Team& team) {
  const bool few = 2 * step_rows(task, plan) <= split.x.rows() + split.y.rows();
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
    expect(task_.x.rows, access);
    expect(task_.y.rows, access);
  }
  const LipschitzTask& task_;
};

/// Fits a fresh network to the rows of the split, of which data has those held here.
Ascent fit(const LipschitzTask& task, const char* name, const FeatureMajor& data, const RowSplit& split,
           const BlockPlan& plan, Team& team, const Progress& progress) {
  const LookedAtAtRandom at_random(task);
  Mlp network = lipschitz_mlp(data.features(), task.hidden, Rng(task.seed, Purpose::weights));
  OrthonormalAdam rule(network, task.rate, task.steps);
  AscentRun run = ascend(network, rule,
                         {.data = data,
                          .split = split,
                          .estimator = task.estimator,
                          .plan = step_plan(task, plan),
                          .band = task.band,
                          .steps = task.steps,
                          .tail = std::max<std::size_t>(1, task.steps / 10),
                          .keep_trace = task.keep_trace,
                          .seed = task.seed,
                          .checkpoint = task.checkpoint,
                          .name = name},
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
  plan.k_x = part(plan.k_x, n, task.x.all);
  plan.k_y = part(plan.k_y, m, task.y.all);
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
struct Halves {
  std::vector<std::uint32_t> x, y;

  [[nodiscard]] RowSplit first(const RowSplit& all) const {
    return all.of({x.begin(), middle(x)}, {y.begin(), middle(y)});
  }
  [[nodiscard]] RowSplit second(const RowSplit& all) const {
    return all.of({middle(x), x.end()}, {middle(y), y.end()});
  }

 private:
  static std::vector<std::uint32_t>::const_iterator middle(const std::vector<std::uint32_t>& rows) {
    return rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  }
};

RowSplit split_of(const LipschitzTask& task) {
  return task.split ? *task.split : unsplit_rows(task.x.all, task.y.all);
}

/// The listed rows that are held here. A list without rows would stand for all of them.
struct ListedHere {
  ListedHere(const LipschitzTask& task, const RowSplit& split)
      : x(split.x.listed_here()),
        y(split.y.listed_here()),
        source{task.standard, some(task.x.rows, x), some(task.y.rows, y), x, y} {}
  ListedHere(const ListedHere&) = delete;
  ListedHere& operator=(const ListedHere&) = delete;

  std::vector<std::uint32_t> x, y;
  StandardRows source;

 private:
  static PointsView some(PointsView rows, const std::vector<std::uint32_t>& listed) {
    return {rows.data, listed.empty() ? 0 : rows.n, rows.d};
  }
};

/// phi of the listed rows, in their order, on every rank. A large sample is gone through in the order of its
/// rows.
PerSample<std::vector<float>> evaluate_listed(const LipschitzTask& task, const Mlp& mlp, const RowSplit& rows,
                                              const BlockPlan& plan, Team& team) {
  const auto in_order = [](std::span<const std::uint32_t> listed) {
    std::vector<std::uint32_t> sorted(listed.begin(), listed.end());
    std::ranges::sort(sorted);
    return sorted;
  };
  const RowSplit sorted = split_of(task).of(in_order(rows.x.listed()), in_order(rows.y.listed()));
  const ListedHere here(task, sorted);
  const PerSample<std::vector<float>> found =
      evaluate_rows(mlp, rows_for(task, here.source, sorted, plan, team), sorted, team);
  const auto as_listed = [](std::span<const float> phi, std::span<const std::uint32_t> order,
                            std::span<const std::uint32_t> listed) {
    std::vector<float> values;
    values.reserve(listed.size());
    for (const std::uint32_t row : listed)
      values.push_back(phi[static_cast<std::size_t>(std::ranges::lower_bound(order, row) - order.begin())]);
    return values;
  };
  return {as_listed(found.x, sorted.x.listed(), rows.x.listed()),
          as_listed(found.y, sorted.y.listed(), rows.y.listed())};
}

/// Fits on one half of the rows of each sample and reads on the other. Nothing when the run was stopped.
std::optional<double> held_out_value(const LipschitzTask& task, Team& team, const Progress& progress) {
  const Halves halves{.x = random_order(task.x.all, task.seed, Purpose::split_x),
                      .y = random_order(task.y.all, task.seed, Purpose::split_y)};
  const RowSplit all = split_of(task);
  const RowSplit first = halves.first(all), second = halves.second(all);
  const BlockPlan plan = plan_for(task, first.x.rows(), first.y.rows());
  const Ascent half = [&] {
    const ListedHere here(task, first);
    return fit(task, "half", rows_for(task, here.source, first, plan, team), first, plan, team, progress);
  }();
  if (half.run.stopped) return std::nullopt;
  const PerSample<std::vector<float>> phi = evaluate_listed(task, half.network, second, plan, team);
  BlockPlan rest = plan_for(task, phi.x.size(), phi.y.size());
  if (rest.scheme == Scheme::partition) rest.scheme = Scheme::shuffle;  // these rows have no kept partition
  const ReadOut read = read_out(task.estimator, rest, phi.x, phi.y, task.draws, task.seed, team, *task.ranks);
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
  const RowSplit split = split_of(task);
  const FeatureMajor data = rows_for(task, {task.standard, task.x.rows, task.y.rows}, split, task.plan, team);
  Ascent ascent = fit(task, "all", data, split, task.plan, team, progress);
  const auto [phi_x, phi_y] = evaluate_rows(ascent.network, data, split, team);
  const ReadOut read =
      read_out(task.estimator, task.plan, phi_x, phi_y, task.draws, task.seed, team, *task.ranks);
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
          .bytes_a_step = ascent.run.bytes_a_step,
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
  const bool halves = std::min(task.x.all, task.y.all) >= 2;
  if (task.held_out && halves && !result.stopped) {
    result.held_out = held_out_value(task, team, part_of(progress, share, 1 - share));
    result.stopped = !result.held_out.has_value();
  }
  return result;
}

}  // namespace motmot
