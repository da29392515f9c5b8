// References, checks and series in words.
#include "base/text.hpp"

#include <algorithm>
#include <map>

#include "answer/sentences.hpp"
#include "base/statistics.hpp"
#include "motmot/watch.hpp"

namespace motmot {
namespace {

constexpr std::size_t widest = 130;

std::string line(const std::string& sentence) { return sentence.empty() ? "" : wrap("  ", sentence, widest); }

std::string quoted(const std::string& name) { return name.empty() ? "the reference" : "'" + name + "'"; }

/// "kind, unit or levels"
std::string coding_words(const CodedColumn& column) {
  if (column.kind == Kind::category)
    return counted(column.levels.size(), "level") +
           (column.pooled > 0 ? " and " + std::to_string(column.pooled) + " rare ones" : "");
  return "divided by " + readable(column.unit, 4) +
         (column.kind == Kind::time ? " " + std::string(name(column.time_unit)) : "");
}

std::string columns_text(const Coding& coding) {
  TextTable table("lll");
  for (const CodedColumn& column : coding.columns)
    table.add({column.name, std::string(name(column.kind)), coding_words(column)});
  std::string all = table.text("  ");
  for (const ColumnLeftOut& column : coding.left_out)
    all += line("Not compared: " + column.name + " " + column.why + ".");
  return all;
}

std::string own_sentence(const OwnChunks& own) {
  std::vector<double> sorted = own.distance;
  std::ranges::sort(sorted);
  return counted(own.count(), "chunk") + " of " + std::to_string(own.rows) + " of its own rows are " +
         significant(sorted.front(), 3) + " to " + significant(sorted.back(), 3) + " (mean " +
         significant(mean_of(own.distance), 3) + ") from its other rows: that is the floor. One alarm in " +
         std::to_string(own.count() + 1) + " chunks is the rarest that they support." +
         (own.are_restless()
              ? " They differ by more than random rows do: limits are as wide as that asks for."
              : "");
}

// --------------------------------------------------------------------------------------------------- check

std::string verdict_words(const Check& check) {
  const Distance& w = check.distance;
  const std::string p = "p = " + significant(*w.p_value, 2), alpha = significant(check.alpha, 3);
  if (*w.p_value > check.alpha)
    return "No difference beyond what chance gives (" + p + ", more than " + alpha + ").";
  if (!check.effect) return "Different (" + p + ", at most " + alpha + ").";
  const std::string low = significant(w.population->interval.value_or(Interval{}).low, 3),
                    effect = significant(*check.effect, 3);
  return check.differs
             ? "Different (" + p + "), and by at least " + low + ", more than the " + effect + " that matter."
             : "A difference (" + p + ") that may be as small as " + low + ", not more than the " + effect +
                   " that matter.";
}

std::string rows_words_of(const Check& check) {
  const Asked& asked = check.distance.asked;
  std::string text;
  if (asked.n < check.rows.x)
    text += "X has " + std::to_string(asked.n) + " of the " + std::to_string(check.rows.x) +
            " rows of the reference. ";
  if (check.subsample_error)
    text += "Y has " + std::to_string(asked.m) + " of its " + std::to_string(check.rows.y) +
            " rows, drawn by the seed, which moves the distance by " +
            significant(*check.subsample_error, 2) + " (standard error).";
  return text;
}

// ------------------------------------------------------------------------------------------------ monitor

std::string verdict_of(const Judgement& one) {
  if (!one.why_not.empty()) return "not judged";
  return one.alarm ? "ALARM" : "";
}

std::string behind(const Judgement& one) {
  constexpr std::size_t most_columns = 3, most_rows = 5;
  constexpr double nothing = 0.005;  // printed as 0 %
  std::string text = one.name + ":";
  for (std::size_t j = 0; j < std::min(most_columns, one.columns.size()); ++j) {
    const ColumnMove& column = one.columns[j];
    if (j > 0 && column.share && *column.share < nothing) break;
    text += (j > 0 ? "; " : " ") + column.name + " moved by " + moved_words(column);
    if (column.share) text += " (" + fixed(100 * *column.share, 0) + " % of it)";
  }
  text += ". Rows that pull most:";
  for (std::size_t k = 0; k < std::min(most_rows, one.rows_behind.size()); ++k)
    text += (k > 0 ? ", " : " ") + std::to_string(one.rows_behind[k]);
  return text + ".";
}

std::string series_table(const Monitored& series) {
  const auto digits = [](const std::optional<double>& value, int count) {
    return value ? significant(*value, count) : "";
  };
  TextTable table("lrrrrrll");
  table.add({"chunk", "rows", "distance", "score", "limit", "p", "", ""});
  for (const Judgement& one : series.chunks)
    table.add({one.name, std::to_string(one.rows), digits(one.value, 3), digits(one.score, 3),
               digits(one.limit, 3), digits(one.p_value, 2), verdict_of(one), one.is_new ? "" : "before"});
  return table.text("  ");
}

std::string alarm_sentence(const Monitored& series) {
  return "An alarm is a score above its limit" +
         (series.effect ? ", where the laws are more than " + significant(*series.effect, 3) + " apart."
                        : ".");
}

/// Chunks that are larger than the reference's own.
std::string drawn_sentence(const Monitored& series) {
  std::size_t chunks = 0, rows = 0;
  for (const Judgement& one : series.chunks) {
    if (!one.is_new || !one.why_not.empty() || one.rows_used == one.rows) continue;
    ++chunks;
    rows = std::max(rows, one.rows_used);
  }
  if (chunks == 0) return "";
  return "Of " + counted(chunks, "chunk") + " only some rows, " + std::to_string(rows) +
         " at most, were drawn and compared, as many as the reference's own chunks have: it takes a larger "
         "table, or motmot reference --chunk-rows, to compare more.";
}

/// The chunks that were not judged, by reason.
std::string not_judged_text(const Monitored& series) {
  std::map<std::string, std::string> chunks;
  for (const Judgement& one : series.chunks)
    if (one.is_new && !one.why_not.empty()) {
      std::string& names = chunks[one.why_not];
      names += (names.empty() ? "" : ", ") + one.name;
    }
  const auto sentence = [](const std::string& why, const std::string& names) {
    return "\n" + line("Not judged, " + why + ": " + names + ".");
  };
  std::string all;
  for (const auto& [why, names] : chunks) all += sentence(why, names);
  return all;
}

}  // namespace

std::string text(const Reference& reference) {
  std::string all = line((reference.name.empty() ? "The reference" : "Reference " + quoted(reference.name)) +
                         ": " + std::to_string(reference.rows.n()) +
                         (reference.has_all_rows() ? " rows, all kept."
                                                   : " of " + std::to_string(reference.source_rows) +
                                                         " rows kept, drawn by the seed.") +
                         " At most " + percent(reference.tau) + " of them may be wrong.");
  all += line(own_sentence(reference.own));
  return all + "\n" + columns_text(reference.coding);
}

std::string text(const Check& check, const TextOptions& options) {
  return line(verdict_words(check)) + line("X is the reference " + quoted(check.reference) + ".") +
         line(rows_words_of(check)) + text(check.distance, options);
}

std::string text(const Monitored& series) {
  const std::size_t alarms = series.alarms();
  const auto judged = std::ranges::count_if(
      series.chunks, [](const Judgement& one) { return one.is_new && one.why_not.empty(); });
  std::string all =
      line(counted(static_cast<std::size_t>(judged), "new chunk") + ", " + counted(alarms, "alarm") +
           ". Without drift one chunk of " + std::to_string(series.one_in) + " alarms; the reference is " +
           quoted(series.reference) +
           (series.rolling > 0 ? ", then the last " + counted(series.rolling, "chunk") : "") + ".");
  all += line(drawn_sentence(series));
  if (!series.chunks.empty()) all += "\n" + series_table(series) + "\n" + line(alarm_sentence(series));
  for (const Judgement& one : series.chunks)
    if (one.is_new && one.alarm && !one.columns.empty()) all += "\n" + line(behind(one));
  return all + not_judged_text(series);
}

}  // namespace motmot
