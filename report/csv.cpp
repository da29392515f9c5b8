// Results for programs: CSV.
#include <fmt/format.h>

#include <algorithm>

#include "motmot/report.hpp"
#include "report/study_report.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

/// A field that the critic does not have stays empty.
void add_rows(std::string_view sample, const RowDiagnostics& rows, const RowNumbers& from,
              std::string& text) {
  for (std::size_t i = 0; i < rows.phi.size(); ++i) {
    text += fmt::format("{},{},{},", sample, from.rows.empty() ? i + 1 : from.rows[i], rows.phi[i]);
    if (!rows.frequency.empty()) text += fmt::format("{}", rows.frequency[i]);
    text += ',';
    if (!rows.dropped.empty()) text += rows.dropped[i] ? '1' : '0';
    text += '\n';
  }
}

}  // namespace

std::string rows_csv(const Distance& e, const PerSample<RowNumbers>& from) {
  std::string text = "sample,row,phi,median_frequency,trimmed\n";
  add_rows("x", e.rows.x, from.x, text);
  add_rows("y", e.rows.y, from.y, text);
  return text;
}

std::string trace_csv(const Distance& e) {
  std::string text = "step,epoch,value\n";
  const std::size_t epoch = std::max(e.asked.blocks.x, e.asked.blocks.y);
  for (std::size_t t = 0; t < e.run.trace.size(); ++t)
    text += fmt::format("{},{},{}\n", t + 1, t / epoch + 1, e.run.trace[t]);
  return text;
}

std::string study_csv(const StudyResult& result) {
  std::string text = "data,tau,method,blocks,epoch,repetition,value,reference,shown\n";
  for (const Measurement& m : result.measurements)
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", name(m.data), m.tau, m.method, m.k, m.epoch,
                        m.repetition, m.value, m.reference, shown(result.options.study, m));
  return text;
}

std::string summary_csv(const StudyResult& result) {
  std::string text = "data,tau,method,blocks,epoch,repetitions,mean,sd,q25,median,q75,reference\n";
  for (const StudySummary& s : result.summary)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", name(s.data), s.tau, s.method, s.k, s.epoch,
                        s.repetitions, s.mean, s.sd, s.q25, s.median, s.q75, s.reference);
  return text;
}

}  // namespace motmot
