/// A proved bracket of an estimator over the unit ball of a kernel, on one fixed partition.
#pragma once

#include "blocks/sampler.hpp"
#include "critics/kernel_fit.hpp"
#include "motmot/inference.hpp"

namespace motmot {

/// lower: the value of phi, a function of norm 1 or less, or of the function 0. upper: with D_kl the norm of
/// the difference of the mean functions of block k of X and block l of Y, no f of norm 1 has a_k - b_l above
/// D_kl; so the median of D_kk (mou-diag) or of D (mou) bounds the estimator, and for mom the smaller of
/// med_k med_l D and med_l med_k D, since a majority of the blocks of X has a row of D of which a majority is
/// no smaller than med a - med b. D is as large as the noise of a block: the bound is loose where blocks are
/// small. Needs odd numbers of blocks and phi in the unit of the kernel. O(n m) kernel values, K_X K_Y
/// numbers.
[[nodiscard]] Bracket kernel_bracket(PointsView x, PointsView y, const RowKernel& kernel,
                                     const Blocks& blocks_x, const Blocks& blocks_y, const Phi& phi,
                                     Estimator estimator, Team& team);

}  // namespace motmot
