/// What came of the paper's sentences, as text, Markdown, JSON and parts of a page. What goes beyond the
/// paper's claims stands under a heading of its own.
#pragma once

#include <string>
#include <vector>

#include "motmot/study.hpp"
#include "report/page.hpp"
#include "watch/json_of.hpp"

namespace motmot {

/// For a terminal of 100 columns.
[[nodiscard]] std::string claims_text(const std::vector<Claim>& claims);
/// Tables in Markdown.
[[nodiscard]] std::string claims_markdown(const std::vector<Claim>& claims);
[[nodiscard]] Json claims_json(const std::vector<Claim>& claims);
/// "Of 3 tests of what the paper claims, 2 hold, 0 hold under a condition, 1 does not. 2 more go beyond it."
[[nodiscard]] std::string claims_lead(const std::vector<Claim>& claims);
[[nodiscard]] std::vector<Section> claims_sections(const std::vector<Claim>& claims);

/// A table in Markdown under its caption.
[[nodiscard]] std::string table_markdown(const PageTable& table);

}  // namespace motmot
