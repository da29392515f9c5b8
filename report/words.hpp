/// Words that texts and pages share.
#pragma once

#include <string>

#include "motmot/study.hpp"

namespace motmot {

std::string toy_words(Toy data);  ///< "hidden behind Y"

}  // namespace motmot
