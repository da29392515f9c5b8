/// The names under which the options and results of the front doors appear in the command, in JSON
/// and in Python, each with the sentence that explains it: one list per struct, and every front door is bound
/// to it.
///
///   for_each_field<Bounds>([&](const auto& field) { print(field.name, bounds.*field.member); });
#pragma once

#include <string_view>
#include <tuple>

#include "motmot/answer.hpp"
#include "motmot/compare.hpp"
#include "motmot/doctor.hpp"
#include "motmot/matrix.hpp"
#include "motmot/outliers.hpp"
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
    Field{"tau", &DistanceOptions::tau,
          "Largest share of wrong rows in a sample, in [0, 0.5), or auto to look for it in the data", "T"},
    Field{"scale", &DistanceOptions::scale,
          "Units of the columns: none (as they are), robust (each divided by its spread), "
          "COLUMN=NUMBER,..., or auto: robust where a category or a missing level takes part, else none",
          "S"},
    Field{"category_weight", &DistanceOptions::category_weight,
          "How far apart two levels of a category are, and a missing number from one that is there", "W"},
    Field{"permutations", &DistanceOptions::permutations,
          "Times that the rows are mixed to see what chance gives; 0: no test (default: by size)", "N"},
    Field{"time_limit", &DistanceOptions::time_limit,
          "Seconds after which the best answer so far is given, flagged as stopped, and a query is ended",
          "S"},
    Field{"estimator", &DistanceOptions::estimator,
          "company leaves rows out that lie alone; mom, mou and mou-diag are the paper's medians of means; "
          "plain takes all rows",
          "", "Other estimates"},
    Field{"paper", &DistanceOptions::paper, "Also the paper's estimate (mom) beside the answer", "",
          "Other estimates"},
    Field{"network", &DistanceOptions::network,
          "Also estimate the distance of the laws that the rows come from, by a 1-Lipschitz network", "",
          "Other estimates"},
    Field{"metric", &DistanceOptions::metric,
          "What is estimated: w1, or a kernel's distance by plain, mom, mou or mou-diag: mmd (Gaussian "
          "kernel), "
          "energy (root of the energy distance)",
          "", "Other estimates"},
    Field{"bandwidth", &DistanceOptions::bandwidth,
          "mmd: sd of the Gaussian kernel; 0: the median over rows of their median distance to the others",
          "H", "Other estimates"},
    Field{
        "critic", &DistanceOptions::critic,
        "Functions the supremum runs over: exact (all 1-Lipschitz ones), lipschitz (networks), clipped (the "
        "paper's, in an unknown unit); auto goes by the number of rows",
        "", "Estimators with blocks (mom, mou, mou-diag)"},
    Field{"blocks", &DistanceOptions::blocks, "Number of blocks, used as it is; 0: chosen from tau", "K",
          "Estimators with blocks (mom, mou, mou-diag)"},
    Field{"scheme", &DistanceOptions::scheme, "How blocks are drawn; shuffle: a fresh partition every step",
          "", "Estimators with blocks (mom, mou, mou-diag)"},
    Field{"block_size", &DistanceOptions::block_size, "Rows per block, for scheme swor; 0: rows over blocks",
          "B", "Estimators with blocks (mom, mou, mou-diag)"},
    Field{"pairs", &DistanceOptions::pairs, "Pairs per block, for scheme pairs; 0: rows over blocks", "M",
          "Estimators with blocks (mom, mou, mou-diag)"},
    Field{"read_out", &DistanceOptions::read_out,
          "Fresh draws of blocks that the value is a mean over (exact, lipschitz)", "N",
          "Estimators with blocks (mom, mou, mou-diag)"},
    Field{"certify", &DistanceOptions::certify, "Also prove a bracket [lower, upper] on one fixed partition",
          "", "Estimators with blocks (mom, mou, mou-diag)"},
    Field{"seed", &DistanceOptions::seed, "The run is a function of the data, the options and this", "S",
          "Run"},
    Field{"threads", &DistanceOptions::threads, "Threads; 0: all cores. The answer does not depend on it",
          "N", "Run"},
    Field{"checkpoint", &DistanceOptions::checkpoint,
          "File that keeps where the ascent stands (lipschitz, clipped): the same run goes on from there",
          "FILE", "Run"},
    Field{"checkpoint_seconds", &DistanceOptions::checkpoint_seconds, "Seconds between two writes of it", "S",
          "Run"},
};

