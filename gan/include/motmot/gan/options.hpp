/// The options of a training run. Together with the data and the number of threads they determine every bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "motmot/fields.hpp"

namespace motmot::gan {

/// What the critic maximises. f(x) are its values on the real batch, f(g) on the fakes.
enum class Loss {
  wgan,         ///< mean f(x) - mean f(g)
  mom,          ///< median of the means of f over K blocks of x, minus mean f(g): Algorithm 2 (MWGAN)
  mou,          ///< median over all pairs of a block of x and a block of g
  mou_diag,     ///< median over pairs of blocks of the same number
  trim,         ///< mean of f over x without its highest values (see LossOptions), minus mean f(g)
  trim_scores,  ///< trim, and from half time on without the rows that stood out over many visits
  unbalanced,   ///< mean u(f(x)) + mean u(-f(g)), u bending down from the identity: see critic_loss()
  partial,      ///< wgan less (1 - mass) times the range of f over both batches: see critic_loss()
};

/// How the critic's inner layers are normalised.
enum class Norm {
  none,
  layer,  ///< every image by itself
  batch,  ///< every block by itself, as published; this removes the very block means that are ranked
};

/// What holds the critic's slope.
enum class Penalty {
  slope,  ///< (|gradient| - 1)^2 between real and fake (Gulrajani et al., 2017)
  r1,     ///< |gradient|^2 / 2 at real images (Mescheder et al., 2018)
};

enum class Net { dcgan, mlp };
enum class Optimizer { rmsprop, adam };

struct LossOptions {
  Loss loss = Loss::trim;
  std::size_t blocks = 4;  ///< K of mom, mou and mou-diag; of an even K the upper middle block is the median
  double trim = 0.3;       ///< q of trim, in [0, 1): at least 1.5 times the share of outliers that is feared
  double cut = 1.5;  ///< of these, leave out only what is this many MADs above the median; 0: all of them
  /// trim waits until the running mean of lead() over 50 critic steps has fallen to this: the generator
  /// covers the inliers then. 1: it does not wait.
  double trim_from = 1;
  double mass = 0.9;      ///< partial: share of the mass that is compared, in (1/2, 1]
  double mass_price = 1;  ///< unbalanced: what a unit of created or destroyed mass costs, > 0
};

struct NetOptions {
  Net net = Net::dcgan;
  std::size_t width = 16;    ///< channels of the critic's first layer; mlp: an eighth of its hidden units
  std::size_t channels = 1;  ///< of the images
  std::size_t latent = 64;   ///< dimension of z, a standard Gaussian
  Norm norm = Norm::layer;   ///< of the critic; the generator always has batch norm
};

struct TrainOptions {
  LossOptions loss{};
  NetOptions nets{};
  std::size_t batch = 64;        ///< real images a critic step sees
  bool match_batch = false;      ///< mom, mou, mou-diag: a block has `batch` images instead of batch / K
  std::size_t fakes = 0;         ///< fakes of a critic or generator step; 0: as many as `batch`
  std::size_t critic_steps = 2;  ///< per generator step, n_c of Algorithm 2
  std::size_t steps = 3000;      ///< generator steps
  double rate = 1e-3;
  double decay = 0.6;  ///< the rate falls to 0 over the last steps: this share of all
  Optimizer optimizer = Optimizer::adam;
  double gradient_penalty = 10;  ///< its weight; 0: the weights are clipped instead
  Penalty penalty = Penalty::slope;
  std::size_t penalty_rows = 16;  ///< images between real and fake that a step's penalty looks at; 0: a batch
  double clip = 0.05;             ///< c of Algorithm 2; not used with a gradient penalty
  std::uint64_t seed = 0;
  std::size_t checkpoint_every = 0;  ///< generator steps; 0: a tenth of all
  std::size_t keep = 3;              ///< checkpoints that stay on disk, at least 2: the newest may be damaged

