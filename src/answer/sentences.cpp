#include "answer/sentences.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "answer/sides.hpp"
#include "base/text.hpp"
#include "inference/needed.hpp"

namespace motmot {
namespace {

constexpr double significance = 0.05;

bool differs(const Distance& w) { return w.verdict == Verdict::differ; }

/// "50 rows of X", "1 row of X and 3 of Y"; with no rows at all, nothing.
std::string rows_of_both(std::size_t x, std::size_t y) {
  if (x == 0 && y == 0) return "";
  if (y == 0) return counted(x, "row") + " of X";
  if (x == 0) return counted(y, "row") + " of Y";
  return counted(x, "row") + " of X and " + std::to_string(y) + " of Y";
}

/// The verdict rests on the mean distances between rows where the distance itself says nothing.
bool distance_is_chance(const Floor& floor) {
  return floor.w1_p_value ? *floor.w1_p_value > significance : floor.value <= floor.level;
}

std::string needed_sentence(const Distance& w) {
  if (!w.needed || *w.needed <= 0) return "";
  std::string share = needed_words(w);
  share.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(share.front())));
  return " " + share + " of the rows of both would have to be wrong to explain it.";
}

/// Names of the columns of a kind, times with their unit.
std::vector<std::string> columns_of(const Distance& w, Kind kind) {
  std::vector<std::string> columns;
  for (std::size_t j = 0; j < w.asked.kinds.size(); ++j) {
    if (w.asked.kinds[j] != kind) continue;
    columns.push_back(w.asked.columns[j]);
    if (j < w.columns.size() && w.columns[j].time_unit)
      columns.back().append(" (in ").append(name(*w.columns[j].time_unit)).append(")");
  }
  return columns;
}

/// "a, b and c"; of many the first, and how many more there are.
std::string list_of(const std::vector<std::string>& words) {
  constexpr std::size_t most = 8;
  std::string text = words.front();
  const std::size_t shown = std::min(words.size(), most);
  for (std::size_t k = 1; k < shown; ++k) text += (k + 1 == words.size() ? " and " : ", ") + words[k];
  return words.size() > most ? text + " and " + std::to_string(words.size() - most) + " more" : text;
}

/// A word of at most 24 characters, cut where one begins.
std::string shortened(const std::string& word) {
  constexpr std::size_t longest = 24;
  if (word.size() <= longest) return word;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xc0u) == 0x80u) --end;
  return word.substr(0, end) + "...";
}

}  // namespace

std::string Lengths::operator()(double length) const {
  const bool ordinary = answer_ >= 1e-5 && answer_ < 1e7 && std::abs(length) < 1e7;
  if (!ordinary || length == 0) return readable(length, 3);
  const int decimals = std::min(decimals_for(answer_, 3), decimals_for(length, 4));
  return fixed(length, std::max(decimals, decimals_for(length, 2)));
}

namespace {

/// Whether rows of a sample can be told to stand alone and left out.
bool may_lose_one(double tau, std::size_t n) { return n >= least_rows_for_company && share_of(tau, n) > 0; }

/// Rows of the samples as they were given, drawn from or not.
PerSample<std::size_t> rows_given(const Distance& w) {
  const auto [x, y] = w.asked.rows_read;
  return {x > 0 ? x : w.asked.n, y > 0 ? y : w.asked.m};
}

}  // namespace

std::string apart_sentence(const Distance& w) {
  const auto [x, y] = rows_given(w);
  return "X (" + rows_words(x, w.asked.rows_dropped.x) + ") and Y (" + rows_words(y, w.asked.rows_dropped.y) +
         (w.run.stopped ? ") are at most " : ") are ") + Lengths(w.value)(w.value) + " apart.";
}

std::string verdict_sentence(const Distance& w) {
  if (!w.verdict || !w.p_value || !w.floor) return "Not compared with what chance alone would give.";
  const std::string chance = Lengths(w.value)(w.floor->level);
  const bool by_energy = !w.floor->w1_p_value;
  const std::string p =
      "p = " + significant(*w.p_value, 2) + (by_energy ? " by mean distances between rows" : "");
  if (!differs(w)) return "They cannot be told apart: chance alone gives " + chance + " (" + p + ").";
  if (distance_is_chance(*w.floor))
    return "They differ by mean distances between rows (p = " + significant(*w.p_value, 2) +
           "); the distance alone does not show it, since chance gives " + chance + "." + needed_sentence(w);
  return "They differ: chance alone would give " + chance + " (" + p + ")." + needed_sentence(w);
}

std::string needed_words(const Distance& w) {
  const double share = w.needed.value_or(0);
  if (share >= 0.5) return "at least half";
  const auto [x, y] = w.asked.rows_used;
  const bool is_bound = std::max(x, y) > most_rows_solved_for_needed;
  if (!is_bound && share < tolerance_of_needed) return "less than " + percent(tolerance_of_needed);
  return (is_bound ? "at least " : "") + significant(100 * share, 2) + " %";
}