// ------------------------------------------------------------------------------------------ results

/// Of Distance as JSON: rises when a key changes its meaning or goes. docs/schema has a file for each.
inline constexpr int distance_schema = 1;

template <>
inline constexpr std::tuple fields<Floor>{
    Field{"level", &Floor::level, "Mean distance when the kept rows are mixed: what chance alone gives"},
    Field{"sd", &Floor::sd, "Of these distances"},
    Field{"value", &Floor::value, "Distance of the kept rows, at the same numbers of rows"},
    Field{"w1_p_value", &Floor::w1_p_value, "By the distance alone"},
    Field{"energy_p_value", &Floor::energy_p_value, "By the energy distance alone"},
    Field{"kernel_p_value", &Floor::kernel_p_value, "By a kernel distance alone; not in one column"},
    Field{"permutations", &Floor::permutations, "Times that the rows were mixed"},
    Field{"rows", &Floor::rows, "Rows that level and value are of"},
};

template <>
inline constexpr std::tuple fields<SizePoint>{
    Field{"rows", &SizePoint::rows, "Rows of each sample"},
    Field{"draws", &SizePoint::draws, "Times that other rows were drawn"},
    Field{"value", &SizePoint::value, "Mean distance over the draws"},
    Field{"sd", &SizePoint::sd, "Of one draw"},
    Field{"chance", &SizePoint::chance, "Mean distance of the same rows, mixed: what no difference gives"},
};

template <>
inline constexpr std::tuple fields<Subsampling>{
    Field{"sizes", &Subsampling::sizes, "The distance of fewer rows, up to those used"},
    Field{"spread", &Subsampling::spread, "Sd of the distance by the choice of the rows used"},
    Field{"slope", &Subsampling::slope, "Of the fit: value^2 = laws^2 + slope chance^2"},
    Field{"power", &Subsampling::power, "Of the fit: chance falls with so many rows to this power"},
    Field{"all_rows", &Subsampling::all_rows, "Distance of all rows, by the fit"},
    Field{"all_rows_sd", &Subsampling::all_rows_sd, "Of that, if the fit is right"},
};

template <>
inline constexpr std::tuple fields<Population>{
    Field{"value", &Population::value, "Distance between the laws that the rows come from"},
    Field{"interval", &Population::interval, "Meant to hold it in 90 % of such samples"},
};

template <>
inline constexpr std::tuple fields<SharedValue>{
    Field{"column", &SharedValue::column, "Its name"},
    Field{"value", &SharedValue::value, "In the column's own units, as a text"},
    Field{"rows", &SharedValue::rows, "Rows of the group that have it"},
    Field{"elsewhere", &SharedValue::elsewhere, "Rows kept have it in another column"},
};

template <>
inline constexpr std::tuple fields<Reading>{
    Field{"sample", &Reading::sample, "x or y"},
    Field{"rows", &Reading::rows,
          "Rows left out that lie together, where the other sample has none, or repeat a row"},
    Field{"if_real", &Reading::if_real, "The distance if they are real"},
    Field{"if_wrong", &Reading::if_wrong, "The distance if they are wrong"},
    Field{"near_other", &Reading::near_other, "Of these rows, those with company in the other sample"},
    Field{"in_both", &Reading::in_both,
          "Rows left out of the other sample lie there, too, and are real or wrong with these"},
    Field{"strangers", &Reading::strangers,
          "They do not stand alone, but lie where the other sample has none"},
    Field{"copies", &Reading::copies, "They repeat one row, and other rows do not repeat"},
    Field{"shared", &Reading::shared, "One value that they have in one column, far outside the rows kept"},
};

template <>
inline constexpr std::tuple fields<ProfilePoint>{
    Field{"x", &ProfilePoint::x, "Most remote rows of X left out"},
    Field{"y", &ProfilePoint::y, "Most remote rows of Y left out"},
    Field{"value", &ProfilePoint::value, "The distance of the rest"},
};

template <>
inline constexpr std::tuple fields<LevelMove>{
    Field{"level", &LevelMove::level, "Of the category; (other): all rare ones, (missing): no value"},
    Field{"moved", &LevelMove::moved, "Its share of the rows of Y less its share of the rows of X"},
};

