// motmot gan sample, features, score, suspects: how good a run is.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/memory.hpp"
#include "common.hpp"
#include "data/csv_text.hpp"
#include "gan_commands.hpp"
#include "interrupt.hpp"
#include "motmot/gan/evaluate.hpp"
#include "motmot/gan/memory.hpp"
#include "motmot/gan/train.hpp"

namespace motmot::app {
namespace {

gan::TrainingSet training_set_of(const std::string& run, const MemoryFlag& memory) {
  return gan::training_set(gan::stored_run(run).data, memory.limit());
}

nlohmann::json number_or_null(bool known, double number) {
  return known ? nlohmann::json(number) : nlohmann::json(nullptr);
}

struct SampleCommand {
  std::string run, output;
  std::size_t count = 64;
  std::optional<std::size_t> columns;
  RunFlags flags{};
  MemoryFlag memory{};

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("RUN", run, "", "Folder of a run, or a checkpoint");
    options.add("--output", output, "FILE", "Picture (.png) or array (.npy, n x (C H W), 0..255)")
        ->required();
    options.add("--count", count, "N", "Images (default 64)");
    options.add("--columns", columns, "N", "Images per line of a picture (default 8)");
    add_run_flags(command, flags);
    memory.add_to(command);
    command.footer("Example:\n  motmot gan sample run --output images.png");
  }

  void operator()() const {
    gan::use_threads(flags.threads);
    require(count > 0 && columns.value_or(1) > 0, Errc::invalid_argument,
            "--count and --columns must be at least 1");
    require(output.ends_with(".png") || output.ends_with(".npy"), Errc::invalid_argument,
            "--output must end in .png or .npy; got '", output, "'");
    require(!columns || output.ends_with(".png"), Errc::invalid_argument,
            "--columns does nothing with an .npy file: it is for pictures");
    require_distinct({{"RUN", run}}, {{"--output", output}});
    const std::string model = gan::newest_model_of(run);
    hold_memory(memory);
    require_memory(bytes(gan::stored_run(model).options.nets), memory.limit(), "take fewer images");
    const gan::Images images = gan::sample(model, count, flags.seed, memory.limit());
    if (output.ends_with(".npy")) {
      Points points(images.size(), images.values_per_image());
      const std::size_t pixels = gan::side * gan::side, c = images.channels;
      for (std::size_t i = 0; i < images.size(); ++i)
        for (std::size_t j = 0; j < images.values_per_image(); ++j)
          points(i, j) = images[i][j % pixels * c + j / pixels];
      write_npy(output, points);
    } else {
      write_png_grid(output, images, std::min(columns.value_or(8), count));
    }
    if (!flags.quiet) print(fmt::format("wrote {} images of {} to {}\n", count, model, output));
  }

  /// The images, and the same as the numbers or the picture that are written.
  [[nodiscard]] double bytes(const gan::NetOptions& nets) const {
    const double of_a_value = output.ends_with(".npy") ? sizeof(double) : 3;
    return sample_bytes(nets, count) + of_a_value * static_cast<double>(count) *
                                           static_cast<double>(gan::side * gan::side * nets.channels);
  }
};

struct FeaturesCommand {
  std::string data, output;
  std::size_t epochs = 3;
  RunFlags flags{};
  MemoryFlag memory{};

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("--data", data, "DATA", "Clean data with labels: fashion-mnist or a folder")->required();
    options.add("--output", output, "FILE", "File for the classifier (.npz)")->required();
    options.add("--epochs", epochs, "N", "Passes over the data (default 3)");
    add_run_flags(command, flags);
    memory.add_to(command);
    command.footer("Example:\n  motmot gan features --data fashion-mnist --output features.npz");
  }

