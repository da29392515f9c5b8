/// Axes: from numbers to places on paper, and where to put ticks.
#pragma once

#include <string>
#include <vector>

namespace motmot {

/// Linear or logarithmic, from data in [low, high] to places in [from, to].
class Axis {
 public:
  Axis(double low, double high, bool log, double from, double to);

  [[nodiscard]] double place(double value) const;
  /// Round numbers inside the range, six or so.
  [[nodiscard]] std::vector<double> ticks() const;
  [[nodiscard]] double low() const noexcept { return low_; }
  [[nodiscard]] double high() const noexcept { return high_; }

 private:
  double low_, high_;
  bool log_;
  double from_, to_;
};

/// The fewest digits that tell ticks apart: "0.05", "1 000", "1e+06".
[[nodiscard]] std::string tick_label(double value);

}  // namespace motmot
