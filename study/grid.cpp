#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "base/require.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

const std::vector<double> paper_tau{0, 0.01, 0.05, 0.1, 0.15};
const std::vector<std::size_t> paper_blocks{1, 10, 20, 30, 50, 70, 100, 125, 250};
const std::vector<Estimator> paper_estimators{Estimator::mou_diag, Estimator::mou, Estimator::mom};
const std::vector<Toy> kinds_of_outliers{Toy::d1,     Toy::d2,   Toy::far,   Toy::behind,
                                         Toy::inside, Toy::both, Toy::shape, Toy::shares};

/// Same inliers: N(0, I) against N(5, I).
bool is_shift(Toy toy) {
  return toy == Toy::d1 || toy == Toy::d2 || toy == Toy::far || toy == Toy::behind || toy == Toy::inside ||
         toy == Toy::both;
}

bool needs_reference(Study study) { return study != Study::breakdown; }

template <class T>
void require_some(const std::vector<T>& values, const char* what) {
  require(!values.empty(), Errc::invalid_argument, "a study needs at least one ", what);
}

template <class Add>
void add_breakdown(const StudyOptions& o, Toy data, double tau, std::size_t r, Add add) {
  add(cell_for(o, data, tau, "beside", 0, r));
  for (const Estimator estimator : o.estimators)
    if (estimator != Estimator::mom) add(cell_for(o, data, tau, name(estimator), 0, r));
  for (const std::size_t k : o.blocks) {
    for (const Estimator estimator : o.estimators) add(cell_for(o, data, tau, name(estimator), k, r));
    add(cell_for(o, data, tau, "block-median", k, r));
  }
}

template <class Add>
void add_paper(const StudyOptions& o, Toy data, double tau, std::size_t r, Add add) {
  for (const std::size_t k : o.blocks)
    for (const Estimator estimator : o.estimators) add(cell_for(o, data, tau, name(estimator), k, r));
}

}  // namespace

std::string GridCell::key() const {
  return fmt::format("{} {} {} {} {}", name(data), tau, method, k, repetition);
}

StudyOptions full_study(Study study) {
  StudyOptions o{.study = study, .data = {Toy::d1, Toy::d2}, .tau = paper_tau, .blocks = paper_blocks};
  o.estimators = paper_estimators;
  if (study == Study::convergence) {
    o.data = {Toy::d1};
    o.tau = {0, 0.05};
    o.steps = 5000;
  }
  if (study == Study::breakdown) {
    o.data = kinds_of_outliers;
    o.blocks = {10, 30, 70, 125, 250};
    o.repetitions = 10;
  }
  return o;
}

StudyOptions quick_study(Study study) {
  StudyOptions o = full_study(study);
  o.repetitions = 3;
  if (study == Study::error) {
    o.tau = {0, 0.05, 0.1};
    o.blocks = {1, 10, 30, 70, 250};
    o.steps = 1500;
  }
  if (study == Study::convergence) {
    o.blocks = {1, 10, 70, 250};
    o.steps = 3000;
  }
  if (study == Study::breakdown) {
    o.tau = {0, 0.1};
    o.blocks = {10, 70, 250};
    o.repetitions = 2;
    o.n = 300;
  }
  return o;
}

void validate(const StudyOptions& o) {
  require_some(o.data, "data set");
  require_some(o.tau, "share of outliers");
  require_some(o.blocks, "number of blocks");
  require_some(o.estimators, "estimator");
  require(o.repetitions >= 1, Errc::invalid_argument, "a study needs at least one repetition");
  require(2 <= o.n && o.n <= 100'000, Errc::invalid_argument, "a study needs 2 to 100000 rows, got ", o.n);
  require(o.steps >= 1 && o.epochs >= 1, Errc::invalid_argument, "steps and epochs must be at least 1");
  for (const double tau : o.tau)
    require(0 <= tau && tau < 0.5, Errc::invalid_argument, "tau must lie in [0, 0.5), got ", tau);
  for (const std::size_t k : o.blocks)
    require(1 <= k && k <= o.n, Errc::invalid_argument, "need 1 <= K <= n, got K = ", k, ", n = ", o.n);
  for (const Estimator estimator : o.estimators)
    require(estimator != Estimator::plain, Errc::invalid_argument,
            "estimator plain is K = 1: name mom, mou or mou-diag");
  for (const std::size_t size : o.hidden)
    require(1 <= size && size <= 65536, Errc::invalid_argument, "a hidden layer needs 1 to 65536 units, got ",
            size);
}

GridCell cell_for(const StudyOptions& o, Toy data, double tau, std::string_view method, std::size_t k,
                  std::size_t repetition) {
  if (tau == 0 && is_shift(data)) data = Toy::d1;
  if (k == 1 && o.study != Study::breakdown) method = "plain";
  return {.data = data, .tau = tau, .method = std::string(method), .k = k, .repetition = repetition};
}

std::vector<GridCell> all_cells(const StudyOptions& o) {
  std::vector<GridCell> cells;
  std::unordered_set<std::string> seen;
  const auto add = [&](GridCell cell) {
    if (seen.insert(cell.key()).second) cells.push_back(std::move(cell));
  };
  for (std::size_t r = 0; r < o.repetitions; ++r) {
    for (const Toy data : o.data) {
      if (needs_reference(o.study)) add(cell_for(o, data, 0, "plain", 1, r));
      for (const double tau : o.tau)
        o.study == Study::breakdown ? add_breakdown(o, data, tau, r, add) : add_paper(o, data, tau, r, add);
    }
  }
  return cells;
}

std::string settings_line(const StudyOptions& o) {
  if (o.study == Study::breakdown) return fmt::format("breakdown 1 n={} seed={}", o.n, o.seed);
  std::string line = fmt::format("{} 1 n={} seed={} hidden={} steps={}", name(o.study), o.n, o.seed,
                                 fmt::join(o.hidden, ","), o.steps);
  if (o.study == Study::convergence) line += fmt::format(" epochs={}", o.epochs);
  return line;
}

std::vector<std::size_t> kept_epochs(const StudyOptions& o, std::size_t k) {
  const std::size_t last = std::max<std::size_t>(1, std::min(o.epochs, o.steps / k));
  std::vector<std::size_t> kept;
  // Steps of a twelfth: some thirty points for each tenfold number of epochs, which is what a log axis shows.
  for (std::size_t epoch = 1; epoch < last; epoch += 1 + epoch / 12) kept.push_back(epoch);
  kept.push_back(last);
  return kept;
}

}  // namespace motmot
