#include "data/csv_header.hpp"

#include <algorithm>

#include "data/column_choice.hpp"
#include "data/csv_text.hpp"

namespace motmot {
namespace {

/// Follows the quotes of a line. They open at the start of a field; in the middle of one they are
/// characters like others, except right after a closing quote, which the pair takes back.
class QuoteState {
 public:
  /// Whether the character is outside quotes.
  bool outside(char c) {
    const bool counts = c == '"' && (open_ || at_start_ || just_closed_);
    just_closed_ = counts && open_;
    if (counts) open_ = !open_;
    at_start_ = c == ',' || c == ';' || c == '\t' || (at_start_ && c == ' ');
    return !open_;
  }

 private:
  bool open_ = false;
  bool at_start_ = true;
  bool just_closed_ = false;
};

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::ranges::find(list, item) != list.end();
}

/// Whether the options leave the column out, as far as their numbers tell.
bool left_out(std::size_t column, const ReadOptions& options) {
  const auto is_this = [&](const std::string& asked) { return column_number(asked) == column + 1; };
  const auto is_number = [](const std::string& asked) { return column_number(asked) != 0; };
  if (std::ranges::any_of(options.exclude, is_this)) return true;
  return std::ranges::any_of(options.columns, is_number) && std::ranges::none_of(options.columns, is_this) &&
         !is_this(options.weights);
}

}  // namespace

std::size_t first_line_length(std::string_view text) {
  QuoteState quotes;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (quotes.outside(text[i]) && (text[i] == '\n' || text[i] == '\r')) return i;
  return std::string_view::npos;
}

char separator_of(std::string_view line) {
  constexpr std::string_view candidates = "\t;,";
  std::size_t best = candidates.size() - 1;
  QuoteState quotes;
  for (const char c : line)
    if (quotes.outside(c)) best = std::min(best, candidates.find(c));
  return candidates[best];
}

std::vector<std::string> split(std::string_view line, char separator) {
  const std::string closed = std::string(line) + '\n';
  const char* const end = closed.data() + closed.size();
  std::vector<std::string> fields;
  for (const char* p = closed.data(); p != end; ++p) {
    bool quoted = false;
    const char* stop = field_end(p, end, separator, quoted);
    if (stop == nullptr) stop = end - 1;  // a quote left open: the rest of the line
    fields.push_back(field_text({p, stop}, separator));
    p = stop;
  }
  return fields;
}

bool is_header(const std::vector<std::string>& fields, const ReadOptions& options) {
  const auto names_a_field = [&](const std::string& asked) {
    const std::size_t number = column_number(asked);
    return (number == 0 || number > fields.size()) && contains(fields, asked);
  };
  if (std::ranges::any_of(options.columns, names_a_field) ||
      std::ranges::any_of(options.exclude, names_a_field) ||
      (!options.weights.empty() && names_a_field(options.weights)))
    return true;
  for (std::size_t j = 0; j < fields.size(); ++j) {
    double ignored = 0;
    if (!left_out(j, options) && classify(fields[j], ignored) == Cell::text) return true;
  }
  return false;
}

}  // namespace motmot
