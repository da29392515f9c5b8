/// Words that texts and pages share.
#pragma once

#include <string>
#include <string_view>

#include "motmot/answer.hpp"
#include "motmot/study.hpp"

namespace motmot {

std::string_view estimator_words(Estimator estimator);           ///< "median of means (mom)"
std::string_view critic_words(CriticKind kind);                  ///< "1-Lipschitz networks"
std::string counted(std::size_t count, std::string_view thing);  ///< "1 row", "2 rows"
std::string rows_words(std::size_t rows, std::size_t left_out);  ///< "98 rows (2 left out)"
std::string percent(double share);                               ///< "10 %"
std::string assuming(const Distance& e);                         ///< "assuming at most 10 % outliers"
/// " +- 0.49"; " (0 to 0.7)" where the bar would reach below 0, which no distance is.
std::string bar_words(const Distance& e, std::string_view plus_minus = "+-");
std::string work_words(const Distance& e);      ///< "1 exact solve, 400 steps, settled"
std::string toy_words(Toy data);                ///< "hidden behind Y"
std::string verdict_words(const Claim& claim);  ///< "holds only if the data are d1"

}  // namespace motmot
