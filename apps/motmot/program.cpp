#include "program.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include "common.hpp"
#include "interrupt.hpp"
#include "motmot/communicator.hpp"

namespace motmot::app {
namespace {

/// The command that was chosen below this one, if any.
const CLI::App* next(const CLI::App& command) {
  const std::vector<CLI::App*> chosen = command.get_subcommands();
  return chosen.empty() ? nullptr : chosen.front();
}

/// The last of them: what the words are about.
const CLI::App& chosen(const CLI::App& program) {
  const CLI::App* below = next(program);
  return below == nullptr ? program : chosen(*below);
}

/// One line, whatever the libraries wrote.
Outcome complain(const CLI::App& program, const std::string& message, int code, bool shared) {
  std::string line = message.substr(0, message.find_last_not_of(" \n") + 1);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return {.code = code, .line = full_name(chosen(program)) + ": " + line, .shared = shared};
}

/// How many letters must be changed, added, left out or swapped with the next one to turn a into b.
std::size_t typing_errors(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, above, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

/// " (did you mean --seed?)", if one of the names is close to the word or goes on where it ends.
std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  const auto distance = [&](const std::string& name) {
    return name.starts_with(word) && word.size() > 2 ? 0 : typing_errors(word, name);
  };
  const auto nearest = std::ranges::min_element(names, {}, distance);
  const bool close = nearest != names.end() && distance(*nearest) <= (word.size() + 1) / 3;
  return close ? " (did you mean " + *nearest + "?)" : "";
}

std::string unknown_option(const CLI::App& command, std::string word) {
  word = word.substr(0, word.find('='));
  if (!commands_of(command).empty())
    return "there is no option '" + word + "' here: options follow the name of a command";
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (option->nonpositional()) names.push_back(option->get_name());
  const std::string long_name = word.starts_with("--") ? word : "-" + word;
  return "there is no option '" + word + "'" + suggestion(long_name, names);
}

std::string unknown_command(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(program)) names.push_back(command->get_name());
  std::string text =
      word.empty() ? "a command is needed" : "there is no command '" + word + "'" + suggestion(word, names);
  if (text.ends_with(')')) return text;
  const char* between = ": choose ";
  for (const std::string& name : names) {
    text += between + name;
    between = ", ";
  }
  return text;
}

/// What the option lacks that CLI11 complains about: "--seed: 1 required ...", "quiet was given a ...".
std::string wrong_value(const CLI::App& command, const std::string& said) {
  const std::size_t dashes = said.find("--");
  const std::size_t from = dashes == std::string::npos ? 0 : dashes;
  const std::string name =
      (from == dashes ? "" : "--") + said.substr(from, said.find_first_of(": ", from) - from);
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return said;
  if (option->get_items_expected_max() == 0) return name + " takes no value";
  return name + (option->results().size() > 1 ? " is given more than once"
                                              : " needs a value: " + name + " " + option->get_type_name());
}

/// What is wrong with words that are neither commands nor options nor arguments; empty if there are none.
std::string left_over(const CLI::App& command) {
  const std::vector<std::string> words = command.remaining();
  const auto is_option = [](const std::string& word) { return word.starts_with('-') && word.size() > 1; };
  const auto option = std::ranges::find_if(words, is_option);
  if (option != words.end() && (option == words.begin() || commands_of(command).empty()))
    return unknown_option(command, *option);
  if (words.empty()) return {};
  return commands_of(command).empty() ? "'" + words[0] + "' is one argument too many"
                                      : unknown_command(command, words[0]);
}

/// CLI11's complaints in our words.
std::string sentence(const CLI::App& program, const CLI::ParseError& error) {
  for (const CLI::App* command = &program; command != nullptr; command = next(*command))
    if (std::string text = left_over(*command); !text.empty()) return text;
  const CLI::App& command = chosen(program);
  std::string said = error.what();
  if (!commands_of(command).empty()) return unknown_command(command, "");
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr)  // "--seed: must be ..."
    return std::string(said).replace(std::min(said.find(": "), said.size()), 2, " ");
  if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)  // "--tau excludes --tau-x"
    return std::string(said).replace(said.find(" excludes "), 10, " sets both samples: leave out ");
  if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return wrong_value(command, said);
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      return option->nonpositional()
                 ? option->get_name() + " is needed: " + option->get_name() + " " + option->get_type_name()
                 : option->get_name() + " is missing";
  return said;
}

/// A file that is opened later must not become standard output because that was closed. Writing to it fails.
void open_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0) ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int do_work(const CLI::App& program, const std::function<void()>& work) {
  int code = 0;
  try {
    work();
  } catch (const Answer& answer) {
    code = answer.code;
  } catch (const CLI::CallForHelp&) {
    print(program.help());
  } catch (const CLI::CallForVersion& version) {
    print(version.what() + std::string("\n"));
  }
  require(std::fflush(stdout) == 0 && std::ferror(stdout) == 0, Errc::io, "cannot write standard output");
  return code;
}

/// A list is one word with commas, so that no dots follow it.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    const std::size_t dots = text.find(" ...");
    if (option->get_delimiter() != '\0' && dots != std::string::npos) text.erase(dots, 4);
    return text;
  }
};

}  // namespace

void set_up_help(CLI::App& program) {
  program.formatter(std::make_shared<HelpFormatter>());
  program.get_formatter()->column_width(36);
  program.get_formatter()->label("REQUIRED", "(needed)");
  program.get_formatter()->label("Excludes", "instead of");
}

std::string full_name(const CLI::App& command) {
  return command.get_parent() == nullptr ? command.get_name()
                                         : full_name(*command.get_parent()) + " " + command.get_name();
}

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  std::vector<const CLI::App*> commands =
      program.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
  return commands;
}

Outcome outcome_of(const CLI::App& program, const std::function<void()>& work) {
  open_closed_streams();
  handle_signals();
  try {
    return {.code = do_work(program, work)};
  } catch (const CLI::ParseError& error) {
    return complain(program, sentence(program, error) + "; see '" + full_name(chosen(program)) + " --help'",
                    2, true);
  } catch (const Interrupted& stop) {
    return complain(program, stop.message, 130, false);
  } catch (const AgreedError& error) {
    return complain(program, error.what(), 2, true);
  } catch (const Error& error) {
    return complain(program, error.what(), 2, false);
  } catch (const std::bad_alloc&) {
    rlimit held{};
    if (::getrlimit(RLIMIT_DATA, &held) == 0 && held.rlim_cur != RLIM_INFINITY)
      return complain(
          program,
          "this takes more memory than --memory-limit allows: compare fewer rows or columns, or allow more",
          2, false);
    return complain(program, "internal error: out of memory", 3, false);
  } catch (const std::exception& error) {
    return complain(program, std::string("internal error: ") + error.what(), 3, false);
  }
}

void tell(const Outcome& outcome) {
  if (!outcome.line.empty()) std::fprintf(stderr, "%s\n", outcome.line.c_str());
}

int exit_code_of(const CLI::App& program, const std::function<void()>& work) {
  const Outcome outcome = outcome_of(program, work);
  tell(outcome);
  return outcome.code;
}

}  // namespace motmot::app
