#include <cmath>

#include "base/text.hpp"
#include "motmot/theory.hpp"

namespace motmot {
namespace {

std::string count(std::size_t number) { return std::to_string(number); }
std::string four(double value) { return significant(value, 4); }

std::string heading(const Advice& advice) {
  const AdviseOptions& o = advice.options;
  return wrap("", "Advice for n = " + count(o.n) + ", m = " + count(o.m) + ", d = " + count(o.bounds.d) +
                      ", tau_x = " + significant(o.tau.x, 6) + ", tau_y = " + significant(o.tau.y, 6) + ": " +
                      counted(advice.expected.x, "outlier") + " in X, " + count(advice.expected.y) +
                      " in Y expected");
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
    case Estimator::company:
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

std::string two_counts(PerSample<std::size_t> out) { return count(out.x) + " / " + count(out.y); }

std::string rules_table(const EstimatorAdvice& advice) {
  TextTable table("lrrrrrrrrl");
  table.add({"rule", "K_X", "K_Y", "B_X", "B_Y", "p", "bias", "worst case", "on average", "majority"});
  for (const RuleAdvice& rule : advice.rules) {
    const BlockChoice& blocks = rule.blocks;
    table.add({std::string(name(rule.rule)), count(blocks.k_x), count(blocks.k_y), count(blocks.b_x),
               count(blocks.b_y), fixed(blocks.p, 3),
               std::isinf(rule.bias) ? "no limit" : fixed(rule.bias, 3),
               two_counts(rule.tolerance.worst_case), two_counts(rule.tolerance.on_average),
               std::string(name(rule.majority))});
  }
  return table.text("    ", "  > ", 1);
}

std::string blocks_in_words(std::size_t k, std::size_t b) {
  return k == 1 ? "one block" : count(k) + " blocks of " + counted(b, "row");
}

std::string recommendation(const EstimatorAdvice& advice, PerSample<std::size_t> expected) {
  const RuleAdvice& best = advice.rules.front();
  std::string text = "Take K_X = " + count(best.blocks.k_x) + ", K_Y = " + count(best.blocks.k_y) + ": " +
                     blocks_in_words(best.blocks.k_x, best.blocks.b_x) + " in X, " +
                     blocks_in_words(best.blocks.k_y, best.blocks.b_y) + " in Y. ";
  const std::string these = "The " + two_counts(expected) + " outliers expected";
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
  if (log_delta > -4 * ln10) return four(-std::expm1(log_delta));
  return "1 - 10^" + fixed(std::ceil(log_delta / ln10), 0);
}

std::string bound_line(const Bound& bound) {
  const std::string what = "      " + padded(bound.bounded, 16) + "  ";
  if (!bound.value) return what + "no statement\n";
  const std::string level =
      bound.log_delta ? "with chance >= " + chance_of_success(*bound.log_delta) : "on average";
  return what + "<= " + four(*bound.value) + " " + level + (bound.vacuous ? ", vacuous\n" : "\n");
}

/// What all bounds together come to, when that is nothing.
std::string bounds_verdict(const std::vector<Bound>& bounds, double diameter) {
  for (const Bound& bound : bounds)
    if (bound.value && !bound.vacuous) return "";
  return wrap("    ", "Nothing here is below the diameter, " + four(diameter) +
                          ", which bounds such a distance without any data: rely on the error bar that comes "
                          "with a value.");
}

std::string bounds_text(const EstimatorAdvice& advice, const BoundOptions& options) {
  const std::string gamma = advice.gamma_x == advice.gamma_y
                                ? four(advice.gamma_x)
                                : four(advice.gamma_x) + " (X), " + four(advice.gamma_y) + " (Y)";
  std::string text = wrap("  ", "Bounds for the K of prop4, diameter " + four(options.diameter) +
                                    ", C_L = " + four(options.c_l) + ", delta = " + four(options.delta) +
                                    "; Gamma = " + gamma);
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
  std::string text =
      "\n" + std::string(name(advice.estimator)).append(": ").append(formula(advice.estimator));
  text += "\n" + conditions(advice.admission) + "\n" + rules_table(advice) + "\n";
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
  for (const auto& [word, meaning] : entries) text += wrap("  " + padded(word, 12), meaning);
  return text;
}

}  // namespace

std::string text(const Advice& advice) {
  std::string all = heading(advice);
  for (const EstimatorAdvice& estimator : advice.estimators) all += estimator_text(estimator, advice);
  return all + legend();
}

}  // namespace motmot
