#pragma once

#include <string>

#include "motmot/study.hpp"

namespace motmot {

[[nodiscard]] std::string toy_words(Toy data);                          ///< "hidden behind Y"
[[nodiscard]] std::string repetition_words(const StudyResult& result);  ///< "20 repetitions"
[[nodiscard]] std::string verdict_words(const Claim& claim);            ///< "holds for n >= 500"

}  // namespace motmot
