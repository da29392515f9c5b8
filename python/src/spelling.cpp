#include "spelling.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace motmot::python {
namespace {

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

/// How long the option's name is that starts here, after the dashes; 0: none does.
std::size_t name_length(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return 0;
  std::size_t end = 1;
  while (end < text.size() &&
         (is_letter(text[end]) || (text[end] == '-' && end + 1 < text.size() && is_letter(text[end + 1]))))
    ++end;
  return end;
}

/// The word that starts here, without a stop or a bracket at its end; in quotes up to the last of them.
std::string_view word_of(std::string_view text) {
  if (text.starts_with('\'')) {
    const std::size_t end = text.find('\'', 1);
    if (end != std::string_view::npos) return text.substr(0, end + 1);
  }
  std::string_view word = text.substr(0, text.find_first_of(" \n"));
  while (!word.empty() && std::string_view(".,;:)").find(word.back()) != std::string_view::npos &&
         !word.ends_with("..."))
    word.remove_suffix(1);
  return word;
}

bool is_number(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789.-+e") == std::string_view::npos &&
         std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_choice(std::string_view word) {
  constexpr std::array<std::string_view, 8> choices{"robust", "none",  "auto", "level",
                                                    "drop",   "error", "mom",  "plain"};
  return std::ranges::find(choices, word) != choices.end();
}

bool is_quoted(std::string_view word) {
  return word.size() > 1 && word.front() == '\'' && word.back() == '\'';
}

std::string_view without_quotes(std::string_view word) {
  return is_quoted(word) ? word.substr(1, word.size() - 2) : word;
}

std::string quoted(std::string_view word) {
  const char quote = word.find('\'') == std::string_view::npos ? '\'' : '"';
  std::string text(1, quote);
  for (const char c : word) text.append(c == quote || c == '\\' ? 1 : 0, '\\').append(1, c);
  return text + quote;
}

/// "{'age': 'category'}" of age=category; empty: it is no such thing.
std::string pair_of(std::string_view word) {
  const std::size_t equals = word.rfind('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == word.size()) return "";
  return "{" + quoted(word.substr(0, equals)) + ": " + quoted(word.substr(equals + 1)) + "}";
}

bool takes_list(std::string_view name) { return name == "exclude" || name == "columns" || name == "na"; }

/// "['A', 'B', ...]" of A,B,...; values that are missing may be numbers, names of columns are words.
std::string list_of(std::string_view word, bool of_names) {
  std::string list;
  for (std::size_t from = 0; from <= word.size();) {
    const std::size_t comma = std::min(word.find(',', from), word.size());
    const std::string_view one = word.substr(from, comma - from);
    const bool is_bare = one == "..." || (!of_names && is_number(one));
    list += (list.empty() ? "" : ", ") + (is_bare ? std::string(one) : quoted(one));
    from = comma + 1;
  }
  return "[" + list + "]";
}

/// Which words after an option are its value.
enum class After { sentence, line };

/// The value that follows the name, as Python writes it; empty: none does. `length`: of what it stands for.
std::string value_of(std::string_view name, std::string_view text, After after, std::size_t& length) {
  length = 0;
  const std::size_t blank = std::min(text.find_first_not_of(" \n"), text.size());
  if (blank == 0) return "";
  const std::string_view word = word_of(text.substr(blank)), plain = without_quotes(word);
  if (word.empty()) return "";
  std::string value;
  if (takes_list(name) && (after == After::line || is_quoted(word) || is_number(word)))
    value = list_of(plain, name != "na");
  else if (name == "kinds") value = pair_of(plain);
  else if (is_number(word)) value = word;
  else if (is_quoted(word)) value = quoted(plain);
  else if (is_choice(word)) value = quoted(word);
  else value = pair_of(word);
  if (!value.empty()) length = blank + word.size();
  return value;
}

/// A line that ended between an option and its value ends before the option.
void move_line_end(std::string_view between, std::string& text) {
  const std::size_t end = between.find('\n'), space = text.rfind(' ');
  if (end == std::string_view::npos || space == std::string::npos) return;
  text.replace(space, 1, between.substr(end, between.find_first_not_of(" \n", end) - end));
}

std::string spelled(std::string_view sentence, After after) {
  std::string text;
  for (std::size_t i = 0; i < sentence.size();) {
    const bool starts = i == 0 || !std::isalnum(static_cast<unsigned char>(sentence[i - 1]));
    const std::size_t length =
        starts && sentence.substr(i).starts_with("--") ? name_length(sentence.substr(i + 2)) : 0;
    if (length == 0) {
      text += sentence[i++];
      continue;
    }
    std::string name(sentence.substr(i + 2, length));
    std::ranges::replace(name, '-', '_');
    std::size_t consumed = 0;
    const std::string value = value_of(name, sentence.substr(i + 2 + length), after, consumed);
    move_line_end(sentence.substr(i + 2 + length, consumed), text);
    text.append(name).append("=").append(value);
    i += 2 + length + consumed;
    if (!value.empty() && sentence.substr(i).starts_with(" --")) text += ',';
  }
  return text;
}

}  // namespace

std::string in_python(std::string_view sentence) { return spelled(sentence, After::sentence); }

std::string typed_in_python(std::string_view line) {
  if (line.find("sql:") != std::string_view::npos || line.starts_with("--decimal")) return "";
  if (line == "motmot outliers FILE") return "motmot.outliers(table)";
  return spelled(line, After::line);
}

}  // namespace motmot::python
