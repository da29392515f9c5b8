#include "motmot/gan/train.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/memory.hpp"
#include "base/output_file.hpp"
#include "base/random.hpp"
#include "base/require.hpp"
#include "batches.hpp"
#include "data/complaint.hpp"
#include "log_line.hpp"
#include "motmot/gan/clean.hpp"
#include "motmot/gan/memory.hpp"
#include "steps.hpp"

namespace motmot::gan {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double scores_from = 0.12, bans_from = 0.5, bans_every = 0.1;  // of all steps
constexpr double ban_share_of_trim = 2.0 / 3;  // --trim 0.3 bans a fifth of the rows
constexpr std::size_t grid_images = 64, grid_columns = 8;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string step_name(std::int64_t step) {
  std::string digits = std::to_string(step);
  return "step-" + std::string(8 - std::min<std::size_t>(8, digits.size()), '0') + digits;
}

/// log.jsonl: a line now and then, with what went into the gradient since the line before.
class RunLog {
 public:
  /// Goes on after `step`: lines of later steps, which a killed run left behind, are removed. Counts start
  /// from zero here, as they do at every checkpoint.
  RunLog(fs::path path, std::int64_t step, std::span<const std::uint8_t> dirty, bool writes)
      : path_(std::move(path)), dirty_(dirty) {
    if (!writes) return;
    std::string kept;
    if (std::ifstream old(path_); step > 0 && old.good())
      for (std::string line; std::getline(old, line);)
        if (const auto of_line = number_in(line, "step"); of_line && *of_line <= static_cast<double>(step))
          kept += line + "\n";
    OutputFile file(path_);
    file.stream() << kept;
    file.commit();
    file_.reset(std::fopen(path_.c_str(), "ab"));
    require(file_ != nullptr, Errc::io, "cannot write ", name_of(path_));
  }

  /// A batch of rows, of which those at the positions `used` (all if it is empty) carried the gradient.
  void count(std::span<const std::uint32_t> rows, std::span<const std::int64_t> used) {
    std::uint64_t all = 0, carried = 0;
    for (const std::uint32_t row : rows) all += dirty_[row];
    for (const std::int64_t i : used) carried += dirty_[rows[static_cast<std::size_t>(i)]];
    const std::uint64_t n = used.empty() ? rows.size() : used.size();
    if (used.empty()) carried = all;
    used_ += n;
    used_dirty_ += carried;
    rejected_ += rows.size() - n;
    rejected_dirty_ += all - carried;
  }

  /// How far the real images of a batch lead, where that is known.
  void add_lead(const CriticLoss& loss) {
    if (loss.fake_values.empty()) return;
    lead_ += lead(loss.real_values, loss.fake_values);
    ++leads_;
  }

  void write(const TrainState& state, double seconds) {
    write({{"step", state.step},
           {"critic_loss", state.critic_loss},
           {"used", used_},
           {"used_dirty", used_dirty_},
           {"rejected", rejected_},
           {"rejected_dirty", rejected_dirty_},
           {"lead", leads_ > 0 ? nlohmann::json(lead_ / static_cast<double>(leads_)) : nullptr},
           {"images_per_second", std::round(state.images_per_second)},
           {"seconds", std::round(seconds * 1000) / 1000}});
    used_ = used_dirty_ = rejected_ = rejected_dirty_ = leads_ = 0;
    lead_ = 0;
  }
  void warn(std::int64_t step, const std::string& warning) { write({{"step", step}, {"warning", warning}}); }
  /// A checkpoint must not be on the disk before the lines that lead to it.
  void sync() { ::fsync(::fileno(file_.get())); }

