/// log.jsonl: one line now and then, and what went into the gradient since the last one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

namespace motmot::gan {

class RunLog {
 public:
  /// Goes on after `step`: lines beyond it, of a run that was killed after them, are taken out. Counts since
  /// the last line start anew there, as they do at every checkpoint.
  RunLog(std::filesystem::path path, std::int64_t step, std::span<const std::uint8_t> dirty);

  /// A batch of rows, of which those at the positions `used` (none: all) carried the gradient.
  void count(std::span<const std::uint32_t> rows, std::span<const std::int64_t> used);
  [[nodiscard]] double used_dirty() const;
  void write(std::size_t step, double critic_loss, double images_per_second, double seconds);

 private:
  std::filesystem::path path_;
  std::span<const std::uint8_t> dirty_;
  std::ofstream out_;
  std::uint64_t used_ = 0, used_dirty_ = 0, rejected_ = 0, rejected_dirty_ = 0;
};

}  // namespace motmot::gan