std::string shares_sentence(const Distance& w) {
  if (!differs(w) || !w.floor || !distance_is_chance(*w.floor)) return "";
  return "The shares are of a distance that chance explains: they do not say which columns differ.";
}

PerSample<std::size_t> rest_of_tau(const Distance& w) {
  const auto rest = [](double tau, std::size_t n, std::size_t left_out) {
    const std::size_t most = share_of(tau, n);
    return most - std::min(most, left_out);
  };
  return {rest(w.tau_x, w.asked.n, w.left_out.x.size()), rest(w.tau_y, w.asked.m, w.left_out.y.size())};
}

std::string interval_sentence(const Distance& w) {
  const auto [x, y] = rest_of_tau(w);
  if (!w.interval || x + y == 0) return "";
  const Lengths length(w.value);
  std::string certified;
  if (w.interval_certified)
    certified = w.left_out.x.empty() && w.left_out.y.empty() ? "; lower end certified"
                                                             : "; lower end certified if those left out are";
  return "Between " + length(w.interval->low) + " and " + length(w.interval->high) + " if another " +
         std::to_string(x) + " + " + std::to_string(y) + " rows are wrong (at most " + of_each(w) +
         certified + ").";
}

std::string left_out_sentence(const Distance& w) {
  const std::size_t x = w.left_out.x.size(), y = w.left_out.y.size();
  if (x + y == 0 && w.run.stopped) return "";
  if (x + y == 0 && w.tau_x == 0 && w.tau_y == 0) return "All rows were used: tau is 0.";
  if (x + y == 0 && !may_lose_one(w.tau_x, w.asked.n) && !may_lose_one(w.tau_y, w.asked.m))
    return "All rows were used: none may be left out.";
  if (x + y == 0) return "No row stands alone; wrong rows that lie among the others do not show.";
  const bool one = x + y == 1;
  std::size_t copies = 0;
  bool strangers = false;
  for (const Reading& reading : w.readings) {
    copies += reading.copies ? reading.rows : 0;
    strangers = strangers || reading.strangers;
  }
  std::string text = rows_of_both(x, y);
  if (copies < x + y && strangers)
    text += one ? " lies where the other sample has none" : " lie where the other sample has none";
  if (copies < x + y && !strangers) text += one ? " stands alone" : " stand alone";
  if (copies > 0) text += copies < x + y ? " or repeat a row" : " repeat a row";
  text += one ? " and was left out" : " and were left out";
  if (w.plain)
    text += std::string("; with ") + (one ? "it" : "them") + " the distance would be " +
            Lengths(w.value)(*w.plain);
  return text + ".";
}

namespace {

/// What speaks for one of the two readings; " ..." or "".
std::string hint_of(const Reading& reading) {
  if (const std::optional<SharedValue>& same = reading.shared)
    return " " + shared_value_words(*same, reading.rows) + ".";
  if (reading.in_both) return " They are in both, which speaks for real.";
  if (reading.near_other == 0) return "";
  return " " + std::to_string(reading.near_other) + " of them have company in " +
         (reading.sample == Sample::x ? "Y" : "X") + ", which speaks for real.";
}

/// Two groups that lie in one place, as one.
Reading joined(const Reading& one, const Reading& other) {
  Reading both = one;
  both.rows += other.rows;
  const bool same = one.shared && other.shared && one.shared->column == other.shared->column &&
                    one.shared->value == other.shared->value;
  if (same) both.shared->rows += other.shared->rows;
  else both.shared.reset();
  return both;
}

std::string reading_sentence(const Reading& reading, const std::string& rows, const Lengths& length) {
  const std::string other = reading.sample == Sample::x ? "Y" : "X";
  const std::string where = reading.strangers ? " lie where " + other + " has none: "
                            : reading.copies  ? " repeat a row: "
                                              : " lie together: ";
  return rows + where + length(reading.if_real) + " if they are real, " + length(reading.if_wrong) +
         " if not." + hint_of(reading);
}

}  // namespace

std::string shared_value_words(const SharedValue& shared, std::size_t rows) {
  return (shared.rows == rows ? "All" : std::to_string(shared.rows) + " of them") + " have " + shared.column +
         " = " + shared.value + ", far outside the others: " +
         (shared.elsewhere ? "motmot doctor says what to type"
                           : "--na " + shared.value + " (with --missing level)") +
         " if that means missing";
}

