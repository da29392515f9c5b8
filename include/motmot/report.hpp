/// Results as text for people and as JSON and CSV for programs. Functions of this header only format.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "motmot/answer.hpp"
#include "motmot/theory.hpp"

namespace motmot {

/// How the rows of a sample are numbered in its file, where some were left out as it was read (see Table).
struct RowNumbers {
  std::span<const std::uint64_t> rows{};  ///< empty: 1, 2, ...
  std::size_t left_out = 0;
};

/// A short, aligned summary that says in words what the number means and what it does not.
[[nodiscard]] std::string distance_text(const Distance& estimate, const PerSample<RowNumbers>& from = {});

/// One JSON object. Names of fields are stable; what was not computed is null. Leaves out trace and critic.
[[nodiscard]] std::string distance_json(const Distance& estimate, const PerSample<RowNumbers>& from = {});

/// "step,epoch,value" and a line per step; an epoch is max(K_X, K_Y) steps. Needs a kept trace.
[[nodiscard]] std::string trace_csv(const Distance& estimate);

/// "sample,row,phi,median_frequency,trimmed" and a line per row of X, then of Y. Needs kept rows.
[[nodiscard]] std::string rows_csv(const Distance& estimate, const PerSample<RowNumbers>& from = {});

/// For a terminal of 100 columns (up to 10^5 rows): a table of the rules for K per estimator, the bounds of
/// the paper in plain words, what the columns mean. Ends with a newline.
[[nodiscard]] std::string advice_text(const Advice& advice);

/// The same as one JSON object, indented by two; what does not exist is null.
[[nodiscard]] std::string advice_json(const Advice& advice);

}  // namespace motmot
