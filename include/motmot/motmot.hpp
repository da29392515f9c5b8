/// Everything.
#pragma once

#include "motmot/base.hpp"           // IWYU pragma: export
#include "motmot/blocks.hpp"         // IWYU pragma: export
#include "motmot/chart.hpp"          // IWYU pragma: export
#include "motmot/critics.hpp"        // IWYU pragma: export
#include "motmot/data.hpp"           // IWYU pragma: export
#include "motmot/diagnostics.hpp"    // IWYU pragma: export
#include "motmot/distance_page.hpp"  // IWYU pragma: export
#include "motmot/estimate.hpp"       // IWYU pragma: export
#include "motmot/page.hpp"           // IWYU pragma: export
#include "motmot/report.hpp"         // IWYU pragma: export
#include "motmot/study.hpp"          // IWYU pragma: export
#include "motmot/study_report.hpp"   // IWYU pragma: export
#include "motmot/svg.hpp"            // IWYU pragma: export
#include "motmot/theory.hpp"         // IWYU pragma: export
#include "motmot/toy.hpp"            // IWYU pragma: export
#include "motmot/transport.hpp"      // IWYU pragma: export
