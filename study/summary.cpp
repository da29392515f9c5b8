#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

/// Appends what one place of the grid has for all repetitions.
class Collector {
 public:
  Collector(const StudyOptions& options, const CellStore& store) : o_(options), store_(store) {}

  std::vector<Measurement> all() {
    for (const Toy data : o_.data)
      for (const double tau : o_.tau) o_.study == Study::breakdown ? breakdown(data, tau) : paper(data, tau);
    return std::move(result_);
  }

 private:
  [[nodiscard]] const std::vector<double>& values(Toy data, double tau, std::string_view method,
                                                  std::size_t k, std::size_t r) const {
    return *store_.find(cell_for(o_, data, tau, method, k, r).key());
  }

  /// One measurement for each repetition; those that were withheld are left out.
  template <class Value, class Reference>
  void add(const Measurement& place, Value value, Reference reference) {
    for (std::size_t r = 0; r < o_.repetitions; ++r) {
      Measurement m = place;
      m.repetition = r;
      m.value = value(r);
      m.reference = reference(r);
      if (std::isfinite(m.value)) result_.push_back(std::move(m));
    }
  }

  void paper(Toy data, double tau) {
    for (const Estimator estimator : o_.estimators)
      for (const std::size_t k : o_.blocks) {
        const std::vector<std::size_t> epochs =
            o_.study == Study::error ? std::vector<std::size_t>{0} : kept_epochs(o_, k);
        for (std::size_t e = 0; e < epochs.size(); ++e)
          add(
              {.data = data, .tau = tau, .method = std::string(name(estimator)), .k = k, .epoch = epochs[e]},
              [&](std::size_t r) { return values(data, tau, name(estimator), k, r)[e]; },
              [&](std::size_t r) { return values(data, 0, "plain", 1, r).back(); });
      }
  }

  void breakdown(Toy data, double tau) {
    for (std::size_t i = 0; i < std::size(beside_methods); ++i)
      in_units(data, tau, beside_methods[i], beside_methods[i] == "mom" ? 0 : 1, "beside", i + 1);
    for (const Estimator estimator : o_.estimators)
      if (estimator != Estimator::mom) in_units(data, tau, name(estimator), 0, name(estimator), 0);
    for (const std::size_t k : o_.blocks) {
      for (const Estimator estimator : o_.estimators)
        in_units(data, tau, name(estimator), k, name(estimator), 0);
      in_units(data, tau, "block-median", k, "block-median", 0);
    }
  }

  /// Value i of the cell of that name. The cell "beside" has W1 of the inliers first, and no K.
  void in_units(Toy data, double tau, std::string_view method, std::size_t k, std::string_view cell,
                std::size_t i) {
    add(
        {.data = data, .tau = tau, .method = std::string(method), .k = k},
        [&](std::size_t r) { return values(data, tau, cell, cell == "beside" ? 0 : k, r)[i]; },
        [&](std::size_t r) { return values(data, tau, "beside", 0, r)[0]; });
  }

  const StudyOptions& o_;
  const CellStore& store_;
  std::vector<Measurement> result_;
};

bool same_place(const Measurement& a, const Measurement& b) {
  return a.data == b.data && a.tau == b.tau && a.method == b.method && a.k == b.k && a.epoch == b.epoch;
}

StudySummary summary_of(Study study, std::span<const Measurement> group) {
  std::vector<double> values, references;
  for (const Measurement& m : group) {
    values.push_back(shown(study, m));
    references.push_back(m.reference);
  }
  const Measurement& first = group.front();
  StudySummary s{.data = first.data, .tau = first.tau, .method = first.method, .k = first.k};
  s.epoch = first.epoch;
  s.repetitions = group.size();
  s.mean = mean_of(values);
  s.sd = sd_of(values, s.mean);
  s.reference = mean_of(references);
  std::ranges::sort(values);
  s.q25 = sorted_quantile(values, 0.25);
  s.median = sorted_quantile(values, 0.5);
  s.q75 = sorted_quantile(values, 0.75);
  return s;
}

}  // namespace

std::vector<Measurement> measure(const StudyOptions& options, const CellStore& store) {
  return Collector(options, store).all();
}

std::vector<StudySummary> summarise(Study study, const std::vector<Measurement>& measurements) {
  std::vector<StudySummary> summary;
  for (std::size_t first = 0; first < measurements.size();) {
    std::size_t end = first + 1;
    while (end < measurements.size() && same_place(measurements[first], measurements[end])) ++end;
    summary.push_back(summary_of(study, std::span(measurements).subspan(first, end - first)));
    first = end;
  }
  return summary;
}

double shown(Study study, const Measurement& m) {
  switch (study) {
    case Study::error:
      return std::abs(m.value - m.reference);
    case Study::convergence:
      return m.value;
    case Study::breakdown:
      return 100 * (m.value / m.reference - 1);
  }
  return 0;
}

}  // namespace motmot
