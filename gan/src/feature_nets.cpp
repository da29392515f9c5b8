#include <torch/script.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/memory.hpp"
#include "batches.hpp"
#include "motmot/gan/evaluate.hpp"
#include "motmot/gan/memory.hpp"
#include "steps.hpp"

namespace motmot::gan {
namespace {

constexpr std::int64_t feature_count = 64, class_count = 11;

/// Calls use(tensor) for all images, `most` at a time, without gradients.
template <class Use>
void in_chunks(const Images& images, std::size_t most, Use use) {
  const torch::NoGradGuard no_gradients;
  for (std::size_t first = 0; first < images.size(); first += most)
    use(to_tensor(images, first, std::min(most, images.size() - first)));
}

/// Appends a tensor of type T that is contiguous.
template <class T>
void append(std::vector<T>& values, const torch::Tensor& tensor) {
  values.insert(values.end(), tensor.data_ptr<T>(), tensor.data_ptr<T>() + tensor.numel());
}

std::vector<Parameters::Shape> classifier_shapes(std::int64_t c) {
  const auto bound = [](std::int64_t fan_in) { return 1 / std::sqrt(static_cast<double>(fan_in)); };
  return {{"conv0.weight", {16, c, 4, 4}, bound(16 * c)},
          {"conv0.bias", {16}, bound(16 * c)},
          {"conv1.weight", {32, 16, 4, 4}, bound(256)},
          {"conv1.bias", {32}, bound(256)},
          {"conv2.weight", {64, 32, 4, 4}, bound(512)},
          {"conv2.bias", {64}, bound(512)},
          {"hidden.weight", {feature_count, 1024}, bound(1024)},
          {"hidden.bias", {feature_count}, bound(1024)},
          {"classes.weight", {class_count, feature_count}, bound(feature_count)},
          {"classes.bias", {class_count}, bound(feature_count)}};
}

/// The classifier whose last hidden layer gives the features.
class Classifier final : public FeatureNet {
 public:
  Classifier(std::size_t channels, std::uint64_t seed, std::string trained_on)
      : channels_(channels),
        trained_on_(std::move(trained_on)),
        parameters_(classifier_shapes(static_cast<std::int64_t>(channels)), seed, 2) {}

  explicit Classifier(const std::string& path) {
    const auto config = nlohmann::json::parse(read_text(path, "classifier"), nullptr, false);
    require(config.is_object() && config.contains("channels") && config["channels"].is_number_unsigned() &&
                config["channels"] <= 3 && config.contains("trained_on") && config["trained_on"].is_string(),
            Errc::io, name_of(path), " is not a classifier of motmot gan features");
    *this = Classifier(config["channels"], 0, config["trained_on"]);
    for (const Parameters::Entry& entry : parameters_.entries()) read_tensor(path, "", entry);
  }

  [[nodiscard]] torch::Tensor hidden(const torch::Tensor& images) const {
    torch::Tensor x = images;
    for (std::size_t layer = 0; layer < 3; ++layer)
      x = torch::relu(torch::conv2d(x, parameters_[2 * layer], parameters_[2 * layer + 1], 2, 1));
    x = x.permute({0, 2, 3, 1}).flatten(1);
    return torch::relu(torch::linear(x, parameters_[6], parameters_[7]));
  }
  [[nodiscard]] torch::Tensor logits(const torch::Tensor& images) const {
    return torch::linear(hidden(images), parameters_[8], parameters_[9]);
  }

  void write(NpzWriter& file) const {
    file.add_text("classifier", nlohmann::json{{"channels", channels_}, {"trained_on", trained_on_}}.dump());
    for (const Parameters::Entry& entry : parameters_.entries()) write_tensor(file, "", entry);
    file.commit();
  }
  [[nodiscard]] Parameters& parameters() noexcept { return parameters_; }

  [[nodiscard]] std::string description() const override {
    return "64 features of motmot's own classifier of " + trained_on_ + " (not Inception)";
  }
  [[nodiscard]] Points features(const Images& images) const override {
    check(images);
    std::vector<double> values;
    in_chunks(images, 500, [&](const torch::Tensor& batch) {
      append(values, hidden(batch).to(torch::kFloat64).contiguous());
    });
    return {std::move(values), static_cast<std::size_t>(feature_count)};
  }
  [[nodiscard]] std::optional<std::vector<std::int32_t>> classes(const Images& images) const override {
    check(images);
    std::vector<std::int32_t> found;
    in_chunks(images, 500, [&](const torch::Tensor& batch) {
      append(found, logits(batch).argmax(1).to(torch::kInt32).contiguous());
    });
    return found;
  }

 private:
  void check(const Images& images) const {
    require(images.channels == channels_, Errc::invalid_argument, "--features was trained on images of ",
            channels_, " channels, and these have ", images.channels);
  }

