/// What `make fuzz` feeds with bytes: one target for each thing that motmot reads or solves. A target takes
/// any bytes; what it finds wrong ends the process. Where motmot refuses its input, that is a motmot::Error
/// of one line and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/tables.hpp"

namespace motmot::fuzz {

struct Target {
  std::string name;
  std::function<void(std::string_view)> run;
  std::function<std::vector<std::string>()> seeds;  ///< inputs that lead far, to begin with
};

/// One list for each file of targets.
std::vector<Target> reader_targets();
std::vector<Target> own_file_targets();
std::vector<Target> option_targets();
std::vector<Target> solver_targets();
std::vector<Target> picture_targets();
std::vector<Target> stream_targets();

[[nodiscard]] std::vector<Target> all_targets();
/// Runs the target; a motmot::Error is fine if it is one line, anything else that is thrown ends the process.
void run(const Target& target, std::string_view bytes);

/// Ends the process with the words unless the statement holds.
void expect(bool holds, std::string_view words);
/// Columns of one length, codes of levels, numbers that are finite or missing.
void expect_sound(const Frame& frame);

/// Bytes as a row of choices; 0 where they have come to their end.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}
  std::uint8_t byte();
  std::size_t below(std::size_t count) { return byte() % count; }
  bool coin() { return below(2) == 1; }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// A folder of this process, removed at its end; where a file of that name is written. Folders in memory are
/// faster: set TMPDIR.
[[nodiscard]] std::string in_folder(const std::string& name);
[[nodiscard]] std::string written(const std::string& name, std::string_view bytes);
[[nodiscard]] std::string content(const std::string& path);

}  // namespace motmot::fuzz
