#include <fmt/format.h>

#include <cmath>

#include "motmot/report.hpp"
#include "report/text_table.hpp"
#include "report/words.hpp"

namespace motmot {
namespace {

std::string heading(const Advice& advice) {
  const AdviseOptions& o = advice.options;
  std::string text = fmt::format("Advice for n = {}, m = {}, d = {}, tau_x = {}, tau_y = {}", o.n, o.m,
                                 o.bounds.d, o.tau.x, o.tau.y);
  text +=
      fmt::format(": {} in X, {} in Y expected", counted(advice.expected.x, "outlier"), advice.expected.y);
  return wrap("", text);
}

std::string_view formula(Estimator estimator) {
  switch (estimator) {
    case Estimator::mom:
      return "med_k a_k - med_l b_l";
    case Estimator::mou:
      return "median of a_k - b_l over all pairs of blocks";
    case Estimator::mou_diag:
      return "med_k (a_k - b_k)";
    case Estimator::plain:
      break;
  }
  return "";
}

std::string conditions(const Admission& admission) {
  std::string text = admission.all() ? "The paper's conditions hold: " : "The paper's conditions FAIL: ";
  const char* separator = "";
  for (const Condition& condition : admission.conditions) {
    text += separator + condition.text + (condition.holds ? "" : " (does not hold)");
    separator = ", ";
  }
  return wrap("  ", text + ".");
}

std::string two_counts(PerSample<std::size_t> out) { return fmt::format("{} / {}", out.x, out.y); }

std::string rules_table(const EstimatorAdvice& advice) {
  TextTable table;
  table.add({"rule", "K_X", "K_Y", "B_X", "B_Y", "p", "bias", "worst case", "on average", "majority"});
  for (const RuleAdvice& rule : advice.rules) {
    const BlockChoice& blocks = rule.blocks;
    table.add({std::string(name(rule.rule)), fmt::to_string(blocks.k_x), fmt::to_string(blocks.k_y),
               fmt::to_string(blocks.b_x), fmt::to_string(blocks.b_y), fmt::format("{:.3f}", blocks.p),
               std::isinf(rule.bias) ? "no limit" : fmt::format("{:.3f}", rule.bias),
               two_counts(rule.tolerance.worst_case), two_counts(rule.tolerance.on_average),
               std::string(name(rule.majority))});
  }
  return table.text("    ", "  > ", 1);
}

std::string blocks_in_words(std::size_t k, std::size_t b) {
  return k == 1 ? "one block" : fmt::format("{} blocks of {}", k, counted(b, "row"));
}

std::string recommendation(const EstimatorAdvice& advice, PerSample<std::size_t> expected) {
  const RuleAdvice& best = advice.rules.front();
  std::string text = fmt::format("Take K_X = {}, K_Y = {}: ", best.blocks.k_x, best.blocks.k_y);
  text += fmt::format("{} in X, {} in Y. ", blocks_in_words(best.blocks.k_x, best.blocks.b_x),
                      blocks_in_words(best.blocks.k_y, best.blocks.b_y));
  const std::string these = fmt::format("The {} / {} outliers expected", expected.x, expected.y);
  switch (best.majority) {
    case Majority::always:
      text += these + " cannot dirty half of the blocks, wherever they fall.";
      break;
    case Majority::on_average:
      text += these +
              " leave most blocks clean on average, with room to spare; a deliberate adversary who knew the "
              "blocks could still dirty half of them.";
      break;
    case Majority::barely:
      text += these + " leave most blocks clean on average, but only just.";
      break;
    case Majority::lost:
      text += these + " dirty at least half of the blocks on average: do not trust the value.";
      break;
  }
  return wrap("  > ", text);
}

/// exp(log_delta) may be too small for a double.
std::string chance_of_success(double log_delta) {
  constexpr double ln10 = 2.302585092994046;
  if (log_delta > -4 * ln10) return fmt::format("{:.4g}", -std::expm1(log_delta));
  return fmt::format("1 - 10^{:.0f}", std::ceil(log_delta / ln10));
}

std::string bound_line(const Bound& bound) {
  if (!bound.value) return fmt::format("      {:<16}  no statement\n", bound.bounded);
  const std::string level =
      bound.log_delta ? "with chance >= " + chance_of_success(*bound.log_delta) : "on average";
  return fmt::format("      {:<16}  <= {:.4g} {}{}\n", bound.bounded, *bound.value, level,
                     bound.vacuous ? ", vacuous" : "");
}

/// What all bounds together come to, when that is nothing.
std::string bounds_verdict(const std::vector<Bound>& bounds, double diameter) {
  for (const Bound& bound : bounds)
    if (bound.value && !bound.vacuous) return "";
  return wrap("    ", fmt::format("Nothing here is below the diameter, {:.4g}, which bounds such a distance "
                                  "without any data: rely on the error bar that comes with a value.",
                                  diameter));
}

std::string bounds_text(const EstimatorAdvice& advice, const BoundOptions& options) {
  const std::string gamma = advice.gamma_x == advice.gamma_y
                                ? fmt::format("{:.4g}", advice.gamma_x)
                                : fmt::format("{:.4g} (X), {:.4g} (Y)", advice.gamma_x, advice.gamma_y);
  std::string text =
      wrap("  ",
           fmt::format("Bounds for the K of prop4, diameter {:.4g}, C_L = {:.4g}, delta = {:.4g}; Gamma = {}",
                       options.diameter, options.c_l, options.delta, gamma));
  if (advice.bounds.empty())
    return text +
           "    none: the paper proves no finite-sample bound for mou, whose blocks depend on each other\n";
  std::string statement;
  for (const Bound& bound : advice.bounds) {
    if (bound.statement != statement) text += "    " + bound.statement + "\n";
    statement = bound.statement;
    text += bound_line(bound);
    for (const std::string& note : bound.notes)
      if (!note.starts_with("vacuous")) text += wrap("          ", note);
  }
  return text + bounds_verdict(advice.bounds, options.diameter);
}

std::string estimator_text(const EstimatorAdvice& advice, const Advice& all) {
  std::string text = fmt::format("\n{}: {}\n", name(advice.estimator), formula(advice.estimator));
  text += conditions(advice.admission) + "\n" + rules_table(advice) + "\n";
  text += recommendation(advice, all.expected);
  for (const std::string& warning : advice.rules.front().blocks.warnings) text += wrap("  ! ", warning);
  return text + "\n" + bounds_text(advice, all.options.bounds);
}

std::string legend() {
  const std::pair<const char*, const char*> entries[] = {
      {"default", "ours: blocks as large as Prop. 4's and p <= 0.4 allow, K odd"},
      {"prop4", "K = ceil(sqrt(2 tau) n), Prop. 4 (prop:consistency)"},
      {"section42", "the smallest K > 2 tau n, Section 4.2"},
      {"seventy", "K = ceil(1.4 tau n), the \"70 of 500\" at tau = 0.1 of Section 4.2"},
      {"gan", "4 blocks, Section 4.3"},
      {"K, B", "number of blocks, rows in a block"},
      {"p", "chance that a block (mou, mou-diag: a pair) holds an outlier; keep it <= 0.4"},
      {"bias", "shift of the value by outliers all on one side, per robust spread of phi"},
      {"worst case", "most outliers in X / Y that leave a clean majority wherever they fall"},
      {"on average", "most outliers in X / Y that leave one when the blocks are drawn at random"},
      {"majority", "whether the clean blocks keep theirs under the outliers expected"}};
  std::string text = "\n";
  for (const auto& [word, meaning] : entries) text += wrap(fmt::format("  {:<10}  ", word), meaning);
  return text;
}

}  // namespace

std::string advice_text(const Advice& advice) {
  std::string text = heading(advice);
  for (const EstimatorAdvice& estimator : advice.estimators) text += estimator_text(estimator, advice);
  return text + legend();
}

}  // namespace motmot
