/// The names under which the options and results of distance() and advise() appear in the command, in JSON
/// and in Python, each with the sentence that explains it: one list per struct, and every front door is bound
/// to it.
///
///   for_each_field<Bounds>([&](const auto& field) { print(field.name, bounds.*field.member); });
#pragma once

#include <string_view>
#include <tuple>

#include "motmot/answer.hpp"
#include "motmot/theory.hpp"

namespace motmot {

template <class T, class Member>
struct Field {
  std::string_view name;
  Member T::*member;
  std::string_view help;
  std::string_view type{};   ///< of an option: how help writes its value
  std::string_view group{};  ///< of an option: the heading it stands under
};
template <class T, class Member, class... Words>
Field(const char*, Member T::*, Words...) -> Field<T, Member>;

/// Specialised for each struct below; empty for others.
template <class T>
inline constexpr std::tuple<> fields{};

template <class T, class Visit>
void for_each_field(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, fields<T>);
}

// ------------------------------------------------------------------------------------------ options

template <>
inline constexpr std::tuple fields<AscentOptions>{
    Field{"hidden", &AscentOptions::hidden,
          "clipped: hidden layers (the paper's published code; its text has one of 128)", "H,...",
          "Networks"},
    Field{"steps", &AscentOptions::steps,
          "Steps of the ascent; 0: 1000 for lipschitz, 500 for each block for clipped", "N", "Networks"},
    Field{"rate", &AscentOptions::rate, "clipped: learning rate of RMSProp", "R", "Networks"},
    Field{"alpha", &AscentOptions::alpha, "clipped: RMSProp's memory of squared gradients", "A", "Networks"},
    Field{"eps", &AscentOptions::eps, "clipped: RMSProp's guard against division by zero", "E", "Networks"},
    Field{"clip", &AscentOptions::clip, "clipped: weights stay in [-C, C]", "C", "Networks"},
    Field{"tail", &AscentOptions::tail, "clipped: the value is the mean over this many last steps", "N",
          "Networks"},
};

template <>
inline constexpr std::tuple fields<DistanceOptions>{
    Field{"estimator", &DistanceOptions::estimator,
          "Which row of Definition 2 to estimate; plain is not robust"},
    Field{
        "critic", &DistanceOptions::critic,
        "Functions the supremum runs over: exact (all 1-Lipschitz ones), lipschitz (networks), clipped (the "
        "paper's, in an unknown unit); auto goes by the number of rows"},
    Field{"network", &DistanceOptions::network,
          "Also estimate the distance of the laws that the rows come from, by a 1-Lipschitz network"},
    Field{"certify", &DistanceOptions::certify, "Also prove a bracket [lower, upper] on one fixed partition"},
    Field{"time_limit", &DistanceOptions::time_limit,
          "Seconds after which the best answer so far is given, flagged as stopped", "S"},
    Field{
        "tau", &DistanceOptions::tau,
        "Largest share of outliers in a sample, in [0, 0.5), or auto to look for it in the data; chooses the "
        "number of blocks",
        "T", "Blocks"},
    Field{"blocks", &DistanceOptions::blocks, "Number of blocks, used as it is; 0: chosen from tau", "K",
          "Blocks"},
    Field{"scheme", &DistanceOptions::scheme, "How blocks are drawn; shuffle: a fresh partition every step",
          "", "Blocks"},
    Field{"block_size", &DistanceOptions::block_size, "Rows per block, for scheme swor; 0: rows over blocks",
          "B", "Blocks"},
    Field{"pairs", &DistanceOptions::pairs, "Pairs per block, for scheme pairs; 0: rows over blocks", "M",
          "Blocks"},
    Field{"read_out", &DistanceOptions::read_out,
          "Fresh draws of blocks that the value is a mean over (exact, lipschitz)", "N", "Blocks"},
    Field{"seed", &DistanceOptions::seed, "The run is a function of the data, the options and this", "S",
          "Run"},
    Field{"threads", &DistanceOptions::threads, "Threads; 0: all cores. The answer does not depend on it",
          "N", "Run"},
};

// ------------------------------------------------------------------------------------------ results

template <>
inline constexpr std::tuple fields<NetworkEstimate>{
    Field{"value", &NetworkEstimate::value, "Distance between the laws of the inliers, from below"},
    Field{"sd", &NetworkEstimate::sd, "Over fresh draws of blocks"},
    Field{"lipschitz", &NetworkEstimate::lipschitz, "Certified Lipschitz constant of the network"},
    Field{"held_out", &NetworkEstimate::held_out, "Value on rows that a network was not fitted on"},
    Field{"settled", &NetworkEstimate::settled, "The value no longer moves"},
};