template <>
inline constexpr std::tuple fields<ColumnMove>{
    Field{"name", &ColumnMove::name, "Of the column"},
    Field{"unit", &ColumnMove::unit, "What the column was divided by"},
    Field{"share", &ColumnMove::share, "Of the distance above chance; where the samples differ"},
    Field{
        "moved", &ColumnMove::moved,
        "Mean of Y less mean of X, kept rows, in the column's own units; of a category the share of the rows "
        "that would have to change their level"},
    Field{"kind", &ColumnMove::kind, "number, category or time"},
    Field{"time_unit", &ColumnMove::time_unit, "Of a time: what unit and moved are measured in"},
    Field{"levels", &ColumnMove::levels,
          "Of a category: the levels that gained and lost; of numbers: (missing)"},
};

template <>
inline constexpr std::tuple fields<ColumnLeftOut>{
    Field{"name", &ColumnLeftOut::name, "Of the column"},
    Field{"why", &ColumnLeftOut::why, "What is the matter with it"},
};

template <>
inline constexpr std::tuple fields<TauPoint>{
    Field{"tau", &TauPoint::tau, "Share of either sample that may be left out"},
    Field{"x", &TauPoint::x, "Rows of X left out"},
    Field{"y", &TauPoint::y, "Rows of Y left out"},
    Field{"value", &TauPoint::value, "The distance of the rest, where it was computed"},
};

template <>
inline constexpr std::tuple fields<Warning>{
    Field{"code", &Warning::code, "Which warning"},
    Field{"text", &Warning::text, "What it says, and what to do"},
};

template <>
inline constexpr std::tuple fields<PaperEstimate>{
    Field{"estimator", &PaperEstimate::estimator, "Which row of Definition 2"},
    Field{"critic", &PaperEstimate::critic, "exact, lipschitz or clipped"},
    Field{"value", &PaperEstimate::value,
          "The estimate, in the data's units (clipped: times an unknown constant)"},
    Field{"sd", &PaperEstimate::sd, "Over fresh partitions; for clipped over the tail of the ascent"},
    Field{"error_bar", &PaperEstimate::error_bar,
          "How far outliers and skew may have moved the value, given tau and inliers of one mode"},
    Field{"low", &PaperEstimate::low, "value - error_bar, not below 0"},
    Field{"high", &PaperEstimate::high, "value + error_bar"},
    Field{"target", &PaperEstimate::target, "What the value estimates: empirical, population or unknown"},
    Field{"lower", &PaperEstimate::lower, "Proved bracket of the estimator on one fixed partition ..."},
    Field{"upper", &PaperEstimate::upper, "... its upper end"},
    Field{"fixed_partition_value", &PaperEstimate::fixed_partition_value,
          "... where the fitted critic has this value"},
    Field{"lipschitz", &PaperEstimate::lipschitz, "Certified Lipschitz constant of the critic"},
    Field{"held_out", &PaperEstimate::held_out, "lipschitz: value on rows that the critic was not fitted on"},
    Field{"scheme", &PaperEstimate::scheme, "How blocks were drawn"},
    Field{"blocks", &PaperEstimate::blocks, "Number of blocks"},
    Field{"block_size", &PaperEstimate::block_size, "Rows (or pairs) per block"},
    Field{"gap", &PaperEstimate::gap, "exact: what one more step could promise, as a share of the value"},
    Field{"settled", &PaperEstimate::settled, "The value no longer moves"},
    Field{"solves", &PaperEstimate::solves, "exact: transport problems solved for the value"},
    Field{"steps", &PaperEstimate::steps, "Of the ascent"},
};

template <>
inline constexpr std::tuple fields<NetworkEstimate>{
    Field{"held_out", &NetworkEstimate::held_out,
          "Distance between the laws, on rows that the network was not fitted on"},
    Field{"value", &NetworkEstimate::value, "On the rows that it was fitted on: too high in many dimensions"},
    Field{"sd", &NetworkEstimate::sd, "Over fresh draws of blocks"},
    Field{"lipschitz", &NetworkEstimate::lipschitz, "Certified Lipschitz constant of the network"},
    Field{"settled", &NetworkEstimate::settled, "The value no longer moves"},
};

template <>
inline constexpr std::tuple fields<Neighbours>{
    Field{"paper", &Neighbours::paper, "The paper's estimate"},
    Field{"network", &Neighbours::network, "The distance of the laws by a network, where it was asked for"},
};

