#include "answer/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "answer/columns.hpp"
#include "answer/copies.hpp"
#include "answer/sentences.hpp"
#include "neighbours/neighbours.hpp"
#include "tables/coding.hpp"

namespace motmot {
namespace {

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  text.precision(3);
  (text << ... << parts);
  return text.str();
}

std::string rows_of(std::size_t count, char sample) {
  return sentence(count, count == 1 ? " row of " : " rows of ", sample);
}

/// The least tau of three digits that allows one of n rows.
double tau_of_one_row(std::size_t n) {
  const double share = 1 / static_cast<double>(n), digits = std::pow(10, 2 - std::floor(std::log10(share)));
  return std::ceil(share * digits * (1 - 1e-12)) / digits;
}

Warnings about_size(char sample, std::size_t n, double tau) {
  if (n < least_rows_for_company)
    return {{WarningCode::few_rows,
             sentence(sample, " has ", n, n == 1 ? " row" : " rows",
                      ": too few to tell which stand alone, so none was left out for that")}};
  if (tau > 0 && share_of(tau, n) == 0)
    return {{WarningCode::nothing_can_go, sentence(100 * tau, " % of the ", n, " rows of ", sample,
                                                   " is less than one row: none can be left out (--tau ",
                                                   tau_of_one_row(n), " allows one)")}};
  return {};
}

/// "(0, 0, 3.5, ...)", "(Paris, 3.5)": as the table has it, without columns that are not compared.
std::string shown(std::span<const double> row, const Coding& coding) {
  constexpr std::size_t most = 4;
  std::string text;
  std::size_t first = 0, columns = 0;
  for (const CodedColumn& column : coding.columns) {
    const std::size_t at = std::exchange(first, first + column.width());
    if (column.unit == 0 || ++columns > most) continue;
    text += (text.empty() ? "(" : ", ") + decoded(row.subspan(at, column.width()), column);
  }
  return text + (columns > most ? ", ...)" : ")");
}

/// One row many times over, where rows do not repeat otherwise. Rows of categories alone do.
Warnings about_copies(char sample, PointsView points, const Coding& coding) {
  const auto is_category = [](const CodedColumn& column) { return column.kind == Kind::category; };
  if (std::ranges::all_of(coding.columns, is_category)) return {};
  const Twins twins = find_twins(points);
  const std::size_t n = points.rows(), many = std::max<std::size_t>(10, n / 100);
  if (twins.largest < many || !one_row_repeats(twins) || twins.largest == n) return {};
  return {{WarningCode::identical_rows,
           sentence(twins.largest, " rows of ", sample, " are ", shown(points.row(twins.first), coding),
                    ", other rows do not repeat: a default value, or copies?")}};
}

/// ". All have temp = -999, ...", where the rows that stand apart do.
std::string what_they_share(const WarningTask& t, const PerSample<std::vector<std::uint32_t>>& apart) {
  const WithLeftOut x{t.x, apart.x}, y{t.y, apart.y};
  std::vector<SharedValue> shared;
  if (auto found = shared_value(x, apart.x, y, t.coding)) shared.push_back(std::move(*found));
  if (auto found = shared_value(y, apart.y, x, t.coding)) shared.push_back(std::move(*found));
  if (shared.size() == 2 && shared[0].column == shared[1].column && shared[0].value == shared[1].value)
    shared[0].rows += shared[1].rows;
  else if (shared.size() != 1) return "";
  return ". " + shared_value_words(shared.front(), apart.x.size() + apart.y.size());
}

Warnings about_tau(const WarningTask& t, const LargerTau& other) {
  constexpr double moves = 0.05;
  const double value = t.w.value;
  if (!other.value || std::abs(*other.value - value) <= moves * std::max(*other.value, value)) return {};
  const std::size_t x = other.left_out.x.size(), y = other.left_out.y.size();
  const PerSample<double> tau =
      t.names.x < t.names.y ? other.tau : PerSample<double>{other.tau.y, other.tau.x};
  const bool equal = tau.x == tau.y;
  const std::string share = equal ? sentence(100 * tau.x, " %")
                                  : sentence(100 * tau.x, " % of X and ", 100 * tau.y, " % of Y"),
                    option =
                        equal ? sentence("--tau ", tau.x) : sentence("--tau-x ", tau.x, " --tau-y ", tau.y);
  const Lengths length(value);
  return {{WarningCode::tau_small,
           sentence(rows_of_both(x, y, t.names), x + y == 1 ? " stands" : " stand", " apart if up to ", share,
                    " may be wrong: the distance would be ", length(*other.value), " instead of ",
                    length(value), " (", option, ")", what_they_share(t, other.left_out))}};
}

/// Rows without a gap that carry the distance. Without them it is compared with what it would be if they
/// carried no more than in mixed rows: squares of what chance gives and of what is real add up.
Warnings about_remote_rows(const WhatIfs& found, std::span<const ProfilePoint> profile, double value,
                           const SampleNames& names) {
  if (!found.mixed || profile.empty()) return {};
  const ProfilePoint& end = profile.back();
  const double real = std::max(0.0, value * value - found.mixed->whole * found.mixed->whole);
  const double chance = std::min(value, found.mixed->whole);
  const double expected = std::hypot(std::sqrt(real), found.mixed->left * chance);
  // 4 % of the distance, and three times what chance does to the share that is left in mixed rows. Where the
  // distance grows, rows of both samples met there: modes, not wrong rows.
  if (expected - end.value <= (0.04 + 3 * found.mixed->left_sd) * value) return {};
  return {{WarningCode::remote_rows, sentence("the distance is ", Lengths(value)(end.value),
                                              " if the most remote ", rows_of_both(end.x, end.y, names),
                                              " are left out; no gap sets them apart, so they were kept")}};
}

/// Rows where the other sample has none, too few or too many of them to be left out. Limits: what was seen in
/// clean samples (docs/results-answer.md).
Warnings about_suspects(const std::optional<double>& without_them, double value,
                        const PerSample<Company>& company, bool more_than_tau, const SampleNames& names) {
  const double moves = more_than_tau ? 0.2 : 0.07;
  if (!without_them || *without_them > (1 - moves) * value) return {};
  return {{WarningCode::remote_rows,
           sentence("the distance is ", Lengths(value)(*without_them), " if ",
                    rows_of_both(company.x.suspects.size(), company.y.suspects.size(), names),
                    " that lie where the other sample has none are left out; ",
                    more_than_tau ? "they are more than may be wrong" : "chance may have put them there",
                    ", so they were kept")}};
}

}  // namespace

