// A page, from top to bottom.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/require.hpp"
#include "base/sha256.hpp"
#include "motmot/base.hpp"
#include "report/assets.hpp"
#include "report/html_text.hpp"
#include "report/page.hpp"

namespace motmot {
namespace {

/// What stands between the tags of the page's own scripts and style.
std::string inside(std::string_view asset) { return "\n" + std::string(asset); }

std::array<std::string_view, 5> scripts_of_a_page() {
  return {assets::chart_js(), assets::theme_js(), assets::draw_js(), assets::charts_js(), assets::page_js()};
}

/// How a policy names a script or style: 'sha256-...', in base 64.
std::string source_of(std::string_view asset) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256(inside(asset));
  std::string text = " 'sha256-";
  for (std::size_t at = 0; at < hex.size(); at += 6) {  // three bytes, the last time two
    const std::string six = hex.substr(at, 6);
    const std::uint32_t bits = static_cast<std::uint32_t>(std::stoul(six, nullptr, 16))
                               << (4 * (6 - six.size()));
    for (std::size_t k = 0; k < 4; ++k)
      text += 3 * k < 2 * six.size() ? letters[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text + "'";
}

/// Nothing from anywhere: what is not in the file is not loaded, and of what is in it only our own scripts
/// and style count, whatever the data have smuggled in.
std::string policy() {
  std::string text = "default-src 'none'; script-src";
  for (const std::string_view script : scripts_of_a_page()) text += source_of(script);
  return text + "; style-src" + source_of(assets::page_css()) +
         "; img-src data:; base-uri 'none'; form-action 'none'";
}

/// Numbers, also with a unit or an error after them, go to the right.
bool reads_as_number(std::string_view cell) {
  if (cell.empty()) return true;
  const std::size_t first = cell.find_first_not_of("+-");
  return first != std::string_view::npos && first <= 1 && cell[first] >= '0' && cell[first] <= '9' &&
         cell.find_first_not_of("+-.0123456789e %") == std::string_view::npos;
}

class PageWriter {
 public:
  std::string write(const Page& page);

 private:
  template <class... Parts>
  void put(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(html_), format, std::forward<Parts>(parts)...);
  }
  void head(const Page& page);
  void opening(const Page& page);
  void section(const Section& section);
  void chart(const Chart& chart);
  void table(const PageTable& table);
  void folded_table(std::string_view summary, const PageTable& table, const std::vector<Guide>& guides);
  void code(const std::string& text);
  void footer(const Page& page);
  void scripts(const Page& page);

  std::string html_;
  std::string charts_;  ///< JSON of those so far, comma between
  std::size_t chart_count_ = 0, code_count_ = 0;
};

void PageWriter::head(const Page& page) {
  put("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"motmot {}\">\n<title>{}</title>\n<style>",
      policy(), version(), html_text(page.title));
  html_ += inside(assets::page_css());
  html_ += "</style>\n</head>\n";
}

void PageWriter::opening(const Page& page) {
  put("<body>\n<a class=\"skip\" href=\"#content\">To the content</a>\n"
      "<header class=\"bar\"><span class=\"mark\">motmot</span>"
      "<button type=\"button\" id=\"theme\" hidden>Dark</button></header>\n"
      "<main id=\"content\">\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n",
      html_text(page.title), html_text(page.lead));
  for (const std::string& warning : page.warnings)
    put("<p class=\"warning\"><strong>Warning</strong> {}</p>\n", html_text(warning));
  if (page.highlights.empty()) return;
  html_ += "<dl class=\"highlights\">\n";
  for (const Highlight& h : page.highlights)
    put("<div{}><dt>{}</dt><dd class=\"value\">{}</dd><dd class=\"note\">{}</dd></div>\n",
        h.accent ? " class=\"accent\"" : "", html_text(h.label), html_text(h.value), html_text(h.note));
  html_ += "</dl>\n";
}

void PageWriter::table(const PageTable& table) {
  put("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table>\n",
      html_text(table.caption.empty() ? "Table" : table.caption));
  if (!table.caption.empty()) put("<caption>{}</caption>\n", html_text(table.caption));
  html_ += "<thead><tr>";
  std::vector<const char*> looks;  // of the cells of a column
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const bool numbers = !table.rows.empty() && std::ranges::all_of(table.rows, [&](const auto& row) {
      return j < row.size() && reads_as_number(row[j]);
    });
    looks.push_back(numbers ? " class=\"n\"" : "");
    put("<th scope=\"col\"{}>{}</th>", looks[j], html_text(table.columns[j]));
  }
  html_ += "</tr></thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    require(row.size() == table.columns.size(), Errc::invalid_argument, "table '", table.caption, "' has ",
            table.columns.size(), " columns and a row of ", row.size());
    html_ += "<tr>";
    for (std::size_t j = 0; j < row.size(); ++j) put("<td{}>{}</td>", looks[j], html_text(row[j]));
    html_ += "</tr>\n";
  }
  html_ += "</tbody></table></div>\n";
}

