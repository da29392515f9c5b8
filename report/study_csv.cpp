#include <fmt/format.h>

#include <iterator>

#include "report/study_report.hpp"
#include "study/summary.hpp"

namespace motmot {

std::string study_csv(const StudyResult& result) {
  std::string text = "data,tau,method,blocks,epoch,repetition,value,reference,shown\n";
  for (const Measurement& m : result.measurements)
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{}\n", name(m.data), m.tau, m.method,
                   m.k, m.epoch, m.repetition, m.value, m.reference, shown(result.options.study, m));
  return text;
}

std::string summary_csv(const StudyResult& result) {
  std::string text = "data,tau,method,blocks,epoch,repetitions,mean,sd,q25,median,q75,reference\n";
  for (const StudySummary& s : result.summary)
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{}\n", name(s.data), s.tau,
                   s.method, s.k, s.epoch, s.repetitions, s.mean, s.sd, s.q25, s.median, s.q75, s.reference);
  return text;
}

}  // namespace motmot
