#include "base/text.hpp"

#include <algorithm>

#include "answer/sentences.hpp"

namespace motmot {
namespace {

constexpr std::size_t widest = 130;  ///< the usual sentences fit on a line each
constexpr std::size_t most_columns = 8;

/// Lines "  label     number      words", numbers under each other.
class Lines {
 public:
  void words(std::string_view label, std::string_view words) {
    if (!words.empty()) all_ += wrap("  " + padded(label, 11), std::string(words), widest);
  }
  void number(std::string_view label, const std::optional<double>& value, const std::string& words) {
    if (value) all_ += wrap("  " + padded(label, 11) + padded(significant(*value, 6), 12), words, widest);
  }
  void blank() { all_ += '\n'; }
  [[nodiscard]] const std::string& text() const { return all_; }

 private:
  std::string all_;
};

std::string two(std::size_t x, std::size_t y) { return std::to_string(x) + " + " + std::to_string(y); }

void add_network(const Distance& w, Lines& lines) {
  if (!w.neighbours.network) return;
  const NetworkEstimate& network = *w.neighbours.network;
  if (network.held_out)
    lines.number("network", network.held_out,
                 "between the laws, by a network on rows that it was not fitted on; " +
                     significant(network.value, 6) + " on its own rows");
  else
    lines.number(
        "network", network.value,
        "between the laws, by a network on the rows that it was fitted on: too high in many columns");
}

std::string warnings_text(const Distance& w) {
  std::string all;
  for (const Warning& warning : w.warnings) all += "\n" + wrap("  Warning: ", warning.text, widest);
  return all;
}

// ----------------------------------------------------------------------------------------------- company

std::string columns_text(const Distance& w) {
  const std::vector<ColumnMove> columns = columns_by_share(w);
  if (columns.empty()) return "";
  const bool scaled = !units_sentence(w).empty();
  const bool words = std::ranges::any_of(columns, [](const ColumnMove& c) { return !c.levels.empty(); });
  TextTable table(words ? "lrlr" : "lrrr");
  table.add({"column", "share", " moved by", scaled ? "divided by" : ""});
  for (std::size_t j = 0; j < std::min(columns.size(), most_columns); ++j)
    table.add({columns[j].name, fixed(100 * *columns[j].share, 0) + " %",
               (words ? " " : "") + moved_words(columns[j]), scaled ? unit_words(columns[j]) : ""});
  std::string all = "\n" + table.text("  ");
  if (columns.size() > most_columns)
    all += "  and " + std::to_string(columns.size() - most_columns) + " more\n";
  if (const std::string caution = shares_sentence(w); !caution.empty()) all += "  " + caution + "\n";
  return all;
}

std::string p_value_words(const Floor& floor) {
  std::string text;
  if (floor.w1_p_value) text = significant(*floor.w1_p_value, 2) + " by the distance, ";
  text += significant(floor.energy_p_value, 2) + " by mean distances between rows (energy distance)";
  if (floor.kernel_p_value) text += ", " + significant(*floor.kernel_p_value, 2) + " by a kernel distance";
  text += ", " + counted(floor.permutations, "permutation");
  return text + (floor.w1_p_value ? "" : "; none by the distance itself");
}

void add_test(const Distance& w, Lines& lines) {
  lines.words("laws", population_sentence(w));
  if (!w.floor) return;
  lines.number("chance", w.floor->level,
               "mean distance when the rows kept are mixed and dealt anew as " +
                   two(w.floor->rows.x, w.floor->rows.y) + "; sd " + significant(w.floor->sd, 2));
  lines.words("p-values", p_value_words(*w.floor));
}

void add_paper(const Distance& w, Lines& lines) {
  if (!w.neighbours.paper) return;
  const PaperEstimate& paper = *w.neighbours.paper;
  std::string words(estimator_words(paper.estimator));
  words += " of the paper";
  if (paper.error_bar)
    words += ";" + bar_words(paper) + " if at most " + of_each(w) + " are wrong and the rest has one mode";
  lines.number("paper", paper.value, words);
}

/// How the answer was computed, and what stands beside it.
std::string details(const Distance& w) {
  Lines lines;
  lines.words("estimator", estimator_words(w.asked.estimator));
  lines.words("tau", "at most " + of_each(w) + (w.asked.why_tau.empty() ? "" : ": " + w.asked.why_tau));
  add_test(w, lines);
  lines.number("plain", w.plain, "all rows: one wrong row far enough away can make this anything");
  lines.number("partial", w.partial,
               "the distance of the right rows is not below this if at most " + of_each(w) + " are wrong");
  if (!w.profile.empty())
    lines.number("remote", w.profile.back().value,
                 "without the " + two(w.profile.back().x, w.profile.back().y) + " most remote rows");
  add_paper(w, lines);
  add_network(w, lines);
  lines.words("run", run_words(w));
  return "\n" + lines.text();
}

/// What was asked for beside the answer.
std::string beside(const Distance& w) {
  Lines lines;
  add_paper(w, lines);
  add_network(w, lines);
  return lines.text().empty() ? "" : "\n" + lines.text();
}

/// A sentence on a line of its own, and to the right of it where to look further.
std::string line(const std::string& sentence, std::string_view further = {}) {
  if (sentence.empty()) return "";
  std::string all = wrap("  ", sentence, widest);
  if (!further.empty()) all.insert(all.size() - 1, std::string(8, ' ').append(further));
  return all;
}

std::string company_text(const Distance& w, const TextOptions& options) {
  const bool any_left_out = !w.left_out.x.empty() || !w.left_out.y.empty();
  std::string all = line(apart_sentence(w)) + line(verdict_sentence(w)) + line(interval_sentence(w)) +
                    line(left_out_sentence(w), any_left_out ? options.where_rows : "");
  for (const std::string& reading : reading_sentences(w)) all += line(reading);
  all += line(units_sentence(w)) + line(subsample_sentence(w)) + line(size_sentence(w));
  for (const std::string& sentence : kinds_sentences(w)) all += line(sentence);
  return all + columns_text(w) + warnings_text(w) + (options.verbose ? details(w) : beside(w));
}

// ------------------------------------------------------------------------- plain and estimators with blocks

/// The answer in one line: "plain 9.93, robust 7.30 +- 0.21 (assuming that at most 10 % of each are wrong)".
std::string headline(const Distance& w) {
  const auto& paper = w.neighbours.paper;
  if (paper && paper->critic == CriticKind::clipped)
    return "value " + significant(w.value, 6) + " +- " + significant(paper->sd, 2) +
           " (spread over the last steps)";
  if (!paper || w.asked.estimator == Estimator::plain)
    return "plain " + significant(w.value, 6) + " (not robust)";
  return (w.plain ? "plain " + significant(*w.plain, 4) + ", " : "") + "robust " + significant(w.value, 4) +
         bar_words(*paper) + " (assuming that at most " + of_each(w) + " are wrong)";
}

void add_numbers(const Distance& w, const PaperEstimate& paper, Lines& lines) {
  lines.number("robust", w.value,
               paper.target == Target::population ? "distance between the laws of the inliers, by a network"
                                                  : "distance between the inliers of the two samples");
  lines.number("partial", w.partial,
               "the inliers' distance is not below this if at most " + of_each(w) + " are wrong");
  lines.number("plain", w.plain,
               w.asked.metric == Metric::mmd
                   ? "all rows"
                   : "all rows: one outlier far enough away can make this anything");
  if (paper.lower && paper.upper)
    lines.words("bracket", "[" + significant(*paper.lower, 6) + ", " + significant(*paper.upper, 6) +
                               "] on one fixed partition (the critic has " +
                               significant(paper.fixed_partition_value.value_or(0), 6) + " there), proved");
  lines.number("held out", paper.held_out, "value on rows that the critic was not fitted on");
  add_network(w, lines);
  lines.blank();
}

void add_settings(const Distance& w, Lines& lines) {
  const auto& paper = w.neighbours.paper;
  const bool blocks = paper && w.asked.estimator != Estimator::plain;
  const auto sample = [&](std::size_t rows, std::size_t out, Sample which) {
    return rows_words(rows, out) + (blocks ? ", " + blocks_words(*paper, which) : "");
  };
  lines.words("estimator", estimator_words(w.asked.estimator));
  const bool w1 = w.asked.metric == Metric::w1;
  if (!w1) lines.words("metric", std::string(name(w.asked.metric)) + ", over " + kernel_words(w.asked));
  else if (paper) lines.words("critic", critic_words(paper->critic));
  lines.words("", w.asked.why_critic);
  lines.words("X", sample(w.asked.n, w.asked.rows_dropped.x, Sample::x));
  lines.words("Y", sample(w.asked.m, w.asked.rows_dropped.y, Sample::y));
  if (blocks) lines.words("blocks", name(paper->scheme));
  lines.words("units", units_sentence(w));
  for (const std::string& sentence : kinds_sentences(w)) lines.words("columns", sentence);
  lines.words("run", run_words(w));
}

std::string paper_text(const Distance& w) {
  Lines lines;
  const auto& paper = w.neighbours.paper;
  const bool clipped = paper && paper->critic == CriticKind::clipped;
  if (paper && !clipped && w.asked.estimator != Estimator::plain) add_numbers(w, *paper, lines);
  add_settings(w, lines);
  std::string all = "  " + headline(w) + "\n\n" + lines.text();
  if (clipped)
    all += "\n" +
           wrap("  ",
                "The value is the distance times a constant that clipping leaves unknown. Compare it with "
                "values of the same settings only: the same network and clip, clean against dirty, one pair "
                "of samples against another.",
                widest);
  return all + warnings_text(w);
}

}  // namespace

std::string text(const Distance& w, const TextOptions& options) {
  return w.asked.estimator == Estimator::company ? company_text(w, options) : paper_text(w);
}

}  // namespace motmot
