#include "motmot/gan/evaluate.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/memory.hpp"
#include "base/require.hpp"
#include "batches.hpp"
#include "checkpoint.hpp"
#include "log_line.hpp"
#include "motmot/gan/memory.hpp"
#include "motmot/gan/train.hpp"
#include "steps.hpp"

namespace motmot::gan {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t chunk = 500;

}  // namespace

void use_threads(std::size_t threads) { set_up_torch(threads, "cpu"); }

Images sample(const std::string& model, std::size_t n, std::uint64_t seed, std::uint64_t memory_limit) {
  Generator generator = read_generator(model);
  require_memory(sample_bytes(generator.options(), n), memory_limit, "take fewer images");
  const torch::NoGradGuard no_gradients;
  Images images{.channels = generator.options().channels};
  for (std::size_t first = 0; first < n; first += chunk)
    append_images(images, generator.images(sample_latents(seed, first, std::min(chunk, n - first),
                                                          generator.options().latent),
                                           false));
  return images;
}

Score score(const std::string& model, const TrainingSet& set, const FeatureNet& net, PointsView reference,
            const ScoreOptions& options) {
  require_memory(score_bytes(stored_run(model).options.nets, options.images, reference.n, reference.d),
                 options.memory_limit, "take fewer images");
  const Images generated = sample(model, options.images, options.seed, options.memory_limit);
  const Points features = net.features(generated);
  Score result{.fid = frechet_distance(features, reference), .kid = kernel_distance(features, reference)};
  const auto told = net.classes(generated);
  if (told && set.dirty_class)
    result.outlier_share =
        static_cast<double>(std::ranges::count(*told, *set.dirty_class)) / static_cast<double>(told->size());
  return result;
}

std::size_t feature_count(const FeatureNet& net, const Images& images) {
  Images first{.channels = images.channels};
  first.append(images, 0);
  return net.features(first).cols();
}

std::vector<std::string> models_of(const std::string& run) {
  if (!fs::is_directory(run)) {
    require(fs::exists(run), Errc::io, "cannot read '", run, "': there is no such file or folder");
    return {run};
  }
  std::vector<std::string> models;
  for (const fs::path& path : checkpoints_in(run)) models.push_back(path.string());
  if (models.empty() && fs::exists(fs::path(run) / "final.npz"))
    models.push_back((fs::path(run) / "final.npz").string());
  require(!models.empty(), Errc::io, "'", run, "' holds no checkpoint yet");
  return models;
}

std::string newest_model_of(const std::string& run) {
  const fs::path last = fs::path(run) / "final.npz";
  return fs::exists(last) ? last.string() : models_of(run).back();
}

std::vector<double> suspect_scores(const std::string& run) {
  return read_scores(newest_model_of(run)).means();
}

Usage usage(const std::string& run, double from) {
  const std::size_t steps = stored_run(run).options.steps;
  std::ifstream in(fs::path(run) / "log.jsonl");
  require(in.good(), Errc::io, "'", run, "' has no log.jsonl");
  Usage sums;
  for (std::string line; std::getline(in, line);) {
    const auto number = [&](const char* name) { return number_in(line, name).value_or(0); };
    if (number("step") <= from * static_cast<double>(steps)) continue;
    sums.used += number("used");
    sums.used_dirty += number("used_dirty");
    sums.rejected += number("rejected");
    sums.rejected_dirty += number("rejected_dirty");
  }
  return sums;
}

}  // namespace motmot::gan