  [[nodiscard]] bool in_blocks() const noexcept {
    return loss.loss == Loss::mom || loss.loss == Loss::mou || loss.loss == Loss::mou_diag;
  }
  /// Real images in one block, and in all of them: what one critic step reads.
  [[nodiscard]] std::size_t block_rows() const noexcept {
    return in_blocks() && !match_batch ? batch / loss.blocks : batch;
  }
  [[nodiscard]] std::size_t real_rows() const noexcept {
    return in_blocks() ? block_rows() * loss.blocks : batch;
  }
  [[nodiscard]] std::size_t fake_rows() const noexcept {
    if (loss.loss == Loss::mou || loss.loss == Loss::mou_diag) return real_rows();
    return fakes == 0 ? batch : fakes;
  }
  /// Fakes of one generator step.
  [[nodiscard]] std::size_t generator_rows() const noexcept { return fakes == 0 ? batch : fakes; }
  /// Images that the gradient penalty of one step looks at.
  [[nodiscard]] std::size_t mixed_rows() const noexcept {
    const std::size_t most = std::min(real_rows(), fake_rows());
    return penalty_rows == 0 ? most : std::min(most, penalty_rows);
  }
  /// Loss of a step, counted from 0. During the first 40 % of the steps trim leaves out its whole share q.
  /// Later the generator covers the inliers, few of them stand out, and only what is above the cut is left
  /// out.
  [[nodiscard]] LossOptions loss_at(std::size_t step) const noexcept {
    LossOptions now = loss;
    if (static_cast<double>(step) < 0.4 * static_cast<double>(steps)) now.cut = 0;
    return now;
  }
  /// Learning rate of a step, counted from 0.
  [[nodiscard]] double rate_at(std::size_t step) const noexcept {
    const double left = 1 - static_cast<double>(step) / static_cast<double>(steps);
    return left < decay ? rate * left / decay : rate;
  }
  [[nodiscard]] std::size_t checkpoint_interval() const noexcept {
    return checkpoint_every > 0 ? checkpoint_every : steps < 10 ? 1 : steps / 10;
  }
};

/// Error(Errc::invalid_argument) that names the option and the rule it breaks.
void validate(const TrainOptions& options, std::size_t training_rows);

}  // namespace motmot::gan

