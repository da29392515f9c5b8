#include "doctor/columns.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/statistics.hpp"
#include "base/text.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "data/times.hpp"
#include "tables/coding.hpp"
#include "tables/sentinels.hpp"

namespace motmot {
namespace {

double share_of(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Symptom finding(Ailment code, const Patient& of, double share, std::string text, std::string type) {
  return {.code = code,
          .table = of.table,
          .column = of.column.name,
          .share = share,
          .text = shown(of.column.name) + " " + std::move(text),
          .type = std::move(type)};
}

std::vector<std::size_t> counts_of_levels(const Column& column) {
  std::vector<std::size_t> counts(column.levels.size());
  for (const std::uint32_t code : column.codes)
    if (code != Column::no_level) ++counts[code];
  return counts;
}

// --------------------------------------------------------------------------------------------- findings

void add_constant(const Patient& of, std::vector<Symptom>& found) {
  if (!is_constant(of.column)) return;
  const bool none = missing_in(of.column) == of.column.rows();
  found.push_back(
      finding(Ailment::constant, of, 1,
              none ? "has only missing values: it says nothing"
                   : "has one and the same value, " + shown(cell_text(of.column, 0)) + ": it says nothing",
              exclude_option(of.column.name)));
}

void add_identifier(const Patient& of, std::vector<Symptom>& found) {
  if (of.column.is_given || !is_identifier(of.column)) return;
  found.push_back(finding(Ailment::identifier, of, 1,
                          of.column.kind == Kind::category
                              ? "names the rows: nearly every row has a word of its own, and no two are alike"
                              : "counts the rows: as a number it would be compared like an amount",
                          exclude_option(of.column.name)));
}

/// What makes the value a missing one. The reader's --na knows numbers and words, no times, and takes them
/// from all columns.
std::string how_to_blank(const Patient& of, double value, const std::string& text) {
  const bool number = of.column.kind == Kind::number;
  const bool own_elsewhere = std::ranges::any_of(
      of.ward, [&](const Frame* table) { return is_own_elsewhere(*table, of.place, value); });
  if (number && !own_elsewhere) return "--na " + text + " --missing level";
  const std::string name = sql_name(of.column.name);
  return "\"sql:select nullif(" + name + ", " + (number ? text : "'" + text + "'") + ") as " + name +
         ", ... from 'FILE'\" --missing level";
}

void add_sentinels(const Patient& of, std::vector<Symptom>& found) {
  for (const Sentinel& sentinel : find_sentinels(of.column)) {
    const std::string value = cell_text(of.column, sentinel.rows.front());
    const double share = share_of(sentinel.rows.size(), of.column.rows());
    found.push_back(finding(Ailment::sentinel, of, share,
                            "is " + value + " in " + counted(sentinel.rows.size(), "row") + " (" +
                                rounded_percent(share) +
                                "), far outside the others: it stands for a missing value",
                            how_to_blank(of, sentinel.value, value)));
  }
}

/// Words that people write where they know nothing.
void add_sentinel_words(const Patient& of, std::vector<Symptom>& found) {
  static const std::set<std::string> usual{
      "unknown", "unbekannt", "inconnu", "missing", "not available", "n.a.", "n.a", "tbd",
      "-",       "--",        ".",       "-999",    "-9999",         "9999", "999", "-99"};
  const std::vector<std::size_t> counts = counts_of_levels(of.column);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    std::string level = of.column.levels[k];
    std::ranges::transform(level, level.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (counts[k] == 0 || !usual.contains(level)) continue;
    const double share = share_of(counts[k], of.column.rows());
    found.push_back(finding(Ailment::sentinel, of, share,
                            "is " + shown(of.column.levels[k]) + " in " + counted(counts[k], "row") + " (" +
                                rounded_percent(share) + "), which is a missing value by another name",
                            "--na '" + of.column.levels[k] + "'"));
  }
}

/// What the distinct values of a whole column look like.
struct Steps {
  std::vector<double> values{};  ///< distinct, ascending
  double unit = 0;               ///< the largest whole number that divides all steps
  double median = 0;             ///< of the steps
  std::size_t commonest = 0;     ///< rows that have the commonest value
};

std::optional<Steps> steps_of(std::vector<double> values) {
  std::ranges::sort(values);
  std::size_t commonest = 0;
  for (auto first = values.begin(); first != values.end();) {
    const auto next = std::upper_bound(first, values.end(), *first);
    commonest = std::max(commonest, static_cast<std::size_t>(next - first));
    first = next;
  }
  values.erase(std::unique(values.begin(), values.end()), values.end());
  if (values.size() < 3 || values.back() - values.front() > 1e15) return std::nullopt;
  std::vector<double> steps;
  std::uint64_t unit = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    steps.push_back(values[i] - values[i - 1]);
    unit = std::gcd(unit, static_cast<std::uint64_t>(steps.back()));
  }
  return Steps{std::move(values), static_cast<double>(unit), median_of(std::move(steps)), commonest};
}

/// Amounts fill a grid; codes are strewn about, and come back: costs that are mostly 0 do not. A few small
/// whole numbers may be either.
void add_codes(const Patient& of, std::vector<Symptom>& found) {
  constexpr std::size_t most_codes = 200, most_small = 10, often = 5, very_often = 10;
  const std::vector<double> values = present_in(of.column);
  if (!of.column.is_whole || of.column.is_given) return;
  const std::optional<Steps> steps = steps_of(values);
  if (!steps) return;
  const std::size_t distinct = steps->values.size();
  const std::string has =
      "has " + std::to_string(distinct) + " distinct whole numbers in " + counted(values.size(), "row");
  const std::string type = kinds_option(of.column.name, "category");
  const bool strewn = steps->median >= 2 * steps->unit && distinct >= 4 && distinct <= most_codes;
  const bool come_back = values.size() - steps->commonest >= often * (distinct - 1);
  if (strewn && come_back && find_sentinels(of.column).empty())
    found.push_back(finding(Ailment::codes, of, 1,
                            has + ", strewn about like codes: as numbers, near codes count as alike", type));
  const bool counts = steps->values.front() >= 0 && steps->values.front() <= 1 &&
                      steps->values.back() - steps->values.front() == static_cast<double>(distinct - 1);
  if (counts && distinct <= most_small && values.size() >= very_often * distinct)
    found.push_back(
        finding(Ailment::few_values, of, 1, has + ": if they are names and no amounts, say so", type));
}

/// The text without what people write around numbers: currency, percent, units, thousands.
std::string bare(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+') digits += c;
  return digits;
}

bool reads_as_number(std::string_view text) {
  const std::string digits = bare(text);
  const auto letters = std::ranges::count_if(text, [](unsigned char c) { return std::isalpha(c) != 0; });
  double value = 0;
  const char* const first = digits.data() + (digits.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(first, digits.data() + digits.size(), value);
  // "12.5 kg" and "1,234", not "Route 66" or "a1"
  return !digits.empty() && error == std::errc() && end == digits.data() + digits.size() && letters <= 3 &&
         std::isalpha(static_cast<unsigned char>(text.front())) == 0;
}

/// 31/12/2024, 31.12.2024, 12-31-24
bool reads_as_date(std::string_view text) {
  std::vector<std::size_t> parts{0};
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) ++parts.back();
    else if (c == '/' || c == '.' || c == '-') parts.push_back(0);
    else return false;
  }
  return parts.size() == 3 &&
         std::ranges::all_of(parts, [](std::size_t n) { return n == 1 || n == 2 || n == 4; });
}

template <class Reads>
double share_that(const Column& column, Reads reads) {
  const std::vector<std::size_t> counts = counts_of_levels(column);
  std::size_t yes = 0, all = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    all += counts[k];
    if (!column.levels[k].empty() && reads(column.levels[k])) yes += counts[k];
  }
  return share_of(yes, all);
}