 private:
  void write(const nlohmann::json& line) {
    if (file_ == nullptr) return;
    const bool done =
        std::fputs((line.dump() + "\n").c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0;
    require(done, Errc::io, "cannot write ", name_of(path_), ": ", std::strerror(errno));
  }

  fs::path path_;
  std::span<const std::uint8_t> dirty_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
  std::uint64_t used_ = 0, used_dirty_ = 0, rejected_ = 0, rejected_dirty_ = 0, leads_ = 0;
  double lead_ = 0;
};

class Run {
 public:
  Run(const TrainingSet& set, const DataOptions& data, const TrainOptions& options, const RunOptions& run)
      : set_(set),
        options_(options),
        run_(run),
        folder_(run.output),
        device_(set_up_torch(run.threads, run.device)),
        config_(to_json({.data = data, .options = options})),
        learner_(options, set.images.size(), device_, *run.ranks),
        order_(set.images.size(), options.real_rows(), options.seed) {}

  TrainResult operator()() {
    const std::string warning = begin_together();
    const auto first = static_cast<std::size_t>(learner_.step);
    const Clock::time_point start = Clock::now();
    RunLog log(folder_ / "log.jsonl", learner_.step, set_.dirty, writes());
    if (!warning.empty()) log.warn(learner_.step, warning);
    if (!warning.empty() && run_.warn) run_.warn(warning);
    bool go_on = true;
    while (go_on && static_cast<std::size_t>(learner_.step) < options_.steps) {
      const double critic_loss = step(log);
      const double seconds = seconds_since(start);
      const auto done = static_cast<std::size_t>(learner_.step);
      const double rate =
          static_cast<double>((done - first) * options_.critic_steps * options_.real_rows()) / seconds;
      const TrainState state{.step = done,
                             .steps = options_.steps,
                             .critic_loss = critic_loss,
                             .images_per_second = rate,
                             .seconds_left = seconds / static_cast<double>(done - first) *
                                             static_cast<double>(options_.steps - done)};
      const bool checkpoint = done % options_.checkpoint_interval() == 0 || done == options_.steps;
      if (run_.progress) go_on = run_.progress(state);
      run_.ranks->broadcast(std::as_writable_bytes(std::span(&go_on, 1)), 0);
      if (done % log_interval() == 0 || checkpoint || !go_on) log.write(state, seconds);
      if (writes() && (checkpoint || !go_on)) save(log);
    }
    const bool finished = static_cast<std::size_t>(learner_.step) == options_.steps;
    if (finished && writes()) write_checkpoint(folder_ / "final.npz", learner_, config_);
    return {.step = static_cast<std::size_t>(learner_.step),
            .finished = finished,
            .seconds = seconds_since(start),
            .resumed_from = first};
  }

 private:
  [[nodiscard]] bool writes() const { return run_.ranks->rank() == 0; }

  /// The first rank begins; the others start from what it started from.
  std::string begin_together() {
    std::string warning;
    run_.ranks->agree([&] {
      if (writes()) warning = begin();
    });
    std::int64_t from = learner_.step;
    run_.ranks->broadcast(std::as_writable_bytes(std::span(&from, 1)), 0);
    run_.ranks->agree([&] {
      if (!writes() && from > 0)
        read_checkpoint(folder_ / "checkpoints" / (step_name(from) + ".npz"), learner_);
    });
    return warning;
  }

  [[nodiscard]] std::size_t log_interval() const { return std::max<std::size_t>(1, options_.steps / 100); }

  /// Makes the folder and reads the checkpoint to go on from. Returns a warning, or nothing.
  std::string begin() {
    for (const char* part : {"checkpoints", "samples"}) make_folder(folder_ / part);
    lock_ = FolderLock(folder_);
    const std::vector<fs::path> stored = checkpoints_in(folder_);
    require(run_.resume || (stored.empty() && !fs::exists(folder_ / "final.npz")), Errc::invalid_argument,
            "--output ", name_of(folder_),
            " holds a run already: add --resume to go on with it, or name another folder");
    std::string warning = stored.empty() ? "" : go_on_from(stored);
    OutputFile config(folder_ / "config.json");
    config.stream() << config_ << '\n';
    config.commit();
    write_rows(folder_ / "rows.csv", set_);
    return warning;
  }