template <>
inline constexpr std::tuple fields<Asked>{
    Field{"estimator", &Asked::estimator, "company, or which row of Definition 2"},
    Field{"metric", &Asked::metric, "w1, mmd or energy"},
    Field{"bandwidth", &Asked::bandwidth, "mmd: sd of the Gaussian kernel"},
    Field{"why_critic", &Asked::why_critic, "Why critic auto took its critic"},
    Field{"why_tau", &Asked::why_tau, "How tau auto came to it"},
    Field{"scale", &Asked::scale, "Units of the columns"},
    Field{"n", &Asked::n, "Rows of X"},
    Field{"m", &Asked::m, "Rows of Y"},
    Field{"d", &Asked::d, "Columns"},
    Field{"rows_used", &Asked::rows_used,
          "Rows whose exact distance is the value: all kept ones, or some of them where these are too many"},
    Field{"rows_dropped", &Asked::rows_dropped,
          "Rows that were not compared because a value is missing; not among n and m"},
    Field{"rows_read", &Asked::rows_read, "Rows that the n and m were drawn from; 0: they are all"},
    Field{"files", &Asked::files, "Where the samples come from"},
    Field{"columns", &Asked::columns, "Names of the columns"},
    Field{"kinds", &Asked::kinds, "number, category or time, one for each column"},
    Field{"columns_left_out", &Asked::columns_left_out, "Columns that are not compared, and why"},
    Field{"category_weight", &Asked::category_weight, "How far apart two levels are, where some take part"},
    Field{"seed", &Asked::seed, "Of the run"},
};

template <>
inline constexpr std::tuple fields<RunReport>{
    Field{"stopped", &RunReport::stopped, "Ended early, by the time limit or by progress"},
    Field{"solves", &RunReport::solves, "Exact transport problems solved"},
    Field{"seconds", &RunReport::seconds, "Of the whole answer"},
    Field{"threads", &RunReport::threads, "That ran"},
    Field{"ranks", &RunReport::ranks, "Processes that worked on it"},
    Field{"bytes_sent", &RunReport::bytes_sent, "Between the ranks, all together"},
    Field{"bytes_a_step", &RunReport::bytes_a_step,
          "The same for a step of the ascent, where rows are split over ranks"},
};

template <>
inline constexpr std::tuple fields<Distance>{
    Field{"verdict", &Distance::verdict, "Whether the samples differ by more than chance gives"},
    Field{"value", &Distance::value, "The distance, in the units that asked.scale says"},
    Field{"interval", &Distance::interval,
          "Where the distance lies if the rest of the share tau is wrong too; blocks: value -+ error_bar"},
    Field{"interval_certified", &Distance::interval_certified,
          "lower: that end is proved if the rows left out are wrong"},
    Field{"p_value", &Distance::p_value, "Of no difference: of the largest of the statistics in floor"},
    Field{"floor", &Distance::floor, "What chance alone gives"},
    Field{"population", &Distance::population, "The distance between the laws that the rows come from"},
    Field{"subsampling", &Distance::subsampling,
          "What taking some of the rows does to the distance, where some were taken"},
    Field{"needed", &Distance::needed,
          "Share of the rows of each sample that would have to be wrong to explain the difference"},
    Field{"plain", &Distance::plain, "Distance of all rows: what wrong rows ruin"},
    Field{"partial", &Distance::partial,
          "The distance of the right rows is not below this if at most the shares tau are wrong"},
    Field{"left_out", &Distance::left_out, "Rows that stand alone and were left out"},
    Field{"readings", &Distance::readings, "Where rows left out lie together: the distance with and without"},
    Field{"profile", &Distance::profile, "The distance as the most remote rows are left out"},
    Field{"columns", &Distance::columns, "How each column moved, and its share of the distance"},
    Field{"tau_x", &Distance::tau_x, "Largest share of wrong rows of X that was assumed"},
    Field{"tau_y", &Distance::tau_y, "Of Y"},
    Field{"tau_path", &Distance::tau_path, "What would be left out with other shares"},
    Field{"warnings", &Distance::warnings, "What to look at, and what to do"},
    Field{"neighbours", &Distance::neighbours, "Other estimates, to compare with"},
    Field{"asked", &Distance::asked, "How the question was understood"},
    Field{"run", &Distance::run, "How the run went"},
};

// ------------------------------------------------------------------------------------------- matrix

