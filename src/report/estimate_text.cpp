#include <fmt/format.h>

#include <iterator>

#include "motmot/report.hpp"

namespace motmot {
namespace {

std::string estimator_words(const Estimate& e) {
  switch (e.estimator) {
    case Estimator::plain:
      return "plain difference of means, not robust";
    case Estimator::mom:
      return "median of means (mom)";
    case Estimator::mou:
      return "median of U-statistics (mou)";
    case Estimator::mou_diag:
      return "diagonal median of U-statistics (mou-diag)";
  }
  return {};
}

std::string sample_words(std::size_t rows, std::size_t k, std::size_t b, double tau, const Estimate& e) {
  std::string text = fmt::format("{} rows", rows);
  if (e.estimator == Estimator::plain) return text;
  if (e.scheme == Scheme::pairs) return text + fmt::format(", {} blocks of {} pairs", k, b);
  return text + fmt::format(", {} {} of {}, assuming at most {:.4g} % outliers", k,
                            k == 1 ? "block" : "blocks", b, 100 * tau);
}

std::string run_words(const Estimate& e) {
  return fmt::format("{} steps, {}, {:.3g} s on {} thread{}, seed {}", e.steps,
                     e.stopped ? "stopped early" : (e.settled ? "settled" : "not settled"), e.seconds,
                     e.threads, e.threads == 1 ? "" : "s", e.seed);
}

}  // namespace

std::string estimate_text(const Estimate& e) {
  std::string text;
  const auto line = [&](std::string_view label, const std::string& words) {
    fmt::format_to(std::back_inserter(text), "  {:<10}{}\n", label, words);
  };
  line("value", fmt::format("{:.6g} +- {:.2g} (spread over the last steps)", e.value, e.sd));
  line("estimator", estimator_words(e));
  line("critic", "clipped network on the data as they are (the paper's)");
  line("X", sample_words(e.n, e.k_x, e.b_x, e.tau_x, e));
  line("Y", sample_words(e.m, e.k_y, e.b_y, e.tau_y, e));
  line("blocks", std::string(name(e.scheme)));
  line("run", run_words(e));
  text +=
      "\n  The value is the distance times a constant that clipping leaves unknown. Compare it with values "
      "of the\n"
      "  same settings only: the same network and clip, clean against dirty, one pair of samples against "
      "another.\n";
  for (const std::string& warning : e.warnings) text += "\n  Warning: " + warning + "\n";
  return text;
}

}  // namespace motmot
