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

/// The word that starts here, without a stop or a bracket at its end.
std::string_view word_of(std::string_view text) {
  std::string_view word = text.substr(0, text.find_first_of(" \n"));
  while (!word.empty() && std::string_view(".,;:)").find(word.back()) != std::string_view::npos)
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

/// "{'age': 'category'}" of age=category; empty: it is no such thing.
std::string pair_of(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == word.size() || word.front() == '\'')
    return "";
  return "{'" + std::string(word.substr(0, equals)) + "': '" + std::string(word.substr(equals + 1)) + "'}";
}

/// The value that follows the name, as Python writes it; empty: none does. `length`: of what it stands for.
std::string value_of(std::string_view after, std::size_t& length) {
  length = 0;
  if (after.empty() || after.front() != ' ') return "";
  const std::string_view word = word_of(after.substr(1));
  std::string value;
  if (is_number(word) || (word.size() > 1 && word.front() == '\'' && word.back() == '\'')) value = word;
  else if (is_choice(word)) value = "'" + std::string(word) + "'";
  else value = pair_of(word);
  if (!value.empty()) length = 1 + word.size();
  return value;
}

}  // namespace

std::string in_python(std::string_view sentence) {
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
    const std::string value = value_of(sentence.substr(i + 2 + length), consumed);
    text.append(name).append("=").append(value);
    i += 2 + length + consumed;
    if (!value.empty() && sentence.substr(i).starts_with(" --")) text += ',';
  }
  return text;
}

}  // namespace motmot::python
