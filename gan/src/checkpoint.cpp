#include "checkpoint.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "npz_file.hpp"

namespace motmot::gan {
namespace {

UpdateOptions critic_update(const TrainOptions& o) {
  return {.rule = o.rule,
          .rate = static_cast<float>(o.rate),
          .clip = o.gradient_penalty > 0 ? 0.0f : static_cast<float>(o.clip)};
}

UpdateOptions generator_update(const TrainOptions& o) {
  return {.rule = o.rule, .rate = static_cast<float>(o.rate)};
}

void add_tensors(NpzWriter& file, const std::string& net, const std::vector<Parameters::Entry>& entries) {
  for (const Parameters::Entry& entry : entries) {
    const torch::Tensor plain = entry.value.detach().to(torch::kCPU).contiguous();
    file.add(net + "." + entry.name, {plain.data_ptr<float>(), static_cast<std::size_t>(plain.numel())},
             plain.sizes().vec());
  }
}

void read_tensors(const NpzReader& file, const std::string& net,
                  const std::vector<Parameters::Entry>& entries) {
  const torch::NoGradGuard no_gradients;
  for (const Parameters::Entry& entry : entries) {
    torch::Tensor plain = torch::empty(entry.value.sizes());
    file.read_into(net + "." + entry.name,
                   std::span(plain.data_ptr<float>(), static_cast<std::size_t>(plain.numel())));
    torch::Tensor(entry.value).copy_(plain);
  }
}

void add_rule(NpzWriter& file, const std::string& name, UpdateRule& rule) {
  const std::int64_t steps = rule.steps();
  file.add(name + ".steps", std::span(&steps, 1));
  for (auto* state : {&rule.means(), &rule.squares()})
    file.add(name + (state == &rule.means() ? ".means" : ".squares"), *state,
             {static_cast<std::int64_t>(state->size())});
}

void read_rule(const NpzReader& file, const std::string& name, UpdateRule& rule) {
  file.read_into(name + ".steps", std::span(&rule.steps(), 1));
  if (!rule.means().empty()) file.read_into(name + ".means", std::span(rule.means()));
  file.read_into(name + ".squares", std::span(rule.squares()));
}

TrainOptions options_in(const NpzReader& file, const std::string& path) {
  const auto config = nlohmann::json::parse(file.text("config"), nullptr, false);
  require(config.is_object() && config.contains("options"), Errc::io, name_of(path),
          " has no readable options");
  return options_from_json(config["options"].dump());
}

}  // namespace

Learner::Learner(const TrainOptions& options, std::size_t rows, torch::Device device)
    : critic(options.nets, options.seed, device),
      generator(options.nets, options.seed, device),
      critic_rule(static_cast<std::size_t>(critic.parameters().weights().numel()), critic_update(options)),
      generator_rule(static_cast<std::size_t>(generator.parameters().weights().numel()),
                     generator_update(options)),
      scores(rows) {}

void write_checkpoint(const std::string& path, Learner& learner, const std::string& config) {
  NpzWriter file(path);
  file.add_text("config", config);
  file.add("step", std::span<const std::int64_t>(&learner.step, 1));
  add_tensors(file, "generator", learner.generator.parameters().entries());
  add_tensors(file, "generator", learner.generator.statistics());
  add_tensors(file, "critic", learner.critic.parameters().entries());
  add_rule(file, "critic.rule", learner.critic_rule);
  add_rule(file, "generator.rule", learner.generator_rule);
  file.add("rows.score", std::span<const double>(learner.scores.sums()));
  file.add("rows.weight", std::span<const double>(learner.scores.weights()));
  file.add("rows.banned", std::span<const std::uint8_t>(learner.scores.banned()));
  file.commit();
}

void read_checkpoint(const std::string& path, Learner& learner) {
  const NpzReader file(path);
  file.read_into("step", std::span(&learner.step, 1));
  read_tensors(file, "generator", learner.generator.parameters().entries());
  read_tensors(file, "generator", learner.generator.statistics());
  read_tensors(file, "critic", learner.critic.parameters().entries());
  read_rule(file, "critic.rule", learner.critic_rule);
  read_rule(file, "generator.rule", learner.generator_rule);
  file.read_into("rows.score", std::span(learner.scores.sums()));
  file.read_into("rows.weight", std::span(learner.scores.weights()));
  file.read_into("rows.banned", std::span(learner.scores.banned()));
}

Generator read_generator(const std::string& path, torch::Device device) {
  const NpzReader file(path);
  const TrainOptions options = options_in(file, path);
  Generator generator(options.nets, options.seed, device);
  read_tensors(file, "generator", generator.parameters().entries());
  read_tensors(file, "generator", generator.statistics());
  return generator;
}

RowScores read_scores(const std::string& path) {
  const NpzReader file(path);
  RowScores scores(file.numbers("rows.score").size());
  file.read_into("rows.score", std::span(scores.sums()));
  file.read_into("rows.weight", std::span(scores.weights()));
  return scores;
}

std::vector<std::filesystem::path> checkpoints_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  if (!std::filesystem::is_directory(folder / "checkpoints")) return found;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints"))
    if (entry.path().filename().string().starts_with("step-") && entry.path().extension() == ".npz")
      found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

}  // namespace motmot::gan