/// Numbers or times with words among them.
struct Mixture {
  Kind kind = Kind::number;
  std::size_t present = 0, words = 0;    ///< values
  std::vector<std::string> spellings{};  ///< of the words, the commonest first
};

/// With either decimal sign: nobody knows here which one was asked for.
bool is_plain_number(std::string text) {
  double value = 0;
  std::ranges::replace(text, ',', '.');
  return reads_as(text, value);
}

/// Numbers with a unit and dates of another order are no words among numbers: add_number_words() knows them.
std::optional<Mixture> mixture_of(const Column& column) {
  if (column.kind != Kind::category || column.is_given) return std::nullopt;
  const std::vector<std::size_t> counts = counts_of_levels(column);
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t k) { return counts[k]; });
  for (const Kind kind : {Kind::number, Kind::time}) {
    Mixture found{.kind = kind};
    std::size_t fitting = 0;
    for (const std::size_t k : order) {
      const std::string& level = column.levels[k];
      found.present += counts[k];
      if (kind == Kind::number ? is_plain_number(level) : parse_time(level).has_value()) {
        fitting += counts[k];
      } else if (counts[k] > 0 && !(kind == Kind::number ? reads_as_number(level) : reads_as_date(level))) {
        found.words += counts[k];
        found.spellings.push_back(level);
      }
    }
    if (found.words > 0 && fitting > 0 && 2 * fitting >= found.present) return found;
  }
  return std::nullopt;
}

