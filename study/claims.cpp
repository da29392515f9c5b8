#include <fmt/format.h>

#include <algorithm>

#include "study/claim_tools.hpp"

namespace motmot {

const StudySummary* find_summary(const StudyResult& result, Toy data, double tau, std::string_view method,
                                 std::size_t k, std::size_t epoch) {
  for (const StudySummary& s : result.summary)
    if (s.data == data && s.tau == tau && s.method == method && s.k == k && s.epoch == epoch) return &s;
  return nullptr;
}

bool has(const std::vector<double>& values, double value) {
  return std::ranges::find(values, value) != values.end();
}

bool has(const std::vector<std::size_t>& values, std::size_t value) {
  return std::ranges::find(values, value) != values.end();
}

double trend(std::span<const double> values) {
  double sum = 0, pairs = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i + 1; j < values.size(); ++j, ++pairs)
      sum += values[j] > values[i] ? 1 : values[j] < values[i] ? -1 : 0;
  return pairs > 0 ? sum / pairs : 0;
}

std::string signed_percent(double share) { return fmt::format("{:+.1f} %", 100 * share); }

std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : "; ").append(part);
  return text;
}

void judge(Claim& claim, const std::vector<std::string>& good, const std::vector<std::string>& bad) {
  claim.condition.clear();
  claim.verdict = bad.empty() ? Verdict::holds : good.empty() ? Verdict::holds_not : Verdict::holds_only_if;
  if (claim.verdict != Verdict::holds_only_if) return;
  claim.condition =
      bad.size() < good.size() ? "the data are not " + listed(bad) : "the data are " + listed(good);
}

std::vector<Claim> check_claims(const StudyResult& result) {
  switch (result.options.study) {
    case Study::error:
      return error_claims(result);
    case Study::convergence:
      return convergence_claims(result);
    case Study::breakdown:
      return breakdown_claims(result);
  }
  return {};
}

}  // namespace motmot
