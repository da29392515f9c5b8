/// Files that were made part of the library when it was built (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace motmot::assets {

std::string_view chart_js() noexcept;       ///< Chart.js, minified
std::string_view chart_licence() noexcept;  ///< under which it may be passed on
std::string_view page_css() noexcept;
std::string_view theme_js() noexcept;   ///< colours of the theme in force
std::string_view draw_js() noexcept;    ///< bands, whiskers and guides: what Chart.js does not draw
std::string_view charts_js() noexcept;  ///< a chart of the page as a configuration of Chart.js
std::string_view page_js() noexcept;    ///< legends, keyboard, buttons, printing

}  // namespace motmot::assets
