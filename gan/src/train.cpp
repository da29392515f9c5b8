#include "motmot/gan/train.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "base/random.hpp"
#include "base/require.hpp"
#include "batches.hpp"
#include "data/complaint.hpp"
#include "npz_file.hpp"
#include "run_log.hpp"
#include "steps.hpp"

namespace motmot::gan {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double scores_from = 0.12, bans_from = 0.5, bans_every = 0.1;  // of all steps
constexpr double ban_share_of_trim = 2.0 / 3;                            // q = 0.3 bans a fifth
constexpr std::size_t grid_images = 64, grid_columns = 8;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Run {
 public:
  Run(const TrainingSet& set, const DataOptions& data, const TrainOptions& options, const RunOptions& run)
      : set_(set),
        options_(options),
        run_(run),
        folder_(run.output),
        device_(set_up_torch(run.threads, run.device)),
        config_(nlohmann::json{{"options", nlohmann::json::parse(to_json(options))},
                               {"data", nlohmann::json::parse(to_json(data))}}
                    .dump()),
        learner_(options, set.images.size(), device_),
        order_(set.images.size(), options.real_rows(), options.seed) {}

  TrainResult operator()() {
    begin();
    const auto first = static_cast<std::size_t>(learner_.step);
    const Clock::time_point start = Clock::now();
    RunLog log(folder_ / "log.jsonl", learner_.step, set_.dirty);
    bool go_on = true;
    while (go_on && static_cast<std::size_t>(learner_.step) < options_.steps) {
      const double critic_loss = step(log);
      const double seconds = seconds_since(start);
      const auto done = static_cast<std::size_t>(learner_.step);
      const double rate =
          static_cast<double>((done - first) * options_.critic_steps * options_.real_rows()) / seconds;
      TrainState state{.step = done,
                       .steps = options_.steps,
                       .critic_loss = critic_loss,
                       .images_per_second = rate,
                       .seconds_left = seconds / static_cast<double>(done - first) *
                                       static_cast<double>(options_.steps - done),
                       .used_dirty = log.used_dirty()};
      const bool checkpoint = done % options_.checkpoint_interval() == 0 || done == options_.steps;
      if (run_.progress) go_on = run_.progress(state);
      if (done % log_interval() == 0 || checkpoint || !go_on) log.write(done, critic_loss, rate, seconds);
      if (checkpoint || !go_on) save();
    }
    const bool finished = static_cast<std::size_t>(learner_.step) == options_.steps;
    if (finished) write_checkpoint(folder_ / "final.npz", learner_, config_);
    return {.step = static_cast<std::size_t>(learner_.step),
            .finished = finished,
            .seconds = seconds_since(start),
            .resumed_from = first};
  }

 private:
  [[nodiscard]] std::size_t log_interval() const { return std::max<std::size_t>(1, options_.steps / 100); }

  void begin() {
    std::error_code error;
    for (const char* part : {"checkpoints", "samples"}) {
      fs::create_directories(folder_ / part, error);
      require(!error, Errc::io, "cannot make folder '", (folder_ / part).string(), "': ", error.message());
    }
    const std::vector<fs::path> stored = checkpoints_in(folder_);
    require(run_.resume || (stored.empty() && !fs::exists(folder_ / "final.npz")), Errc::invalid_argument,
            "--output '", folder_.string(),
            "' holds a run already: add --resume to go on with it, or name another folder");
    if (!stored.empty()) read_checkpoint(stored.back(), learner_);
    OutputFile config(folder_ / "config.json");
    config.stream() << config_ << '\n';
    config.commit();
    write_rows(folder_ / "rows.csv", set_);
  }

  /// n_c critic steps and a generator step; the mean critic loss.
  double step(RunLog& log) {
    const auto t = static_cast<std::size_t>(learner_.step);
    const double share = static_cast<double>(t) / static_cast<double>(options_.steps);
    update_bans(t);
    for (UpdateRule* rule : {&learner_.critic_rule, &learner_.generator_rule})
      rule->set_rate(options_.rate_at(t));
    double sum = 0;
    for (std::size_t c = 0; c < options_.critic_steps; ++c) {
      const std::uint64_t number = t * options_.critic_steps + c;
      const std::vector<std::uint32_t> rows = order_.batch(number);
      std::vector<std::uint8_t> banned;
      if (options_.loss.loss == Loss::trim_scores)
        for (const std::uint32_t row : rows) banned.push_back(learner_.scores.banned()[row]);
      const CriticLoss result = critic_step(
          learner_, options_, to_tensor(set_.images, rows, device_),
          latent_batch(options_.seed, 2 * number, options_.fake_rows(), options_.nets.latent).to(device_),
          banned, mix(number));
      sum += result.loss.item<double>();
      require(std::isfinite(sum), Errc::numeric, "the critic's loss is not finite at step ", t + 1,
              ": lower --lr");
      if (share >= scores_from) learner_.scores.add(rows, result.real_values, share * share);
      log.count(rows, result.selection.real);
    }
    generator_step(
        learner_,
        latent_batch(options_.seed, 2 * t + 1, options_.generator_rows(), options_.nets.latent).to(device_));
    ++learner_.step;
    return sum / static_cast<double>(options_.critic_steps);
  }

  void update_bans(std::size_t t) {
    if (options_.loss.loss != Loss::trim_scores) return;
    const auto every =
        std::max<std::size_t>(1, static_cast<std::size_t>(bans_every * static_cast<double>(options_.steps)));
    const auto from = static_cast<std::size_t>(bans_from * static_cast<double>(options_.steps));
    if (t >= from && (t - from) % every == 0)
      learner_.scores.ban_highest(ban_share_of_trim * options_.loss.trim, options_.loss_at(t).cut);
  }

  [[nodiscard]] torch::Tensor mix(std::uint64_t number) const {
    if (options_.gradient_penalty == 0) return {};
    const auto n = static_cast<std::int64_t>(options_.mixed_rows());
    torch::Tensor weights = torch::empty({n});
    Rng rng(options_.seed, Purpose::gan_penalty, number);
    for (std::int64_t i = 0; i < n; ++i) weights.data_ptr<float>()[i] = static_cast<float>(rng.uniform());
    return weights.to(device_);
  }

  void save() {
    char name[32];
    std::snprintf(name, sizeof name, "step-%08lld", static_cast<long long>(learner_.step));
    {
      const torch::NoGradGuard no_gradients;
      Images grid;
      append_images(
          grid, learner_.generator.images(
                    sample_latents(options_.seed, 0, grid_images, options_.nets.latent).to(device_), false));
      write_png_grid(folder_ / "samples" / (std::string(name) + ".png"), grid, grid_columns);
    }
    write_checkpoint(folder_ / "checkpoints" / (std::string(name) + ".npz"), learner_, config_);
    const std::vector<fs::path> stored = checkpoints_in(folder_);
    for (std::size_t i = 0; i + options_.keep < stored.size(); ++i) fs::remove(stored[i]);
  }

  const TrainingSet& set_;
  const TrainOptions& options_;
  const RunOptions& run_;
  fs::path folder_;
  torch::Device device_;
  std::string config_;
  Learner learner_;
  RowOrder order_;
};

}  // namespace

