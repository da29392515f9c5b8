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

/// A text as a field: quoted where it must be.
std::string field_of(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number_or_empty(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

/// The rows that are not listed, the most remote first.
std::vector<OutlierRow> rows_not_listed(const Outliers& found) {
  PerSample<std::vector<bool>> listed{std::vector<bool>(found.x.n),
                                      std::vector<bool>(found.y ? found.y->n : 0)};
  for (const OutlierRow& row : found.rows) (row.sample == Sample::x ? listed.x : listed.y)[row.row] = true;
  std::vector<OutlierRow> rest;
  const auto add = [&](Sample which, const OutlierSample& sample, const std::vector<bool>& known) {
    for (std::uint32_t i = 0; i < sample.scores.size(); ++i)
      if (!known[i]) rest.push_back({.sample = which, .row = i, .score = sample.scores[i]});
  };
  add(Sample::x, found.x, listed.x);
  if (found.y) add(Sample::y, *found.y, listed.y);
  std::ranges::stable_sort(rest, [](const OutlierRow& a, const OutlierRow& b) { return a.score > b.score; });
  return rest;
}

}  // namespace

std::string pairs_csv(const Matrix& m) {
  std::string text = "first,second,distance,floor,energy,p_value,q_value,differ\n";
  for (const MatrixPair& p : m.pairs)
    text += fmt::format("{},{},{},{},{},{},{},{}\n", field_of(m.samples[p.first].name),
                        field_of(m.samples[p.second].name), p.value, number_or_empty(p.floor), p.energy,
                        p.p_value, p.q_value, p.differ ? 1 : 0);
  return text;
}

std::string square_csv(const Matrix& m) {
  std::string text = "sample";
  for (const MatrixSample& sample : m.samples) text += "," + field_of(sample.name);
  text += "\n";
  for (std::size_t a = 0; a < m.samples.size(); ++a) {
    text += field_of(m.samples[a].name);
    for (std::size_t b = 0; b < m.samples.size(); ++b) text += "," + number_or_empty(m.between(a, b));
    text += "\n";
  }
  return text;
}

std::string compare_csv(const Comparison& c) {
  std::string text = "method,value,seconds,dirt,value_with_dirt,movement\n";
  for (const MethodResult& method : c.methods) {
    text += fmt::format("{},{},{},,,\n", name(method.method), method.value, method.seconds);
    for (const Stressed& s : method.stress)
      text += fmt::format("{},{},{},{},{},{}\n", name(method.method), method.value, method.seconds,
                          name(s.dirt), s.value, number_or_empty(s.movement));
  }
  return text;
}

std::string outliers_csv(const Outliers& found, const PerSample<RowNumbers>& from) {
  std::string text = "rank,sample,row,suspect,score,sign,column,value,reason\n";
  std::size_t rank = 0;
  const auto add = [&](const OutlierRow& row) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n", ++rank, name(row.sample),
                   (row.sample == Sample::x ? from.x : from.y)[row.row], row.suspect ? 1 : 0, row.score,
                   row.reason.empty() ? "" : name(row.sign), field_of(row.column), field_of(row.value),
                   field_of(row.reason));
  };
  std::ranges::for_each(found.rows, add);
  std::ranges::for_each(rows_not_listed(found), add);
  return text;
}

std::string doctor_csv(const Checkup& checkup) {
  std::string text = "code,table,column,share,text,type\n";
  for (const Symptom& f : checkup.findings)
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", name(f.code), f.table, field_of(f.column),
                   f.share, field_of(f.text), field_of(f.type));
  return text;
}

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
