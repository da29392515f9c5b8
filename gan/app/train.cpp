// motmot gan train
#include "motmot/gan/train.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "common.hpp"
#include "gan_commands.hpp"
#include "interrupt.hpp"

namespace motmot::app {
namespace {

struct TrainCommand {
  gan::TrainOptions options{};
  gan::DataOptions data{};
  gan::RunOptions run{};
  std::string loss = "trim", norm = "layer", net = "dcgan", rule = "adam";
  bool quiet = false;
  std::map<std::string, CLI::Option*> given;  ///< by the name it has in a stored run

  void add_to(CLI::App& command);
  void operator()();

 private:
  template <class T>
  CLI::Option* add(CLI::App& command, const std::string& name, T& value, const std::string& text,
                   const char* type, const char* group) {
    CLI::Option* option = command.add_option("--" + name, value, text)->type_name(type)->group(group);
    if constexpr (std::is_integral_v<T>) option->check(count());
    return given[name] = option;
  }
  void add_data(CLI::App& command);
  void add_model(CLI::App& command);
  void add_run(CLI::App& command);
  void words_to_options();
  void take_over_stored();
  [[nodiscard]] std::function<bool(const gan::TrainState&)> progress() const;
};

void TrainCommand::add_data(CLI::App& command) {
  add(command, "data", data.data,
      "fashion-mnist, a folder (CIFAR-10 binary, MNIST layout, PNG and JPEG pictures) or a .npy file", "DATA",
      "Data");
  given["contaminate"] = command
                             .add_option("--contaminate", data.contamination.amount,
                                         "Outliers to mix in: a share of the result below 1, else a number "
                                         "(default 0.015 on Fashion-MNIST and "
                                         "CIFAR-10, 0 elsewhere); rows.csv lists them")
                             ->type_name("T")
                             ->group("Data");
  add(command, "inliers", data.contamination.inliers,
      "Classes to train on, like 0-4 (default: 0-4 of Fashion-MNIST, else all)", "CLASSES", "Data");
  add(command, "outliers", data.contamination.outliers,
      "noise, class:5, a folder or a .npy file (default: class:5, sandals, on Fashion-MNIST, else noise)",
      "KIND", "Data");
}

void TrainCommand::add_model(CLI::App& command) {
  add(command, "loss", loss, "wgan, mom, mou, mou-diag, trim (default) or trim-scores", "LOSS", "Loss");
  add(command, "blocks", options.loss.blocks, "K of mom, mou and mou-diag (default 4)", "K", "Loss");
  add(command, "batch", options.batch, "Real images of a critic step (default 64)", "B", "Loss");
  given["match-batch"] =
      command
          .add_flag("--match-batch", options.match_batch,
                    "Blocks of B images instead of B/K, so that as many carry the gradient as with wgan")
          ->group("Loss");
  add(command, "trim", options.loss.trim,
      "Share of the real batch that trim leaves out at most: 1.5 times the outliers feared or more (default "
      "0.3)",
      "Q", "Loss");
  add(command, "cut", options.loss.cut,
      "After 40 % of the steps trim leaves out only images whose critic value is more than Z median "
      "deviations "
      "above the median (default 1.5; 0: Q always)",
      "Z", "Loss");
  add(command, "fakes", options.fakes, "Generated images of a step (default: B)", "N", "Loss");
  add(command, "net", net, "dcgan (default) or mlp", "NET", "Networks");
  add(command, "width", options.nets.width,
      "Channels of the critic's first layer (default 16; the paper's lineage has 64)", "W", "Networks");
  add(command, "latent", options.nets.latent, "Dimension of the generator's Gaussian (default 64)", "N",
      "Networks");
  add(command, "norm", norm, "Of the critic: layer (default), none, or batch, block by block, as published",
      "NORM", "Networks");
}

void TrainCommand::add_run(CLI::App& command) {
  add(command, "steps", options.steps, "Generator steps (default 3000)", "N", "Training");
  add(command, "critic-steps", options.critic_steps, "Critic steps per generator step (default 2)", "N",
      "Training");
  add(command, "optimizer", rule, "adam (default) or rmsprop", "RULE", "Training");
  add(command, "lr", options.rate, "Learning rate (default 1e-3)", "R", "Training");
  add(command, "decay", options.decay,
      "Share of the steps, the last ones, over which the rate falls to 0 (default 0.6)", "D", "Training");
  add(command, "gradient-penalty", options.gradient_penalty,
      "Weight of the penalty that keeps the critic's slope near 1 (default 10; 0: clip)", "G", "Training");
  add(command, "penalty-rows", options.penalty_rows,
      "Images of a step that the penalty looks at, 0 for a batch (default 16)", "N", "Training");
  add(command, "clip", options.clip,
      "Instead of the penalty: limit of the critic's weights, as in Algorithm 2 (default with --norm batch: "
      "0.05)",
      "C", "Training");
  add(command, "seed", options.seed,
      "The run is a function of data, options, this, and the number of threads (default 0)", "S", "Run");
  add(command, "checkpoint-every", options.checkpoint_every,
      "Generator steps between checkpoints (default: a tenth of all)", "M", "Run");
  add(command, "keep", options.keep, "Checkpoints that stay (default 3)", "N", "Run");
  command
      .add_option("--output", run.output,
                  "Folder for config.json, rows.csv, log.jsonl, samples/, checkpoints/, final.npz")
      ->required()
      ->type_name("DIR")
      ->group("Run");
  command
      .add_flag("--resume", run.resume,
                "Go on with the run in DIR; options that are not given are the stored ones")
      ->group("Run");
  command
      .add_option("--threads", run.threads,
                  "Threads (default: all cores). Bits are the same at the same number; libtorch rounds "
                  "otherwise at another")
      ->type_name("N")
      ->check(count())
      ->group("Run");
  command.add_option("--device", run.device, "cpu (default), or cuda where libtorch has it")
      ->type_name("cpu|cuda")
      ->group("Run");
  command.add_flag("--quiet", quiet, "No progress, no summary")->group("Run");
}

void TrainCommand::add_to(CLI::App& command) {
  add_data(command);
  add_model(command);
  add_run(command);
  command.footer(
      "Examples:\n"
      "  motmot gan train --data fashion-mnist --contaminate 0.1 --loss trim --output run\n"
      "  motmot gan train --output run --resume\n"
      "  motmot gan train --data pictures/ --loss trim --trim 0.1 --width 32 --steps 20000 --output mine\n"
      "Algorithm 2 to the letter (clipped weights, RMSProp, no norm):\n"
      "  motmot gan train --data fashion-mnist --loss mom --match-batch --norm none --clip 0.05 "
      "--optimizer rmsprop --lr 5e-4 --decay 0 --output paper\n"
      "The configuration that was published for MoMWGAN (4 blocks of 16, 16 fakes, BatchNorm):\n"
      "  motmot gan train --data fashion-mnist --loss mom --blocks 4 --norm batch --fakes 16 --clip 0.05 "
      "--optimizer rmsprop --lr 5e-4 --decay 0 --output published");
}

void TrainCommand::words_to_options() {
  options.loss.loss = choice("--loss", loss, gan::loss_names);
  options.nets.norm = choice("--norm", norm, gan::norm_names);
  options.nets.net = choice("--net", net, gan::net_names);
  options.rule = choice("--optimizer", rule, gan::rule_names);
  const bool clips = given["clip"]->count() > 0 || options.nets.norm == gan::Norm::batch;
  if (clips && given["gradient-penalty"]->count() == 0) options.gradient_penalty = 0;
  if (!data.data.empty() && data.data != "fashion-mnist")
    data.data = std::filesystem::absolute(data.data).lexically_normal().string();
  data.contamination.seed = options.seed;
}

/// What was given must agree with the stored run; the rest comes from there.
void TrainCommand::take_over_stored() {
  const gan::StoredRun stored = gan::stored_run(run.output);
  auto mine = nlohmann::json::parse(to_json(options)),
       theirs = nlohmann::json::parse(to_json(stored.options));
  mine.update(nlohmann::json::parse(to_json(data)));
  theirs.update(nlohmann::json::parse(to_json(stored.data)));
  for (const auto& [name, option] : given)
    require(
        option->count() == 0 || mine.value(name, nlohmann::json()) == theirs.value(name, nlohmann::json()),
        Errc::invalid_argument, "--resume: --", name, " is ", theirs.value(name, nlohmann::json()).dump(),
        " in the run of '", run.output, "' and ", mine.value(name, nlohmann::json()).dump(), " here");
  options = stored.options;
  data = stored.data;
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

void TrainCommand::operator()() {
  words_to_options();
  if (run.resume && std::filesystem::exists(std::filesystem::path(run.output) / "config.json"))
    take_over_stored();
  require(!data.data.empty(), Errc::invalid_argument,
          "--data is required: fashion-mnist, a folder or a .npy file");
  const gan::TrainingSet set = contaminate(gan::read_data_set(data.data), data.contamination);
  options.nets.channels = set.images.channels;
  validate(options, set.images.size());
  if (!quiet) fmt::print("{}\n", set.description);
  std::fflush(stdout);
  catch_interrupts();
  run.progress = progress();
  const gan::TrainResult result = train(set, data, options, run);
  if (!quiet && result.resumed_from > 0) fmt::print("went on from step {}\n", result.resumed_from);
  if (!result.finished)
    throw Interrupted{fmt::format("interrupted at step {}; go on with: motmot gan train --output {} --resume",
                                  result.step, run.output)};
  if (!quiet)
    fmt::print("{} steps in {:.0f} s; wrote {}\n", result.step - result.resumed_from, result.seconds,
               (std::filesystem::path(run.output) / "final.npz").string());
}

}  // namespace

void add_gan_train(CLI::App& program) {
  const auto command = std::make_shared<TrainCommand>();
  CLI::App* sub = program.add_subcommand("train", "Train a generator on data that may be dirty");
  command->add_to(*sub);
  sub->callback([command] { (*command)(); });
}

}  // namespace motmot::app