template <>
inline constexpr std::tuple fields<Beside>{
    Field{"plain", &Beside::plain, "Exact W1 of all rows: what outliers ruin"},
    Field{"trim", &Beside::trim, "Exact W1 without the rows that look like outliers"},
    Field{"trimmed", &Beside::trimmed, "How many rows look like outliers"},
    Field{"corrected", &Beside::corrected, "Value without the shift that outlying rows explain"},
    Field{"held_out", &Beside::held_out, "lipschitz: value on rows that the critic was not fitted on"},
    Field{"network", &Beside::network, "The distance of the laws by a network, where it was asked for"},
};

template <>
inline constexpr std::tuple fields<Bounds>{
    Field{"partial", &Bounds::partial,
          "The inliers' distance is not below this if at most the shares tau of the rows are outliers"},
    Field{"lower", &Bounds::lower, "Proved bracket of the estimator on one fixed partition ..."},
    Field{"upper", &Bounds::upper, "... its upper end"},
    Field{"fixed_partition_value", &Bounds::fixed_partition_value,
          "... where the fitted critic has this value"},
    Field{"lipschitz", &Bounds::lipschitz, "Certified Lipschitz constant of the critic"},
};

template <>
inline constexpr std::tuple fields<Asked>{
    Field{"estimator", &Asked::estimator, "Which row of Definition 2"},
    Field{"critic", &Asked::critic, "exact, lipschitz or clipped"},
    Field{"why_critic", &Asked::why_critic, "Why critic auto took it"},
    Field{"tau", &Asked::tau, "Assumed largest share of outliers"},
    Field{"why_tau", &Asked::why_tau, "How tau auto came to it"},
    Field{"scheme", &Asked::scheme, "How blocks were drawn"},
    Field{"blocks", &Asked::blocks, "Number of blocks"},
    Field{"block_size", &Asked::block_size, "Rows (or pairs) per block"},
    Field{"scale", &Asked::scale, "The samples were divided by this, and the value multiplied again"},
    Field{"n", &Asked::n, "Rows of X"},
    Field{"m", &Asked::m, "Rows of Y"},
    Field{"d", &Asked::d, "Columns"},
    Field{"seed", &Asked::seed, "Of the run"},
};

template <>
inline constexpr std::tuple fields<RunReport>{
    Field{"settled", &RunReport::settled, "The value no longer moves"},
    Field{"stopped", &RunReport::stopped, "Ended early, by the time limit or by progress"},
    Field{"gap", &RunReport::gap, "exact: what one more step could promise, as a share of the value"},
    Field{"solves", &RunReport::solves, "exact: transport problems solved for the value"},
    Field{"steps", &RunReport::steps, "Of the ascent"},
    Field{"seconds", &RunReport::seconds, "Of the whole answer"},
    Field{"threads", &RunReport::threads, "That ran"},
    Field{"warnings", &RunReport::warnings, "Sentences about what does not fit together"},
};

template <>
inline constexpr std::tuple fields<Distance>{
    Field{"value", &Distance::value,
          "The distance, in the data's units (clipped: times an unknown constant)"},
    Field{"sd", &Distance::sd, "Over fresh partitions; for clipped over the tail of the ascent"},
    Field{"error_bar", &Distance::error_bar, "How far outliers and skew may have moved the value, given tau"},
    Field{"low", &Distance::low, "value - error_bar, not below 0"},
    Field{"high", &Distance::high, "value + error_bar"},
    Field{"target", &Distance::target, "What the value estimates: empirical, population or unknown"},
    Field{"beside", &Distance::beside, "Other values, to compare with"},
    Field{"bounds", &Distance::bounds, "What holds for certain, and under which assumption"},
    Field{"asked", &Distance::asked, "How the question was understood"},
    Field{"run", &Distance::run, "How the run went"},
};

// ------------------------------------------------------------------------------------------- advice

template <>
inline constexpr std::tuple fields<BoundOptions>{
    Field{"d", &BoundOptions::d, "Columns", "D"},
    Field{"diameter", &BoundOptions::diameter, "Diameter of the inliers, for the paper's bounds", "L"},
    Field{"c_l", &BoundOptions::c_l, "Entropy constant C_L, which the paper leaves open", "C"},
    Field{"delta", &BoundOptions::delta, "Chance of failure in Prop. 5", "P"},
    Field{"alpha_o", &BoundOptions::alpha_o, "Assumption 3: exponent of the number of outliers", "A"},
    Field{"c_o", &BoundOptions::c_o, "Assumption 3: its constant", "C"},
    Field{"beta", &BoundOptions::beta, "Of Theorem 6", "B"},
};

