/// Looking at what was learned: features, scores, suspects.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "motmot/data.hpp"
#include "motmot/gan/images.hpp"
#include "motmot/gan/metrics.hpp"

namespace motmot::gan {

/// A network that turns images into features and, where it is a classifier, into classes.
class FeatureNet {
 public:
  virtual ~FeatureNet() = default;
  [[nodiscard]] virtual std::string description() const = 0;
  [[nodiscard]] virtual Points features(const Images& images) const = 0;
  /// The class of every image; nothing when the network is not a classifier.
  [[nodiscard]] virtual std::optional<std::vector<std::int32_t>> classes(const Images& images) const = 0;
};

struct ScriptOptions {
  std::size_t size = 0;      ///< images are scaled to size x size first; 0: as they are
  bool signed_unit = false;  ///< values in [-1, 1] instead of 0..255
};

/// FILE.npz: a classifier of train_features(), for which ScriptOptions must be the defaults. Anything else: a
/// TorchScript module that maps n x 3 x H x W to n x d, or to a tuple whose first part is that. The Inception
/// file that is customary for FID takes 0..255 and scales images itself; its argument return_features is set.
[[nodiscard]] std::unique_ptr<FeatureNet> read_feature_net(const std::string& path,
                                                           const ScriptOptions& options = {});

/// Nothing was learned, so no labels are needed: mean, standard deviation and mean absolute difference to the
/// right and to the lower neighbour (the last column and row have none) in 4 x 4 fields of 8 x 8 pixels of
/// every channel, of values in [0, 1]. They know noise and other shapes, not other kinds of natural scenes.
[[nodiscard]] std::unique_ptr<FeatureNet> field_features();

struct FeatureTraining {
  std::size_t epochs = 3;
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  std::uint64_t memory_limit = 0;  ///< see memory.hpp
  std::function<bool(double)> progress{};
};
struct FeatureResult {
  bool finished = false;      ///< false when progress() stopped it: nothing was written then
  double accuracy = 0;        ///< on the held-out images of all ten classes
  double noise_accuracy = 0;  ///< share of fresh noise images that are recognised as noise
};
/// Trains a classifier on clean data and writes it to `path` (.npz). It has three convolutions, 64 features
/// and eleven classes: the data's ten, and noise, so that it can count outliers.
FeatureResult train_features(const DataSet& data, const std::string& path, const FeatureTraining& options);

/// What libtorch complains of, in one line and without its stack trace.
[[nodiscard]] std::string torch_reason(const std::exception& error);

/// Threads for what follows in this process; 0: all cores. train() and train_features() set their own.
void use_threads(std::size_t threads);

/// n images of a stored generator, the i-th a function of (seed, i). `memory_limit`: see memory.hpp.
[[nodiscard]] Images sample(const std::string& model, std::size_t n, std::uint64_t seed,
                            std::uint64_t memory_limit = 0);

/// Numbers that the network gives for an image: looks at the first.
[[nodiscard]] std::size_t feature_count(const FeatureNet& net, const Images& images);

struct ScoreOptions {
  std::size_t images = 10'000;  ///< to be generated, at least 2
  std::uint64_t seed = 0;
  std::uint64_t memory_limit = 0;  ///< see memory.hpp
};
/// What one stored generator is worth.
struct Score {
  double fid = 0;
  KernelDistance kid{};
  std::optional<double> outlier_share{};  ///< among generated images, by the classifier
};
/// `reference` are the features of the set's held-out images, which serve for many models.
[[nodiscard]] Score score(const std::string& model, const TrainingSet& set, const FeatureNet& net,
                          PointsView reference, const ScoreOptions& options);
/// The files of a run to be scored: its kept checkpoints, else final.npz.
[[nodiscard]] std::vector<std::string> models_of(const std::string& run);

/// final.npz of a run, else its newest checkpoint; a checkpoint is itself.
[[nodiscard]] std::string newest_model_of(const std::string& run);

/// Mean score of every training row from final.npz, or from the newest checkpoint; higher is more suspicious.
[[nodiscard]] std::vector<double> suspect_scores(const std::string& run);

/// Images used and rejected, and dirty ones among them, summed over a run's log after the share `from` of its
/// steps.
struct Usage {
  double used = 0, used_dirty = 0, rejected = 0, rejected_dirty = 0;
};
[[nodiscard]] Usage usage(const std::string& run, double from = 0.7);

}  // namespace motmot::gan
