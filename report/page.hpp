/// One page to look at: words, numbers, charts and tables in a single HTML file.
///
///   Page page{.title = "Two samples", .lead = "They are 7.2 apart."};
///   page.sections.push_back({.heading = "Over K", .charts = {chart}});
///   std::ofstream("page.html") << page_html(page);
///
/// The file needs nothing but a browser: Chart.js, styles and data are inside, and the page forbids itself
/// the network. It follows the reader's light or dark theme (a button changes it), fits a phone, prints, can
/// be used from the keyboard, and has a table with the same numbers behind each chart.
#pragma once

#include <string>
#include <vector>

#include "report/chart.hpp"

namespace motmot {

/// A number that deserves to be large: "7.21 ± 0.47", "robust", "between the inliers".
struct Highlight {
  std::string label{};
  std::string value{};
  std::string note{};
  bool accent = false;  ///< the one to remember
};

/// A line of a list of settings or results.
struct Fact {
  std::string name{};
  std::string value{};
};

/// Cells are text; those that read as numbers are set to the right.
struct PageTable {
  std::string caption{};
  std::vector<std::string> columns{};
  std::vector<std::vector<std::string>> rows{};  ///< of one cell per column
  bool folded = false;                           ///< shown only when asked for
};

/// A drawing of our own making. Its colours are the page's (var(--ink), ...), so that it follows the theme.
struct Picture {
  std::string title{};
  std::string svg{};   ///< one element, markup as it is
  std::string note{};  ///< one sentence under it
};

/// A part of the page, from top to bottom: paragraphs, facts, pictures, charts, tables, code.
struct Section {
  std::string heading{};
  std::vector<std::string> paragraphs{};
  std::vector<Fact> facts{};
  std::vector<Picture> pictures{};
  std::vector<Chart> charts{};  ///< side by side where there is room
  std::vector<PageTable> tables{};
  std::string code{};  ///< shown as it is, with a button that copies it
};

struct Page {
  std::string title{};
  std::string lead{};                   ///< the answer in words
  std::vector<Highlight> highlights{};  ///< up to six
  std::vector<std::string> warnings{};
  std::vector<Section> sections{};
  std::string json{};  ///< the whole result, for programs; can be saved from the page. Empty: none
};

/// The page as HTML. All text is plain text (nothing in it is taken for markup); bytes that are not UTF-8
/// become U+FFFD. Beside the charts, the page holds what a program may want:
///   <script type="application/json" id="charts">   every chart, as chart_json() has it, in one array
///   <script type="application/json" id="result">   Page::json
/// Throws Errc::invalid_argument for a chart whose lists do not match in length, a table with rows of another
/// length than its columns, or a json that is not JSON.
[[nodiscard]] std::string page_html(const Page& page);

/// A chart as a JSON object with the names of the struct; numbers that are not finite are null.
[[nodiscard]] std::string chart_json(const Chart& chart);

/// What stands behind a chart: one row per x when all series share theirs, else one per point.
[[nodiscard]] PageTable chart_table(const Chart& chart);

}  // namespace motmot
