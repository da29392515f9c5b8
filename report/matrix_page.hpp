/// The pages of matrix() and compare().
#pragma once

#include <span>
#include <string>

#include "motmot/report.hpp"
#include "report/page.hpp"

namespace motmot {

/// The distances as a heat map in the order of the clusters, with their dendrogram; a map of the samples; all
/// pairs in a table; settings, and `command`, which the reader may repeat. Page::json is matrix_json().
[[nodiscard]] Page matrix_page(const Matrix& m, std::span<const RowNumbers> from = {},
                               const std::string& command = {});

/// The table of the methods, their values as bars and, under stress, how far dirt moves each.
[[nodiscard]] Page compare_page(const Comparison& c, const std::string& command = {});

/// All pairs of three samples or more. The colours are the page's.
[[nodiscard]] std::string matrix_heat_svg(const Matrix& m);
[[nodiscard]] std::string matrix_map_svg(const Matrix& m);

}  // namespace motmot
