// motmot gan clean: which images to leave out before training, for motmot's own training and for others'.
#include "motmot/gan/clean.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "base/memory.hpp"
#include "common.hpp"
#include "gan_commands.hpp"
#include "interrupt.hpp"
#include "motmot/gan/evaluate.hpp"
#include "motmot/gan/memory.hpp"
#include "motmot/gan/train.hpp"
#include "report/html_text.hpp"
#include "report/page.hpp"

namespace motmot::app {
namespace {

constexpr std::size_t shown_suspects = 160, shown_at_cut = 40;

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t there = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j)
      three = three << 8 | (j < there ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= there ? letters[three >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

/// "train 17" is image 17 of the data; of a file the end of its name.
std::string short_name(const std::string& source) {
  constexpr std::size_t most = 11;
  if (source.starts_with("train ")) return "image " + source.substr(6);
  if (source.size() <= most) return source;
  std::size_t from = source.size() - most + 1;
  while (from < source.size() && (static_cast<unsigned char>(source[from]) & 0xC0) == 0x80)
    ++from;  // whole letters
  return "…" + source.substr(from);
}

/// Thumbnails, ten in a line, each with its image under it, and its source and score when touched.
Picture thumbnails(const gan::TrainingSet& set, const gan::Cleaning& cleaning,
                   std::span<const std::uint32_t> rows, const std::string& title, const std::string& note) {
  constexpr std::size_t columns = 10, width = 84, height = 92;
  std::string svg =
      fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\">",
                  columns * width, (rows.size() + columns - 1) / columns * height);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint32_t row = rows[i];
    svg += fmt::format(
        "<g transform=\"translate({} {})\"><title>{}: {:.4g}</title>"
        "<image width=\"64\" height=\"64\" style=\"image-rendering:pixelated\" "
        "href=\"data:image/png;base64,{}\"/>"
        "<text y=\"78\" font-size=\"11\" fill=\"var(--ink)\">{}</text></g>",
        i % columns * width, i / columns * height, html_text(set.sources[row]), cleaning.scores[row],
        base64(png_of(set.images, row)), html_text(short_name(set.sources[row])));
  }
  return {.title = title, .svg = svg + "</svg>", .note = note};
}

struct CleanCommand {
  gan::DataOptions data{};
  gan::ScriptOptions script{};
  std::string features, output = "clean.csv", report, vectors, json;
  double tau = 0.1;
  RunFlags flags{};
  MemoryFlag memory{};

  void add_to(CLI::App& command) {
    const Options options(command);
    options.add("DATA", data.data, "", "As --data of 'motmot gan train'");
    options.add("--tau", tau, "T", "Share of the images to leave out (default 0.1)");
    options.add(
        "--features", features, "FILE",
        "Classifier of 'motmot gan features' (.npz), or a TorchScript file such as Inception's (default: "
        "brightness, contrast and edges in 16 fields of an image, which needs no labels)");
    options.add("--feature-size", script.size, "N",
                "TorchScript: scale images to this size first (default: as they are)");
    options.flag("--feature-signed", script.signed_unit,
                 "TorchScript: give it values in [-1, 1] instead of 0..255");
    options.add(
        "--output", output, "FILE.csv",
        "The list: row, source ('train 17' is image 17 of DATA), score, kept; for --without of 'motmot gan "
        "train' and for other programs (default clean.csv)");
    options.add("--report", report, "FILE.html",
                "A page with the suspects as thumbnails (default: beside the list, ending in .html)");
    options.add("--vectors", vectors, "FILE.npy", "The features themselves, one row per image");
    options.add("--json", json, "FILE|-", "Write the result as JSON to this file, or to standard output (-)");
    const Options input(command, "Data");
    input.add("--contaminate", data.contamination.amount, "T", "As in 'motmot gan train'");
    input.add("--inliers", data.contamination.inliers, "CLASSES", "As in 'motmot gan train'");
    input.add("--outliers", data.contamination.outliers, "KIND", "As in 'motmot gan train'");
    add_run_flags(command, flags);
    memory.add_to(command);
    command.footer(
        "Example:\n"
        "  motmot gan clean pictures/ --tau 0.1\n"
        "  motmot gan train --data pictures/ --loss wgan --without clean.csv --output run");
  }

