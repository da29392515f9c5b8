// motmot man, motmot completion SHELL: made from the same options as the help, so that they cannot differ.
#include <fmt/format.h>

#include "commands.hpp"
#include "common.hpp"
#include "program.hpp"

namespace motmot::app {
namespace {

/// The program and every command below it, each before its own.
void collect(const CLI::App& command, std::vector<const CLI::App*>& all) {
  all.push_back(&command);
  for (const CLI::App* below : commands_of(command)) collect(*below, all);
}
std::vector<const CLI::App*> all_commands(const CLI::App& program) {
  std::vector<const CLI::App*> all;
  collect(program, all);
  return all;
}

/// "reproduce error"; empty for the program.
std::string words_of(const CLI::App& command) {
  if (command.get_parent() == nullptr) return {};
  const std::string above = words_of(*command.get_parent());
  return above.empty() ? command.get_name() : above + " " + command.get_name();
}

/// Options or arguments of a command.
std::vector<const CLI::Option*> options_of(const CLI::App& command, bool arguments = false) {
  return command.get_options([&](const CLI::Option* option) { return option->nonpositional() != arguments; });
}

/// With a space instead of each "|" between words to choose from; empty if the value is something else.
std::string choices(const CLI::Option& option) {
  std::string words = option.nonpositional() ? option.get_type_name() : option.get_description();
  const bool all = words.find('|') != std::string::npos &&
                   words.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-|") == std::string::npos;
  std::ranges::replace(words, '|', ' ');
  return all ? words : "";
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// `text` with a backslash before each of `letters`.
std::string escaped(const std::string& text, std::string_view letters) {
  std::string result;
  for (const char c : text) {
    if (letters.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

template <class Items, class Text>
std::string joined(const Items& items, Text text, const std::string& between = " ") {
  std::string result;
  for (const auto* item : items) result += (result.empty() ? "" : between) + text(*item);
  return result;
}
std::string joined_commands(const CLI::App& command, const std::string& between = " ") {
  return joined(
      commands_of(command), [](const CLI::App& below) { return below.get_name(); }, between);
}

// ----------------------------------------------------------------------------------------------- the page

/// As troff prints it: no line begins with a request, and a dash is a dash.
std::string troff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '-' || c == '\\') result += c == '-' ? "\\-" : "\\e";
    else result += c;
  }
  return result;
}

void add_command(const CLI::App& command, std::string& page) {
  const std::string arguments =
      joined(options_of(command, true), [](const CLI::Option& o) { return o.get_name(); });
  page += fmt::format(".SS {} {}\n{}.\n", troff(full_name(command)), troff(arguments),
                      troff(command.get_description()));
  for (const CLI::Option* option : options_of(command, true))
    page += fmt::format(".TP\n.I {}\n{}\n", option->get_name(), troff(option->get_description()));
  for (const CLI::Option* option : options_of(command))
    page += fmt::format(".TP\n\\fB{}\\fR \\fI{}\\fR\n{}\n", troff(option->get_name(false, true)),
                        takes_value(*option) ? troff(option->get_type_name()) : "",
                        troff(option->get_description()));
  if (!command.get_footer().empty()) page += fmt::format(".PP\n.nf\n{}\n.fi\n", troff(command.get_footer()));
}

std::string man_page(const CLI::App& program) {
  std::string page = fmt::format(
      ".TH MOTMOT 1 \"\" \"motmot {0}\" \"User Commands\"\n.ad l\n.SH NAME\nmotmot \\- {1}\n.SH SYNOPSIS\n.B "
      "motmot\n"
      "COMMAND [OPTIONS] [FILES]\n.SH COMMANDS\n",
      version(), "robust distances between two samples");
  for (const CLI::App* command : all_commands(program))
    if (command->get_parent() != nullptr) add_command(*command, page);
  return page + fmt::format(".SH DESCRIPTION\n{}\n.PP\n.nf\n{}\n.fi\n", troff(program.get_description()),
                            troff(program.get_footer()));
}

// ------------------------------------------------------------------------------------------------ shells

/// Words that are not options fall to the shell's own names of files.
std::string bash_script(const CLI::App& program) {
  std::string commands, options, values;
  for (const CLI::App* command : all_commands(program)) {
    const std::string words = words_of(*command);
    if (!words.empty())
      commands += fmt::format("      {}) command={} ;;\n", shell_word(words), shell_word(words));
    options += fmt::format("    {}) options='{}' words='{}{}' ;;\n", shell_word(words),
                           joined(options_of(*command), [](const CLI::Option& o) { return o.get_name(); }),
                           joined_commands(*command), joined(options_of(*command, true), choices));
    for (const CLI::Option* option : options_of(*command))
      if (!choices(*option).empty())
        values += fmt::format("    {}) words='{}' ;;\n", shell_word(words + " " + option->get_name()),
                              choices(*option));
  }
  return fmt::format(R"(_motmot() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command= options= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${{command:+$command }}${{COMP_WORDS[i]}}" in
{}    esac
  done
  case "$command" in
{}  esac
  case "$command ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{}  esac
  if [[ $current == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o bashdefault -o default -F _motmot motmot
)",
                     commands, options, values);
}

/// The action of zsh for a value or an argument.
std::string zsh_action(const CLI::Option& option) {
  if (!choices(option).empty()) return ":(" + choices(option) + ")";
  const std::string type = option.get_type_name();
  if (type.find("DIR") != std::string::npos) return ":_files -/";
  return !option.nonpositional() || type.find("FILE") != std::string::npos ? ":_files" : ":";
}

/// One function per command; those with commands below hand over to them.
std::string zsh_script(const CLI::App& program) {
  std::string script = "#compdef motmot\n";
  const auto function = [](const CLI::App& command) {
    std::string name = full_name(command);
    std::ranges::replace(name, ' ', '_');
    return "_" + name;
  };
  const auto text = [](const std::string& description) { return escaped(description, "\\[]:"); };
  for (const CLI::App* command : all_commands(program)) {
    script += fmt::format("{}() {{\n  local state\n  _arguments -C", function(*command));
    for (const CLI::Option* option : options_of(*command))
      script +=
          " \\\n    " +
          shell_word(option->get_name() + "[" + text(option->get_description()) + "]" +
                     (takes_value(*option) ? ":" + text(option->get_type_name()) + zsh_action(*option) : ""));
    for (const CLI::Option* option : options_of(*command, true))
      script += " \\\n    " + shell_word(":" + option->get_name() + zsh_action(*option));
    if (commands_of(*command).empty()) {
      script += "\n}\n";
      continue;
    }
    script += fmt::format(
        " \\\n    '1:command:({})' '*::word:->below'\n  [[ $state == below ]] || return\n"
        "  case $words[1] in\n",
        joined_commands(*command));
    for (const CLI::App* below : commands_of(*command))
      script += fmt::format("    {}) {} ;;\n", below->get_name(), function(*below));
    script += "  esac\n}\n";
  }
  return script + "_motmot \"$@\"\n";
}

std::string fish_script(const CLI::App& program) {
  std::string script;
  for (const CLI::App* command : all_commands(program)) {
    std::string when = command->get_parent() == nullptr ? "__fish_use_subcommand" : "";
    for (const CLI::App* up = command; up->get_parent() != nullptr; up = up->get_parent())
      when += (when.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + up->get_name());
    for (const CLI::App* below : commands_of(*command)) {
      const std::string not_yet =
          command->get_parent() == nullptr
              ? when
              : when + "; and not __fish_seen_subcommand_from " + joined_commands(*command);
      script += fmt::format("complete -c motmot -f -n {} -a {} -d {}\n", shell_word(not_yet),
                            below->get_name(), shell_word(below->get_description()));
    }
    for (const CLI::Option* option : options_of(*command, true))
      if (!choices(*option).empty())
        script +=
            fmt::format("complete -c motmot -n {} -a {}\n", shell_word(when), shell_word(choices(*option)));
    for (const CLI::Option* option : options_of(*command))
      script += fmt::format("complete -c motmot -n {} -l {}{}{} -d {}\n", shell_word(when),
                            option->get_name().substr(2), takes_value(*option) ? " -r" : "",
                            choices(*option).empty() ? "" : " -f -a " + shell_word(choices(*option)),
                            shell_word(option->get_description()));
  }
  return script;
}

}  // namespace

void add_manual(CLI::App& program) {
  program.add_subcommand("man", "The manual, as a page for man(1)")->group("")->callback([&program] {
    print(man_page(program));
  });
  CLI::App* completion = program.add_subcommand("completion", "Completions for a shell")->group("");
  const std::array<std::pair<const char*, std::string (*)(const CLI::App&)>, 3> shells{
      {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};
  completion->require_subcommand(1);
  for (const auto& [name, script] : shells)
    completion->add_subcommand(name)->callback([&program, script = script] { print(script(program)); });
}

}  // namespace motmot::app