  /// Reads the newest checkpoint that can be read. Newer ones are damaged and get another name, so that they
  /// are neither scored nor counted among those that are kept.
  std::string go_on_from(std::vector<fs::path> stored) {
    std::vector<fs::path> damaged;
    std::string reason;  // why the newest cannot be read
    for (; !stored.empty(); stored.pop_back()) {
      try {
        read_checkpoint(stored.back(), learner_);
        break;
      } catch (const Error& error) {
        if (damaged.empty()) reason = error.what();
        damaged.push_back(stored.back());
      }
    }
    require(!stored.empty(), Errc::io, "no checkpoint of ", name_of(folder_), " can be read: ", reason);
    if (damaged.empty()) return {};
    for (const fs::path& path : damaged) fs::rename(path, path.string() + ".damaged");
    return "checkpoint " + damaged.front().stem().string() + " is damaged (" + reason + "); went on from " +
           stored.back().stem().string() + ", and the damaged file is now " +
           name_of(damaged.front().string() + ".damaged");
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
              ": choose a lower --rate");
      if (share >= scores_from) learner_.scores.add(rows, result.real_values, share * share);
      log.count(rows, result.selection.real);
      log.add_lead(result);
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

  void save(RunLog& log) {
    const std::string name = step_name(learner_.step);
    {
      const torch::NoGradGuard no_gradients;
      Images grid;
      append_images(
          grid, learner_.generator.images(
                    sample_latents(options_.seed, 0, grid_images, options_.nets.latent).to(device_), false));
      write_png_grid(folder_ / "samples" / (name + ".png"), grid, grid_columns);
    }
    log.sync();
    write_checkpoint(folder_ / "checkpoints" / (name + ".npz"), learner_, config_);
    const std::vector<fs::path> stored = checkpoints_in(folder_);
    for (std::size_t i = 0; i + options_.keep < stored.size(); ++i) fs::remove(stored[i]);
  }

  const TrainingSet& set_;
  const TrainOptions& options_;
  const RunOptions& run_;
  fs::path folder_;
  FolderLock lock_;
  torch::Device device_;
  std::string config_;
  Learner learner_;
  RowOrder order_;
};

}  // namespace

namespace {

/// Every rank has an image of every batch.
void require_split(const TrainOptions& options, const Communicator& ranks) {
  if (ranks.alone()) return;
  if (options.nets.norm == Norm::batch)
    throw AgreedError(Errc::unsupported, "--norm batch looks at whole batches: train it on one rank");
  std::size_t least = std::min(options.fake_rows(), options.generator_rows());
  if (options.gradient_penalty > 0) least = std::min(least, options.mixed_rows());
  least =
      std::min(least, options.in_blocks() ? options.real_rows() / options.loss.blocks : options.real_rows());
  // Trimming may leave half of the images that the penalty looks at.
  if (ranks.size() > std::max<std::size_t>(1, least / 2))
    throw AgreedError(Errc::unsupported, std::to_string(ranks.size()) +
                                             " ranks are too many for batches of " + std::to_string(least) +
                                             " images: two for each rank are needed");
}

}  // namespace

TrainingSet training_set(const DataOptions& data, std::uint64_t memory_limit) {
  TrainingSet set = contaminate(read_data_set(data.data, memory_limit), data.contamination, memory_limit);
  return data.without.empty() ? set : without(set, read_left_out(data.without, set));
}

TrainResult train(const TrainingSet& set, const DataOptions& data, const TrainOptions& options,
                  const RunOptions& run) {
  validate(options, set.images.size());
  require_split(options, *run.ranks);
  run.ranks->agree([&] {
    require_memory(train_bytes(options, set.images.size()), run.memory_limit,
                   "choose a smaller --batch or --width");
  });
  return Run(set, data, options, run)();
}

}  // namespace motmot::gan
