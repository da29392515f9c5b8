/// References as files.
#pragma once

#include <string>

#include "motmot/watch.hpp"

namespace motmot {

[[nodiscard]] std::string digest_of_reference(const Reference& reference);

/// The whole file; `source` is how complaints call it.
[[nodiscard]] std::string file_text(const Reference& reference);
[[nodiscard]] Reference reference_from(const std::string& file, const std::string& source);

/// A reference takes the place of nothing, of another reference or of an empty file, never of a table that
/// somebody named by mistake. Throws Error.
void require_replaceable(const std::string& path);

}  // namespace motmot
