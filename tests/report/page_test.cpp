#include "report/page.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "motmot/base.hpp"
#include "report/assets.hpp"
#include "report/html_text.hpp"

namespace motmot {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// What stands inside <script type="application/json" id="...">.
nlohmann::json embedded(const std::string& html, const std::string& id) {
  const std::string start = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t from = html.find(start) + start.size();
  return nlohmann::json::parse(html.substr(from, html.find("</script>", from) - from));
}

Chart two_lines() {
  return {
      .title = "error over K",
      .x_label = "K",
      .y_label = "error",
      .series =
          {{.name = "mom", .x = {1, 10, 70}, .y = {3.25, 1.5, nan}, .low = {3, 1, nan}, .high = {4, 2, nan}},
           {.name = "mou", .x = {1, 10, 70}, .y = {3.5, 1e-9, 123456.789}}},
      .guides = {{.at = 2, .label = "truth"}}};
}

TEST(HtmlText, LeavesNoMarkupAndNoBytesThatAreNotUtf8) {
  EXPECT_EQ(html_text("<b a=\"1\" c='2'>&</b>"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;");
  EXPECT_EQ(html_text("Größe ± 1 …"), "Größe ± 1 …");
  EXPECT_EQ(valid_utf8("a\xff"
                       "b\xc3"),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(valid_utf8("\xc0\xaf"), "\xef\xbf\xbd\xef\xbf\xbd");                  // an overlong slash
}

TEST(HtmlText, JsonInAScriptMeansTheSameAndCannotEndIt) {
  const std::string json = R"({"a":"</script><!--","b":[1,2]})";
  const std::string inside = json_in_script(json);
  EXPECT_EQ(inside.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(inside), nlohmann::json::parse(json));
}

TEST(ChartJson, KeepsEveryBitOfANumberAndMakesNaNNull) {
  const auto json = nlohmann::json::parse(chart_json(two_lines()));
  EXPECT_EQ(json["series"][1]["y"][2].get<double>(), 123456.789);
  EXPECT_EQ(json["series"][1]["y"][1].get<double>(), 1e-9);
  EXPECT_TRUE(json["series"][0]["y"][2].is_null());
  EXPECT_EQ(json["guides"][0]["at"], 2.0);
  EXPECT_EQ(json["series"][0]["mark"], "line");
}

TEST(ChartTable, HasOneRowPerXWhenTheSeriesShareThem) {
  const PageTable table = chart_table(two_lines());
  EXPECT_EQ(table.columns, (std::vector<std::string>{"K", "mom", "mom, from", "mom, to", "mou"}));
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"1", "3.25", "3", "4", "3.5"}));
  EXPECT_EQ(table.rows[2], (std::vector<std::string>{"70", "", "", "", "123457"}));
}

TEST(ChartTable, HasOneRowPerPointOtherwise) {
  const PageTable table = chart_table({.categories = {"plain", "robust"},
                                       .series = {{.name = "a", .x = {0}, .y = {7}, .labels = {"row 3"}},
                                                  {.name = "b", .x = {1, 1}, .y = {8, 9}}}});
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0], (std::vector<std::string>{"a", "row 3", "plain", "7"}));
  EXPECT_EQ(table.rows[2], (std::vector<std::string>{"b", "", "robust", "9"}));
}

// Every number of the chart is in its table, and nothing else is: what a reader without a canvas gets.
TEST(ChartTable, HoldsTheNumbersOfTheChart) {
  const bool holds = rc::check("table equals chart", [] {
    const auto y = *rc::gen::container<std::vector<int>>(5, rc::gen::inRange(-1000, 1000));
    const auto shift = *rc::gen::inRange(0, 2);
    Chart chart{.series = {{.name = "a"}, {.name = "b"}}};
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t s = 0; s < 2; ++s) {
        chart.series[s].x.push_back(static_cast<double>(i) + static_cast<double>(s) * shift);
        chart.series[s].y.push_back(y[i] / 8.0 + static_cast<double>(s));
      }
    std::multiset<std::string> drawn, listed;
    for (const Series& s : chart.series)
      for (const double v : s.y) drawn.insert(short_number(v));
    const PageTable table = chart_table(chart);
    for (const auto& row : table.rows)
      for (std::size_t c = shift == 0 ? 1 : 2; c < row.size(); ++c) listed.insert(row[c]);
    RC_ASSERT(drawn == listed);
  });
  EXPECT_TRUE(holds);
}

