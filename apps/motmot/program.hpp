#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace motmot::app {

/// Thrown by a command that answers with its exit code, when all else is done.
struct Answer {
  int code = 1;
};

/// How a command ended: an exit code and, unless it went well, one line.
struct Outcome {
  int code = 0;
  std::string line{};  ///< begins with the name of the command, ends without an end of line
  bool shared = true;  ///< of several ranks, all ended like this
};

/// Does the work, which parses the command line, and tells how it went. 0: fine, or --help; 2: bad input, or
/// an output that cannot be written; 130: interrupted; 3: internal error. (1 is for commands that answer no.)
[[nodiscard]] Outcome outcome_of(const CLI::App& program, const std::function<void()>& work);

/// The line goes to standard error.
void tell(const Outcome& outcome);

/// outcome_of(), told.
[[nodiscard]] int exit_code_of(const CLI::App& program, const std::function<void()>& work);

/// How help is laid out, and CLI11's words in ours.
void set_up_help(CLI::App& program);

/// "motmot reproduce error"
[[nodiscard]] std::string full_name(const CLI::App& command);

/// Its commands, without those that help does not show.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& program);

}  // namespace motmot::app
