/// Parts of distance_page(). A part without content is one without a heading.
#pragma once

#include "report/distance_page.hpp"

namespace motmot {

// If some rows are wrong, by chance, in which columns: distance_questions.cpp.
Section wrong_rows_part(const Distance& w);
Section chance_part(const Distance& w);
Section columns_part(const Distance& w);

// The samples themselves: distance_rows.cpp.
Section data_part(const Distance& w, const PageSample& x, const PageSample& y);
Section left_out_part(const Distance& w, const PageSample& x, const PageSample& y);

// How estimators with blocks came to their value: distance_blocks.cpp.
Section ascent_part(const Distance& w);
Section blocks_part(const Distance& w);

/// Counts in equal intervals, as bars at their middles. The values must not all be the same.
Series histogram(const std::string& name, const std::vector<double>& values);

}  // namespace motmot
