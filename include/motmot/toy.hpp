/// Samples whose distance is known and whose outliers are listed: Section 4.2 of the paper, and the
/// cases that are harder than it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// Inliers of X | inliers of Y | outliers; a number v stands for the vector (v, ..., v). U50 is the
/// uniform law on [-50, 50]^d. Unless two are given, outliers have the same law in both samples.
enum class Toy {
  d1,         ///< N(0, I) | N(5, I) | U50: isolated outliers, D_1 of Section 4.2
  d2,         ///< N(0, I) | N(5, I) | 25 + standard Cauchy in each coordinate: aggregate, D_2
  far,        ///< N(0, I) | N(5, I) | N(1000, I): all on one side
  behind,     ///< N(0, I) | N(5, I) | N(10, I) in X, behind Y; N(-5, I) in Y, behind X
  inside,     ///< N(0, I) | N(5, I) | N(5, I) in X, inside Y; N(0, I) in Y, inside X
  both,       ///< D_1 with outliers in both samples: tau_y defaults to tau_x
  shape,      ///< N(0, I) | N(0, 4 I) | U50: no shift, where a linear critic sees nothing
  skewed,     ///< Exp(1) in each coordinate | 5 + Exp(1) | U50
  lognormal,  ///< exp(N(0, 1)) in each coordinate | 5 + the same | U50
  t3,         ///< Student's t, 3 degrees of freedom, in each coordinate | 5 + the same | U50
  bimodal,    ///< 0.8 N(0, I) + 0.2 N(v, I) | 5 + the same | U50; v = (10, -10, 10, ...)
  shares,     ///< 0.7 N(0, I) + 0.3 N(v, I) | 0.4 N(0, I) + 0.6 N(v, I) | U50: where medians fail
};

inline constexpr std::array all_toys{Toy::d1,        Toy::d2,   Toy::far,     Toy::behind,
                                     Toy::inside,    Toy::both, Toy::shape,   Toy::skewed,
                                     Toy::lognormal, Toy::t3,   Toy::bimodal, Toy::shares};

[[nodiscard]] std::string_view name(Toy toy) noexcept;  ///< "d1"
[[nodiscard]] std::optional<Toy> toy_named(std::string_view name) noexcept;

struct ToyOptions {
  Toy toy = Toy::d1;
  std::size_t n = 500;            ///< rows of X, 1 .. 2^32 - 1
  std::size_t m = 500;            ///< rows of Y
  std::size_t d = 2;              ///< columns, >= 1
  double tau_x = 0.1;             ///< share of outliers in X, in [0, 1]
  std::optional<double> tau_y{};  ///< in Y; unset: tau_x for `both`, otherwise 0
  std::uint64_t seed = 0;
};

struct ToySample {
  Points x;
  Points y;
  std::vector<std::uint32_t> outliers_x;  ///< rows of X that are outliers, ascending
  std::vector<std::uint32_t> outliers_y;
  double population_w1 = std::numeric_limits<double>::quiet_NaN();  ///< W1 of the inliers' laws
};

/// Exactly round(tau n) outliers at random rows: a fixed count where the paper's mixture has a random
/// one, so that experiments compare like with like. A row is a function of the seed, its index and
/// whether it is an outlier: the same seed with tau = 0 gives the same inliers, a larger tau only
/// adds outliers, and a larger n keeps the earlier rows up to which of them are outliers.
[[nodiscard]] ToySample generate(const ToyOptions& options);

/// W1 between the laws of the inliers in dimension d: the length of the shift, sqrt(25 d); E|Z| for
/// `shape`, whose optimal map is radial; 0.3 |v| for `shares`.
[[nodiscard]] double population_w1(Toy toy, std::size_t d);

}  // namespace motmot
