#include "checkpoint.hpp"

#include <algorithm>

#include "motmot/gan/train.hpp"

namespace motmot::gan {
namespace {

/// Calls use(name, entry) for every tensor of both networks.
template <class Use>
void for_each_tensor(Learner& learner, Use use) {
  for (const Parameters::Entry& entry : learner.generator.parameters().entries()) use("generator.", entry);
  for (const Parameters::Entry& entry : learner.generator.statistics()) use("generator.", entry);
  for (const Parameters::Entry& entry : learner.critic.parameters().entries()) use("critic.", entry);
}

void add_rule(NpzWriter& file, const std::string& name, UpdateRule& rule) {
  const std::int64_t steps = rule.steps();
  file.add(name + ".steps", std::span<const std::int64_t>(&steps, 1));
  file.add(name + ".means", std::span<const float>(rule.means()));
  file.add(name + ".squares", std::span<const float>(rule.squares()));
}

void read_rule(const std::string& path, const std::string& name, UpdateRule& rule) {
  read_into(path, name + ".steps", std::span(&rule.steps(), 1));
  if (!rule.means().empty()) read_into(path, name + ".means", std::span(rule.means()));
  read_into(path, name + ".squares", std::span(rule.squares()));
}

}  // namespace

Learner::Learner(const TrainOptions& options, std::size_t rows, torch::Device device, Communicator& of)
    : critic(options.nets, options.seed, device),
      generator(options.nets, options.seed, device),
      critic_rule(
          static_cast<std::size_t>(critic.parameters().weights().numel()),
          {.optimizer = options.optimizer,
           .rate = static_cast<float>(options.rate),
           .clip = options.gradient_penalty > 0 ? UpdateOptions().clip : static_cast<float>(options.clip)}),
      generator_rule(static_cast<std::size_t>(generator.parameters().weights().numel()),
                     {.optimizer = options.optimizer, .rate = static_cast<float>(options.rate)}),
      scores(rows),
      waits((options.loss.loss == Loss::trim || options.loss.loss == Loss::trim_scores) &&
            options.loss.trim_from < 1),
      ranks(&of) {
  critic.split_over(of);
}

void write_tensor(NpzWriter& file, const std::string& net, const Parameters::Entry& entry) {
  const torch::Tensor plain = entry.value.detach().to(torch::kCPU).contiguous();
  file.add(net + entry.name,
           std::span<const float>(plain.data_ptr<float>(), static_cast<std::size_t>(plain.numel())),
           {plain.sizes().begin(), plain.sizes().end()});
}

void read_tensor(const std::string& path, const std::string& net, const Parameters::Entry& entry) {
  const torch::NoGradGuard no_gradients;
  torch::Tensor plain = torch::empty(entry.value.sizes());
  read_into(path, net + entry.name,
            std::span(plain.data_ptr<float>(), static_cast<std::size_t>(plain.numel())));
  torch::Tensor(entry.value).copy_(plain);
}

void write_checkpoint(const std::string& path, Learner& learner, const std::string& config) {
  NpzWriter file(path);
  file.add_text("config", config);
  file.add("step", std::span<const std::int64_t>(&learner.step, 1));
  for_each_tensor(learner, [&](const char* net, const auto& entry) { write_tensor(file, net, entry); });
  add_rule(file, "critic.rule", learner.critic_rule);
  add_rule(file, "generator.rule", learner.generator_rule);
  file.add("rows.score", std::span<const double>(learner.scores.sums()));
  file.add("rows.weight", std::span<const double>(learner.scores.weights()));
  file.add("rows.banned", std::span<const std::uint8_t>(learner.scores.banned()));
  if (learner.waits) file.add("lead", std::span<const double>(&learner.lead, 1));
  file.commit();
}

void read_checkpoint(const std::string& path, Learner& learner) {
  read_into(path, "step", std::span(&learner.step, 1));
  for_each_tensor(learner, [&](const char* net, const auto& entry) { read_tensor(path, net, entry); });
  read_rule(path, "critic.rule", learner.critic_rule);
  read_rule(path, "generator.rule", learner.generator_rule);
  read_into(path, "rows.score", std::span(learner.scores.sums()));
  read_into(path, "rows.weight", std::span(learner.scores.weights()));
  read_into(path, "rows.banned", std::span(learner.scores.banned()));
  if (learner.waits) read_into(path, "lead", std::span(&learner.lead, 1));
}

Generator read_generator(const std::string& path) {
  const TrainOptions options = stored_run(path).options;
  Generator generator(options.nets, options.seed);
  for (const Parameters::Entry& entry : generator.parameters().entries())
    read_tensor(path, "generator.", entry);
  for (const Parameters::Entry& entry : generator.statistics()) read_tensor(path, "generator.", entry);
  return generator;
}

RowScores read_scores(const std::string& path) {
  RowScores scores(read_numbers(path, "rows.score").size());
  read_into(path, "rows.score", std::span(scores.sums()));
  read_into(path, "rows.weight", std::span(scores.weights()));
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