/// Of Matrix as JSON, as distance_schema.
inline constexpr int matrix_schema = 1;

template <>
inline constexpr std::tuple fields<MatrixOptions>{
    Field{"tau", &MatrixOptions::tau, "Largest share of wrong rows in a sample, in [0, 0.5)", "T"},
    Field{"scale", &MatrixOptions::scale,
          "Units of the columns: none (as they are), robust (each divided by its spread), "
          "COLUMN=NUMBER,..., or auto: robust where a category or a missing level takes part, else none",
          "S"},
    Field{"category_weight", &MatrixOptions::category_weight,
          "How far apart two levels of a category are, and a missing number from one that is there", "W"},
    Field{"alpha", &MatrixOptions::alpha, "Share of false ones among the pairs that are said to differ", "A"},
    Field{"against", &MatrixOptions::against, "Hold this sample against all others (default: all pairs)",
          "NAME"},
    Field{"seed", &MatrixOptions::seed, "The run is a function of the data, the options and this", "S",
          "Run"},
    Field{"threads", &MatrixOptions::threads, "Threads; 0: all cores. The answer does not depend on it", "N",
          "Run"},
};

template <>
inline constexpr std::tuple fields<MatrixSample>{
    Field{"name", &MatrixSample::name, "Of the sample"},
    Field{"n", &MatrixSample::n, "Rows"},
    Field{"rows_dropped", &MatrixSample::rows_dropped,
          "Rows that were not compared because a value is missing; not among n"},
    Field{"left_out", &MatrixSample::left_out, "Rows that stand alone and were left out"},
    Field{"rows_used", &MatrixSample::rows_used, "Rows whose distances were measured"},
    Field{"halves", &MatrixSample::halves, "Mean distance between two random halves of these rows"},
    Field{"rate", &MatrixSample::rate, "Chance falls like (1/n + 1/m) to this power"},
};

template <>
inline constexpr std::tuple fields<MatrixPair>{
    Field{"first", &MatrixPair::first, "Place of the one sample in samples, from 0"},
    Field{"second", &MatrixPair::second, "Of the other"},
    Field{"value", &MatrixPair::value, "The distance of their rows used"},
    Field{"floor", &MatrixPair::floor, "What chance alone gives at these numbers of rows, about"},
    Field{"energy", &MatrixPair::energy, "Energy distance of these rows"},
    Field{"p_value", &MatrixPair::p_value, "Of no difference, approximate"},
    Field{"q_value", &MatrixPair::q_value, "The same for all pairs at once (Benjamini and Hochberg)"},
    Field{"differ", &MatrixPair::differ, "q_value is at most alpha"},
};

template <>
inline constexpr std::tuple fields<Merge>{
    Field{"first", &Merge::first, "A sample, or the number of samples plus that of an earlier merge"},
    Field{"second", &Merge::second, "What it becomes one with"},
    Field{"height", &Merge::height, "Mean distance between their samples"},
    Field{"size", &Merge::size, "Samples in it"},
};

template <>
inline constexpr std::tuple fields<MapPoint>{
    Field{"x", &MapPoint::x, "To the right"},
    Field{"y", &MapPoint::y, "Up"},
};

template <>
inline constexpr std::tuple fields<Matrix>{
    Field{"samples", &Matrix::samples, "What was compared"},
    Field{"pairs", &Matrix::pairs, "Every pair, by first, then second"},
    Field{"against", &Matrix::against, "Place of the sample that all others are held against"},
    Field{"order", &Matrix::order, "Samples so that near ones stand side by side"},
    Field{"merges", &Matrix::merges, "Clusters that become one, by rising height"},
    Field{"map", &Matrix::map, "Places in a plane whose distances are near those of the pairs"},
    Field{"map_share", &Matrix::map_share, "How much of the distances the plane shows"},
    Field{"tau", &Matrix::tau, "Largest share of wrong rows that was assumed"},
    Field{"alpha", &Matrix::alpha, "Share of false ones among the pairs that are said to differ"},
    Field{"scale", &Matrix::scale, "Units of the columns"},
    Field{"columns", &Matrix::columns, "Names of the columns"},
    Field{"kinds", &Matrix::kinds, "number, category or time, one for each column"},
    Field{"columns_left_out", &Matrix::columns_left_out, "Columns that are not compared, and why"},
    Field{"category_weight", &Matrix::category_weight, "How far apart two levels are, where some take part"},
    Field{"seed", &Matrix::seed, "Of the run"},
    Field{"warnings", &Matrix::warnings, "What to look at"},
    Field{"run", &Matrix::run, "How the run went"},
};

