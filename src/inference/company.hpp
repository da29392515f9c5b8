/// Rows without company: which of them the answer leaves out.
///
/// A row's score is the distance to its k-th nearest row of the same sample, k just above the number of rows
/// that may be wrong: a group of wrong rows has large scores, however close together it lies, and a mode of
/// the law has not. Scores of wrong rows stand above a gap; a heavy tail has none (lone_rows.hpp). Two
/// looks are added to each sample's gaps: in many columns, where all rows are about as far from one another
/// and a group shows no gap, one along the direction in which it is wider than the other sample
/// (widest_line.hpp); in one column, where wrong rows at graded distances show none, one at the ends of the
/// other sample (tails.hpp). Where neither sample has any such rows, those that lie where the other sample
/// has none are looked at: classes that touch the others, wrong rows at graded distances (strangers.hpp); and
/// where there are none of these, one sample's tail is held against the other's (tails.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/threads.hpp"
#include "motmot/data.hpp"

namespace motmot {

/// Samples with fewer rows are left as they are.
inline constexpr std::size_t least_rows_for_company = 10;

/// One sample, row by row.
struct Company {
  std::vector<std::uint32_t> left_out{};  ///< ascending
  /// They lie where the other sample has no rows; otherwise away from the rest of their own sample.
  bool are_strangers = false;
  /// Where no row of either sample is left out: rows that lie where the other sample has none, but not so
  /// clearly that chance could not have put them there, or more of them than tau allows. Ascending.
  std::vector<std::uint32_t> suspects{};
  std::vector<double> score{};  ///< of every row, all rows present; empty if nothing may be left out
  /// All rows: those left out first, then by falling score; of equal scores by the coordinates.
  std::vector<std::uint32_t> by_remoteness{};
};

/// At most floor(tau n) rows of each sample, 0 <= tau < 1/2; none where tau n < 1 or n < 10. A part that both
/// samples have (a mode of about the share tau) is kept where the other sample keeps it: see
/// is_part_of_both(). Exchanging the samples exchanges the answer, permuting rows permutes it; shifting and
/// scaling both samples together does not change it. Cost: a few passes of kth_distances() over each sample
/// and between them. When `progress` says stop, nothing is left out.
[[nodiscard]] PerSample<Company> keep_company(PointsView x, PointsView y, const PerSample<double>& tau,
                                              Team& team, const Progress& progress = {});

/// Rows left out that lie together: an honest group that is small, or wrong rows of one kind. No rule can
/// tell.
struct LyingTogether {
  std::vector<std::uint32_t> rows{};  ///< ascending; empty unless there are max(5, n / 100) at the core
  std::size_t met = 0;                ///< of these, how many have company in the other sample
  double reach = 0;                   ///< rows no farther than this are company
};

/// A row lies together with others when three other rows that were left out are no farther than the median
/// score of the rows kept; it has company in `other` when three rows there are.
[[nodiscard]] LyingTogether lying_together(PointsView z, const Company& company, PointsView other,
                                           Team& team);

/// Whether the groups of both samples are one: half of the rows of each have company in the other. Then both
/// are real or wrong together.
[[nodiscard]] bool lie_in_one_place(PointsView x, const LyingTogether& of_x, PointsView y,
                                    const LyingTogether& of_y, Team& team);

/// What a tau would leave out.
struct TauGridPoint {
  double tau = 0;
  PerSample<std::vector<std::uint32_t>> left_out{};
};

/// keep_company() at each tau that is tried where tau is not known, the same tau for both samples. Empty when
/// `progress` said stop.
[[nodiscard]] std::vector<TauGridPoint> company_over_tau(PointsView x, PointsView y, Team& team,
                                                         const Progress& progress = {});

/// Neighbouring taus of the grid that leave out the same number of rows (within 20 %, or two rows).
struct Plateau {
  std::size_t first = 0, last = 0;  ///< places in the grid
  std::size_t rows = 0;             ///< rows left out at `first`; 0: there is no plateau
};

/// Outliers of the share t show as nothing below t and as a plateau from t on. The longest plateau of at
/// least two taus with rows left out; of equally long ones that of the smallest tau. `largest_tau` ends the
/// grid early.
[[nodiscard]] PerSample<Plateau> plateau(std::span<const TauGridPoint> grid, double largest_tau = 1);

}  // namespace motmot