  void operator()() const {
    require(output.ends_with(".npz"), Errc::invalid_argument, "--output must end in .npz; got '", output,
            "'");
    hold_memory(memory);
    const gan::DataSet set = gan::read_data_set(data, memory.limit());
    catch_interrupts();
    const gan::FeatureResult result = train_features(set, output,
                                                     {.epochs = epochs,
                                                      .seed = flags.seed,
                                                      .threads = flags.threads,
                                                      .memory_limit = memory.limit(),
                                                      .progress = progress_bar(flags.quiet)});
    if (!result.finished) throw Interrupted{};
    if (!flags.quiet)
      print(fmt::format("{}: {:.1f} % of the held-out images and {:.1f} % of noise recognised; wrote {}\n",
                        set.name, 100 * result.accuracy, 100 * result.noise_accuracy, output));
  }
};

struct ScoreCommand {
  std::string run, features, json;
  std::size_t images = 10000;
  gan::ScriptOptions script{};
  RunFlags flags{};
  MemoryFlag memory{};

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("RUN", run, "", "Folder of a run (the mean over its kept checkpoints), or a checkpoint");
    options
        .add("--features", features, "FILE",
             "Classifier of 'motmot gan features' (.npz), or a TorchScript file such as Inception's")
        ->required();
    options.add("--images", images, "N", "Images per checkpoint (default 10000)");
    options.add("--feature-size", script.size, "N",
                "TorchScript: scale images to this size first (default: as they are)");
    options.flag("--feature-signed", script.signed_unit,
                 "TorchScript: give it values in [-1, 1] instead of 0..255");
    options.add("--json", json, "FILE|-", "Write the result as JSON to this file, or to standard output (-)");
    add_run_flags(command, flags);
    memory.add_to(command);
    command.footer("Example:\n  motmot gan score run --features features.npz");
  }

  void operator()() const {
    gan::use_threads(flags.threads);
    require(images >= 2, Errc::invalid_argument, "--images must be at least 2; got ", images);
    require_distinct({{"RUN", run}, {"--features", features}}, {{"--json", json}});
    hold_memory(memory);
    const auto net = gan::read_feature_net(features, script);
    const std::vector<std::string> models = gan::models_of(run);
    const gan::TrainingSet set = training_set_of(run, memory);
    require_memory(score_bytes(gan::stored_run(run).options.nets, images, set.held_out.size(),
                               gan::feature_count(*net, set.held_out)),
                   memory.limit(), "take fewer images");
    const Points reference = net->features(set.held_out);
    OptionalOutput file(json);
    nlohmann::json rows = nlohmann::json::array();
    double fid = 0, kid = 0, error = 0, share = 0;
    bool counted = true;
    const auto n = static_cast<double>(models.size());
    for (const std::string& model : models) {
      const gan::Score s = score(model, set, *net, reference,
                                 {.images = images, .seed = flags.seed, .memory_limit = memory.limit()});
      rows.push_back(
          {{"model", model},
           {"fid", s.fid},
           {"kid", s.kid.value},
           {"kid_error", s.kid.standard_error},
           {"outlier_share", number_or_null(s.outlier_share.has_value(), s.outlier_share.value_or(0))}});
      counted = counted && s.outlier_share.has_value();
      fid += s.fid / n, kid += s.kid.value / n, error += s.kid.standard_error / n,
          share += s.outlier_share.value_or(0) / n;
    }
    nlohmann::json result{{"fid", fid},
                          {"kid", kid},
                          {"kid_error", error},
                          {"outlier_share", number_or_null(counted, share)},
                          {"images", images},
                          {"reference", set.held_out.size()},
                          {"reference_is_train", set.held_out_is_train},
                          {"features", net->description()},
                          {"checkpoints", rows}};
    file.write(result.dump(1) + "\n");
    if (flags.quiet) return;
    print(fmt::format("FID {:.3f}, KID {:.5f} +- {:.5f}{}\n"
                      "mean over {} checkpoints, {} images each against {} {} images; {}\n",
                      fid, kid, error,
                      counted ? fmt::format(", outliers {:.2f} % of generated images", 100 * share) : "",
                      models.size(), images, set.held_out.size(),
                      set.held_out_is_train ? "training" : "held-out clean", net->description()),
          {json});
  }
};