  std::size_t channels_ = 1;
  std::string trained_on_;
  Parameters parameters_;
};

double accuracy(const Classifier& net, const Images& images) {
  const std::vector<std::int32_t> found = *net.classes(images);
  std::size_t right = 0;
  for (std::size_t i = 0; i < found.size(); ++i) right += found[i] == images.labels[i] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(found.size());
}

/// A TorchScript module.
class ScriptNet final : public FeatureNet {
 public:
  ScriptNet(std::string path, const ScriptOptions& options) : path_(std::move(path)), options_(options) {
    try {
      module_ = torch::jit::load(path_);
      module_.eval();
      for (const auto& argument : module_.get_method("forward").function().getSchema().arguments())
        if (argument.name() == "return_features") named_["return_features"] = true;
    } catch (const std::exception& error) {
      fail(Errc::io, name_of(path_), " is not a TorchScript module: ", torch_reason(error));
    }
  }

  [[nodiscard]] std::string description() const override {
    return "features of " + std::filesystem::path(path_).filename().string();
  }
  [[nodiscard]] Points features(const Images& images) const override {
    std::vector<double> values;
    in_chunks(images, 50, [&](const torch::Tensor& batch) { append(values, run(batch)); });
    const std::size_t d = images.size() == 0 ? 1 : values.size() / images.size();
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
    torch::Tensor rows;
    try {
      torch::jit::Module module = module_;
      const c10::IValue out = module.forward({batch.contiguous()}, named_);
      rows = (out.isTuple() ? out.toTupleRef().elements().at(0) : out).toTensor();
      rows = rows.flatten(1).to(torch::kFloat64).contiguous();
    } catch (const std::exception& error) {
      fail(Errc::io, name_of(path_), " cannot take ", batch.size(0), " x 3 x ", batch.size(2), " x ",
           batch.size(3), " images: ", torch_reason(error));
    }
    require(rows.size(0) == batch.size(0) && rows.size(1) > 0, Errc::io, name_of(path_), " gives ",
            rows.size(0), " x ", rows.size(1), " features for ", batch.size(0), " images");
    require(torch::isfinite(rows).all().item<bool>(), Errc::io, name_of(path_),
            " gives features that are not finite");
    return rows;
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
  require(options.size <= 4096, Errc::invalid_argument, "--feature-size must be at most 4096; got ",
          options.size);
  if (!path.ends_with(".npz")) return std::make_unique<ScriptNet>(path, options);
  require(options.size == 0 && !options.signed_unit, Errc::invalid_argument,
          "--feature-size and --feature-signed are for TorchScript files; ", name_of(path),
          " is a classifier of motmot gan features");
  return std::make_unique<Classifier>(path);
}

FeatureResult train_features(const DataSet& data, const std::string& path, const FeatureTraining& options) {
  require(options.epochs >= 1, Errc::invalid_argument, "--epochs must be at least 1; got 0");
  require(!data.train.labels.empty(), Errc::invalid_argument, "features are learned from labels, and ",
          data.name, " has none");
  require(std::ranges::max(data.train.labels) < noise_class, Errc::invalid_argument, data.name,
          " has more than ten classes");
  require_memory(feature_training_bytes(data.train.size() + data.test.size(), data.train.channels),
                 options.memory_limit, "take fewer images");
  NpzWriter file(path);  // before the work, so that a bad name is found at once
  set_up_torch(options.threads, "cpu");
  Classifier net(data.train.channels, options.seed, data.name);
  constexpr std::size_t batch = 128, noise = 12;
  UpdateRule rule(static_cast<std::size_t>(net.parameters().weights().numel()),
                  {.optimizer = Optimizer::adam, .rate = 1e-3f});
  RowOrder order(data.train.size(), std::min(batch, data.train.size()), options.seed);
  const std::size_t steps = options.epochs * std::max<std::size_t>(1, data.train.size() / batch);
  for (std::size_t step = 0; step < steps; ++step) {
    const std::vector<std::uint32_t> rows = order.batch(step);
    std::vector<std::int64_t> labels;
    for (const std::uint32_t row : rows) labels.push_back(data.train.labels[row]);
    labels.insert(labels.end(), noise, noise_class);
    const Images fresh = noise_images(noise, data.train.channels, options.seed + 1000003 * (step + 1));
    const torch::Tensor images = torch::cat({to_tensor(data.train, rows), to_tensor(fresh, 0, noise)});
    net.parameters().zero_gradients();
    torch::nll_loss(torch::log_softmax(net.logits(images), 1), torch::tensor(labels)).backward();
    descend(net.parameters(), rule);
    if (options.progress && !options.progress(static_cast<double>(step + 1) / static_cast<double>(steps)))
      return {};
  }
  net.write(file);
  const Images& held_out = data.test.size() > 0 ? data.test : data.train;
  return {.finished = true,
          .accuracy = accuracy(net, held_out),
          .noise_accuracy = accuracy(net, noise_images(1000, data.train.channels, options.seed))};
}

}  // namespace motmot::gan