namespace motmot {

template <>
inline constexpr auto names<gan::Loss> = names_in_order<gan::Loss>("wgan", "mom", "mou", "mou-diag", "trim",
                                                                   "trim-scores", "unbalanced", "partial");
template <>
inline constexpr auto names<gan::Penalty> = names_in_order<gan::Penalty>("slope", "r1");
template <>
inline constexpr auto names<gan::Norm> = std::to_array<Named<gan::Norm>>({{"layer", gan::Norm::layer},
                                                                          {"none", gan::Norm::none},
                                                                          {"batch", gan::Norm::batch}});
template <>
inline constexpr auto names<gan::Net> = names_in_order<gan::Net>("dcgan", "mlp");
template <>
inline constexpr auto names<gan::Optimizer> = std::to_array<Named<gan::Optimizer>>(
    {{"adam", gan::Optimizer::adam}, {"rmsprop", gan::Optimizer::rmsprop}});

/// One list for the command's options (those that stand in a group) and for the keys of a stored run.
template <>
inline constexpr std::tuple fields<gan::LossOptions>{
    Field{"loss", &gan::LossOptions::loss, "What the critic maximises (default trim)", "", "Loss"},
    Field{"blocks", &gan::LossOptions::blocks, "K of mom, mou and mou-diag (default 4)", "K", "Loss"},
    Field{"trim", &gan::LossOptions::trim,
          "Largest share of the real batch that trim leaves out (default 0.3); good is 1.5 times the share "
          "of outliers or more",
          "Q", "Loss"},
    Field{"cut", &gan::LossOptions::cut,
          "After 40 % of the steps trim leaves out only images whose critic value is more than Z median "
          "absolute deviations above the median (default 1.5; 0: the whole share Q)",
          "Z", "Loss"},
    Field{"trim_from", &gan::LossOptions::trim_from,
          "trim waits while, by the critic's values, real images lead in more than the share A of all pairs "
          "with generated ones (default 1: it never waits)",
          "A", "Loss"},
    Field{"mass", &gan::LossOptions::mass, "Share of the mass that partial compares (default 0.9; 1: wgan)",
          "M", "Loss"},
    Field{"mass_price", &gan::LossOptions::mass_price,
          "What mass that unbalanced creates or destroys costs, in units of the critic's values (default 1; "
          "larger: nearer to wgan)",
          "L", "Loss"},
};
template <>
inline constexpr std::tuple fields<gan::NetOptions>{
    Field{"net", &gan::NetOptions::net, "Convolutions (dcgan, default) or dense layers (mlp)", "",
          "Networks"},
    Field{"width", &gan::NetOptions::width,
          "Channels of the critic's first layer (default 16; the networks that the paper builds on have 64)",
          "W", "Networks"},
    Field{"channels", &gan::NetOptions::channels, "Of the images"},
    Field{"latent", &gan::NetOptions::latent, "Dimension of the generator's Gaussian (default 64)", "N",
          "Networks"},
    Field{"norm", &gan::NetOptions::norm,
          "Norm in the critic (default layer); batch: block by block, as published", "", "Networks"},
};
template <>
inline constexpr std::tuple fields<gan::TrainOptions>{
    Field{"loss", &gan::TrainOptions::loss, ""},
    Field{"nets", &gan::TrainOptions::nets, ""},
    Field{"batch", &gan::TrainOptions::batch, "Real images of a critic step (default 64)", "B", "Loss"},
    Field{"match_batch", &gan::TrainOptions::match_batch,
          "Blocks of B images instead of B/K, so that as many carry the gradient as with wgan", "", "Loss"},
    Field{"fakes", &gan::TrainOptions::fakes, "Generated images of a step (default: B)", "N", "Loss"},
    Field{"steps", &gan::TrainOptions::steps, "Generator steps (default 3000)", "N", "Training"},
    Field{"critic_steps", &gan::TrainOptions::critic_steps, "Critic steps per generator step (default 2)",
          "N", "Training"},
    Field{"optimizer", &gan::TrainOptions::optimizer, "How weights follow gradients (default adam)", "",
          "Training"},
    Field{"rate", &gan::TrainOptions::rate, "Learning rate (default 1e-3)", "R", "Training"},
    Field{"decay", &gan::TrainOptions::decay,
          "The rate falls to 0 over this last share of the steps (default 0.6)", "D", "Training"},
    Field{"gradient_penalty", &gan::TrainOptions::gradient_penalty,
          "Weight of the penalty on the critic's slope (default 10; 0: clip)", "G", "Training"},
    Field{"penalty", &gan::TrainOptions::penalty,
          "slope: near 1 between real and fake (default); r1: small at real images", "", "Training"},
    Field{"penalty_rows", &gan::TrainOptions::penalty_rows,
          "Images of a step that the penalty looks at, 0 for a batch (default 16)", "N", "Training"},
    Field{"clip", &gan::TrainOptions::clip,
          "Limit of the critic's weights, as in Algorithm 2, instead of the penalty (default with --norm "
          "batch: 0.05)",
          "C", "Training"},
    Field{"seed", &gan::TrainOptions::seed,
          "The run is a function of the data, the options, this and the number of threads (default 0)", "S",
          "Run"},
    Field{"checkpoint_every", &gan::TrainOptions::checkpoint_every,
          "Generator steps between checkpoints (default: a tenth of all)", "M", "Run"},
    Field{"keep", &gan::TrainOptions::keep, "Checkpoints that stay, at least 2 (default 3)", "N", "Run"},
};

namespace gan {

/// "match-batch" for the field match_batch: the name of an option without its dashes, and of a key in JSON.
[[nodiscard]] inline std::string option_key(std::string_view field) {
  std::string key(field);
  std::ranges::replace(key, '_', '-');
  return key;
}

/// Calls visit(field, value) for every option of a run, those of its parts too.
template <class T, class Visit>
void for_each_option(T& options, Visit visit) {
  for_each_field<std::remove_const_t<T>>([&](const auto& field) {
    auto& value = options.*field.member;
    if constexpr (std::is_class_v<std::remove_reference_t<decltype(value)>>) for_each_option(value, visit);
    else visit(field, value);
  });
}

}  // namespace gan

}  // namespace motmot
