/// What the claims share: looking numbers up, orders, and words for lists.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "motmot/study.hpp"

namespace motmot {

/// Above what the same K does without outliers, as a share of the reference: more is not "overriding" them.
inline constexpr double override_threshold = 0.05;
inline constexpr const char* why_override =
    "the paper names no number; 5 % is our reading, about what the network's local maxima differ by from K "
    "to K "
    "without any outlier";

/// The place of the grid, or null. Epoch 0 for studies that have none.
[[nodiscard]] const StudySummary* find_summary(const StudyResult& result, Toy data, double tau,
                                               std::string_view method, std::size_t k, std::size_t epoch = 0);

template <class T>
[[nodiscard]] bool has(const std::vector<T>& values, std::type_identity_t<T> value) {
  return std::ranges::find(values, value) != values.end();
}

/// Kendall's tau-a of pairs (i, values[i]): 1 when they grow, -1 when they fall, ties count 0. 0 for fewer
/// than two.
[[nodiscard]] double trend(std::span<const double> values);

/// "+3.2 %"
[[nodiscard]] std::string signed_percent(double share);

/// "a", "a; b": parts in a row.
[[nodiscard]] std::string listed(const std::vector<std::string>& parts);

/// The situations in which a claim was tried.
struct Trials {
  std::vector<std::string> measured{}, good{}, bad{};
  void add(std::string situation, bool holds, std::string found) {
    measured.push_back(std::move(found));
    (holds ? good : bad).push_back(std::move(situation));
  }
};
/// The claim with what was measured, its verdict and condition: it holds in all situations, in none, or only
/// if they are the good ones (or are not the bad ones, whichever list is shorter).
[[nodiscard]] Claim judged(Claim claim, const Trials& trials);

[[nodiscard]] std::vector<Claim> error_claims(const StudyResult& result);
[[nodiscard]] std::vector<Claim> convergence_claims(const StudyResult& result);

}  // namespace motmot