void PageWriter::folded_table(std::string_view summary, const PageTable& shown,
                              const std::vector<Guide>& guides) {
  put("<details><summary>{}</summary>\n", html_text(summary));
  const char* separator = "<p>Lines: ";
  for (const Guide& g : guides) {
    put("{}{} at {}", separator, html_text(g.label), short_number(g.at));
    separator = "; ";
  }
  if (!guides.empty()) html_ += ".</p>\n";
  table(shown);
  html_ += "</details>\n";
}

void PageWriter::chart(const Chart& chart) {
  const std::string id = fmt::format("chart-{}", chart_count_++);
  charts_ += (charts_.empty() ? "" : ",\n") + chart_json(chart);
  PageTable numbers = chart_table(chart);
  const std::string rows = fmt::format("The numbers ({} rows)", numbers.rows.size());
  put("<figure class=\"chart\" aria-labelledby=\"{0}-title\">\n<h3 id=\"{0}-title\">{1}</h3>\n"
      "<div class=\"legend\" id=\"{0}-legend\" role=\"group\" aria-label=\"Series\"></div>\n"
      "<div class=\"canvas\"><canvas id=\"{0}\" tabindex=\"0\" role=\"img\" aria-label=\"{1}. {2} Arrow keys "
      "walk through the points; a table follows.\"></canvas></div>\n"
      "<p class=\"spoken\" id=\"{0}-spoken\" aria-live=\"polite\"></p>\n",
      id, html_text(chart.title), html_text(chart.note));
  if (!chart.note.empty()) put("<figcaption>{}</figcaption>\n", html_text(chart.note));
  folded_table(rows, numbers, chart.guides);
  html_ += "</figure>\n";
}

void PageWriter::code(const std::string& text) {
  const std::string id = fmt::format("code-{}", code_count_++);
  put("<div class=\"code\"><button type=\"button\" class=\"copy\" data-copy=\"{0}\" hidden>Copy</button>"
      "<pre id=\"{0}\" tabindex=\"0\"><code>{1}</code></pre></div>\n",
      id, html_text(text));
}

void PageWriter::section(const Section& section) {
  put("<section>\n<h2>{}</h2>\n", html_text(section.heading));
  for (const std::string& paragraph : section.paragraphs) put("<p>{}</p>\n", html_text(paragraph));
  if (!section.facts.empty()) {
    html_ += "<dl class=\"facts\">\n";
    for (const Fact& fact : section.facts)
      put("<div><dt>{}</dt><dd>{}</dd></div>\n", html_text(fact.name), html_text(fact.value));
    html_ += "</dl>\n";
  }
  for (const Picture& picture : section.pictures)
    put("<figure class=\"picture\">\n<h3>{}</h3>\n<div class=\"drawing\" tabindex=\"0\">{}</div>\n"
        "<figcaption>{}</figcaption>\n</figure>\n",
        html_text(picture.title), picture.svg, html_text(picture.note));
  if (!section.charts.empty()) {
    put("<div class=\"charts{}\">\n", section.charts.size() == 1 ? " one" : "");
    for (const Chart& c : section.charts) chart(c);
    html_ += "</div>\n";
  }
  for (const PageTable& t : section.tables) {
    if (t.folded) folded_table(t.caption, t, {});
    else table(t);
  }
  if (!section.code.empty()) code(section.code);
  html_ += "</section>\n";
}

void PageWriter::footer(const Page& page) {
  html_ += "</main>\n<footer>\n";
  if (!page.json.empty())
    html_ += "<p><button type=\"button\" id=\"save\" hidden>Save the result as JSON</button></p>\n";
  put("<p>Made by motmot {}. This file is complete: it asks nothing of the network.</p>\n"
      "<details><summary>Licence of the charts</summary><pre "
      "class=\"licence\">{}</pre></details>\n</footer>\n",
      version(), html_text(assets::chart_licence()));
}

void PageWriter::scripts(const Page& page) {
  put("<script type=\"application/json\" id=\"charts\">[{}]</script>\n", json_in_script(charts_));
  if (!page.json.empty()) {
    require(nlohmann::json::accept(page.json), Errc::invalid_argument, "the result of a page must be JSON");
    put("<script type=\"application/json\" id=\"result\">{}</script>\n", json_in_script(page.json));
  }
  for (const std::string_view script : scripts_of_a_page())
    html_ += "<script>" + inside(script) + "</script>\n";
  html_ += "</body>\n</html>\n";
}

std::string PageWriter::write(const Page& page) {
  head(page);
  opening(page);
  for (const Section& s : page.sections) section(s);
  footer(page);
  scripts(page);
  return std::move(html_);
}

}  // namespace

std::string page_html(const Page& page) { return PageWriter().write(page); }

}  // namespace motmot
