/// Training: Algorithm 2 with any of the losses, with a log, pictures and checkpoints, so that a run that was
/// killed goes on as if it had not been.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "motmot/gan/images.hpp"
#include "motmot/gan/options.hpp"

namespace motmot::gan {

/// What the data are, beside TrainOptions: stored with a run so that score and suspects find them again.
struct DataOptions {
  std::string data{};  ///< as read_data_set() takes it; paths absolute
  Contamination contamination{};
};

[[nodiscard]] std::string to_json(const DataOptions& options);
[[nodiscard]] DataOptions data_options_from_json(const std::string& json);

/// Where a run stands; given to the caller after every generator step.
struct TrainState {
  std::size_t step = 0, steps = 0;  ///< generator steps: done, wanted
  double critic_loss = 0;  ///< mean of the last generator step's critic steps; -critic_loss estimates M W1
  double images_per_second = 0;  ///< real images that the critic read, since the start of this process
  double seconds_left = 0;
  double used_dirty =
      0;  ///< share of dirty images among those that carried the gradient since the last log line
};

struct RunOptions {
  std::string output{};     ///< folder; made if missing
  bool resume = false;      ///< go on from the newest checkpoint in `output`, if there is one
  std::size_t threads = 0;  ///< of libtorch; 0: all cores
  std::string device = "cpu";
  /// Called after every generator step; false: write a checkpoint and stop.
  std::function<bool(const TrainState&)> progress{};
};

/// How a run ended.
struct TrainResult {
  std::size_t step = 0;
  bool finished = false;
  double seconds = 0;            ///< of this process
  std::size_t resumed_from = 0;  ///< step of the checkpoint, 0 for a fresh start
};

/// Trains, and leaves in the folder:
///   config.json              options and data
///   rows.csv                 every training image: its source, and whether it was put in as an outlier
///   log.jsonl                a line each: step, losses, dirty images used and rejected, images/s
///   samples/step-N.png       64 images of fixed vectors, at every checkpoint
///   checkpoints/step-N.npz   the last `keep`: weights, optimisers, batch norm, row scores. Chance needs no
///                            state: every draw is a function of (seed, purpose, step)
///   final.npz                the last checkpoint
/// Same seed, same bits at the same number of threads, interrupted or not. libtorch splits some of its sums
/// among its threads, so another number of threads rounds otherwise (measured: 1, 2 and 3 threads differ).
TrainResult train(const TrainingSet& set, const DataOptions& data, const TrainOptions& options,
                  const RunOptions& run);

/// The options a run was started with; `run` is its folder or one of its checkpoints. Error(Errc::io) when it
/// is neither.
struct StoredRun {
  DataOptions data{};
  TrainOptions options{};
};
[[nodiscard]] StoredRun stored_run(const std::string& run);

}  // namespace motmot::gan
