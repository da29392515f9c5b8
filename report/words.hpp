/// Words that texts and pages share.
#pragma once

#include <string>

#include "motmot/study.hpp"

namespace motmot {

std::string toy_words(Toy data);                ///< "hidden behind Y"
std::string verdict_words(const Claim& claim);  ///< "holds only if the data are d1"

}  // namespace motmot