// ------------------------------------------------------------------------------------------ compare

/// Of Comparison as JSON, as distance_schema.
inline constexpr int compare_schema = 1;

template <>
inline constexpr std::tuple fields<CompareOptions>{
    Field{"tau", &CompareOptions::tau, "Largest share of wrong rows in a sample, in [0, 0.5)", "T"},
    Field{"scale", &CompareOptions::scale,
          "Units of the columns: none (as they are), robust (each divided by its spread), "
          "COLUMN=NUMBER,..., or auto: robust where a category or a missing level takes part, else none",
          "S"},
    Field{"category_weight", &CompareOptions::category_weight,
          "How far apart two levels of a category are, and a missing number from one that is there", "W"},
    Field{"stress", &CompareOptions::stress,
          "Also plant known dirt in X, up to the share tau of its rows, and say how far each method moves"},
    Field{"seed", &CompareOptions::seed, "The run is a function of the data, the options and this", "S",
          "Run"},
    Field{"threads", &CompareOptions::threads, "Threads; 0: all cores. The answer does not depend on it", "N",
          "Run"},
};

template <>
inline constexpr std::tuple fields<Stressed>{
    Field{"dirt", &Stressed::dirt, "sentinel, cluster or decimal"},
    Field{"value", &Stressed::value, "With the dirt"},
    Field{"movement", &Stressed::movement, "That over the value without it, less 1"},
};

template <>
inline constexpr std::tuple fields<MethodResult>{
    Field{"method", &MethodResult::method, "Which"},
    Field{"value", &MethodResult::value, "What it says"},
    Field{"seconds", &MethodResult::seconds, "How long it took"},
    Field{"assumes", &MethodResult::assumes, "What it takes for granted"},
    Field{"stress", &MethodResult::stress, "What dirt does to it"},
};

template <>
inline constexpr std::tuple fields<Planted>{
    Field{"dirt", &Planted::dirt, "sentinel, cluster or decimal"},
    Field{"rows", &Planted::rows, "Rows of X that have it"},
    Field{"what", &Planted::what, "What was done to them"},
};

template <>
inline constexpr std::tuple fields<Comparison>{
    Field{"methods", &Comparison::methods, "What each method says"},
    Field{"planted", &Comparison::planted, "Dirt that was planted"},
    Field{"p_value", &Comparison::p_value, "Of no difference, by company"},
    Field{"n", &Comparison::n, "Rows of X"},
    Field{"m", &Comparison::m, "Rows of Y"},
    Field{"d", &Comparison::d, "Columns"},
    Field{"tau", &Comparison::tau, "Largest share of wrong rows that was assumed"},
    Field{"scale", &Comparison::scale, "Units of the columns"},
    Field{"columns", &Comparison::columns, "Names of the columns"},
    Field{"warnings", &Comparison::warnings, "What to look at"},
    Field{"seed", &Comparison::seed, "Of the run"},
    Field{"run", &Comparison::run, "How the run went"},
};

// ------------------------------------------------------------------------------------------- advice