TEST(PageHtml, IsOneFileThatAsksNothingOfTheNetwork) {
  const std::string html =
      page_html({.title = "t", .lead = "l", .sections = {{.heading = "h", .charts = {two_lines()}}}});
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(html.find("unsafe"), std::string::npos);
  EXPECT_EQ(count_of(html, "'sha256-"), count_of(html, "<script>") + count_of(html, "<style>"));
  for (const char* loader : {" src=", "<link", "@import", "url("}) {
    // Chart.js speaks of "src" nowhere outside strings; what is ours is looked at alone.
    std::string ours = html;
    ours.erase(ours.find(assets::chart_js()), assets::chart_js().size());
    EXPECT_EQ(ours.find(loader), std::string::npos) << loader;
  }
}

TEST(PageHtml, KeepsTheLicenceOfTheCharts) {
  const std::string html = page_html({.title = "t"});
  EXPECT_NE(html.find("Chart.js Contributors"), std::string::npos);
  EXPECT_NE(html.find("Permission is hereby granted, free of charge"), std::string::npos);
  EXPECT_NE(html.find(assets::chart_js()), std::string::npos);
}

TEST(PageHtml, TakesNoTextForMarkup) {
  const std::string evil = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(2)>";
  Chart chart = two_lines();
  chart.title = chart.note = chart.x_label = chart.series[0].name = chart.guides[0].label = evil;
  const std::string plain =
      page_html({.title = "t", .sections = {{.heading = "h", .charts = {two_lines()}}}});
  const std::string html = page_html({.title = evil,
                                      .lead = evil,
                                      .highlights = {{evil, evil, evil}},
                                      .warnings = {evil},
                                      .sections = {{.heading = evil,
                                                    .paragraphs = {evil},
                                                    .facts = {{evil, evil}},
                                                    .charts = {chart},
                                                    .tables = {{evil, {evil}, {{evil}}}},
                                                    .code = evil}},
                                      .json = nlohmann::json{{"evil", evil}}.dump()});
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(count_of(html, "<script"), count_of(plain, "<script") + 1);  // the result
  EXPECT_EQ(embedded(html, "charts")[0]["title"], evil);
  EXPECT_EQ(embedded(html, "result")["evil"], evil);
}

TEST(PageHtml, PutsEveryChartIntoTheJsonAndATableBehindIt) {
  const std::string html = page_html({.title = "t",
                                      .sections = {{.heading = "a", .charts = {two_lines(), two_lines()}},
                                                   {.heading = "b", .charts = {two_lines()}}}});
  EXPECT_EQ(embedded(html, "charts").size(), 3u);
  EXPECT_EQ(count_of(html, "<canvas"), 3u);
  EXPECT_EQ(count_of(html, "<table>"), 3u);
  EXPECT_NE(html.find("truth at 2"), std::string::npos);
}

TEST(PageHtml, PutsNumbersToTheRightWhereAColumnHasNothingElse) {
  const std::string html = page_html(
      {.title = "t",
       .sections = {{.heading = "a",
                     .tables = {{.columns = {"n", "mixed"}, .rows = {{"1", "+2"}, {"3", "+4 days"}}}}}}});
  EXPECT_NE(html.find("<td class=\"n\">1</td><td>+2</td>"), std::string::npos);
}

TEST(PageHtml, RefusesListsThatDoNotMatch) {
  Chart chart = two_lines();
  chart.series[0].y.pop_back();
  EXPECT_THROW((void)page_html({.sections = {{.charts = {chart}}}}), Error);
  EXPECT_THROW((void)page_html({.sections = {{.tables = {{.columns = {"a", "b"}, .rows = {{"1"}}}}}}}),
               Error);
  EXPECT_THROW((void)page_html({.json = "{"}), Error);
}

}  // namespace
}  // namespace motmot