struct SuspectsCommand {
  std::string run, output, json;
  std::size_t top = 0;
  bool quiet = false;
  MemoryFlag memory{};

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("RUN", run, "", "Folder of a run");
    options.add("--top", top, "N", "How many (default: as many as were mixed in, else 5 % of the rows)");
    options.add("--output", output, "FILE.csv", "Write the list: rank, row, score, source, dirty");
    options.add("--json", json, "FILE|-",
                "Write precision, recall and AUC as JSON to this file, or to standard output (-)");
    Options(command, "Run").flag("--quiet", quiet, "No summary: only what was asked for");
    memory.add_to(command);
    command.footer("Example:\n  motmot gan suspects run --output suspects.csv");
  }

  void operator()() const {
    require_distinct({{"RUN", run}}, {{"--output", output}, {"--json", json}});
    hold_memory(memory);
    const std::vector<double> scores = gan::suspect_scores(run);
    const gan::TrainingSet set = training_set_of(run, memory);
    require(scores.size() == set.dirty.size(), Errc::io, "the data of '", run,
            "' have changed: ", set.dirty.size(), " rows now, ", scores.size(), " then");
    const std::size_t listed = top > 0                 ? std::min(top, scores.size())
                               : set.dirty_count() > 0 ? set.dirty_count()
                                                       : scores.size() / 20;
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return scores[i]; });
    std::string csv = "rank,row,score,source,dirty\n";
    for (std::size_t i = 0; i < listed; ++i)
      csv += fmt::format("{},{},{:.6g},{},{}\n", i + 1, order[i] + 1, scores[order[i]],
                         quoted_if_needed(set.sources[order[i]]), int{set.dirty[order[i]]});
    OptionalOutput(output).write(csv);
    const gan::Detection found = gan::detection(scores, set.dirty, listed);
    const gan::Usage used = gan::usage(run);
    nlohmann::json result{
        {"listed", listed},
        {"dirty", set.dirty_count()},
        {"precision", found.precision},
        {"recall", found.recall},
        {"auc", found.auc},
        {"used_dirty_share", used.used > 0 ? used.used_dirty / used.used : 0},
        {"rejected_dirty_share", number_or_null(used.rejected > 0, used.rejected_dirty / used.rejected)}};
    OptionalOutput(json).write(result.dump(1) + "\n");
    if (quiet) return;
    std::string text = fmt::format("{} suspects of {} rows\n", listed, scores.size());
    if (set.dirty_count() > 0)
      text += fmt::format("{} outliers were mixed in: precision {:.3f}, recall {:.3f}, AUC {:.3f}\n",
                          set.dirty_count(), found.precision, found.recall, found.auc);
    if (set.dirty_count() > 0 && used.used > 0)
      text += fmt::format(
          "in the last 30 % of training {:.2f} % of the images used and {} of those rejected were outliers\n",
          100 * used.used_dirty / used.used,
          used.rejected > 0 ? fmt::format("{:.2f} %", 100 * used.rejected_dirty / used.rejected) : "none");
    print(text, {json, output});
  }
};

}  // namespace

void add_run_flags(CLI::App& command, RunFlags& flags) {
  flags.add_to(command);
  command.get_option("--threads")
      ->description("Threads (default and at most: all cores); another number gives other rounding errors");
}

void add_gan_looks(CLI::App& program) {
  add_command<SampleCommand>(program, "sample", "Images of a trained generator");
  add_command<FeaturesCommand>(program, "features",
                               "Train the classifier that measures images: ten classes and noise");
  add_command<ScoreCommand>(program, "score", "FID, KID and share of outliers of generated images");
  add_command<SuspectsCommand>(program, "suspects", "Training images ranked by how much they stood out");
}

}  // namespace motmot::app