std::vector<std::string> reading_sentences(const Distance& w) {
  const Lengths length(w.value);
  std::vector<std::string> sentences;
  const Reading* first = nullptr;  // of the two groups that are one
  for (const Reading& reading : w.readings) {
    const bool of_x = reading.sample == Sample::x;
    if (reading.in_both && first == nullptr) first = &reading;
    else if (reading.in_both)
      sentences.push_back(reading_sentence(
          joined(*first, reading),
          of_x ? rows_of_both(reading.rows, first->rows) : rows_of_both(first->rows, reading.rows), length));
    else
      sentences.push_back(reading_sentence(
          reading, of_x ? rows_of_both(reading.rows, 0) : rows_of_both(0, reading.rows), length));
  }
  return sentences;
}

std::string units_sentence(const Distance& w) {
  if (w.asked.scale.empty() || w.asked.scale == "none") return "";
  const std::vector<Kind>& kinds = w.asked.kinds;
  const bool levels_alone = !kinds.empty() && std::ranges::count(kinds, Kind::category) == std::ssize(kinds);
  if (levels_alone) return "";
  if (w.asked.scale == "robust")
    return "Each column was divided by its spread: distances have no other unit.";
  return "Columns were divided by the numbers given (" + w.asked.scale + "): distances are in these units.";
}

std::vector<std::string> kinds_sentences(const Distance& w) {
  std::vector<std::string> sentences;
  std::string text;
  for (const auto& [kind, one, many] : {std::tuple(Kind::category, "a category", "categories"),
                                        {Kind::time, "a time", "times"},
                                        {Kind::number, "a number", "numbers"}}) {
    const std::vector<std::string> columns = columns_of(w, kind);
    if (columns.empty()) continue;
    text += (text.empty() ? "" : "; ") + list_of(columns) + (columns.size() == 1 ? " is " : " are ") +
            (columns.size() == 1 ? one : many);
  }
  const bool plain = std::ranges::all_of(w.asked.kinds, [](Kind kind) { return kind == Kind::number; }) &&
                     !w.asked.category_weight && w.asked.columns_left_out.empty();
  if (plain) return {};
  if (w.asked.category_weight) {
    const std::string weight = significant(*w.asked.category_weight, 3);
    text += columns_of(w, Kind::category).empty()
                ? ". A missing value is " + weight + " from one that is there"
                : ". Two levels of a category are " + weight + " apart";
  }
  sentences.push_back(text + ".");
  for (const auto& [name, why] : w.asked.columns_left_out)
    sentences.emplace_back("Left out: ").append(name).append(" ").append(why).append(".");
  return sentences;
}

std::string moved_words(const ColumnMove& column, int digits) {
  const auto of_level = [](const LevelMove& level) {
    const double percents = 100 * level.moved;
    const bool two_digits = std::abs(percents) >= 10;  // "%.2g" makes 100 "1e+02"
    return (percents > 0 ? "+" : "") + (two_digits ? fixed(percents, 0) : significant(percents, 2)) + " % " +
           shortened(level.level);
  };
  constexpr std::size_t most = 4;
  std::string text;
  if (column.kind != Kind::category && !std::isnan(column.moved)) {
    text = (column.moved > 0 ? "+" : "") + readable(column.moved, digits);
    if (column.time_unit) text.append(" ").append(name(*column.time_unit));
  }
  for (std::size_t k = 0; k < std::min(column.levels.size(), most); ++k)
    text += (text.empty() ? "" : ", ") + of_level(column.levels[k]);
  return column.levels.size() > most ? text + ", ..." : text;
}

std::string unit_words(const ColumnMove& column, int digits) {
  if (column.kind == Kind::category) return "";
  std::string text = readable(column.unit, digits);
  return column.time_unit ? text.append(" ").append(name(*column.time_unit)) : text;
}

std::string ruling_column_sentence(const std::string& column, double share) {
  return column + " has " + significant(100 * share, 3) +
         " % of the spread and so rules the distance; --scale robust weighs columns alike";
}

std::string subsample_sentence(const Distance& w) {
  const auto [x, y] = w.asked.rows_used;
  if (x + y == 0 || (x + w.left_out.x.size() >= w.asked.n && y + w.left_out.y.size() >= w.asked.m)) return "";
  const std::string compared = "The distance is that of " + std::to_string(x) + " + " + std::to_string(y);
  const auto [read_x, read_y] = w.asked.rows_read;
  if (read_x + read_y == 0)
    return compared + " of these rows, drawn at random: all of them would take too long.";
  const auto drawn = [](std::size_t rows, std::uint64_t read, char sample) {
    return std::to_string(rows) + (read > 0 ? " rows of " : " rows (all) of ") + sample;
  };
  return "All rows were read once and " + drawn(w.asked.n, read_x, 'X') + " and " +
         drawn(w.asked.m, read_y, 'Y') +
         " were drawn from them at random; what is said of rows is said of these. " + compared +
         " of those: more would take too long.";
}

