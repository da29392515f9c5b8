#include <fmt/format.h>

#include <iterator>

#include "motmot/report.hpp"
#include "report/text_table.hpp"
#include "report/words.hpp"

namespace motmot {
namespace {

std::string sample_words(std::size_t rows, std::size_t left_out, std::size_t k, std::size_t b,
                         const Distance& e) {
  std::string text = rows_words(rows, left_out);
  if (e.asked.estimator == Estimator::plain) return text;
  return text + fmt::format(", {} {} of {}{}", k, k == 1 ? "block" : "blocks", b,
                            e.asked.scheme == Scheme::pairs ? " pairs" : "");
}

std::string run_words(const Distance& e) {
  return fmt::format("{}, {:.3g} s on {}, seed {}", work_words(e), e.run.seconds,
                     counted(e.run.threads, "thread"), e.asked.seed);
}

/// Lines "  label   number   words", numbers under each other.
class Lines {
 public:
  void words(std::string_view label, std::string_view words) {
    text_ += wrap(fmt::format("  {:<10}", label), std::string(words));
  }
  void number(std::string_view label, double value, std::string_view words) {
    fmt::format_to(std::back_inserter(text_), "  {:<10}{:<12.6g}{}\n", label, value, words);
  }
  void number(std::string_view label, const std::optional<double>& value, std::string_view words) {
    if (value) number(label, *value, words);
  }
  void blank() { text_ += '\n'; }
  std::string text_;
};

/// The answer in one line: "plain 9.93, robust 7.30 +- 0.21 (assuming at most 10 % outliers)".
std::string headline(const Distance& e) {
  if (e.asked.critic == CriticKind::clipped)
    return fmt::format("value {:.6g} +- {:.2g} (spread over the last steps)", e.value, e.sd);
  if (e.asked.estimator == Estimator::plain) return fmt::format("plain {:.6g} (not robust)", e.value);
  std::string text = e.beside.plain ? fmt::format("plain {:.4g}, ", *e.beside.plain) : "";
  text += fmt::format("robust {:.4g}", e.value) + bar_words(e);
  return text + " (" + assuming(e) + ")";
}

void add_numbers(const Distance& e, Lines& lines) {
  lines.number("robust", e.value,
               e.target == Target::population
                   ? "distance between the laws of the inliers, by a network: from below"
                   : "distance between the inliers of the two samples");
  lines.number("corrected", e.beside.corrected, "the same without the shift that outlying rows explain");
  lines.number("trim", e.beside.trim,
               fmt::format("without {} rows of X and {} of Y that look like outliers", e.beside.trimmed.x,
                           e.beside.trimmed.y));
  lines.number("partial", e.bounds.partial,
               "the inliers' distance is not below this (certified, given the outliers assumed)");
  lines.number("plain", e.beside.plain, "all rows: one outlier far enough away can make this anything");
  if (e.bounds.lower && e.bounds.upper)
    lines.words("bracket",
                fmt::format("[{:.6g}, {:.6g}] on one fixed partition (the critic has {:.6g} there), proved",
                            *e.bounds.lower, *e.bounds.upper, *e.bounds.fixed_partition_value));
  if (e.beside.network)
    lines.number("laws", e.beside.network->value,
                 fmt::format("distance between the laws of the inliers, by a network{}",
                             e.beside.network->held_out
                                 ? fmt::format("; {:.6g} on rows held out", *e.beside.network->held_out)
                                 : std::string()));
  lines.number("held out", e.beside.held_out, "value on rows that the critic was not fitted on");
}

void add_settings(const Distance& e, const PerSample<RowNumbers>& from, Lines& lines) {
  lines.words("estimator", estimator_words(e.asked.estimator));
  lines.words("critic", critic_words(e.asked.critic));
  if (!e.asked.why_critic.empty()) lines.words("", e.asked.why_critic);
  lines.words("X", sample_words(e.asked.n, from.x.left_out, e.asked.blocks.x, e.asked.block_size.x, e));
  lines.words("Y", sample_words(e.asked.m, from.y.left_out, e.asked.blocks.y, e.asked.block_size.y, e));
  if (!e.asked.why_tau.empty()) lines.words("tau", e.asked.why_tau);
  lines.words("blocks", name(e.asked.scheme));
  lines.words("run", run_words(e));
}

}  // namespace

std::string distance_text(const Distance& e, const PerSample<RowNumbers>& from) {
  Lines lines;
  lines.text_ = "  " + headline(e) + "\n\n";
  if (e.asked.critic != CriticKind::clipped && e.asked.estimator != Estimator::plain) {
    add_numbers(e, lines);
    lines.blank();
  }
  add_settings(e, from, lines);
  if (e.asked.critic == CriticKind::clipped)
    lines.text_ +=
        "\n  The value is the distance times a constant that clipping leaves unknown. Compare it with values "
        "of the\n"
        "  same settings only: the same network and clip, clean against dirty, one pair of samples against "
        "another.\n";
  for (const std::string& warning : e.run.warnings) lines.text_ += "\n" + wrap("  Warning: ", warning);
  return lines.text_;
}

}  // namespace motmot
