/// The rows that exact problems are about, and such problems solved side by side.
#pragma once

#include <functional>

#include "answer/plan.hpp"
#include "base/progress.hpp"
#include "base/random.hpp"
#include "inference/company.hpp"

namespace motmot {

using RowList = std::vector<std::uint32_t>;

/// One sample: all rows, or a subsample where these are too many for exact transport.
struct Side {
  Points points;                ///< scaled
  RowList rows;                 ///< their numbers in the sample, ascending
  RowList left_out;             ///< places in `points`, ascending
  RowList by_remoteness;        ///< places, the most remote first; those left out come before the others
  std::size_t may_go{};         ///< floor(tau n)
  std::size_t may_be_remote{};  ///< of these, how many the profile may take: none of rows without scores

  /// Rows that may still be wrong.
  [[nodiscard]] std::size_t spare() const { return may_go - std::min(may_go, left_out.size()); }
  /// Remote rows that were kept.
  [[nodiscard]] std::size_t remote_kept() const {
    return may_be_remote - std::min(may_be_remote, left_out.size());
  }
  [[nodiscard]] Points kept() const;
  /// Places of the `count` most remote rows, ascending.
  [[nodiscard]] RowList most_remote(std::size_t count) const;
  /// Places of rows that are given by their numbers in the sample, both ascending.
  [[nodiscard]] RowList places_of(const RowList& numbers) const;
};
using Sides = PerSample<Side>;

/// floor(tau n): 10 % of 50 rows are 5, although 0.1 * 50 may be a little less in binary.
std::size_t share_of(double tau, std::size_t n);

/// The numbers of `count` rows drawn without replacement, ascending; all n where these are no more.
RowList drawn(std::size_t n, std::size_t count, Rng rng);

/// All rows where n m is affordable, else 10 000 of each sample, drawn by the seed.
Sides used_rows(const ScaledSamples& samples, const PerSample<Company>& company, const PerSample<double>& tau,
                std::uint64_t seed);

/// The kept rows of both sides mixed and dealt anew, at their sizes; `trim`: then without the most remote of
/// each part, as many as may still be wrong.
PerSample<Points> mixed_rows(const Sides& used, bool trim, std::uint64_t seed, std::uint64_t draw);

/// W1 of many pairs of samples, which can be solved side by side. That of the rows kept is solved elsewhere.
class W1Batch {
 public:
  explicit W1Batch(const Sides& used) : used_(used) {}

  // Each returns the number under which the answer is found.
  /// Without these places of both sides, ascending. What is asked twice is solved once.
  std::size_t add_without(PerSample<RowList> places);
  /// mixed_rows().
  std::size_t add_mixed(bool trim, std::uint64_t seed, std::uint64_t draw);

  [[nodiscard]] std::size_t size() const { return problems_.size(); }
  void solve(std::size_t number, const Progress& progress);
  /// Answers what asked for just the rows kept.
  void set_kept_cost(double cost);
  /// Nothing where the run was stopped before.
  [[nodiscard]] std::optional<double> operator[](std::size_t number) const { return problems_[number].w1; }
  [[nodiscard]] std::size_t solves() const;

 private:
  struct Problem {
    std::optional<PerSample<RowList>> without{};
    std::function<PerSample<Points>()>
        make{};  ///< the pair, when its turn comes; none where just the rows kept are asked for
    std::optional<double> w1{};
  };
  const Sides& used_;
  std::vector<Problem> problems_;
};

}  // namespace motmot
