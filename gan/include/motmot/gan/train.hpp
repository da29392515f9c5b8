/// Training: Algorithm 2 with any of the losses. A log, pictures and checkpoints are written, so that a run
/// that was killed can go on and ends with the same bits.
#pragma once

#include <functional>
#include <string>

#include "motmot/communicator.hpp"
#include "motmot/gan/images.hpp"
#include "motmot/gan/options.hpp"

namespace motmot::gan {

/// What the data are: stored with a run, beside TrainOptions, so that score and suspects find them again.
struct DataOptions {
  std::string data{};  ///< as read_data_set() takes it; paths absolute
  Contamination contamination{};
  std::string without{};  ///< list of images to leave out, as read_left_out() takes it; empty: none
};

/// The images that a run is trained on. `memory_limit`: see memory.hpp.
[[nodiscard]] TrainingSet training_set(const DataOptions& data, std::uint64_t memory_limit = 0);

/// Where a run stands; given to the caller after every generator step.
struct TrainState {
  std::size_t step = 0, steps = 0;  ///< generator steps: done, wanted
  double critic_loss = 0;           ///< mean over the critic steps of the last generator step
  double images_per_second = 0;     ///< real images that the critic read, since the start of this process
  double seconds_left = 0;
};

struct RunOptions {
  std::string output{};  ///< folder; made if missing
  bool resume = false;   ///< go on from the newest checkpoint in `output` that can be read, if there is one
  std::size_t threads = 0;  ///< of libtorch; 0: all cores
  std::string device = "cpu";
  std::uint64_t memory_limit = 0;  ///< of one rank: see memory.hpp
  /// That share the critic's work: each has all images and both networks, the first writes. Another number of
  /// ranks gives other rounding errors, as another number of threads does.
  Communicator* ranks = &alone();
  /// Called after every generator step; false: write a checkpoint and stop.
  std::function<bool(const TrainState&)> progress{};
  /// Called with a sentence when a damaged checkpoint was passed over; the log has it too.
  std::function<void(const std::string&)> warn{};
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
///   log.jsonl                now and then a line: step, loss, dirty images used and rejected, lead, images/s
///   samples/step-N.png       64 images of fixed vectors, at every checkpoint
///   checkpoints/step-N.npz   the last `keep`: weights, optimisers, batch norm, row scores. Random numbers
///                            need no state: every draw is a function of (seed, purpose, step)
///   final.npz                the last checkpoint
/// The same seed and number of threads give the same bits, interrupted or not. Another number of threads
/// gives other rounding errors, because libtorch splits its sums among the threads; so does another number of
/// ranks.
TrainResult train(const TrainingSet& set, const DataOptions& data, const TrainOptions& options,
                  const RunOptions& run);

/// The options a run was started with.
struct StoredRun {
  DataOptions data{};
  TrainOptions options{};
};
/// As JSON: {"options": {...}, "data": {...}}, whose keys are the names of the command's options.
[[nodiscard]] std::string to_json(const StoredRun& run);
/// `run` is a folder of train() or one of its checkpoints. Error(Errc::io) when it is neither.
[[nodiscard]] StoredRun stored_run(const std::string& run);

}  // namespace motmot::gan
