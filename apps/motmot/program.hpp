#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace motmot::app {

/// Does the work and tells how it went, as an exit code and, unless it went well, one line on standard error
/// that begins with the program's name: 0 fine or --help, 2 bad input, 130 interrupted, 1 internal error.
[[nodiscard]] int exit_code_of(const CLI::App& program, const std::function<void()>& work);

}  // namespace motmot::app
