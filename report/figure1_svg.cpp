// Figure 1, drawn by the sampler and the theory themselves.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "blocks/sampler.hpp"
#include "motmot/theory.hpp"
#include "report/svg.hpp"
#include "report/svg_canvas.hpp"

namespace motmot {
namespace {

constexpr std::size_t n = 20, m = 15, k_x = 4, k_y = 3, b = 5;
constexpr double panel = 300, side = 208;

/// Where a panel is, and how large a cell of its grid is.
struct Place {
  double x, y;
  [[nodiscard]] double cell() const { return side / static_cast<double>(n); }
};

Place place(std::size_t i) {
  const std::size_t line = i / 3;
  return {16 + panel * static_cast<double>(i % 3), 60 + 240 * static_cast<double>(line)};
}

void caption(SvgCanvas& canvas, const Place& p, std::string_view letter, std::string_view words) {
  canvas.text(p.x, p.y - 8, fmt::format("({}) {}", letter, words), {.size = 13, .bold = true});
}

/// Rows in the order of their blocks, as the paper draws partitions; rows that were left over come last.
std::vector<std::uint32_t> order_by_block(const Blocks& blocks, std::size_t rows) {
  std::vector<std::uint32_t> order = blocks.index;
  for (std::uint32_t row = 0; row < rows; ++row)
    if (std::ranges::find(blocks.index, row) == blocks.index.end()) order.push_back(row);
  return order;
}

/// One line of n cells per block; its rows are filled.
void draw_line_blocks(SvgCanvas& canvas, const Place& p, double y, const Blocks& blocks,
                      const std::vector<std::uint32_t>& order) {
  for (std::size_t k = 0; k < blocks.count; ++k) {
    const double top = y + 17 * static_cast<double>(k);
    canvas.text(p.x + side + 8, top + 11, fmt::format("B{}", k + 1), {.size = 11, .colour = ink::muted});
    for (std::size_t i = 0; i < n; ++i) {
      const bool in = std::ranges::find(blocks[k], order[i]) != blocks[k].end();
      canvas.rect(p.x + p.cell() * static_cast<double>(i) + 0.5, top, p.cell() - 1, 13,
                  in ? series_colour(k, k_x) : "#eef1f4", 1, "none", 2);
    }
  }
}

void draw_grid(SvgCanvas& canvas, const Place& p) {
  const double height = p.cell() * static_cast<double>(m);
  canvas.rect(p.x, p.y + 12, side, height, "#f7f9fa", 1, "#cbd2d9");
  canvas.text(p.x + side / 2, p.y + 12 + height + 15, "rows of X",
              {.size = 11, .colour = ink::muted, .anchor = "middle"});
  canvas.text(p.x + side + 14, p.y + 12 + height / 2, "rows of Y",
              {.size = 11, .colour = ink::muted, .anchor = "middle", .turn = 90});
}

void fill_cell(SvgCanvas& canvas, const Place& p, std::size_t i, std::size_t j, std::string_view colour) {
  canvas.rect(p.x + p.cell() * static_cast<double>(i) + 0.6,
              p.y + 12 + p.cell() * static_cast<double>(j) + 0.6, p.cell() - 1.2, p.cell() - 1.2, colour, 0.8,
              "none", 1.5);
}

std::size_t position(const std::vector<std::uint32_t>& order, std::uint32_t row) {
  return static_cast<std::size_t>(std::ranges::find(order, row) - order.begin());
}

/// The pairs of blocks that an estimator takes the median over: all of them, or those on the diagonal.
void draw_block_pairs(SvgCanvas& canvas, const Place& p, const Blocks& x, const Blocks& y, bool diagonal,
                      const std::vector<std::uint32_t>& order_x, const std::vector<std::uint32_t>& order_y) {
  draw_grid(canvas, p);
  for (std::size_t k = 0; k < x.count; ++k)
    for (std::size_t l = 0; l < y.count; ++l) {
      if (diagonal && k != l) continue;
      const std::string colour =
          diagonal ? series_colour(k, 6) : series_colour(k * y.count + l, x.count * y.count);
      for (const std::uint32_t i : x[k])
        for (const std::uint32_t j : y[l])
          fill_cell(canvas, p, position(order_x, i), position(order_y, j), colour);
    }
}

void draw_pairs(SvgCanvas& canvas, const Place& p, const PairBlocks& pairs) {
  draw_grid(canvas, p);
  for (std::size_t k = 0; k < pairs.x.count; ++k)
    for (std::size_t t = 0; t < pairs.x.size; ++t)
      fill_cell(canvas, p, pairs.x[k][t], pairs.y[k][t], series_colour(k, 6));
}

/// The largest tau_y that admitted() takes beside tau_x, by bisection; negative when none is.
double admitted_up_to(Estimator estimator, double tau_x) {
  const auto fine = [&](double tau_y) { return admitted(estimator, tau_x, tau_y, 500, 500).all(); };
  if (!fine(0)) return -1;
  double low = 0, high = 1;
  for (int i = 0; i < 40; ++i) (fine((low + high) / 2) ? low : high) = (low + high) / 2;
  return low;
}

void draw_region(SvgCanvas& canvas, const Place& p) {
  constexpr double most = 0.55;
  const auto at_x = [&](double tau) { return p.x + 42 + tau / most * (side - 42); };
  const auto at_y = [&](double tau) { return p.y + 12 + (side - 34) * (1 - tau / most); };
  struct Region {
    Estimator estimator;
    std::string_view words;
  };
  constexpr std::array<Region, 3> regions{
      {{Estimator::mom, "MoM"}, {Estimator::mou, "MoU"}, {Estimator::mou_diag, "MoU-diag (n = m)"}}};
  for (std::size_t e = 0; e < regions.size(); ++e) {
    std::vector<std::pair<double, double>> outline{{at_x(0), at_y(0)}};
    for (int i = 0; i <= 250; ++i) {
      const double tau_x = 0.002 * i;
      const double tau_y = admitted_up_to(regions[e].estimator, tau_x);
      if (tau_y < 0) break;
      outline.emplace_back(at_x(tau_x), at_y(tau_y));
    }
    outline.emplace_back(outline.back().first, at_y(0));
    canvas.polygon(outline, series_colour(e, 6), 0.22);
    canvas.polyline(std::vector(outline.begin() + 1, outline.end()), series_colour(e, 6), 1.8);
    constexpr std::array<double, 3> legend{20, 84, 148};
    canvas.rect(p.x + legend[e], at_y(0) + 38, 10, 10, series_colour(e, 6));
    canvas.text(p.x + legend[e] + 14, at_y(0) + 47, regions[e].words, {.size = 11});
  }
  canvas.line(at_x(0), at_y(0), at_x(most), at_y(0), ink::axis);
  canvas.line(at_x(0), at_y(0), at_x(0), at_y(most), ink::axis);
  for (const double tau : {0.0, 0.25, 0.5}) {
    canvas.text(at_x(tau), at_y(0) + 14, fmt::format("{:g}", tau),
                {.size = 11, .colour = ink::muted, .anchor = "middle"});
    if (tau > 0)
      canvas.text(at_x(0) - 5, at_y(tau) + 4, fmt::format("{:g}", tau),
                  {.size = 11, .colour = ink::muted, .anchor = "end"});
  }
  canvas.text(at_x(most / 2), at_y(0) + 30, "share of outliers in X", {.size = 11, .anchor = "middle"});
  canvas.text(p.x + 8, at_y(most / 2), "share of outliers in Y",
              {.size = 11, .anchor = "middle", .turn = -90});
}

}  // namespace

std::string figure1_svg(std::uint64_t seed) {
  SvgCanvas canvas(
      3 * panel + 16, 584, "Figure 1: sampling schemes and admitted shares of outliers",
      "Blocks of 20 rows of X and 15 rows of Y as motmot's sampler draws them: disjoint blocks, randomised "
      "blocks that overlap, all pairs of blocks (MoU), diagonal pairs (MoU-diag), pairs of randomised "
      "blocks, and blocks of pairs; and the region of shares of outliers that each estimator admits: a "
      "square for MoM, the area under a hyperbola for MoU, a triangle for MoU-diag.");
  canvas.text(16, 28, "Figure 1: sampling schemes and admitted shares of outliers",
              {.size = 16, .bold = true});
  Rng rng_x(seed, Purpose::blocks_x), rng_y(seed, Purpose::blocks_y), rng_pairs(seed, Purpose::pairs);
  const Blocks part_x = partition_blocks(n, k_x, rng_x), part_y = partition_blocks(m, k_y, rng_y);
  const Blocks diag_x = partition_blocks(n, k_y, rng_x);
  const Blocks swor_x = swor_blocks(n, k_y, b, rng_x), swor_y = swor_blocks(m, k_y, b, rng_y);
  std::vector<std::uint32_t> as_is(n);
  for (std::uint32_t i = 0; i < n; ++i) as_is[i] = i;

  const Place a = place(0);
  caption(canvas, a, "a", "blocks of one sample");
  canvas.text(a.x, a.y + 12, "disjoint (rows sorted by block)", {.size = 11, .colour = ink::muted});
  draw_line_blocks(canvas, a, a.y + 18, part_x, order_by_block(part_x, n));
  canvas.text(a.x, a.y + 106, "randomised: blocks may overlap", {.size = 11, .colour = ink::muted});
  draw_line_blocks(canvas, a, a.y + 112, swor_x, as_is);
  caption(canvas, place(1), "b", "MoU: all pairs of blocks");
  draw_block_pairs(canvas, place(1), part_x, part_y, false, order_by_block(part_x, n),
                   order_by_block(part_y, m));
  caption(canvas, place(2), "c", "MoU-diag: the diagonal");
  draw_block_pairs(canvas, place(2), diag_x, part_y, true, order_by_block(diag_x, n),
                   order_by_block(part_y, m));
  caption(canvas, place(3), "d", "admitted shares of outliers");
  draw_region(canvas, place(3));
  caption(canvas, place(4), "e", "MoU, randomised blocks");
  draw_block_pairs(canvas, place(4), swor_x, swor_y, true, as_is, as_is);
  caption(canvas, place(5), "f", "MoU, randomised pairs");
  draw_pairs(canvas, place(5), pair_blocks(n, m, k_y, b * b, rng_pairs));
  canvas.text(16, 570,
              fmt::format("Blocks as drawn by motmot's sampler (seed {}); {} rows of X, {} of Y. Region: the "
                          "hypotheses of Proposition 4.",
                          seed, n, m),
              {.size = 12, .colour = ink::muted});
  return canvas.str();
}

}  // namespace motmot