  void operator()() {
    require(tau > 0 && tau < 0.5, Errc::invalid_argument, "--tau must be above 0 and below 0.5; got ", tau);
    require(vectors.empty() || vectors.ends_with(".npy"), Errc::invalid_argument,
            "--vectors must end in .npy; got '", vectors, "'");
    require(!features.empty() || (script.size == 0 && !script.signed_unit), Errc::invalid_argument,
            "--feature-size and --feature-signed are for TorchScript files: --features names one");
    if (report.empty() && output != "-")
      report = std::filesystem::path(output).replace_extension(".html").string();
    require_distinct({{"DATA", data.data}, {"--features", features}},
                     {{"--output", output}, {"--report", report}, {"--vectors", vectors}, {"--json", json}});
    gan::use_threads(flags.threads);
    data.contamination.seed = flags.seed;
    hold_memory(memory);
    OptionalOutput list(output), page(report), result(json);
    const auto net = features.empty() ? gan::field_features() : gan::read_feature_net(features, script);
    const gan::TrainingSet set = training_set(data, memory.limit());
    require_memory(
        gan::clean_bytes(set.images.size(), set.images.channels, gan::feature_count(*net, set.images)),
        memory.limit(), "take fewer images");
    catch_interrupts();
    const Points points = net->features(set.images);
    const gan::Cleaning cleaning = gan::clean(points, tau, flags.threads, progress_bar(flags.quiet));
    if (cleaning.scores.empty()) throw Interrupted{};
    const nlohmann::json numbers = numbers_of(cleaning, set, net->description());
    const std::string words = words_of(cleaning, set, numbers);
    const std::string html = page ? page_html(page_of(cleaning, set, numbers, words)) : "";
    if (!vectors.empty()) write_npy(vectors, points);
    list.write(list_of(cleaning, set));
    page.write(html);
    result.write(numbers.dump(1) + "\n");
    if (!flags.quiet)
      print(words + "\nwrote " + output + (page ? " and " + report : "") + "\n", {output, json});
  }

 private:
  [[nodiscard]] nlohmann::json numbers_of(const gan::Cleaning& cleaning, const gan::TrainingSet& set,
                                          const std::string& description) const {
    nlohmann::json numbers{{"images", set.images.size()},
                           {"tau", tau},
                           {"left_out", cleaning.left_out.size()},
                           {"neighbour", cleaning.neighbour},
                           {"features", description}};
    if (set.dirty_count() == 0) return numbers;
    const gan::Detection found = gan::detection(cleaning.scores, set.dirty, cleaning.left_out.size());
    numbers.update({{"dirty", set.dirty_count()},
                    {"precision", found.precision},
                    {"recall", found.recall},
                    {"auc", found.auc}});
    return numbers;
  }

  static std::string words_of(const gan::Cleaning& cleaning, const gan::TrainingSet& set,
                              const nlohmann::json& numbers) {
    std::string words = fmt::format(
        "{}: {} images are left out, those farthest from their {}-th nearest image in {}.", set.description,
        cleaning.left_out.size(), cleaning.neighbour, numbers["features"].get<std::string>());
    if (numbers.contains("dirty"))
      words += fmt::format(" {} outliers were mixed in: precision {:.3f}, recall {:.3f}, AUC {:.3f}.",
                           set.dirty_count(), numbers["precision"].get<double>(),
                           numbers["recall"].get<double>(), numbers["auc"].get<double>());
    return words;
  }

  static Page page_of(const gan::Cleaning& cleaning, const gan::TrainingSet& set,
                      const nlohmann::json& numbers, const std::string& words) {
    const std::span<const std::uint32_t> ranking(cleaning.ranking);
    const std::size_t out = cleaning.left_out.size(), n = ranking.size();
    const std::size_t first = out - std::min(out, shown_at_cut), last = std::min(n, out + shown_at_cut);
    Page page{.title = "Images to leave out", .lead = words, .json = numbers.dump()};
    page.sections.push_back(
        {.heading = "The most remote",
         .paragraphs = {"An image that stands here is unlike the others, which is not yet wrong: a kind that "
                        "is rare looks the same. Look before you leave it out."},
         .pictures = {thumbnails(set, cleaning, ranking.first(std::min(out, shown_suspects)),
                                 "Left out first",
                                 "The number in the data; source and score show when touched.")}});
    page.sections.push_back(
        {.heading = "Around the cut",
         .paragraphs = {"If those that were just left out look right, the share is too large; if those that "
                        "were just kept look wrong, it is too small."},
         .pictures = {
             thumbnails(set, cleaning, ranking.subspan(first, out - first), "Left out last", ""),
             thumbnails(set, cleaning, ranking.subspan(out, last - out), "Kept, the nearest to it", "")}});
    return page;
  }
};

}  // namespace

void add_gan_clean(CLI::App& program) {
  add_command<CleanCommand>(program, "clean",
                            "Which images to leave out before training, with a page of them");
}

}  // namespace motmot::app
