/// A run in one file, and back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "motmot/gan/nets.hpp"
#include "motmot/gan/selection.hpp"
#include "npz_file.hpp"
#include "update_rule.hpp"

namespace motmot::gan {

/// Everything that changes while training.
struct Learner {
  /// With several ranks each computes its part of the gradients; all learn the same from them.
  Learner(const TrainOptions& options, std::size_t rows, torch::Device device, Communicator& ranks = alone());

  Critic critic;
  Generator generator;
  UpdateRule critic_rule, generator_rule;
  RowScores scores;
  std::int64_t step = 0;  ///< generator steps done
  bool waits;             ///< trim waits for the generator (LossOptions::trim_from)
  Communicator* ranks;
  double lead = 1;  ///< where it waits: running mean of lead(); 0 from when trimming has begun
};

/// `config` is a StoredRun as JSON.
void write_checkpoint(const std::string& path, Learner& learner, const std::string& config);
/// Error(Errc::io) when the file is damaged or of another run; the learner may be half read then.
void read_checkpoint(const std::string& path, Learner& learner);

/// The generator alone, which is all that sampling needs.
[[nodiscard]] Generator read_generator(const std::string& path);
/// The row scores alone, without the bans.
[[nodiscard]] RowScores read_scores(const std::string& path);

/// One tensor of a network under the name `net` + entry.name.
void write_tensor(NpzWriter& file, const std::string& net, const Parameters::Entry& entry);
void read_tensor(const std::string& path, const std::string& net, const Parameters::Entry& entry);

/// DIR/checkpoints/step-00000123.npz, oldest first; empty when there are none.
[[nodiscard]] std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& folder);

}  // namespace motmot::gan
