#include "motmot/gan/options.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/require.hpp"
#include "base/whole.hpp"
#include "data/complaint.hpp"
#include "motmot/gan/train.hpp"
#include "npz_file.hpp"

namespace motmot::gan {
namespace {

/// Runs that were stored before there were these options have their defaults.
constexpr std::array<std::string_view, 4> later_options{"trim-from", "mass", "mass-price", "penalty"};

TrainOptions train_options(const nlohmann::json& stored) {
  TrainOptions options;
  for_each_option(options, [&]<class T>(const auto& field, T& value) {
    const std::string key = option_key(field.name);
    if (!stored.contains(key) && std::ranges::find(later_options, key) != later_options.end()) return;
    if constexpr (NamedEnum<T>) {
      const auto word = stored.at(key).get<std::string>();
      const std::optional<T> found = named<T>(word);
      require(found.has_value(), Errc::io, "the stored ", key, " '", word, "' is not known");
      value = *found;
    } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
      value = whole<T>(stored, key);
    } else {
      stored.at(key).get_to(value);
    }
  });
  return options;
}

DataOptions data_options(const nlohmann::json& j) {
  return {
      .data = j.at("data"),
      .contamination = {.amount = j.contains("contaminate") ? std::optional(j.at("contaminate").get<double>())
                                                            : std::nullopt,
                        .inliers = j.at("inliers"),
                        .outliers = j.at("outliers"),
                        .seed = whole<std::uint64_t>(j, "seed")},
      .without = j.value("without", "")};
}

}  // namespace

void validate(const TrainOptions& o, std::size_t training_rows) {
  const auto within = [](const char* name, std::size_t value, std::size_t least, std::size_t most) {
    require(value >= least && value <= most, Errc::invalid_argument, name, " must be in ", least, "..", most,
            "; got ", value);
  };
  constexpr std::size_t large = 65536;  // products of sizes stay within 64 bits
  within("--width", o.nets.width, 1, large);
  within("--latent", o.nets.latent, 1, large);
  within("--fakes", o.fakes, 0, large);
  within("--critic-steps", o.critic_steps, 1, large);
  within("--steps", o.steps, 1, 99'999'999);  // names of checkpoints have eight digits
  within("--keep", o.keep, 2, large);         // a damaged checkpoint needs a predecessor
  require(o.batch >= 1, Errc::invalid_argument, "--batch must be at least 1; got 0");
  require(o.batch <= training_rows, Errc::invalid_argument, "--batch is ", o.batch, " and the data have ",
          training_rows, " images");
  if (o.in_blocks()) within("--blocks", o.loss.blocks, 1, training_rows);
  require(!o.in_blocks() || o.match_batch || o.batch >= o.loss.blocks, Errc::invalid_argument, "--batch ",
          o.batch, " cannot be cut into --blocks ", o.loss.blocks);
  require(o.real_rows() <= training_rows, Errc::invalid_argument, "a critic step reads ", o.real_rows(),
          " images and the data have ", training_rows);
  require(o.nets.norm != Norm::batch || o.block_rows() >= 2, Errc::invalid_argument,
          "--norm batch needs blocks of at least 2 images; --batch ", o.batch, " and --blocks ",
          o.loss.blocks, " give ", o.block_rows());
  require(o.generator_rows() >= 2, Errc::invalid_argument,
          "the generator's batch norm needs at least 2 fakes; --fakes or --batch is 1");
  require(o.loss.trim >= 0 && o.loss.trim < 1, Errc::invalid_argument, "--trim must be in [0, 1); got ",
          o.loss.trim);
  require(o.loss.cut >= 0 && o.loss.cut < 10, Errc::invalid_argument, "--cut must be in [0, 10); got ",
          o.loss.cut);
  require(o.loss.trim_from >= 0 && o.loss.trim_from <= 1, Errc::invalid_argument,
          "--trim-from must be in [0, 1]; got ", o.loss.trim_from);
  require(o.loss.mass > 0.5 && o.loss.mass <= 1, Errc::invalid_argument, "--mass must be in (0.5, 1]; got ",
          o.loss.mass);
  require(o.loss.mass_price > 0 && o.loss.mass_price <= 1e4, Errc::invalid_argument,
          "--mass-price must be in (0, 10000]; got ", o.loss.mass_price);
  require(o.rate > 0 && o.rate <= 1, Errc::invalid_argument, "--rate must be in (0, 1]; got ", o.rate);
  require(o.decay >= 0 && o.decay <= 1, Errc::invalid_argument, "--decay must be in [0, 1]; got ", o.decay);
  require(o.clip > 0 && o.clip < 1e30, Errc::invalid_argument, "--clip must be above 0; got ", o.clip);
  require(o.gradient_penalty >= 0 && o.gradient_penalty < 1e30, Errc::invalid_argument,
          "--gradient-penalty must be a number that is not negative; got ", o.gradient_penalty);
  require(o.gradient_penalty == 0 || o.nets.norm != Norm::batch, Errc::invalid_argument,
          "--gradient-penalty looks at single images, which --norm batch mixes: use none or layer");
}

std::string to_json(const StoredRun& run) {
  const Contamination& c = run.data.contamination;
  nlohmann::json data{
      {"data", run.data.data}, {"inliers", c.inliers}, {"outliers", c.outliers}, {"seed", c.seed}};
  if (c.amount) data["contaminate"] = *c.amount;
  if (!run.data.without.empty()) data["without"] = run.data.without;
  nlohmann::json options;
  for_each_option(run.options, [&]<class T>(const auto& field, const T& value) {
    if constexpr (NamedEnum<T>) options[option_key(field.name)] = name(value);
    else options[option_key(field.name)] = value;
  });
  return nlohmann::json{{"options", options}, {"data", data}}.dump();
}

StoredRun stored_run(const std::string& run) {
  namespace fs = std::filesystem;
  const bool checkpoint = fs::is_regular_file(run);
  const std::string path = checkpoint ? run : (fs::path(run) / "config.json").string();
  std::string text;
  if (checkpoint) {
    text = read_text(path, "config");
  } else {
    std::ifstream in(path);
    require(in.good(), Errc::io, "'", run, "' holds no run of motmot gan train: cannot read ", path);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  try {
    const nlohmann::json config = nlohmann::json::parse(text);
    return {.data = data_options(config.at("data")), .options = train_options(config.at("options"))};
  } catch (const std::exception& error) {
    std::string reason = error.what();
    if (reason.starts_with("[json")) reason.erase(0, reason.find("] ") + 2);
    fail(Errc::io, name_of(path), " has no configuration of motmot gan train: ", reason);
  }
}

}  // namespace motmot::gan
