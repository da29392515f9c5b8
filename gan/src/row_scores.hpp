/// How much each training image has stood out over all its visits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace motmot::gan {

class RowScores {
 public:
  explicit RowScores(std::size_t rows = 0) : sums_(rows), visits_(rows), banned_(rows) {}

  /// Adds standing_out(values) to the rows of a batch.
  void add(std::span<const std::uint32_t> rows, std::span<const float> values);
  /// Bans the share `q` of all rows with the highest mean scores.
  void ban_highest(double q);

  [[nodiscard]] std::vector<double> means() const;
  [[nodiscard]] std::vector<double>& sums() noexcept { return sums_; }
  [[nodiscard]] std::vector<std::int64_t>& visits() noexcept { return visits_; }
  [[nodiscard]] std::vector<std::uint8_t>& banned() noexcept { return banned_; }

 private:
  std::vector<double> sums_;
  std::vector<std::int64_t> visits_;
  std::vector<std::uint8_t> banned_;
};

}  // namespace motmot::gan
