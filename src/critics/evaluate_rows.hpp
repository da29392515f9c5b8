#pragma once

#include <algorithm>
#include <array>
#include <numeric>

#include "base/threads.hpp"
#include "critics/mlp.hpp"
#include "critics/row_split.hpp"

namespace motmot {

/// All: phi of every row of both samples, on every rank; each evaluates those it holds, which data has.
inline PerSample<std::vector<float>> evaluate_rows(const Mlp& mlp, const FeatureMajor& data,
                                                   const RowSplit& split, Team& team) {
  constexpr std::size_t tile_rows = kernels::tile_rows;
  std::vector<float> phi(data.ld());
  std::vector<Mlp::Workspace> workspaces;
  for (std::size_t worker = 0; worker < team.size(); ++worker) workspaces.emplace_back(mlp);
  team.run(data.tiles(), [&](std::size_t t, std::size_t worker) {
    float* const to = phi.data() + t * tile_rows;
    if (data.is_copy()) return mlp.evaluate(data.tile(t), data.ld(), to, workspaces[worker]);
    std::array<std::uint32_t, tile_rows> rows;
    std::iota(rows.begin(), rows.end(), static_cast<std::uint32_t>(t * tile_rows));
    const std::size_t count = std::min(tile_rows, data.rows() - t * tile_rows);
    mlp.evaluate(data, std::span(rows).first(count), to, workspaces[worker]);
  });
  const std::span<const float> here(phi);
  return {gather_rows(here.first(split.x.held()), split.x, *split.ranks),
          gather_rows(here.subspan(split.x.held(), split.y.held()), split.y, *split.ranks)};
}

}  // namespace motmot
