/// One sample's tail of scores held against the other's, which says what a tail may look like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motmot {

/// Logarithms of the scores of a sample, of which `most` rows may be left out.
struct Tail {
  std::vector<double> logs{};  ///< ascending
  std::size_t most = 0;
};

/// Whether the own tail is heavier than the other by that many standard errors somewhere. Scores are taken in
/// units of the body, u = (log score - end of the body) / slope of the body, so that neither scale nor the
/// weight of a tail that the body shows counts. A law's tail is then about log(share of the body's end /
/// share), and the i-th largest u has a standard error of sqrt(1/i + 1/j) against the other sample's u of the
/// same share.
[[nodiscard]] bool is_heavier(const Tail& own, const Tail& other, double standard_errors);

/// How many of the largest scores have to go so that what is left is not heavier than the other tail by two
/// standard errors, units taken without these; 0 unless it is heavier by 3.5 at first, and where no number up
/// to `most` does it.
[[nodiscard]] std::size_t rows_beyond_the_other_tail(const Tail& own, const Tail& other);

/// Of samples in one column: the rows at the ends of `own` that the ends of `other` do not explain,
/// ascending; none if there are more than `most`. At each end a row counts that is one and a half times as
/// far from the median as the farthest row of the other sample, each sample in units of the distance from its
/// median to the quantile of 80 %. Of two samples of one law and of equal size all of the
/// farthest r rows at an end belong to one given sample with a probability of 2^-r, at both ends together
/// with (r + 2) 2^-(r + 1), and less if they must be farther by that much: five must be there at one end (3
/// %), or seven at both (3.5 %); of samples of other sizes as many as log2(1 + m / n) bits a row ask for. A
/// change of place or scale has no such rows, a law with a heavier tail has: no rule can tell its rows from
/// wrong ones.
[[nodiscard]] std::vector<std::uint32_t> rows_beyond_the_other_ends(std::span<const double> own,
                                                                    std::span<const double> other,
                                                                    std::size_t most);

/// Whether `here` of n rows of one sample and `there` of m rows of the other may be a part that both have:
/// half to three times the share, and three standard errors more (parts of neighbouring modes count whole
/// there). Far more is the bulk of the other sample, where wrong rows may lie, too.
[[nodiscard]] bool is_part_of_both(std::size_t here, std::size_t n, std::size_t there, std::size_t m);

}  // namespace motmot
