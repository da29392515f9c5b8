#include <algorithm>
#include <array>
#include <cmath>

#include "motmot/gan/evaluate.hpp"

namespace motmot::gan {
namespace {

constexpr std::size_t fields = 4, width = side / fields, per_field = 4;

/// Sums over the pixels of a field.
struct Field {
  double values = 0, squares = 0, across = 0, down = 0;
};

class FieldFeatures final : public FeatureNet {
 public:
  [[nodiscard]] std::string description() const override {
    return "brightness, contrast and edges in 16 fields";
  }
  [[nodiscard]] Points features(const Images& images) const override {
    Points points(images.size(), fields * fields * per_field * images.channels);
    for (std::size_t i = 0; i < images.size(); ++i) look(images[i], images.channels, points.row(i));
    return points;
  }
  [[nodiscard]] std::optional<std::vector<std::int32_t>> classes(const Images&) const override {
    return std::nullopt;
  }

 private:
  static void look(std::span<const std::uint8_t> image, std::size_t channels, std::span<double> features) {
    for (std::size_t c = 0; c < channels; ++c) {
      const auto value = [&](std::size_t y, std::size_t x) {
        return image[(y * side + x) * channels + c] / 255.0;
      };
      std::array<Field, fields * fields> sums{};
      for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x) {
          const double here = value(y, x);
          Field& field = sums[y / width * fields + x / width];
          field.values += here;
          field.squares += here * here;
          if (x + 1 < side) field.across += std::abs(value(y, x + 1) - here);
          if (y + 1 < side) field.down += std::abs(value(y + 1, x) - here);
        }
      constexpr double pixels = width * width;
      for (std::size_t f = 0; f < sums.size(); ++f) {
        const double mean = sums[f].values / pixels;
        double* const to = features.data() + (c * sums.size() + f) * per_field;
        to[0] = mean;
        to[1] = std::sqrt(std::max(0.0, sums[f].squares / pixels - mean * mean));
        to[2] = sums[f].across / pixels;
        to[3] = sums[f].down / pixels;
      }
    }
  }
};

}  // namespace

std::unique_ptr<FeatureNet> field_features() { return std::make_unique<FieldFeatures>(); }

}  // namespace motmot::gan
