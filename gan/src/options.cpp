#include "motmot/gan/options.hpp"

#include <nlohmann/json.hpp>

#include "base/require.hpp"

namespace motmot::gan {
namespace {

template <class T, std::size_t N>
std::string_view word_of(T value, const std::array<std::pair<std::string_view, T>, N>& names) {
  for (const auto& [word, named] : names)
    if (named == value) return word;
  return "?";
}

template <class T, std::size_t N>
T value_of(const nlohmann::json& object, const char* key,
           const std::array<std::pair<std::string_view, T>, N>& names) {
  const auto asked = object.at(key).get<std::string>();
  for (const auto& [word, named] : names)
    if (word == asked) return named;
  fail(Errc::io, "a stored run has ", key, " '", asked, "', which this version does not know");
}

}  // namespace

void validate(const TrainOptions& o, std::size_t training_rows) {
  const auto positive = [](std::size_t value, const char* name) {
    require(value > 0, Errc::invalid_argument, name, " must be at least 1");
  };
  positive(o.batch, "--batch");
  positive(o.nets.width, "--width");
  positive(o.nets.latent, "--latent");
  positive(o.critic_steps, "--critic-steps");
  positive(o.steps, "--steps");
  positive(o.keep, "--keep");
  positive(o.loss.blocks, "--blocks");
  require(!o.in_blocks() || o.match_batch || o.batch >= o.loss.blocks, Errc::invalid_argument, "--batch ",
          o.batch, " cannot be cut into --blocks ", o.loss.blocks);
  require(o.nets.norm != Norm::batch || o.block_rows() >= 2, Errc::invalid_argument,
          "--norm batch needs blocks of at least 2 images; --batch ", o.batch, " and --blocks ",
          o.loss.blocks, " give ", o.block_rows());
  require(o.generator_rows() >= 2, Errc::invalid_argument,
          "the generator's batch norm needs at least 2 fakes; --fakes or --batch is 1");
  require(o.loss.trim >= 0 && o.loss.trim < 1, Errc::invalid_argument, "--trim must be in [0, 1); got ",
          o.loss.trim);
  require(o.loss.cut >= 0 && o.loss.cut < 10, Errc::invalid_argument, "--cut must be in [0, 10); got ",
          o.loss.cut);
  require(o.rate > 0 && o.rate <= 1, Errc::invalid_argument, "--lr must be in (0, 1]; got ", o.rate);
  require(o.decay >= 0 && o.decay <= 1, Errc::invalid_argument, "--decay must be in [0, 1]; got ", o.decay);
  require(o.clip > 0, Errc::invalid_argument, "--clip must be above 0; got ", o.clip);
  require(o.gradient_penalty >= 0, Errc::invalid_argument, "--gradient-penalty must not be negative; got ",
          o.gradient_penalty);
  require(o.gradient_penalty == 0 || o.nets.norm != Norm::batch, Errc::invalid_argument,
          "--gradient-penalty looks at single images, which --norm batch mixes: use none or layer");
  require(o.real_rows() <= training_rows, Errc::invalid_argument, "a critic step reads ", o.real_rows(),
          " images and the data have ", training_rows);
}

std::string to_json(const TrainOptions& o) {
  const nlohmann::json object{{"loss", word_of(o.loss.loss, loss_names)},
                              {"blocks", o.loss.blocks},
                              {"trim", o.loss.trim},
                              {"cut", o.loss.cut},
                              {"net", word_of(o.nets.net, net_names)},
                              {"width", o.nets.width},
                              {"channels", o.nets.channels},
                              {"latent", o.nets.latent},
                              {"norm", word_of(o.nets.norm, norm_names)},
                              {"batch", o.batch},
                              {"match-batch", o.match_batch},
                              {"fakes", o.fakes},
                              {"critic-steps", o.critic_steps},
                              {"steps", o.steps},
                              {"lr", o.rate},
                              {"decay", o.decay},
                              {"optimizer", word_of(o.rule, rule_names)},
                              {"clip", o.clip},
                              {"gradient-penalty", o.gradient_penalty},
                              {"penalty-rows", o.penalty_rows},
                              {"seed", o.seed},
                              {"checkpoint-every", o.checkpoint_every},
                              {"keep", o.keep}};
  return object.dump();
}

TrainOptions options_from_json(const std::string& json) {
  try {
    const nlohmann::json j = nlohmann::json::parse(json);
    return {.loss = {.loss = value_of(j, "loss", loss_names),
                     .blocks = j.at("blocks"),
                     .trim = j.at("trim"),
                     .cut = j.value("cut", 0.0)},
            .nets = {.net = value_of(j, "net", net_names),
                     .width = j.at("width"),
                     .channels = j.at("channels"),
                     .latent = j.at("latent"),
                     .norm = value_of(j, "norm", norm_names)},
            .batch = j.at("batch"),
            .match_batch = j.at("match-batch"),
            .fakes = j.at("fakes"),
            .critic_steps = j.at("critic-steps"),
            .steps = j.at("steps"),
            .rate = j.at("lr"),
            .decay = j.value("decay", 0.0),
            .rule = value_of(j, "optimizer", rule_names),
            .gradient_penalty = j.at("gradient-penalty"),
            .penalty_rows = j.value("penalty-rows", std::size_t{0}),
            .clip = j.at("clip"),
            .seed = j.at("seed"),
            .checkpoint_every = j.at("checkpoint-every"),
            .keep = j.at("keep")};
  } catch (const nlohmann::json::exception& error) {
    fail(Errc::io, "the options of a stored run cannot be read: ", error.what());
  }
}

}  // namespace motmot::gan