std::string size_sentence(const Distance& w) {
  if (!w.subsampling) return "";
  const Subsampling& s = *w.subsampling;
  const Lengths length(w.value);
  const auto at = [&](const SizePoint& size) {
    return length(size.value) + " at " + std::to_string(size.rows.x) +
           (size.rows.x == size.rows.y ? "" : " + " + std::to_string(size.rows.y));
  };
  return "Fewer rows lie farther apart: " + at(s.sizes.front()) + " rows, " +
         at(s.sizes[s.sizes.size() / 2]) + ", " + at(s.sizes.back()) + ". All rows would be about " +
         length(s.all_rows) + " apart (+- " + readable(2 * s.all_rows_sd, 2) +
         " if the curve goes on as it does); other rows would move the distance by " + readable(s.spread, 2) +
         " (one standard deviation).";
}

std::string population_sentence(const Distance& w) {
  if (!w.population) return "";
  const Lengths length(w.value);
  std::string text = "Without the part of chance, the laws behind the rows are about " +
                     length(w.population->value) + " apart";
  if (w.population->interval)
    text += " (" + length(w.population->interval->low) + " to " + length(w.population->interval->high) +
            " in 90 % of such samples)";
  return text + ".";
}

std::vector<ColumnMove> columns_by_share(const Distance& w) {
  std::vector<ColumnMove> columns = w.columns;
  std::erase_if(columns, [](const ColumnMove& column) { return !column.share; });
  std::ranges::stable_sort(columns, std::greater{}, [](const ColumnMove& column) { return *column.share; });
  return columns;
}

std::string_view estimator_words(Estimator estimator) {
  switch (estimator) {
    case Estimator::company:
      return "exact distance without the rows that stand alone (company)";
    case Estimator::plain:
      return "plain difference of means, not robust";
    case Estimator::mom:
      return "median of means (mom)";
    case Estimator::mou:
      return "median of U-statistics (mou)";
    case Estimator::mou_diag:
      return "diagonal median of U-statistics (mou-diag)";
  }
  return "";
}

std::string kernel_words(const Asked& asked) {
  if (asked.metric == Metric::energy)
    return "the unit ball of the kernel -|x - y|: the value is the root of an energy distance";
  return "the unit ball of a Gaussian kernel of bandwidth " + significant(asked.bandwidth.value_or(0), 4);
}

std::string_view critic_words(CriticKind kind) {
  switch (kind) {
    case CriticKind::automatic:
    case CriticKind::exact:
      return "all 1-Lipschitz functions, by exact transport";
    case CriticKind::lipschitz:
      return "1-Lipschitz networks";
    case CriticKind::clipped:
      return "clipped network on the data as they are (the paper's)";
  }
  return "";
}

std::string rows_words(std::size_t rows, std::size_t dropped) {
  return counted(rows, "row") +
         (dropped == 0 ? "" : ", " + std::to_string(dropped) + " dropped for missing values");
}

std::string of_each(const Distance& w) {
  if (w.tau_x == w.tau_y) return percent(w.tau_x) + " of each";
  return percent(w.tau_x) + " of X and " + percent(w.tau_y) + " of Y";
}

std::string blocks_words(const PaperEstimate& paper, Sample which) {
  const bool x = which == Sample::x;
  return counted(x ? paper.blocks.x : paper.blocks.y, "block") + " of " +
         counted(x ? paper.block_size.x : paper.block_size.y, paper.scheme == Scheme::pairs ? "pair" : "row");
}

std::string bar_words(const PaperEstimate& paper, std::string_view plus_minus) {
  if (!paper.error_bar) return "";
  if (*paper.error_bar > paper.value && paper.low && paper.high)
    return " (" + significant(*paper.low, 2) + " to " + significant(*paper.high, 2) + ")";
  return std::string(" ").append(plus_minus).append(" ") + significant(*paper.error_bar, 2);
}

std::string run_words(const Distance& w) {
  std::string text;
  if (w.run.solves > 0) text += counted(w.run.solves, "exact solve") + ", ";
  const auto& paper = w.neighbours.paper;
  const bool blocks = paper && w.asked.estimator != Estimator::company;
  if (blocks && paper->steps > 0) text += counted(paper->steps, "step") + ", ";
  if (w.run.stopped) text += "stopped early, ";
  else if (blocks) text += paper->settled ? "settled, " : "not settled, ";
  text += significant(w.run.seconds, 3) + " s on " + counted(w.run.threads, "thread");
  if (w.run.ranks > 1) {
    text += " of each of " + std::to_string(w.run.ranks) + " ranks, which sent ";
    if (w.run.bytes_a_step) text += significant(*w.run.bytes_a_step / 1000, 3) + " kB a step, ";
    text += significant(static_cast<double>(w.run.bytes_sent) / 1000, 3) + " kB in all";
  }
  return text + ", seed " + std::to_string(w.asked.seed);
}

}  // namespace motmot
