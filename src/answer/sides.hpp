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
  Points points;          ///< scaled
  RowList rows;           ///< their numbers in the sample, ascending
  RowList left_out;       ///< places in `points`, ascending
  RowList by_remoteness;  ///< places, the most remote first; those left out come before the others
  std::size_t may_go{};   ///< floor(tau n)

  /// Rows that may still be wrong.
  [[nodiscard]] std::size_t spare() const { return may_go - std::min(may_go, left_out.size()); }
  [[nodiscard]] Points kept() const;
  [[nodiscard]] Points without_remote(std::size_t count) const;
  /// Without these rows, named by their numbers in the sample, ascending.
  [[nodiscard]] Points without_rows(const RowList& numbers) const;
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

/// W1 of many pairs of samples, solved side by side.
class W1Batch {
 public:
  using MakePair = std::function<PerSample<Points>()>;
  /// The number under which the answer is found. The pair is made when its turn comes.
  std::size_t add(MakePair make);
  void solve(Team& team, Watch& watch);
  /// Nothing where the run was stopped before.
  [[nodiscard]] std::optional<double> operator[](std::size_t number) const { return values_[number]; }
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }

 private:
  std::vector<MakePair> pairs_;
  std::vector<std::optional<double>> values_;
};

}  // namespace motmot
