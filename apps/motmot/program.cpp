#include "program.hpp"

#include <cstdio>
#include <exception>
#include <string>

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

}  // namespace

int exit_code_of(const CLI::App& program, const std::function<void()>& work) {
  try {
    work();
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
    return complain(program, error.what(), 2);
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
