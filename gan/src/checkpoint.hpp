/// A run in one file, and back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "motmot/gan/nets.hpp"
#include "row_scores.hpp"
#include "update_rule.hpp"

namespace motmot::gan {

/// Everything that changes while training.
struct Learner {
  Learner(const TrainOptions& options, std::size_t rows, torch::Device device);

  Critic critic;
  Generator generator;
  UpdateRule critic_rule, generator_rule;
  RowScores scores;
  std::int64_t step = 0;  ///< generator steps done
};

void write_checkpoint(const std::string& path, Learner& learner, const std::string& config);
void read_checkpoint(const std::string& path, Learner& learner);

/// The generator alone: what sampling needs. Options are the file's own.
[[nodiscard]] Generator read_generator(const std::string& path, torch::Device device = torch::kCPU);
/// The row scores alone.
[[nodiscard]] RowScores read_scores(const std::string& path);

/// DIR/checkpoints/step-000123.npz, by step; empty when there are none.
[[nodiscard]] std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& folder);

}  // namespace motmot::gan
