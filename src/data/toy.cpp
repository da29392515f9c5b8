#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/log_gamma.hpp"
#include "base/memory.hpp"
#include "base/random.hpp"
#include "base/require.hpp"
#include "motmot/data.hpp"

namespace motmot {
namespace {

enum class Side { x, y };

constexpr double shift = 5;
constexpr double mode = 10;

void fill_normal(std::span<double> row, double centre, double sd, Rng& rng) {
  for (double& value : row) value = centre + sd * rng.normal();
}

void fill_uniform(std::span<double> row, Rng& rng) {
  for (double& value : row) value = rng.uniform(-50, 50);
}

double student3(Rng& rng) {
  const double z = rng.normal();
  double chi2 = 0;
  for (int i = 0; i < 3; ++i) {
    const double g = rng.normal();
    chi2 += g * g;
  }
  return z / std::sqrt(chi2 / 3);
}

/// N(0, I), or with the given chance N(v, I), v = (10, -10, 10, ...).
void fill_two_modes(std::span<double> row, double share, Rng& rng) {
  const bool second = rng.uniform() < share;
  fill_normal(row, 0, 1, rng);
  if (!second) return;
  for (std::size_t j = 0; j < row.size(); ++j) row[j] += j % 2 == 0 ? mode : -mode;
}

/// An inlier. Those of Y are shifted, except in `shape` and `shares`, where Y has another law.
void fill_inlier(Toy toy, Side side, std::span<double> row, Rng& rng) {
  const bool is_y = side == Side::y;
  switch (toy) {
    case Toy::shape:
      return fill_normal(row, 0, is_y ? 2 : 1, rng);
    case Toy::shares:
      return fill_two_modes(row, is_y ? 0.6 : 0.3, rng);
    case Toy::skewed:
      for (double& value : row) value = rng.exponential();
      break;
    case Toy::lognormal:
      for (double& value : row) value = std::exp(rng.normal());
      break;
    case Toy::t3:
      for (double& value : row) value = student3(rng);
      break;
    case Toy::bimodal:
      fill_two_modes(row, 0.2, rng);
      break;
    default:
      fill_normal(row, 0, 1, rng);
  }
  if (is_y)
    for (double& value : row) value += shift;
}

void fill_outlier(Toy toy, Side side, std::span<double> row, Rng& rng) {
  const bool is_y = side == Side::y;
  switch (toy) {
    case Toy::d2:
      for (double& value : row) value = 25 + rng.cauchy();
      return;
    case Toy::far:
      return fill_normal(row, 1000, 1, rng);
    case Toy::behind:
      return fill_normal(row, is_y ? -shift : 2 * shift, 1, rng);
    case Toy::inside:
      return fill_normal(row, is_y ? 0 : shift, 1, rng);
    default:
      return fill_uniform(row, rng);
  }
}

/// `count` of n rows, ascending. The first draws of a partial Fisher-Yates shuffle: those for a
/// smaller count are among them.
std::vector<std::uint32_t> draw_rows(std::size_t n, std::size_t count, Rng rng) {
  std::vector<std::uint32_t> rows(n);
  std::iota(rows.begin(), rows.end(), 0u);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(rows[i], rows[i + rng.below(static_cast<std::uint32_t>(n - i))]);
  rows.resize(count);
  std::ranges::sort(rows);
  return rows;
}

Points draw_points(const ToyOptions& options, Side side, const std::vector<std::uint32_t>& outliers) {
  const Purpose purpose = side == Side::x ? Purpose::toy_x : Purpose::toy_y;
  Points points(side == Side::x ? options.n : options.m, options.d);
  auto next = outliers.begin();
  for (std::size_t i = 0; i < points.rows(); ++i) {
    Rng rng(options.seed, purpose, i + 1);  // step 0 drew the outliers' positions
    const bool outlier = next != outliers.end() && *next == i;
    if (outlier) ++next;
    (outlier ? fill_outlier : fill_inlier)(options.toy, side, points.row(i), rng);
  }
  return points;
}

std::vector<std::uint32_t> draw_outliers(std::size_t n, double tau, Rng rng) {
  return draw_rows(n, static_cast<std::size_t>(std::round(tau * static_cast<double>(n))), rng);
}

void validate(const ToyOptions& options, double tau_y) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  require(options.n >= 1 && options.n <= most && options.m >= 1 && options.m <= most, Errc::invalid_argument,
          "need 1 <= n, m < 2^32, got n = ", options.n, ", m = ", options.m);
  require(options.d >= 1 && options.d <= most, Errc::invalid_argument,
          "need 1 <= d < 2^32, got d = ", options.d);
  for (const double tau : {options.tau_x, tau_y})
    require(tau >= 0 && tau <= 1, Errc::invalid_argument, "tau must lie in [0, 1], got ", tau);
}

}  // namespace

double population_w1(Toy toy, std::size_t d) {
  const double dim = static_cast<double>(d);
  // x -> 2 x is the gradient of a convex function and radial, so |x| is the potential: E|2Z| - E|Z|.
  if (toy == Toy::shape) return std::sqrt(2.0) * std::exp(log_gamma((dim + 1) / 2) - log_gamma(dim / 2));
  // 0.3 of the mass moves by v; no less will do, since the means differ by 0.3 v.
  if (toy == Toy::shares) return 0.3 * mode * std::sqrt(dim);
  return shift * std::sqrt(dim);  // a law against itself, shifted
}

double generate_bytes(const ToyOptions& options) {
  constexpr double to_spare = 1.25;
  const double of_order = sizeof(std::uint32_t);  // in which rows become outliers, drawn once for all of them
  return to_spare * (process_bytes + sample_bytes(options.n, options.d) + sample_bytes(options.m, options.d) +
                     of_order * (static_cast<double>(options.n) + static_cast<double>(options.m)));
}

ToySample generate(const ToyOptions& options) {
  const double tau_y = options.tau_y.value_or(options.toy == Toy::both ? options.tau_x : 0);
  validate(options, tau_y);
  require_memory(generate_bytes(options), options.memory_limit, "take fewer rows or columns");
  ToySample sample;
  sample.outliers_x = draw_outliers(options.n, options.tau_x, Rng(options.seed, Purpose::toy_x, 0));
  sample.outliers_y = draw_outliers(options.m, tau_y, Rng(options.seed, Purpose::toy_y, 0));
  sample.x = draw_points(options, Side::x, sample.outliers_x);
  sample.y = draw_points(options, Side::y, sample.outliers_y);
  sample.population_w1 = population_w1(options.toy, options.d);
  return sample;
}

}  // namespace motmot
