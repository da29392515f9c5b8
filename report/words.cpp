#include "report/words.hpp"

#include <fmt/format.h>

namespace motmot {

std::string_view estimator_words(Estimator estimator) {
  switch (estimator) {
    case Estimator::plain:
      return "plain difference of means, not robust";
    case Estimator::mom:
      return "median of means (mom)";
    case Estimator::mou:
      return "median of U-statistics (mou)";
    case Estimator::mou_diag:
      return "diagonal median of U-statistics (mou-diag)";
  }
  return "";
}

std::string_view critic_words(CriticKind kind) {
  switch (kind) {
    case CriticKind::automatic:
    case CriticKind::exact:
      return "all 1-Lipschitz functions, by exact transport";
    case CriticKind::lipschitz:
      return "1-Lipschitz networks";
    case CriticKind::clipped:
      return "clipped network on the data as they are (the paper's)";
  }
  return "";
}

std::string rows_words(std::size_t rows, std::size_t left_out) {
  return counted(rows, "row") + (left_out == 0 ? "" : fmt::format(" ({} left out)", left_out));
}

std::string counted(std::size_t count, std::string_view thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

std::string assuming(const Distance& e) {
  if (e.asked.tau.x == e.asked.tau.y) return "assuming at most " + percent(e.asked.tau.x) + " outliers";
  return "assuming at most " + percent(e.asked.tau.x) + " outliers in X and " + percent(e.asked.tau.y) +
         " in Y";
}

std::string bar_words(const Distance& e, std::string_view plus_minus) {
  if (!e.error_bar) return "";
  if (*e.error_bar > e.value) return fmt::format(" ({:.2g} to {:.2g})", *e.low, *e.high);
  return fmt::format(" {} {:.2g}", plus_minus, *e.error_bar);
}

std::string work_words(const Distance& e) {
  std::string work = e.run.solves > 0 ? counted(e.run.solves, "exact solve") + ", " : "";
  if (e.run.steps > 0) work += counted(e.run.steps, "step") + ", ";
  return work + (e.run.stopped ? "stopped early" : e.run.settled ? "settled" : "not settled");
}

std::string toy_words(Toy data) {
  switch (data) {
    case Toy::d1:
      return "D1, uniform outliers";
    case Toy::d2:
      return "D2, outliers around 25";
    case Toy::far:
      return "one-sided, far (1000)";
    case Toy::behind:
      return "hidden behind Y";
    case Toy::inside:
      return "hidden inside Y";
    case Toy::both:
      return "both samples dirty";
    case Toy::shape:
      return "shape change";
    case Toy::shares:
      return "mode shares differ";
    default:
      return std::string(name(data));
  }
}

std::string verdict_words(const Claim& claim) {
  return claim.condition.empty() ? std::string(name(claim.verdict))
                                 : fmt::format("{} {}", name(claim.verdict), claim.condition);
}

}  // namespace motmot