template <>
inline constexpr std::tuple fields<AdviseOptions>{
    Field{"n", &AdviseOptions::n, "Rows of X", "N"},
    Field{"m", &AdviseOptions::m, "Rows of Y (default: as many as X)", "M"},
    Field{"tau", &AdviseOptions::tau, "Share of outliers in a sample, in [0, 0.5)", "T"},
    Field{"estimator", &AdviseOptions::estimator, "One estimator only (default: all)", "mom|mou|mou-diag"},
    Field{"bounds", &AdviseOptions::bounds, "What the paper's bounds depend on besides"},
};

template <>
inline constexpr std::tuple fields<Tolerance>{
    Field{"worst_case", &Tolerance::worst_case, "Outliers withstood wherever they fall"},
    Field{"on_average", &Tolerance::on_average, "Outliers withstood when blocks are drawn at random"},
};

template <>
inline constexpr std::tuple fields<BlockChoice>{
    Field{"k_x", &BlockChoice::k_x, "Blocks of X"},
    Field{"k_y", &BlockChoice::k_y, "Blocks of Y"},
    Field{"b_x", &BlockChoice::b_x, "Rows in a block of X"},
    Field{"b_y", &BlockChoice::b_y, "Rows in a block of Y"},
    Field{"p_x", &BlockChoice::p_x, "Chance that a block of X holds an outlier"},
    Field{"p_y", &BlockChoice::p_y, "Chance that a block of Y holds an outlier"},
    Field{"p", &BlockChoice::p, "Chance that what the median is taken of is dirty"},
    Field{"warnings", &BlockChoice::warnings, "What these numbers of blocks do not withstand"},
};

template <>
inline constexpr std::tuple fields<RuleAdvice>{
    Field{"rule", &RuleAdvice::rule, "Which rule"},
    Field{"blocks", &RuleAdvice::blocks, "The numbers of blocks, their sizes, how many are dirty"},
    Field{"bias", &RuleAdvice::bias, "Shift by one-sided outliers, in units of sigma_phi; may be infinite"},
    Field{"tolerance", &RuleAdvice::tolerance, "Outliers withstood"},
    Field{"majority", &RuleAdvice::majority, "What becomes of the majority of clean blocks"},
};

template <>
inline constexpr std::tuple fields<Condition>{
    Field{"text", &Condition::text, "A hypothesis of the paper, in numbers"},
    Field{"holds", &Condition::holds, "Whether it holds"},
};

template <>
inline constexpr std::tuple fields<Admission>{
    Field{"conditions", &Admission::conditions, "Under which the paper speaks about the estimator"},
};

template <>
inline constexpr std::tuple fields<Bound>{
    Field{"statement", &Bound::statement, "Of the paper"},
    Field{"bounded", &Bound::bounded, "What is bounded"},
    Field{"value", &Bound::value, "The bound; unset when a hypothesis fails"},
    Field{"log_delta", &Bound::log_delta, "Logarithm of the chance of failure that comes with it"},
    Field{"vacuous", &Bound::vacuous, "No smaller than the diameter: true without any data"},
    Field{"notes", &Bound::notes, "What fails, what the value stands for"},
};

template <>
inline constexpr std::tuple fields<EstimatorAdvice>{
    Field{"estimator", &EstimatorAdvice::estimator, "Which row of Definition 2"},
    Field{"admission", &EstimatorAdvice::admission, "Whether the paper's hypotheses hold"},
    Field{"rules", &EstimatorAdvice::rules, "Numbers of blocks by every rule; the first is recommended"},
    Field{"gamma_x", &EstimatorAdvice::gamma_x, "Gamma(tau) of Prop. 5 for X"},
    Field{"gamma_y", &EstimatorAdvice::gamma_y, "Gamma(tau) of Prop. 5 for Y"},
    Field{"bounds", &EstimatorAdvice::bounds, "Prop. 5 and Theorem 6 in numbers; none for mou"},
};

template <>
inline constexpr std::tuple fields<Advice>{
    Field{"options", &Advice::options, "What was asked"},
    Field{"expected", &Advice::expected, "Outliers to expect"},
    Field{"estimators", &Advice::estimators, "Advice on each estimator"},
};

}  // namespace motmot
