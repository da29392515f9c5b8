#include "program.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "interrupt.hpp"
#include "motmot/base.hpp"

namespace motmot::app {
namespace {

/// One line, whatever the libraries wrote.
int complain(const CLI::App& program, const std::string& message, int code) {
  std::string line = message.substr(0, message.find_last_not_of(" \n") + 1);
  for (char& c : line)
    if (c == '\n') c = ' ';
  std::fprintf(stderr, "%s: %s\n", program.get_name().c_str(), line.c_str());
  return code;
}

/// CLI11 says no more than that a subcommand is required.
std::string no_command(const CLI::App& program) {
  const std::vector<std::string> words = program.remaining();
  std::string text = words.empty() ? "a command is needed" : "there is no command '" + words.front() + "'";
  const char* between = ": choose ";
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    text += between + command->get_name();
    between = ", ";
  }
  return text + "; --help tells more";
}

}  // namespace

int exit_code_of(const CLI::App& program, const std::function<void()>& work) {
  try {
    work();
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    const bool chosen = !program.get_subcommands().empty();
    return complain(program, chosen ? error.what() : no_command(program), 2);
  } catch (const Interrupted& stop) {
    return complain(program, stop.message, 130);
  } catch (const Error& error) {
    return complain(program, error.what(), 2);
  } catch (const std::bad_alloc&) {
    return complain(program, "internal error: out of memory", 1);
  } catch (const std::exception& error) {
    return complain(program, std::string("internal error: ") + error.what(), 1);
  }
}

}  // namespace motmot::app
