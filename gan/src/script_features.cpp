#include <torch/script.h>

#include <filesystem>

#include "base/require.hpp"
#include "batches.hpp"
#include "classifier.hpp"
#include "data/complaint.hpp"

namespace motmot::gan {
namespace {

constexpr std::size_t chunk = 50;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

class ScriptNet final : public FeatureNet {
 public:
  ScriptNet(const std::string& path, const ScriptOptions& options) : path_(path), options_(options) {
    try {
      module_ = torch::jit::load(path);
    } catch (const c10::Error& error) {
      fail(Errc::io, name_of(path),
           " is not a TorchScript module: ", first_line(error.what_without_backtrace()));
    }
    module_.eval();
    for (const auto& argument : module_.get_method("forward").function().getSchema().arguments())
      if (argument.name() == "return_features") named_["return_features"] = true;
  }

  [[nodiscard]] std::string description() const override {
    return "features of " + std::filesystem::path(path_).filename().string();
  }

  [[nodiscard]] Points features(const Images& images) const override {
    const torch::NoGradGuard no_gradients;
    std::vector<double> values;
    std::size_t d = 0;
    for (std::size_t first = 0; first < images.size(); first += chunk) {
      const torch::Tensor rows = run(to_tensor(images, first, std::min(chunk, images.size() - first)));
      d = static_cast<std::size_t>(rows.size(1));
      values.insert(values.end(), rows.data_ptr<double>(), rows.data_ptr<double>() + rows.numel());
    }
    return {std::move(values), d};
  }

  [[nodiscard]] std::optional<std::vector<std::int32_t>> classes(const Images&) const override {
    return std::nullopt;
  }

 private:
  [[nodiscard]] torch::Tensor run(torch::Tensor batch) const {
    if (batch.size(1) == 1) batch = batch.expand({-1, 3, -1, -1});
    if (options_.size > 0) {
      const auto size = static_cast<std::int64_t>(options_.size);
      batch = torch::upsample_bilinear2d(batch, {size, size}, false);
    }
    if (!options_.signed_unit) batch = (batch + 1) * 127.5;
    try {
      torch::jit::Module module = module_;
      const c10::IValue out = module.forward({batch.contiguous()}, named_);
      const torch::Tensor rows = out.isTuple() ? out.toTuple()->elements()[0].toTensor() : out.toTensor();
      return rows.flatten(1).to(torch::kFloat64).contiguous();
    } catch (const std::exception& error) {
      fail(Errc::io, name_of(path_), " cannot take ", batch.size(0), " x 3 x ", batch.size(2), " x ",
           batch.size(3), " images: ", first_line(error.what()));
    }
  }

  std::string path_;
  ScriptOptions options_;
  torch::jit::Module module_;
  std::unordered_map<std::string, c10::IValue> named_;
};

}  // namespace

std::unique_ptr<FeatureNet> read_feature_net(const std::string& path, const ScriptOptions& options) {
  require(std::filesystem::exists(path), Errc::io, "cannot read ", name_of(path),
          ": there is no such file; motmot gan features makes one");
  if (path.ends_with(".npz")) return std::make_unique<Classifier>(path);
  return std::make_unique<ScriptNet>(path, options);
}

}  // namespace motmot::gan