void add_mixture(const Patient& of, std::vector<Symptom>& found) {
  constexpr std::size_t most_listed = 5;
  const std::optional<Mixture> mixture = mixture_of(of.column);
  if (!mixture) return;
  const std::vector<std::string>& words = mixture->spellings;
  const std::string kind(name(mixture->kind));
  const bool can_list =
      words.size() <= most_listed && std::ranges::none_of(words, [](const std::string& word) {
        return word.find_first_of(",'\"") != std::string::npos;
      });
  std::string listing;
  for (const std::string& word : words) listing += (listing.empty() ? "" : ",") + word;
  found.push_back(finding(
      Ailment::mixed, of, share_of(mixture->words, mixture->present),
      "holds " + kind + "s, but " + std::to_string(mixture->words) + " of its " +
          counted(mixture->present, "value") + (mixture->words == 1 ? " is a word (" : " are words (") +
          listed(words.size(), [&](std::size_t k) { return words[k]; }) +
          "): text with such a column is refused unless they are called missing, or "
          "all of them words",
      can_list ? "--na '" + listing + "' " + kinds_option(of.column.name, kind) + " --missing level"
               : kinds_option(of.column.name, "category")));
}

bool has_comma(const std::string& text) { return text.find(',') != std::string::npos; }

/// Whether all of these commas may stand between thousands.
bool may_be_thousands(const Column& column) {
  return std::ranges::all_of(column.levels, [](const std::string& level) {
    return !has_comma(level) || has_thousands(level, ',') || std::ranges::count(level, ',') > 1;
  });
}

/// What makes the reader take these words as numbers; empty where nothing does.
std::string how_to_read(const Patient& of) {
  const Column& column = of.column;
  const auto only = [&](std::string_view signs) {
    return std::ranges::all_of(
        column.levels, [&](const std::string& l) { return l.find_first_not_of(signs) == std::string::npos; });
  };
  if (only("0123456789+-.eE")) return kinds_option(column.name, "number");
  const bool plain =
      only("0123456789+-,") && std::ranges::all_of(column.levels, [](const std::string& level) {
        return std::ranges::count(level, ',') <= 1;
      });
  return plain && !may_be_thousands(column) ? of.decimal_comma : "";
}

/// A number or a date that is written otherwise than the reader knows; the first level if there is none.
const std::string& otherwise_written(const Column& column) {
  const auto found = std::ranges::find_if(column.levels, [](const std::string& level) {
    double value = 0;
    return (reads_as_date(level) && !parse_time(level)) ||
           (!level.empty() && reads_as_number(level) && !reads_as(level, value));
  });
  return found == column.levels.end() ? column.levels.front() : *found;
}

/// The number without what stands around it and between its thousands; empty where it is not clear what it
/// is.
std::string plainly_written(const std::string& text) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t first = text.find_first_of(digits), last = text.find_last_of(digits);
  if (first == std::string::npos) return "";
  const std::string_view core = std::string_view(text).substr(first, last + 1 - first);
  const std::size_t point = core.rfind('.'), comma = core.rfind(',');
  if (core.find_first_not_of("0123456789., '") != std::string_view::npos ||
      (comma != std::string_view::npos && point == std::string_view::npos))
    return "";
  const char decimal = comma != std::string_view::npos && comma > point ? ',' : '.';
  std::string plain = first > 0 && text[first - 1] == '-' ? "-" : "";
  for (const char c : core) {
    if (c == decimal) plain += '.';
    else if (digits.find(c) != std::string_view::npos) plain += c;
  }
  return plain;
}

