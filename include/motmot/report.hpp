/// Results as JSON and CSV for programs; text() (answer.hpp, theory.hpp) is for people. Functions of this
/// header only format.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "motmot/answer.hpp"
#include "motmot/theory.hpp"
#include "motmot/watch.hpp"

namespace motmot {

/// How the rows of a sample are numbered in its file, where some were dropped as it was read (see Table).
struct RowNumbers {
  std::span<const std::uint64_t> rows{};  ///< empty: 1, 2, ...

  [[nodiscard]] std::uint64_t operator[](std::size_t row) const { return rows.empty() ? row + 1 : rows[row]; }
};

/// One JSON object, as docs/json.md describes it; what was not computed is null. Rows are numbered as in
/// their files. Leaves out trace, rows and phi.
[[nodiscard]] std::string distance_json(const Distance& w, const PerSample<RowNumbers>& from = {});

/// The same of watch.hpp, each with its own schema in docs/schema: what a reference has learnt (without its
/// rows), a check (`y` numbers the rows of Y), a series.
[[nodiscard]] std::string reference_json(const Reference& reference);
[[nodiscard]] std::string check_json(const Check& check, const RowNumbers& y = {});
[[nodiscard]] std::string monitored_json(const Monitored& series);

/// "step,epoch,value" and a line per step; an epoch is max(K_X, K_Y) steps. Needs a kept trace.
[[nodiscard]] std::string trace_csv(const Distance& w);

/// "sample,row,left_out,score,phi,frequency" and a line per row of X, then of Y; what the estimator does not
/// say is empty. Needs kept rows.
[[nodiscard]] std::string rows_csv(const Distance& w, const PerSample<RowNumbers>& from = {});

/// One JSON object, indented by two; what does not exist is null.
[[nodiscard]] std::string advice_json(const Advice& advice);

}  // namespace motmot
