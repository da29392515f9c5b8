/// Results as JSON and CSV for programs; text() (answer.hpp, theory.hpp) is for people. Functions of this
/// header only format.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "motmot/answer.hpp"
#include "motmot/compare.hpp"
#include "motmot/doctor.hpp"
#include "motmot/matrix.hpp"
#include "motmot/outliers.hpp"
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

/// One JSON object, as docs/json.md describes it. `from` has one entry for each sample, or none.
[[nodiscard]] std::string matrix_json(const Matrix& m, std::span<const RowNumbers> from = {});

/// "first,second,distance,floor,energy,p_value,q_value,differ" and a line per pair, by the names of the
/// samples.
[[nodiscard]] std::string pairs_csv(const Matrix& m);

/// The distances as a square, names in the first line and column; empty where a pair was not asked for.
[[nodiscard]] std::string square_csv(const Matrix& m);

/// One JSON object, as docs/json.md describes it.
[[nodiscard]] std::string compare_json(const Comparison& c);

/// "method,value,seconds,dirt,value_with_dirt,movement" and a line per method and dirt, the first without
/// any.
[[nodiscard]] std::string compare_csv(const Comparison& c);

/// One JSON object, as docs/json.md describes it; rows are numbered as in their files.
[[nodiscard]] std::string outliers_json(const Outliers& found, const PerSample<RowNumbers>& from = {});

/// "rank,sample,row,suspect,score,sign,column,value,reason" and a line for every row, the most remote first;
/// rows that are not listed have no reason.
[[nodiscard]] std::string outliers_csv(const Outliers& found, const PerSample<RowNumbers>& from = {});

/// One JSON object, as docs/json.md describes it.
[[nodiscard]] std::string doctor_json(const Checkup& checkup);

/// "code,table,column,share,text,type" and a line for each finding.
[[nodiscard]] std::string doctor_csv(const Checkup& checkup);

/// One JSON object, indented by two; what does not exist is null.
[[nodiscard]] std::string advice_json(const Advice& advice);

}  // namespace motmot
