// What stands in the way, in words.
#include "base/text.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "motmot/doctor.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_alike = 5;  ///< findings of one kind that are written out

std::string duration(double seconds) {
  if (seconds < 120) return readable(seconds, 2) + " s";
  if (seconds < 7200) return readable(seconds / 60, 2) + " min";
  return readable(seconds / 3600, 2) + " h";
}

std::string sizes(const Checkup& checkup) {
  const std::string x =
      "X has " + counted(checkup.n, "row") + " of " + counted(checkup.columns.size(), "column");
  return checkup.m ? x + ", Y " + counted(*checkup.m, "row") : x;
}

}  // namespace

std::string text(const Checkup& checkup) {
  std::string text = wrap(
      "  ", sizes(checkup) + ". " +
                (checkup.findings.empty() ? "Nothing stands in the way."
                                          : counted(checkup.findings.size(), "finding") +
                                                (checkup.findings.size() == 1 ? "." : ", the worst first.")));
  std::size_t number = 0, alike = 0;
  for (const Symptom& finding : checkup.findings) {
    alike = number > 0 && finding.code == checkup.findings[number - 1].code ? alike + 1 : 0;
    ++number;
    if (alike == most_alike) {
      const auto same = [&](const Symptom& other) { return other.code == finding.code; };
      const auto more = static_cast<std::size_t>(std::ranges::count_if(checkup.findings, same)) - most_alike;
      text += "\n  " + std::to_string(number) + ". and " + counted(more, "finding") + " more like these.\n";
    }
    if (alike >= most_alike) continue;
    const bool says_where = finding.text.find(" of " + finding.table) != std::string::npos ||
                            finding.text.starts_with(finding.table + " ");
    const std::string where = says_where || !checkup.m ? "" : finding.table + ": ";
    text += "\n" + wrap("  " + std::to_string(number) + ". ", where + finding.text + ".");
    if (!finding.type.empty()) text += "     type: " + finding.type + "\n";
  }
  TextTable table("lrr");
  table.add({"what it would cost", "CPU", "memory"});
  for (const Forecast& one : checkup.forecasts)
    table.add({one.method, duration(one.seconds), size_words(1e6 * one.megabytes)});
  return text + "\n" + table.text("  ") +
         "  (from runs on normal rows, bench/forecast.py; expect a factor of three)\n";
}

}  // namespace motmot