std::string rows_of_both(std::size_t x, std::size_t y, const SampleNames& names) {
  if (names.x > names.y) return rows_of_both(y, x, {names.y, names.x});
  if (x == 0) return rows_of(y, names.y);
  return y == 0 ? rows_of(x, names.x) : sentence(rows_of(x, names.x), " and ", y, " of ", names.y);
}

Said company_warnings(const WarningTask& t) {
  Said said;
  const auto say = [&](Warnings warnings) {
    for (Warning& warning : warnings) said.warnings.push_back(std::move(warning));
    return !warnings.empty();
  };
  const double value = t.w.value;
  say(about_size(t.names.x, t.x.rows(), t.tau.x));
  say(about_size(t.names.y, t.y.rows(), t.tau.y));
  say(about_copies(t.names.x, t.x, t.coding));
  say(about_copies(t.names.y, t.y, t.coding));
  if (t.larger && say(about_tau(t, *t.larger))) return {said.warnings, false};
  const bool more_than_tau = t.company.x.suspects.size() > share_of(t.tau.x, t.x.rows()) ||
                             t.company.y.suspects.size() > share_of(t.tau.y, t.y.rows());
  if (say(about_suspects(t.found.without_suspects, value, t.company, more_than_tau, t.names))) {
    said.lower_end_holds = !more_than_tau;
    return said;
  }
  // Where rows stood alone they are gone: what is still remote then is a tail or a mode in most cases.
  if (t.company.x.left_out.empty() && t.company.y.left_out.empty())
    say(about_remote_rows(t.found, t.w.profile, value, t.names));
  return said;
}

Warnings test_warnings(const Noise& noise, const PerSample<Points>& kept) {
  constexpr double significance = 0.05;
  const double by_chance = 1 / (1 + static_cast<double>(noise.permutations)),
               by_rows = least_p_value(kept.x.rows(), kept.y.rows());
  if (by_rows > significance)
    return {{WarningCode::few_rows, sentence("too few rows for a verdict: p is ", by_rows,
                                             " at least, however far apart the samples are")}};
  if (by_chance > significance)
    return {{WarningCode::few_rows, sentence("too few permutations for a verdict: p is ", by_chance,
                                             " at least (--permutations 19 allows 0.05)")}};
  return {};
}

}  // namespace motmot
