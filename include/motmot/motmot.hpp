/// Everything that needs the core alone. Reports and studies are libraries beside it: motmot/report.hpp
/// (motmot::report) and motmot/study.hpp (motmot::study).
#pragma once

#include "motmot/answer.hpp"        // IWYU pragma: export
#include "motmot/base.hpp"          // IWYU pragma: export
#include "motmot/blocks.hpp"        // IWYU pragma: export
#include "motmot/cache.hpp"         // IWYU pragma: export
#include "motmot/communicator.hpp"  // IWYU pragma: export
#include "motmot/compare.hpp"       // IWYU pragma: export
#include "motmot/critics.hpp"       // IWYU pragma: export
#include "motmot/data.hpp"          // IWYU pragma: export
#include "motmot/doctor.hpp"        // IWYU pragma: export
#include "motmot/drawn.hpp"         // IWYU pragma: export
#include "motmot/inference.hpp"     // IWYU pragma: export
#include "motmot/matrix.hpp"        // IWYU pragma: export
#include "motmot/outliers.hpp"      // IWYU pragma: export
#include "motmot/permutations.hpp"  // IWYU pragma: export
#include "motmot/tables.hpp"        // IWYU pragma: export
#include "motmot/theory.hpp"        // IWYU pragma: export
#include "motmot/transport.hpp"     // IWYU pragma: export
#include "motmot/watch.hpp"         // IWYU pragma: export
