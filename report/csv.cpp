// Results for programs: CSV.
#include <fmt/format.h>

#include <algorithm>

#include "motmot/report.hpp"
#include "report/study_report.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

/// A field that the estimator does not have stays empty.
void add_rows(std::string_view sample, std::size_t n, const RowDiagnostics& rows, const RowNumbers& from,
              std::string& text) {
  for (std::size_t i = 0; i < n; ++i) {
    fmt::format_to(std::back_inserter(text), "{},{},", sample, from[i]);
    if (!rows.left_out.empty()) text += rows.left_out[i] ? '1' : '0';
    for (const auto* values : {&rows.score, &rows.phi, &rows.frequency}) {
      text += ',';
      if (!values->empty()) fmt::format_to(std::back_inserter(text), "{}", (*values)[i]);
    }
    text += '\n';
  }
}

}  // namespace

std::string rows_csv(const Distance& w, const PerSample<RowNumbers>& from) {
  std::string text = "sample,row,left_out,score,phi,frequency\n";
  add_rows("x", w.asked.n, w.rows.x, from.x, text);
  add_rows("y", w.asked.m, w.rows.y, from.y, text);
  return text;
}

std::string trace_csv(const Distance& w) {
  std::string text = "step,epoch,value\n";
  const auto [x, y] = w.neighbours.paper ? w.neighbours.paper->blocks : PerSample<std::size_t>{1, 1};
  for (std::size_t t = 0; t < w.run.trace.size(); ++t)
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", t + 1, t / std::max(x, y) + 1, w.run.trace[t]);
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
