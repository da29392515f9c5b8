#include "report/svg.hpp"

#include <limits>
#include <stack>

#include "report/claims.hpp"
#include "report/study_report.hpp"
#include "report/svg_panel.hpp"
#include "support/support.hpp"

namespace motmot {
namespace {

/// Empty when every element is closed in the right order and no text or attribute holds a bare sign;
/// otherwise what is wrong. Enough XML for what we write: elements, attributes in double quotes, text.
std::string xml_fault(const std::string& xml) {
  std::stack<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '&') {
      const std::size_t end = xml.find(';', at);
      if (end == std::string::npos || end > at + 6) return "bare & at " + std::to_string(at);
      at = end + 1;
    } else if (xml[at] != '<') {
      if (xml[at] == '>') return "bare > at " + std::to_string(at);
      ++at;
    } else {
      const std::size_t end = xml.find('>', at);
      if (end == std::string::npos) return "no end of a tag";
      const std::string tag = xml.substr(at + 1, end - at - 1);
      if (tag.find('<') != std::string::npos) return "< inside <" + tag;
      if (std::ranges::count(tag, '"') % 2 != 0) return "open quote in <" + tag;
      const std::string element =
          tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" /\n", 1) - (tag[0] == '/' ? 1 : 0));
      if (tag[0] == '/') {
        if (open.empty() || open.top() != tag.substr(1)) return "wrong </" + tag.substr(1) + ">";
        open.pop();
      } else if (tag.back() != '/') {
        open.push(element);
      }
      at = end + 1;
    }
  }
  return open.empty() ? "" : "<" + open.top() + "> is never closed";
}

Chart small_chart() {
  return {.title = "a < b & \"c\" > d",
          .x_label = "x",
          .y_label = "y",
          .series = {{.name = "first", .x = {1, 2, 3}, .y = {1, 4, 2}, .low = {0, 3, 1}, .high = {2, 5, 3}},
                     {.name = "second", .x = {1, 2, 3}, .y = {2, 2, 2}, .mark = Series::Mark::points}},
          .guides = {{.at = 3, .label = "three"}, {.at = 2, .label = "two", .vertical = true}},
          .note = "what one should see"};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string drawn(const Chart& chart) {
  return figure_svg({.title = chart.title, .note = chart.note, .columns = 1, .panels = {chart}});
}

TEST(XmlFault, FindsFaults) {
  EXPECT_EQ(xml_fault("<a x=\"1\"><b/>t &amp; u</a>"), "");
  EXPECT_NE(xml_fault("<a><b></a></b>"), "");
  EXPECT_NE(xml_fault("<a>x & y</a>"), "");
  EXPECT_NE(xml_fault("<a>"), "");
}

TEST(ChartSvg, IsWellFormedWithTitleAndDescription) {
  const std::string svg = drawn(small_chart());
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_NE(svg.find("<title id=\"title\">a &lt; b &amp; &quot;c&quot; &gt; d</title>"), std::string::npos);
  EXPECT_NE(svg.find("<desc"), std::string::npos);
  EXPECT_NE(svg.find("role=\"img\""), std::string::npos);
  for (const char* words : {"first", "second", "three", "two", "what one should see"})
    EXPECT_NE(svg.find(words), std::string::npos) << words;
}

TEST(ChartSvg, BreaksALineAtAValueThatIsNone) {
  Chart chart = small_chart();
  chart.series = {{.name = "s", .x = {1, 2, 3, 4, 5}, .y = {1, 2, 3, 4, 5}}};
  EXPECT_EQ(count(drawn(chart), "<polyline"), 1u);
  chart.series[0].y[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(count(drawn(chart), "<polyline"), 2u);
  EXPECT_EQ(drawn(chart).find("nan\""), std::string::npos);
}

TEST(ChartSvg, DrawsWhateverItIsGiven) {
  test::for_each_seed(60, [](Rng& rng) {
    Chart chart = small_chart();
    chart.x_log = rng.below(2) == 0;
    chart.y_log = rng.below(2) == 0;
    chart.series.clear();
    const std::size_t series = rng.below(9);
    for (std::size_t s = 0; s < series; ++s) {
      Series one{.name = "s"};
      const std::size_t points = rng.below(5);
      for (std::size_t i = 0; i < points; ++i) {
        one.x.push_back(static_cast<double>(rng.below(4)) - 1);
        one.y.push_back(rng.below(6) == 0 ? std::numeric_limits<double>::infinity() : rng.uniform(-1, 1));
      }
      one.mark = rng.below(2) == 0 ? Series::Mark::bars : Series::Mark::line;
      chart.series.push_back(one);
    }
    const std::string svg = drawn(chart);
    EXPECT_EQ(xml_fault(svg), "");
    for (const char* bad : {"\"nan", "\"inf", "\"-inf", "\"-nan", ",nan", ",inf", ",-inf"})
      EXPECT_EQ(svg.find(bad), std::string::npos) << bad << "\n" << svg;
  });
}

TEST(FigureSvg, HasOneLegendWhenThePanelsShareTheirSeries) {
  Figure figure{.title = "two", .panels = {small_chart(), small_chart()}};
  EXPECT_EQ(count(figure_svg(figure), ">first</text>"), 1u);
  figure.panels[1].series[0].name = "other";
  EXPECT_EQ(count(figure_svg(figure), ">second</text>"), 2u);
  EXPECT_EQ(xml_fault(figure_svg(figure)), "");
}

TEST(HeatSvg, WritesEveryNumberAndADashForNone) {
  const HeatTable table{.title = "heat",
                        .note = "note",
                        .columns = {"a", "b & c"},
                        .rows = {{.group = "g", .name = "r", .values = {12.34, std::nullopt}},
                                 {.group = "g", .name = "q", .values = {-2000.0, 0.01}}}};
  const std::string svg = heat_svg(table);
  EXPECT_EQ(xml_fault(svg), "");
  for (const char* words : {">+12.3<", ">\u2013<", ">-2000<", ">0.0<"})
    EXPECT_NE(svg.find(words), std::string::npos) << words;
  EXPECT_EQ(count(svg, ">g</text>"), 1u);
}

TEST(Figure1, IsDrawnFromTheSeed) {
  EXPECT_EQ(xml_fault(figure1_svg(1)), "");
  EXPECT_EQ(figure1_svg(1), figure1_svg(1));
  EXPECT_NE(figure1_svg(1), figure1_svg(2));
}

TEST(Axis, TicksAreRoundInsideAndAscending) {
  test::for_each_seed(200, [](Rng& rng) {
    const bool log = rng.below(2) == 0;
    const double low = std::pow(10, rng.uniform(-4, 4));
    const double high = low * (1.5 + std::pow(10, rng.uniform(-1, 3)));
    const Axis axis(low, high, log, 0, 100);
    const std::vector<double> ticks = axis.ticks();
    EXPECT_TRUE(std::ranges::is_sorted(ticks));
    EXPECT_LE(ticks.size(), 14u);
    if (!log) {
      EXPECT_GE(ticks.size(), 2u);
    }
    for (const double tick : ticks) {
      EXPECT_GE(axis.place(tick), -1e-6);
      EXPECT_LE(axis.place(tick), 100 + 1e-6);
    }
  });
}

TEST(ClaimsMarkdown, KeepsBarsInsideTheirCells) {
  const std::string text = claims_markdown({{.quote = "q", .test = "|a - b| small", .measured = "0"}});
  EXPECT_NE(text.find("\\|a - b\\| small"), std::string::npos) << text;
}

}  // namespace
}  // namespace motmot
