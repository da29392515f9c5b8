#include "motmot/gan/memory.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "motmot/gan/images.hpp"

namespace motmot::gan {
namespace {

constexpr double to_spare = 1.25;

double image_bytes(std::size_t images, std::size_t channels) {
  return static_cast<double>(images) * static_cast<double>(side * side * channels);
}

/// Of both networks; those with a bias or a norm alone are left out.
double weights_of(const NetOptions& o) {
  const auto w = static_cast<double>(o.width), z = static_cast<double>(o.latent);
  const double pixels = image_bytes(1, o.channels);
  if (o.net == Net::mlp) return 8 * w * (2 * pixels + 16 * w + z);
  return 320 * w * w + 64 * w * z + 32 * w * static_cast<double>(o.channels);
}

/// Bytes of all values between the layers of one network, for one image.
double layer_bytes(const NetOptions& o) {
  const auto w = static_cast<double>(o.width);
  return sizeof(float) * (image_bytes(1, o.channels) + (o.net == Net::mlp ? 16 * w : 448 * w));
}

/// Copies of layer_bytes() that a step keeps for an image: with a gradient, with the gradient of a gradient
/// (the penalty), with none.
constexpr double with_gradient = 4, with_penalty = 9, without_gradient = 1.75;

/// Features of images, as they grow and as they are compared, and the images that they are of.
double feature_bytes(std::size_t images, std::size_t channels, std::size_t features) {
  return 2 * motmot::sample_bytes(images, features) + 2 * image_bytes(images, channels);
}

}  // namespace

double training_set_bytes(std::size_t n, std::size_t images, std::size_t channels) {
  constexpr double of_a_row = 150;  // where it comes from, and its place
  return torch_bytes + to_spare * (image_bytes(n, channels) + 3 * image_bytes(images, channels) +
                                   of_a_row * static_cast<double>(images));
}

double train_bytes(const TrainOptions& o, std::size_t images) {
  constexpr double of_a_weight = 6 * sizeof(float), of_a_row = 150;
  const auto rows = [](std::size_t count) { return static_cast<double>(count); };
  const bool pairs = o.loss.loss == Loss::mou || o.loss.loss == Loss::mou_diag;
  const double all = rows(o.real_rows()) + rows(o.fake_rows()),
               carrying =
                   o.in_blocks() ? rows(o.block_rows()) + rows(pairs ? o.block_rows() : o.fake_rows()) : all,
               mixed = o.gradient_penalty > 0 ? rows(o.mixed_rows()) : 0,
               kept = o.nets.norm == Norm::batch ? with_gradient + 1 : with_gradient,
               of_critic = kept * carrying + with_penalty * mixed + without_gradient * (all - carrying),
               of_generator = (kept + with_gradient) * rows(o.generator_rows());
  return torch_bytes +
         to_spare *
             (of_a_weight * weights_of(o.nets) + layer_bytes(o.nets) * std::max(of_critic, of_generator) +
              2 * image_bytes(images, o.nets.channels) + of_a_row * static_cast<double>(images));
}

double sample_bytes(const NetOptions& nets, std::size_t images) {
  constexpr std::size_t at_once = 500;
  constexpr double of_a_weight = 3 * sizeof(double);  // as they are read
  return torch_bytes +
         to_spare * (of_a_weight * weights_of(nets) / 2 +
                     without_gradient * layer_bytes(nets) * static_cast<double>(std::min(at_once, images)) +
                     3 * image_bytes(images, nets.channels));
}

double score_bytes(const NetOptions& nets, std::size_t images, std::size_t reference, std::size_t features) {
  constexpr double matrices = 10;
  return sample_bytes(nets, images) + to_spare * (2 * motmot::sample_bytes(images, features) +
                                                  feature_bytes(reference, nets.channels, features) +
                                                  matrices * motmot::sample_bytes(features, features));
}

double feature_training_bytes(std::size_t images, std::size_t channels) {
  return torch_bytes + to_spare * (20e6 + 2 * image_bytes(images, channels));
}

double clean_bytes(std::size_t images, std::size_t channels, std::size_t features) {
  constexpr double of_a_row = 150;
  return torch_bytes + to_spare * (20e6 + 2 * feature_bytes(images, channels, features) +
                                   of_a_row * static_cast<double>(images));
}

}  // namespace motmot::gan
