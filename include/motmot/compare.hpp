/// Several distances of two samples side by side: what each says, what it assumes, how long it takes, and how
/// far known dirt moves it.
///
///   const Comparison c = compare(x, y, {.stress = true});
///   std::cout << text(c);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/answer.hpp"
#include "motmot/tables.hpp"

namespace motmot {

/// Distances that are compared.
enum class Method {
  company,  ///< distance(): W1 without the rows that stand alone
  mom,      ///< the paper's estimators (Definition 2)
  mou,
  mou_diag,
  plain,    ///< W1 of all rows
  partial,  ///< partial transport: the shares tau that cost most are left out
  sliced,   ///< mean W1 of the rows seen along 100 random directions
  energy,   ///< energy distance 2 E|X - Y| - E|X - X'| - E|Y - Y'|
};
template <>
inline constexpr auto names<Method> = names_in_order<Method>("company", "mom", "mou", "mou-diag", "plain",
                                                             "partial", "sliced", "energy");

/// What a method takes for granted, and what its number is, in a few words.
[[nodiscard]] std::string_view assumes(Method method) noexcept;

/// Dirt that is planted in rows of X: in so many that with those that stand alone already the share tau is
/// wrong.
enum class Dirt {
  sentinel,  ///< one number typed as -999, or as many nines as lie outside of the data
  cluster,   ///< all numbers moved to one place, 20 spreads away
  decimal,   ///< one number a hundred times too large
};
template <>
inline constexpr auto names<Dirt> = names_in_order<Dirt>("sentinel", "cluster", "decimal");

struct CompareOptions {
  double tau = 0.1;                  ///< largest share of wrong rows in each sample, in [0, 1/2)
  std::string scale = "auto";        ///< as DistanceOptions::scale
  double category_weight = 1;        ///< how far apart two levels of a category are, > 0
  Missing missing = Missing::error;  ///< with `level`, numbers may be missing
  bool stress = false;               ///< also plant dirt and say what it does
  std::uint64_t seed = 0;            ///< the run is a function of the data, the options and this
  std::size_t threads = 0;           ///< 0: all cores. Changes the times, never the values.
  /// As DistanceOptions::memory_limit.
  std::uint64_t memory_limit = 0;
  Progress progress{};
};

/// What dirt does to a method.
struct Stressed {
  Dirt dirt{};
  double value = 0;                  ///< of the samples with the dirt
  std::optional<double> movement{};  ///< value over that without dirt, less 1; unset where that is 0
};

struct MethodResult {
  Method method{};
  double value = 0;
  double seconds = 0;
  std::string assumes{};
  std::vector<Stressed> stress{};  ///< one for each of Comparison::planted
};

/// Dirt as it was planted.
struct Planted {
  Dirt dirt{};
  std::size_t rows = 0;  ///< of X
  std::string what{};    ///< "c2 typed as -999"
};

struct Comparison {
  std::vector<MethodResult> methods{};
  std::vector<Planted> planted{};
  std::optional<double> p_value{};  ///< of no difference, by distance()
  std::size_t n = 0, m = 0, d = 0;
  double tau = 0;
  std::string scale{};
  std::vector<std::string> columns{};
  std::vector<std::string> warnings{};
  std::uint64_t seed = 0;
  RunReport run{};
};

/// Bytes that compare() takes at most for n x m rows of d coordinates, with the samples; measured peaks are
/// half of it or more (docs/results-trust.md).
[[nodiscard]] double compare_bytes(std::size_t n, std::size_t m, std::size_t d,
                                   const CompareOptions& options = {});

/// All methods on the same coded rows, one after another. Beyond 5000 rows of a sample they see 5000, drawn
/// by the seed: a warning says so. Stopped by progress, the methods so far are listed.
[[nodiscard]] Comparison compare(const Frame& x, const Frame& y, const CompareOptions& options = {});

/// The table as the command prints it.
[[nodiscard]] std::string text(const Comparison& comparison);

/// The mean over `directions` random ones of W1 between the rows seen along each: at most W1, and about a
/// constant below it that depends on the number of columns. O(directions (n + m) (d + log)).
[[nodiscard]] double sliced_w1(PointsView x, PointsView y, std::size_t directions = 100,
                               std::uint64_t seed = 0);

}  // namespace motmot
