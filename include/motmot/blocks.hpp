/// The estimators and the ways to draw blocks of rows that make them robust (Sections 2.2, 3.1).
#pragma once

#include <array>

#include "motmot/base.hpp"

namespace motmot {

/// Which row of Definition 2 (def:estimators) to estimate. With a_k, b_l the means of phi over the
/// blocks of X and of Y, the value for a given phi is
enum class Estimator {
  plain,     ///< mean phi(X) - mean phi(Y): no blocks, no robustness
  mom,       ///< med_k a_k - med_l b_l
  mou_diag,  ///< med_k (a_k - b_k), needs K_X = K_Y
  mou,       ///< med over all K_X K_Y pairs of a_k - b_l
  company,   ///< no blocks: W1 without the rows that lie alone in their own sample
};

/// How blocks are drawn (Section 3.1, Figure 1).
enum class Scheme {
  partition,  ///< K disjoint blocks of floor(n / K) rows, drawn once
  shuffle,    ///< a fresh partition at every step
  swor,       ///< every block by itself, without replacement inside it: blocks may overlap, K and B are free
  pairs,      ///< blocks of M pairs (i, j) drawn directly (incomplete U-statistics); mou only
};

/// Which integral probability metric, sup over a class of functions f of E f(X) - E f(Y): Remark 7
/// (rmk:other_IPMs).
enum class Metric {
  w1,      ///< f is 1-Lipschitz: the Wasserstein distance
  mmd,     ///< f in the unit ball of a Gaussian kernel: the maximum mean discrepancy, without a unit
  energy,  ///< of the kernel -|x - y|: the root of the energy distance 2 E|X - Y| - E|X - X'| - E|Y - Y'|
};

template <>
inline constexpr auto names<Metric> = names_in_order<Metric>("w1", "mmd", "energy");

template <>
inline constexpr auto names<Estimator> = std::to_array<Named<Estimator>>({{"company", Estimator::company},
                                                                          {"mom", Estimator::mom},
                                                                          {"mou", Estimator::mou},
                                                                          {"mou-diag", Estimator::mou_diag},
                                                                          {"plain", Estimator::plain}});

template <>
inline constexpr auto names<Scheme> = std::to_array<Named<Scheme>>({{"shuffle", Scheme::shuffle},
                                                                    {"partition", Scheme::partition},
                                                                    {"swor", Scheme::swor},
                                                                    {"pairs", Scheme::pairs}});

}  // namespace motmot