/// The rest of the sentence about numbers that are words.
std::string how_to_write(const Patient& of) {
  if (std::ranges::none_of(of.column.levels, has_comma) || !may_be_thousands(of.column)) {
    const std::string& odd = otherwise_written(of.column);
    const std::string plain = plainly_written(odd);
    return ": write plain numbers" + (plain.empty() || plain == odd ? "" : " such as " + plain);
  }
  return ": write plain numbers, without a sign between thousands" +
         (of.decimal_comma.empty() ? "" : "; if the comma is their decimal sign, type " + of.decimal_comma);
}

void add_number_words(const Patient& of, std::vector<Symptom>& found) {
  constexpr double nearly_all = 0.9;
  if (of.column.is_given || of.column.levels.size() < 3) return;
  const std::string like = "such as " + shown(otherwise_written(of.column));
  const double dates = share_that(of.column, reads_as_date), numbers = share_that(of.column, reads_as_number);
  if (dates >= nearly_all)
    found.push_back(
        finding(Ailment::number_words, of, dates,
                "holds dates " + like + " as words, each a level of its own: write them as 2024-12-31", ""));
  else if (numbers >= nearly_all)
    found.push_back(finding(Ailment::number_words, of, numbers,
                            "holds numbers " + like + " as words, each a level of its own" + how_to_write(of),
                            how_to_read(of)));
}

void add_spellings(const Patient& of, std::vector<Symptom>& found) {
  for (const auto& [plain, alike] : spellings_of(of.column)) {
    if (alike.levels.size() < 2) continue;
    found.push_back(finding(Ailment::spellings, of, share_of(alike.rows, of.column.rows()),
                            "has " + shown(alike.levels[0]) + " and " + shown(alike.levels[1]) +
                                ", which are two levels: spell them alike",
                            ""));
  }
}

void add_odd_values(const Patient& of, std::vector<Symptom>& found) {
  const std::optional<OddValues> odd = find_odd_values(of.column.numbers);
  if (!odd) return;
  const auto usual =
      static_cast<std::size_t>(std::ranges::find(of.column.numbers, odd->usual) - of.column.numbers.begin());
  found.push_back(finding(
      Ailment::odd_values, of, share_of(odd->rows.size(), of.column.rows()),
      "is " + cell_text(of.column, usual) + " in all rows but " + std::to_string(odd->rows.size()) + " (" +
          listed(odd->rows.size(), [&](std::size_t k) { return cell_text(of.column, odd->rows[k]); }) +
          "), which hardly moves a distance in units of the spread: look at " +
          (odd->rows.size() == 1 ? "that row" : "those rows"),
      "motmot outliers FILE"));
}

/// How far the hundredth part at either end lies from the median, in robust units; a Gaussian has 2.3, a
/// lognormal law with a log-sd of 1 has 10, the Cauchy law 21.
double tail_of(std::vector<double> values) {
  std::ranges::sort(values);
  const double median = sorted_quantile(values, 0.5), spread = robust_sd(values, median);
  if (spread == 0) return 0;
  return std::max(sorted_quantile(values, 0.99) - median, median - sorted_quantile(values, 0.01)) / spread;
}

/// The logarithm of a column, of which some values may be no positive ones: DuckDB ends a query there.
std::string logarithm(const Column& column) {
  const std::string name = sql_name(column.name);
  const bool positive = std::ranges::none_of(column.numbers, [](double value) { return value <= 0; });
  return "\"sql:select ln(" + (positive ? name : "case when " + name + " > 0 then " + name + " end") +
         ") as " + name + ", ... from 'FILE'\"";
}

