#include "base/version.hpp"

#include "motmot/base.hpp"

namespace motmot {

std::string_view version() noexcept { return MOTMOT_VERSION; }

}  // namespace motmot
