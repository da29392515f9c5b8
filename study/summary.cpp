#include "study/summary.hpp"

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "study/grid.hpp"

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

  void add(Measurement m, double value, double reference) {
    if (!std::isfinite(value)) return;  // withheld
    m.value = value;
    m.reference = reference;
    result_.push_back(std::move(m));
  }

  void paper(Toy data, double tau) {
    for (const Estimator estimator : o_.estimators)
      for (const std::size_t k : o_.blocks)
        o_.study == Study::error ? at_end(data, tau, estimator, k) : at_epochs(data, tau, estimator, k);
  }

  void at_end(Toy data, double tau, Estimator estimator, std::size_t k) {
    for (std::size_t r = 0; r < o_.repetitions; ++r)
      add({.data = data, .tau = tau, .method = std::string(name(estimator)), .k = k, .repetition = r},
          values(data, tau, name(estimator), k, r).back(), values(data, 0, "plain", 1, r).back());
  }

  void at_epochs(Toy data, double tau, Estimator estimator, std::size_t k) {
    const std::vector<std::size_t> epochs = kept_epochs(o_, k);
    for (std::size_t e = 0; e < epochs.size(); ++e)
      for (std::size_t r = 0; r < o_.repetitions; ++r)
        add({.data = data,
             .tau = tau,
             .method = std::string(name(estimator)),
             .k = k,
             .epoch = epochs[e],
             .repetition = r},
            values(data, tau, name(estimator), k, r)[e], values(data, 0, "plain", 1, r).back());
  }

  void breakdown(Toy data, double tau) {
    for (std::size_t i = 0; i < std::size(beside_methods); ++i)
      for (std::size_t r = 0; r < o_.repetitions; ++r) {
        const std::vector<double>& found = values(data, tau, "beside", 0, r);
        const std::size_t k = beside_methods[i] == "mom" ? 0 : 1;
        add({.data = data, .tau = tau, .method = std::string(beside_methods[i]), .k = k, .repetition = r},
            found[i + 1], found[0]);
      }
    for (const Estimator estimator : o_.estimators)
      if (estimator != Estimator::mom) in_units(data, tau, name(estimator), 0);
    for (const std::size_t k : o_.blocks) {
      for (const Estimator estimator : o_.estimators) in_units(data, tau, name(estimator), k);
      in_units(data, tau, "block-median", k);
    }
  }

  void in_units(Toy data, double tau, std::string_view method, std::size_t k) {
    for (std::size_t r = 0; r < o_.repetitions; ++r)
      add({.data = data, .tau = tau, .method = std::string(method), .k = k, .repetition = r},
          values(data, tau, method, k, r)[0], values(data, tau, "beside", 0, r)[0]);
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