void add_tail(const Patient& of, std::vector<Symptom>& found) {
  constexpr double heavy = 8;
  constexpr std::size_t least_values = 100;
  std::vector<double> values = present_in(of.column);
  for (const Sentinel& sentinel : find_sentinels(of.column)) std::erase(values, sentinel.value);
  if (values.size() < least_values) return;
  std::vector<double> logs(values.size());
  std::ranges::transform(values, logs.begin(), [](double value) { return std::log(value); });
  const bool log_helps = std::ranges::min(values) > 0 && tail_of(std::move(logs)) <= heavy;
  const double tail = tail_of(std::move(values));
  if (tail <= heavy) return;
  found.push_back(finding(Ailment::heavy_tail, of, 1 - heavy / tail,
                          "has a heavy tail: 1 % of its values lie " + readable(tail, 2) +
                              " robust units or more from the median, and carry most of any distance; " +
                              (log_helps ? "its logarithm has none of that" : "look at its far rows first"),
                          log_helps ? logarithm(of.column) : "motmot outliers FILE"));
}

}  // namespace

std::string exclude_option(const std::string& column) {
  const std::string kinds = kinds_option(column, "x");  // "--kinds NAME=x", quoted as a shell needs it
  std::string option = "--exclude" + kinds.substr(kinds.find(' '));
  option.erase(option.rfind("=x"), 2);
  return option;
}

std::string sql_name(const std::string& column) {
  const bool plain =
      !column.empty() && std::isdigit(static_cast<unsigned char>(column.front())) == 0 &&
      std::ranges::all_of(column, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  return plain ? column : "\\\"" + column + "\\\"";
}

std::string rounded_percent(double share) {
  return share > 0 && share < 0.0005 ? "less than 0.1 %" : percent(std::round(1000 * share) / 1000);
}

std::map<std::string, Spellings> spellings_of(const Column& column) {
  std::map<std::string, Spellings> alike;
  const std::vector<std::size_t> counts = counts_of_levels(column);
  for (std::size_t k = 0; k < column.levels.size(); ++k) {
    if (counts[k] == 0) continue;
    std::string plain;
    for (const unsigned char c : column.levels[k])
      if (std::isspace(c) == 0) plain += static_cast<char>(std::tolower(c));
    alike[plain].levels.push_back(column.levels[k]);
    alike[plain].rows += counts[k];
  }
  return alike;
}

std::size_t missing_in(const Column& column) {
  return static_cast<std::size_t>(
      column.kind == Kind::category
          ? std::ranges::count(column.codes, Column::no_level)
          : std::ranges::count_if(column.numbers, [](double value) { return std::isnan(value); }));
}

std::vector<double> present_in(const Column& column) {
  std::vector<double> present;
  std::ranges::copy_if(column.numbers, std::back_inserter(present),
                       [](double value) { return !std::isnan(value); });
  return present;
}

std::optional<std::string> how_to_read_words(const Patient& patient) {
  std::vector<Symptom> found;
  if (patient.column.kind == Kind::category && !is_constant(patient.column)) add_number_words(patient, found);
  if (found.empty()) return std::nullopt;
  return found.front().type;
}

bool is_mixed(const Column& column) { return mixture_of(column).has_value(); }

bool is_constant(const Column& column) {
  const std::size_t missing = missing_in(column);
  if (missing > 0) return missing == column.rows();
  return column.kind == Kind::category
             ? std::ranges::adjacent_find(column.codes, std::not_equal_to{}) == column.codes.end()
             : std::ranges::adjacent_find(column.numbers, std::not_equal_to{}) == column.numbers.end();
}

std::vector<Symptom> examine(const Patient& patient) {
  std::vector<Symptom> found;
  add_constant(patient, found);
  if (!found.empty()) return found;
  add_mixture(patient, found);
  if (found.empty()) add_number_words(patient, found);
  if (found.empty()) add_identifier(patient, found);
  if (!found.empty()) return found;
  if (patient.column.kind == Kind::category) {
    add_sentinel_words(patient, found);
    add_spellings(patient, found);
    return found;
  }
  add_sentinels(patient, found);
  if (found.empty()) add_odd_values(patient, found);
  if (patient.column.kind == Kind::time) return found;
  add_codes(patient, found);
  if (std::ranges::none_of(found, [](const Symptom& f) { return f.code == Ailment::codes; }))
    add_tail(patient, found);
  return found;
}

}  // namespace motmot
