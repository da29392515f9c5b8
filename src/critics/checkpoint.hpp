/// Where an ascent stands, kept in a file, so that a run that ended early goes on: on any number of ranks.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "motmot/communicator.hpp"

namespace motmot {

/// All that the next step depends on, but the data and the options.
struct AscentState {
  std::uint64_t steps = 0;       ///< done
  std::vector<float> weights{};  ///< of the critic
  std::vector<float> rule{};     ///< what its update rule remembers
  std::vector<double> tail{};    ///< values of the last steps, as Tail holds them
  std::vector<double> trace{};   ///< values of all steps, if asked for
};

/// The states of a run's ascents, by their names. Rank 0 reads and writes the file, whole or not at all.
class Checkpoint {
 public:
  struct Options {
    std::string path{};   ///< empty: nothing is kept
    std::string run{};    ///< what the run is a function of; a file of another run is refused
    double seconds = 30;  ///< between two writes
  };

  /// All. Throws AgreedError (Error when alone) where there is a file that is damaged or of another run, or
  /// where it cannot be written.
  Checkpoint(Options options, Communicator& ranks);

  /// All: where that ascent stood, on every rank. Where it did not begin yet, its first state is written, so
  /// that a disk without room is found out before the work.
  [[nodiscard]] std::optional<AscentState> found(const std::string& ascent, const AscentState& beginning);
  /// Whether this rank should save now.
  [[nodiscard]] bool is_due() const;
  [[nodiscard]] bool keeps() const { return !options_.path.empty() && ranks_.rank() == 0; }
  void save(const std::string& ascent, AscentState state);

 private:
  void read();
  void write();

  Options options_;
  Communicator& ranks_;
  std::map<std::string, AscentState> states_{};
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
};

}  // namespace motmot
