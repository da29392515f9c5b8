#include "classifier.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "base/require.hpp"
#include "batches.hpp"
#include "npz_file.hpp"
#include "steps.hpp"

namespace motmot::gan {
namespace {

constexpr std::size_t chunk = 500;

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

/// Calls use(first, tensor) for the images in chunks, without gradients.
template <class Use>
void in_chunks(const Images& images, Use use) {
  const torch::NoGradGuard no_gradients;
  for (std::size_t first = 0; first < images.size(); first += chunk)
    use(to_tensor(images, first, std::min(chunk, images.size() - first)));
}

double accuracy(const Classifier& net, const Images& images) {
  const std::vector<std::int32_t> told = *net.classes(images);
  std::size_t right = 0;
  for (std::size_t i = 0; i < told.size(); ++i) right += told[i] == images.labels[i] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(told.size());
}

}  // namespace

Classifier::Classifier(std::size_t channels, std::uint64_t seed, std::string trained_on)
    : channels_(channels),
      trained_on_(std::move(trained_on)),
      parameters_(classifier_shapes(static_cast<std::int64_t>(channels)), seed, 2) {}

Classifier::Classifier(const std::string& path) {
  const NpzReader file(path);
  const auto config = nlohmann::json::parse(file.text("classifier"), nullptr, false);
  require(config.is_object(), Errc::io, "'", path, "' is not a classifier of motmot gan features");
  *this = Classifier(config.value("channels", std::size_t{1}), 0, config.value("trained_on", "?"));
  const torch::NoGradGuard no_gradients;
  for (const Parameters::Entry& entry : parameters_.entries()) {
    torch::Tensor plain = torch::empty(entry.value.sizes());
    file.read_into(entry.name, std::span(plain.data_ptr<float>(), static_cast<std::size_t>(plain.numel())));
    torch::Tensor(entry.value).copy_(plain);
  }
}

torch::Tensor Classifier::hidden(const torch::Tensor& images) const {
  torch::Tensor x = images;
  for (std::size_t layer = 0; layer < 3; ++layer)
    x = torch::relu(torch::conv2d(x, parameters_[2 * layer], parameters_[2 * layer + 1], 2, 1));
  x = x.permute({0, 2, 3, 1}).flatten(1);
  return torch::relu(torch::linear(x, parameters_[6], parameters_[7]));
}

torch::Tensor Classifier::logits(const torch::Tensor& hidden) const {
  return torch::linear(hidden, parameters_[8], parameters_[9]);
}

void Classifier::write(const std::string& path) const {
  NpzWriter file(path);
  file.add_text("classifier", nlohmann::json{{"channels", channels_}, {"trained_on", trained_on_}}.dump());
  for (const Parameters::Entry& entry : parameters_.entries()) {
    const torch::Tensor plain = entry.value.detach().contiguous();
    file.add(entry.name, {plain.data_ptr<float>(), static_cast<std::size_t>(plain.numel())},
             plain.sizes().vec());
  }
  file.commit();
}

std::string Classifier::description() const {
  return "64 features of motmot's own classifier of " + trained_on_ + " (not Inception)";
}

void Classifier::check(const Images& images) const {
  require(images.channels == channels_, Errc::invalid_argument, "--features was trained on images of ",
          channels_, " channels, and these have ", images.channels);
}

Points Classifier::features(const Images& images) const {
  check(images);
  std::vector<double> values;
  values.reserve(images.size() * static_cast<std::size_t>(feature_count));
  in_chunks(images, [&](const torch::Tensor& batch) {
    const torch::Tensor rows = hidden(batch).to(torch::kFloat64).contiguous();
    values.insert(values.end(), rows.data_ptr<double>(), rows.data_ptr<double>() + rows.numel());
  });
  return {std::move(values), static_cast<std::size_t>(feature_count)};
}

std::optional<std::vector<std::int32_t>> Classifier::classes(const Images& images) const {
  check(images);
  std::vector<std::int32_t> told;
  in_chunks(images, [&](const torch::Tensor& batch) {
    const torch::Tensor best = logits(hidden(batch)).argmax(1).to(torch::kInt32).contiguous();
    told.insert(told.end(), best.data_ptr<std::int32_t>(), best.data_ptr<std::int32_t>() + best.numel());
  });
  return told;
}

FeatureResult train_features(const DataSet& data, const std::string& path, const FeatureTraining& options) {
  require(!data.train.labels.empty(), Errc::invalid_argument, "features are learned from labels, which ",
          data.name, " has not");
  require(std::ranges::max(data.train.labels) < noise_class, Errc::invalid_argument, data.name,
          " has more than ten classes");
  set_up_torch(options.threads, "cpu");
  Classifier net(data.train.channels, options.seed, data.name);
  constexpr std::size_t batch = 128, noise = 12;
  UpdateRule rule(static_cast<std::size_t>(net.parameters().weights().numel()),
                  {.rule = Rule::adam, .rate = 1e-3f});
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
    torch::nll_loss(torch::log_softmax(net.logits(net.hidden(images)), 1), torch::tensor(labels)).backward();
    const auto size = static_cast<std::size_t>(net.parameters().weights().numel());
    rule.descend({net.parameters().weights().data_ptr<float>(), size},
                 {net.parameters().gradients().data_ptr<float>(), size});
    if (options.progress && !options.progress(static_cast<double>(step + 1) / static_cast<double>(steps)))
      fail(Errc::unsupported, "interrupted; nothing was written");
  }
  net.write(path);
  const Images& held_out = data.test.size() > 0 ? data.test : data.train;
  return {.accuracy = accuracy(net, held_out),
          .noise_accuracy = accuracy(net, noise_images(1000, data.train.channels, options.seed))};
}

}  // namespace motmot::gan