template <>
inline constexpr std::tuple fields<BoundOptions>{
    Field{"d", &BoundOptions::d, "Columns", "D"},
    Field{"diameter", &BoundOptions::diameter, "Diameter of the inliers, for the paper's bounds", "L"},
    Field{"c_l", &BoundOptions::c_l, "Entropy constant C_L, which the paper leaves open", "C"},
    Field{"delta", &BoundOptions::delta, "Chance of failure in Prop. 5", "P"},
    Field{"alpha_o", &BoundOptions::alpha_o,
          "Assumption 3: exponent of the number of outliers (default: what fits tau with the smallest bound)",
          "A"},
    Field{"c_o", &BoundOptions::c_o, "Assumption 3: its constant (default: the smallest that fits tau)", "C"},
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

// ------------------------------------------------------------------------------------ outliers and doctor

template <>
inline constexpr std::tuple fields<OutlierOptions>{
    Field{"tau", &OutlierOptions::tau, "Largest share of wrong rows in a sample, in [0, 0.5)", "T"},
    Field{"scale", &OutlierOptions::scale,
          "Units of the columns: robust (each divided by its spread), none (as they are) or "
          "COLUMN=NUMBER,...",
          "S"},
    Field{"category_weight", &OutlierOptions::category_weight,
          "How far apart two levels of a category are, and a missing number from one that is there", "W"},
    Field{"list", &OutlierOptions::list,
          "Rows to list: all that stand out are, and the next ones until there are so many", "N"},
    Field{"threads", &OutlierOptions::threads, "Threads; 0: all cores. The answer does not depend on it", "N",
          "Run"},
};

/// Of Outliers and of Checkup as JSON, as distance_schema.
inline constexpr int outliers_schema = 1, doctor_schema = 1;

template <>
inline constexpr std::tuple fields<OutlierRow>{
    Field{"sample", &OutlierRow::sample, "x or y"},
    Field{"row", &OutlierRow::row, "Its number"},
    Field{"suspect", &OutlierRow::suspect, "Whether it stands out; otherwise it is one of the next"},
    Field{"score", &OutlierRow::score,
          "How strange: 1 where the strongest look has some twenty rows for one that is expected"},
    Field{"sign", &OutlierRow::sign, "What the reason is about"},
    Field{"column", &OutlierRow::column, "That explains it, or most of it"},
    Field{"value", &OutlierRow::value, "Of this row there"},
    Field{"units", &OutlierRow::units, "Sign off: robust spreads away from the median"},
    Field{"reason", &OutlierRow::reason, "In words"},
};

template <>
inline constexpr std::tuple fields<OutlierSample>{
    Field{"file", &OutlierSample::file, "Where it comes from"},
    Field{"n", &OutlierSample::n, "Rows"},
    Field{"rows_dropped", &OutlierSample::rows_dropped, "Not among them: a value is missing"},
    Field{"tau", &OutlierSample::tau, "Largest share of wrong rows that was assumed"},
    Field{"suspects", &OutlierSample::suspects, "Rows that stand out, ascending"},
    Field{"neighbour", &OutlierSample::neighbour,
          "The cut goes by the distance to so many-th nearest of the rows kept"},
    Field{"cut", &OutlierSample::cut, "The distance that a right row reaches in one of twenty tables"},
    Field{"expected_false", &OutlierSample::expected_false,
          "Right rows expected to lie as far out as the suspect nearest to the others"},
    Field{"false_share", &OutlierSample::false_share, "The same as a share of the suspects"},
};

template <>
inline constexpr std::tuple fields<Outliers>{
    Field{"rows", &Outliers::rows, "Rows that stand out, then the next ones, by falling score"},
    Field{"x", &Outliers::x, "The first sample"},
    Field{"y", &Outliers::y, "The second, if there is one"},
    Field{"scale", &Outliers::scale, "Units of the columns"},
    Field{"columns", &Outliers::columns, "Names of those that took part"},
    Field{"kinds", &Outliers::kinds, "Of these"},
    Field{"columns_left_out", &Outliers::columns_left_out, "Which, and why"},
    Field{"notes", &Outliers::notes, "What to know, and what to type"},
    Field{"run", &Outliers::run, "How the run went"},
};

template <>
inline constexpr std::tuple fields<Symptom>{
    Field{"code", &Symptom::code, "What is found"},
    Field{"table", &Symptom::table, "X, Y, or X and Y"},
    Field{"column", &Symptom::column, "The column; none: the whole table"},
    Field{"share", &Symptom::share, "Of the rows, or of the spread, that it is about"},
    Field{"text", &Symptom::text, "One sentence"},
    Field{"type", &Symptom::type, "What to type; none: nothing helps but the data"},
};

template <>
inline constexpr std::tuple fields<Forecast>{
    Field{"method", &Forecast::method, "As it is typed"},
    Field{"seconds", &Forecast::seconds, "Of CPU, within a factor of three"},
    Field{"megabytes", &Forecast::megabytes, "Of memory"},
};

template <>
inline constexpr std::tuple fields<Checkup>{
    Field{"n", &Checkup::n, "Rows of X"},
    Field{"m", &Checkup::m, "Rows of Y, if there is one"},
    Field{"columns", &Checkup::columns, "Their names"},
    Field{"kinds", &Checkup::kinds, "Of these, in X"},
    Field{"findings", &Checkup::findings, "What stands in the way, the worst first"},
    Field{"forecasts", &Checkup::forecasts, "What the methods would cost"},
};

}  // namespace motmot