TrainResult train(const TrainingSet& set, const DataOptions& data, const TrainOptions& options,
                  const RunOptions& run) {
  validate(options, set.images.size());
  return Run(set, data, options, run)();
}

std::string to_json(const DataOptions& options) {
  const Contamination& c = options.contamination;
  nlohmann::json object{
      {"data", options.data}, {"inliers", c.inliers}, {"outliers", c.outliers}, {"seed", c.seed}};
  if (c.amount) object["contaminate"] = *c.amount;
  return object.dump();
}

DataOptions data_options_from_json(const std::string& json) {
  const nlohmann::json object = nlohmann::json::parse(json);
  DataOptions options{.data = object.at("data"),
                      .contamination = {.amount = std::nullopt,
                                        .inliers = object.at("inliers"),
                                        .outliers = object.at("outliers"),
                                        .seed = object.at("seed")}};
  if (object.contains("contaminate")) options.contamination.amount = object["contaminate"].get<double>();
  return options;
}

StoredRun stored_run(const std::string& run) {
  const bool checkpoint = fs::is_regular_file(run);
  const std::string path = checkpoint ? run : (fs::path(run) / "config.json").string();
  std::string text;
  if (checkpoint) {
    text = NpzReader(path).text("config");
  } else {
    std::ifstream in(path);
    require(in.good(), Errc::io, "'", run, "' holds no run of motmot gan train: cannot read ", path);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const auto config = nlohmann::json::parse(text, nullptr, false);
  require(config.is_object() && config.contains("options") && config.contains("data"), Errc::io,
          name_of(path), " has no configuration of motmot gan train");
  return {.data = data_options_from_json(config["data"].dump()),
          .options = options_from_json(config["options"].dump())};
}

}  // namespace motmot::gan
