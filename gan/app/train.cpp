// motmot gan train
#include "motmot/gan/train.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/sha256.hpp"
#include "common.hpp"
#include "gan_commands.hpp"
#include "interrupt.hpp"
#include "ranks.hpp"

namespace motmot::app {
namespace {

struct TrainCommand {
  gan::TrainOptions options{};
  gan::DataOptions data{};
  gan::RunOptions run{};
  MemoryFlag memory{};
  bool quiet = false;
  std::map<std::string, CLI::Option*> given;  ///< by the name it has in a stored run

  void add_to(CLI::App& command);
  void operator()();

 private:
  template <class T>
  void add(const Options& group, const std::string& name, T& value, const std::string& type,
           const std::string& text) {
    given[name] = group.add("--" + name, value, type, text);
  }
  void add_run(CLI::App& command);
  void complete();
  void take_over_stored();
  void refuse_idle_options() const;
  [[nodiscard]] std::function<bool(const gan::TrainState&)> progress() const;
};

void TrainCommand::add_run(CLI::App& command) {
  const Options stored(command, "Run");
  stored
      .add("--output", run.output, "DIR",
           "Folder for config.json, rows.csv, log.jsonl, samples/, checkpoints/, final.npz")
      ->required();
  stored.flag("--resume", run.resume,
              "Go on with the run in DIR, from its newest checkpoint that is not damaged; options that are "
              "not given are the stored ones");
  stored.add("--threads", run.threads, "N",
             "Threads (default and at most: all cores). The same number gives the same bits; another one "
             "gives other rounding errors");
  stored.add("--device", run.device, "cpu|cuda", "cpu (default), or cuda where libtorch has it");
  stored.flag("--quiet", quiet, "No progress, no summary");
  memory.add_to(command);
}

void TrainCommand::add_to(CLI::App& command) {
  const Options input(command, "Data");
  add(input, "data", data.data, "DATA",
      "fashion-mnist, a folder (CIFAR-10 binary, MNIST layout, PNG and JPEG pictures) or a .npy file");
  add(input, "contaminate", data.contamination.amount, "T",
      "Outliers to mix in: a share of the result below 1, else a number (default 0.015 on Fashion-MNIST and "
      "CIFAR-10, 0 elsewhere); rows.csv lists them");
  add(input, "inliers", data.contamination.inliers, "CLASSES",
      "Classes to train on, like 0-4 (default: 0-4 of Fashion-MNIST, else all)");
  add(input, "outliers", data.contamination.outliers, "KIND",
      "noise, class:5, a folder or a .npy file (default: class:5, sandals, on Fashion-MNIST, else noise)");
  add(input, "without", data.without, "FILE.csv",
      "Leave out the images that this list of 'motmot gan clean' does not keep");
  gan::for_each_option(options, [&]<class T>(const auto& field, T& value) {
    if (field.group.empty()) return;
    const Options group(command, std::string(field.group));
    const std::string key = gan::option_key(field.name), help(field.help);
    if constexpr (std::is_same_v<T, bool>) given[key] = group.flag("--" + key, value, help);
    else add(group, key, value, std::string(field.type), help);
  });
  add_run(command);
  command.footer(
      "Examples:\n"
      "  motmot gan train --data fashion-mnist --contaminate 0.1 --loss trim --output run\n"
      "  motmot gan train --output run --resume\n"
      "  mpirun -n 2 motmot gan train --data fashion-mnist --threads 1 --output run\n"
      "  motmot gan train --data pictures/ --loss trim --trim 0.1 --width 32 --steps 20000 --output mine\n"
      "Algorithm 2 to the letter (4 blocks of 16 images, clipped weights, RMSProp, no norm):\n"
      "  motmot gan train --data fashion-mnist --loss mom --blocks 4 --norm none --clip 0.01 --optimizer "
      "rmsprop --rate 5e-5 --critic-steps 5 --decay 0 --output paper\n"
      "The configuration that was published for MoMWGAN (4 blocks of 16, 16 fakes, BatchNorm):\n"
      "  motmot gan train --data fashion-mnist --loss mom --blocks 4 --norm batch --fakes 16 --clip 0.05 "
      "--optimizer rmsprop --rate 5e-4 --decay 0 --output published");
}

/// What follows from options that were given.
void TrainCommand::complete() {
  const bool clips = given["clip"]->count() > 0 || options.nets.norm == gan::Norm::batch;
  if (clips && given["gradient-penalty"]->count() == 0) options.gradient_penalty = 0;
  if (!data.data.empty() && data.data != "fashion-mnist")
    data.data = std::filesystem::absolute(data.data).lexically_normal().string();
  if (!data.without.empty())
    data.without = std::filesystem::absolute(data.without).lexically_normal().string();
  data.contamination.seed = options.seed;
}

/// All options by name.
nlohmann::json by_name(const gan::StoredRun& run) {
  const nlohmann::json parts = nlohmann::json::parse(to_json(run));
  nlohmann::json all = parts.at("options");
  all.update(parts.at("data"));
  return all;
}

/// Options that are given must agree with the stored run; the others come from there.
void TrainCommand::take_over_stored() {
  const gan::StoredRun stored = gan::stored_run(run.output);
  const nlohmann::json mine = by_name({.data = data, .options = options}), theirs = by_name(stored);
  for (const auto& [name, option] : given)
    require(
        option->count() == 0 || mine.value(name, nlohmann::json()) == theirs.value(name, nlohmann::json()),
        Errc::invalid_argument, "--resume: --", name, " is ", theirs.value(name, nlohmann::json()).dump(),
        " in the run of '", run.output, "' and ", mine.value(name, nlohmann::json()).dump(), " here");
  options = stored.options;
  data = stored.data;
}

/// Nobody should believe that an option has an effect when the loss or the optimizer never looks at it.
void TrainCommand::refuse_idle_options() const {
  const bool trims = options.loss.loss == gan::Loss::trim || options.loss.loss == gan::Loss::trim_scores;
  const std::string with = "with --loss " + std::string(name(options.loss.loss));
  const auto refuse = [&](const char* name, bool used, const std::string& because) {
    require(used || given.at(name)->count() == 0, Errc::invalid_argument, "--", name, " does nothing ",
            because);
  };
  for (const char* name : {"trim", "cut", "trim-from"})
    refuse(name, trims, with + ": it is for trim and trim-scores");
  for (const char* name : {"blocks", "match-batch"})
    refuse(name, options.in_blocks(), with + ": it is for mom, mou and mou-diag");
  refuse("mass", options.loss.loss == gan::Loss::partial, with + ": it is for partial");
  refuse("mass-price", options.loss.loss == gan::Loss::unbalanced, with + ": it is for unbalanced");
  refuse("clip", options.gradient_penalty == 0, "with --gradient-penalty: choose one of the two");
  for (const char* name : {"penalty-rows", "penalty"})
    refuse(name, options.gradient_penalty > 0, "when weights are clipped: there is no gradient penalty");
}

std::function<bool(const gan::TrainState&)> TrainCommand::progress() const {
  const bool show = !quiet && isatty(STDERR_FILENO) != 0;
  return [show](const gan::TrainState& s) {
    if (show && (s.step % 10 == 0 || s.step == s.steps)) {
      fmt::print(stderr, "\rstep {}/{}  loss {:+.4g}  {:.0f} images/s  {:.0f} s left     ", s.step, s.steps,
                 s.critic_loss, s.images_per_second, s.seconds_left);
      std::fflush(stderr);
    }
    if (show && (s.step == s.steps || interrupted())) fmt::print(stderr, "\n");
    return !interrupted();
  };
}

/// Folders of pictures, too, are the same on all ranks, or training would be on none of them.
void require_same_images(Communicator& ranks, const gan::TrainingSet& set) {
  if (ranks.alone()) return;
  const std::vector<std::uint8_t>& bytes = set.images.bytes;
  const std::vector<std::string> all =
      ranks.gather(sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw AgreedError(Errc::io,
                        "the images are not the same on rank 0 and on rank " + std::to_string(rank));
}

void TrainCommand::operator()() {
  complete();
  if (run.resume && std::filesystem::exists(std::filesystem::path(run.output) / "config.json"))
    take_over_stored();
  refuse_idle_options();
  require(!data.data.empty(), Errc::invalid_argument,
          "--data is required: fashion-mnist, a folder or a .npy file");
  run.memory_limit = memory.limit();
  if (run.device == "cpu") hold_memory(memory);
  Communicator& ranks = *run.ranks;
  require_same_everywhere(ranks, std::filesystem::is_regular_file(data.data) ? std::vector{data.data}
                                                                             : std::vector<std::string>{});
  gan::TrainingSet set;
  ranks.agree([&] { set = training_set(data, run.memory_limit); });
  require_same_images(ranks, set);
  options.nets.channels = set.images.channels;
  validate(options, set.images.size());
  if (!quiet) print(set.description + "\n");
  if (ranks.alone()) catch_interrupts();  // mpirun gives ranks no time to save
  prepare_last_words(ranks, "motmot gan train",
                     "go on with: motmot gan train --output " + shell_word(run.output) + " --resume");
  run.progress = progress();
  run.warn = [](const std::string& warning) { fmt::print(stderr, "motmot gan train: {}\n", warning); };
  const gan::TrainResult result = train(set, data, options, run);
  if (!quiet && result.resumed_from > 0) print(fmt::format("went on from step {}\n", result.resumed_from));
  if (!result.finished)
    throw Interrupted{fmt::format("interrupted at step {}; go on with: motmot gan train --output {} --resume",
                                  result.step, shell_word(run.output))};
  if (!quiet)
    print(fmt::format("{} steps in {:.0f} s; wrote {}\n", result.step - result.resumed_from, result.seconds,
                      (std::filesystem::path(run.output) / "final.npz").string()));
}

}  // namespace

void add_gan_train(CLI::App& program, Communicator& ranks) {
  TrainCommand command;
  command.run.ranks = &ranks;
  add_command(program, "train", "Train a generator on data that may be dirty", std::move(command));
}

}  // namespace motmot::app
