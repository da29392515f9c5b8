// How the value came about: steps of the ascent, fresh draws of blocks, the block means of one draw.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/statistics.hpp"
#include "blocks/read_out.hpp"
#include "report/distance_parts.hpp"

namespace motmot {
namespace {

constexpr std::size_t most_points = 400;
constexpr double reach_in_sd = 8;

/// What the value is made of, where it is made of blocks whose critic is known on every row.
const PaperEstimate* with_blocks(const Distance& e) {
  const bool blocks = e.asked.estimator != Estimator::company && e.asked.estimator != Estimator::plain;
  return blocks && e.neighbours.paper && !e.rows.x.phi.empty() ? &*e.neighbours.paper : nullptr;
}

BlockDraw draw_of(const Distance& e, std::uint64_t draw) {
  const PaperEstimate& paper = *e.neighbours.paper;
  const BlockPlan plan{.scheme = paper.scheme,
                       .k_x = paper.blocks.x,
                       .k_y = paper.blocks.y,
                       .b_x = paper.block_size.x,
                       .b_y = paper.block_size.y};
  return draw_block_means(e.asked.estimator, plan, e.rows.x.phi, e.rows.y.phi, e.asked.seed, draw);
}

/// Means of equal stretches of the trace, with the least and the largest value of each.
Chart trace_chart(const Distance& e) {
  const std::size_t steps = e.run.trace.size(), buckets = std::min(steps, most_points);
  Series line{.name = "value"};
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t from = b * steps / buckets, to = (b + 1) * steps / buckets;
    const auto [low, high] = std::minmax_element(e.run.trace.begin() + static_cast<std::ptrdiff_t>(from),
                                                 e.run.trace.begin() + static_cast<std::ptrdiff_t>(to));
    line.x.push_back(static_cast<double>(to));
    line.y.push_back(mean_of(std::span(e.run.trace).subspan(from, to - from)));
    if (steps == buckets) continue;
    line.low.push_back(*low);
    line.high.push_back(*high);
  }
  return {.title = "Value of the median blocks, step by step",
          .x_label = "step of the ascent",
          .y_label = "value",
          .series = {line},
          .guides = {{.at = e.value, .label = fmt::format("answer {:.4g}", e.value)}},
          .note = steps == buckets
                      ? "Every step draws its own blocks, so the line trembles even when it has settled."
                      : fmt::format("Means of {} stretches of the ascent; the band spans the least and the "
                                    "largest value of each.",
                                    buckets)};
}

Chart spread_chart(const Distance& e, const std::vector<double>& values) {
  return {.title = fmt::format("Value over {} fresh draws of blocks", values.size()),
          .x_label = "value",
          .y_label = "draws",
          .series = {histogram("draws", values)},
          .guides = {{.at = e.value, .label = fmt::format("answer {:.4g}", e.value), .vertical = true}},
          .note = fmt::format(
              "The answer is a mean over many draws, which have a standard deviation of {:.3g}. This is "
              "chance in the drawing of blocks, not the error that outliers cause.",
              e.neighbours.paper->sd)};
}

std::vector<double> fresh_values(const Distance& e) {
  const std::size_t draws = std::clamp<std::size_t>(40'000'000 / (e.asked.n + e.asked.m), 10, 300);
  std::vector<double> values(draws);
  for (std::size_t t = 0; t < draws; ++t) values[t] = draw_of(e, t).median.value;
  return values;
}

/// Block means in order, against the share of blocks below; what lies far outside is counted, not drawn.
struct Ordered {
  Series series;
  std::size_t beyond = 0;
};

Ordered ordered(const std::string& name, std::vector<double> means) {
  std::ranges::sort(means);
  const double median = sorted_quantile(means, 0.5);
  const double sd = robust_sd(means, median);
  Ordered result{.series = {.name = name, .mark = Series::Mark::points}};
  const std::size_t shown = std::min(means.size(), most_points);
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (sd > 0 && std::abs(means[i] - median) > reach_in_sd * sd) {
      ++result.beyond;
      continue;
    }
    if (i * shown / means.size() == (i + 1) * shown / means.size()) continue;  // thinned evenly
    result.series.x.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(means.size()));
    result.series.y.push_back(means[i]);
  }
  return result;
}

Chart means_chart(const Distance& e) {
  const BlockDraw draw = draw_of(e, 0);
  Chart chart{.title = "Block means of the critic, in order",
              .x_label = "share of blocks below",
              .y_label = "mean of the critic over a block"};
  std::size_t beyond = 0;
  const auto add = [&](Ordered part) {
    beyond += part.beyond;
    chart.series.push_back(std::move(part.series));
  };
  const MedianPair& m = draw.median;
  if (e.asked.estimator == Estimator::mou_diag || e.neighbours.paper->scheme == Scheme::pairs) {
    std::vector<double> differences(draw.x.size());
    std::ranges::transform(draw.x, draw.y, differences.begin(), std::minus<>());
    chart.y_label = "mean over a block of X less that over its partner";
    add(ordered("X - Y", std::move(differences)));
    chart.guides.push_back({.at = m.value, .label = fmt::format("median {:.4g}", m.value)});
  } else {
    const double a = (draw.x[m.x[0]] + draw.x[m.x[1]]) / 2, b = (draw.y[m.y[0]] + draw.y[m.y[1]]) / 2;
    add(ordered("blocks of X", draw.x));
    add(ordered("blocks of Y", draw.y));
    chart.guides = {{.at = a, .label = fmt::format("median of X {:.4g}", a)},
                    {.at = b, .label = fmt::format("median of Y {:.4g}", b)}};
  }
  chart.note = fmt::format(
      "One draw of {} blocks of X and {} of Y. On these blocks the value is {:.5g}, the difference "
      "that the median picks; means at the ends do not move it.",
      e.neighbours.paper->blocks.x, e.neighbours.paper->blocks.y, m.value);
  if (beyond > 0)
    chart.note +=
        fmt::format(" {} beyond {:.0f} robust standard deviations, outside the picture.",
                    beyond == 1 ? "1 block lies" : fmt::format("{} blocks lie", beyond), reach_in_sd);
  return chart;
}

}  // namespace

Section ascent_part(const Distance& e) {
  if (!e.run.trace.empty()) return {.heading = "How the value was found", .charts = {trace_chart(e)}};
  const PaperEstimate* paper = with_blocks(e);
  if (paper == nullptr || paper->critic == CriticKind::clipped) return {};
  const std::vector<double> values = fresh_values(e);
  const auto [low, high] = std::ranges::minmax(values);
  if (!(high > low)) return {};
  return {.heading = "How much the draw of blocks matters", .charts = {spread_chart(e, values)}};
}

Section blocks_part(const Distance& e) {
  const PaperEstimate* paper = with_blocks(e);
  if (paper == nullptr || std::max(paper->blocks.x, paper->blocks.y) < 2) return {};
  return {.heading = "Blocks and their median", .charts = {means_chart(e)}};
}

}  // namespace motmot
