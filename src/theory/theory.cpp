// Prop. 5 (prop:appli_dev) and Theorem 6 (thm:expectation) in numbers.
#include "theory/theory.hpp"

#include <algorithm>
#include <limits>
#include <numbers>

#include "base/text.hpp"

namespace motmot {
namespace {

constexpr const char* prop5 = "Prop. 5 (prop:appli_dev)";
constexpr const char* theorem6 = "Theorem 6 (thm:expectation)";
constexpr const char* of_one_sample = "W(mu_MoM, mu)";
constexpr const char* of_mom = "|W_MoM - W|";
constexpr const char* of_mou_diag = "|W_MoU-diag - W|";

/// exp(log_value) in decimal, for values that a double cannot hold: 4e-389.
std::string power_of_ten(double log_value) {
  const double log10_value = log_value / std::numbers::ln10;
  if (log10_value > -300) return significant(std::exp(log_value), 4);
  return "10^" + significant(std::floor(log10_value), 17);
}

void require_bound_options(const BoundOptions& options) {
  require(options.d >= 1, Errc::invalid_argument, "need d >= 1, got d = ", options.d);
  require(options.diameter > 0 && std::isfinite(options.diameter), Errc::invalid_argument,
          "the diameter must be positive and finite, got ", options.diameter);
  require(options.c_l >= 0 && std::isfinite(options.c_l), Errc::invalid_argument,
          "C_L must be finite and not negative, got ", options.c_l);
  require(options.delta > 0 && options.delta < 1, Errc::invalid_argument, "delta must lie in (0, 1), got ",
          options.delta);
  const double alpha_o = options.alpha_o.value_or(0);
  require(alpha_o >= 0 && alpha_o < 1, Errc::invalid_argument, "alpha_O must lie in [0, 1), got ", alpha_o);
  const double c_o = options.c_o.value_or(1);
  require(c_o >= 1, Errc::invalid_argument, "C_O must be at least 1, got ", c_o);
  require(options.beta >= 0 && options.beta <= 1, Errc::invalid_argument, "beta must lie in [0, 1], got ",
          options.beta);
}

/// n^(-1/(d+2)), the rate of Prop. 5 and Theorem 6.
double rate(std::size_t n, std::size_t d) {
  return std::pow(static_cast<double>(n), -1 / (static_cast<double>(d) + 2));
}

void flag_if_vacuous(Bound& bound, double diameter) {
  bound.vacuous = bound.value.has_value() && *bound.value >= diameter;
  if (bound.vacuous)
    bound.notes.push_back("vacuous: the diameter, " + significant(diameter, 4) +
                          ", bounds it without any data");
}

/// Both sides of the triangle inequality at once; a sample that is not covered leaves no sum.
Bound sum_of(const Bound& x, const Bound& y, const BoundOptions& options) {
  Bound sum{.statement = x.statement, .bounded = of_mom, .value = {}, .log_delta = {}, .notes = {}};
  if (x.value && y.value) {
    sum.value = *x.value + *y.value;
    sum.notes.emplace_back("the sum over X and Y (triangle inequality)");
  } else {
    sum.notes.emplace_back(std::string("not covered, because ") + (x.value ? "Y" : "X") + " is not");
  }
  flag_if_vacuous(sum, options.diameter);
  return sum;
}

Bound deviation(std::size_t n, double tau, double factor, double delta, const BoundOptions& options) {
  Bound bound{.statement = prop5, .bounded = of_one_sample, .value = {}, .log_delta = {}, .notes = {}};
  const double rows = static_cast<double>(n);
  const double log_delta_max = -4 * rows * std::sqrt(2 * tau);
  bound.log_delta = std::min(std::log(delta), log_delta_max);
  bound.value = factor * (c1(tau, options) * rate(n, options.d) +
                          c2(tau, options) * std::sqrt(-*bound.log_delta / rows));
  if (std::log(delta) > log_delta_max) {
    bound.notes.push_back("delta = " + significant(delta, 4) +
                          " is not admitted: it takes delta <= exp(-4 n " +
                          "sqrt(2 tau)) = " + power_of_ten(log_delta_max) + ", used here instead");
    const double floor = factor * c2(tau, options) * 2 * std::pow(2 * tau, 0.25);
    bound.notes.push_back("no n brings the bound below " + significant(floor, 4) + " at this tau");
  }
  if (tau == 0) bound.notes.emplace_back("tau = 0 would make K = 0; read as the plain mean, K = 1");
  flag_if_vacuous(bound, options.diameter);
  return bound;
}

void not_covered(Bound& bound, const std::string& why) { bound.notes.push_back("not covered: " + why); }

/// Whether mou-diag's own hypotheses hold; says what fails.
bool covers_mou_diag(Bound& bound, std::size_t n, std::size_t m, double tau_x, double tau_y) {
  for (const Condition& condition : admitted(Estimator::mou_diag, tau_x, tau_y, n, m).conditions)
    if (!condition.holds) not_covered(bound, "it needs " + condition.text);
  return bound.notes.empty();
}

/// The constants of Assumption 3 (ass:nO) for a sample with n_O = tau n outliers.
struct OutlierGrowth {
  double alpha_o = 0;
  double c_o = 1;
};

/// What the options leave open: the alpha_O given here, and the smallest C_O with n_O <= C_O^2 n^alpha_O.
OutlierGrowth growth_for(std::size_t n, double tau, double default_alpha, const BoundOptions& options) {
  const double alpha_o = options.alpha_o.value_or(default_alpha);
  const double smallest = std::sqrt(tau * std::pow(static_cast<double>(n), 1 - alpha_o));
  return {alpha_o, options.c_o.value_or(std::max(1.0, smallest))};
}

void check_growth(Bound& bound, std::size_t n, double tau, OutlierGrowth growth) {
  const double rows = static_cast<double>(n);
  const double most = growth.c_o * growth.c_o * std::pow(rows, growth.alpha_o);
  if (tau * rows > most * (1 + 1e-9))
    not_covered(bound, "Assumption 3 (ass:nO) fails, n_O = " + significant(tau * rows, 4) +
                           " > C_O^2 n^alpha_O = " + significant(most, 4));
}

/// n^(1/(d+2) + (1-beta)/2) >= C_1 / (2 C_2 (2 tau)^(1/4)), and tau > 0.
void check_size(Bound& bound, std::size_t n, double tau, const BoundOptions& options) {
  if (tau == 0) return not_covered(bound, "kappa_2 divides by tau, so tau must be positive");
  const double exponent = 1 / (static_cast<double>(options.d) + 2) + (1 - options.beta) / 2;
  const double least = c1(tau, options) / (2 * c2(tau, options) * std::pow(2 * tau, 0.25));
  if (std::pow(static_cast<double>(n), exponent) < least)
    not_covered(bound, "it takes n >= " + significant(std::ceil(std::pow(least, 1 / exponent)), 4));
}

}  // namespace

double gamma_factor(double tau) noexcept {
  if (tau >= 0.5) return std::numeric_limits<double>::infinity();
  return std::sqrt((1 + std::sqrt(2 * tau)) / (1 - 2 * tau));
}

double c2(double tau, const BoundOptions& options) { return 4 * options.diameter * gamma_factor(tau); }

double c1(double tau, const BoundOptions& options) { return 2 + options.c_l * c2(tau, options); }

double Kappas::kappa_prime() const noexcept {
  return 2 * kappa1 + 2 * std::numbers::sqrt2 * kappa2 + 2 * kappa3;
}

Kappas kappas(double tau, double c_o, const BoundOptions& options) {
  require(tau > 0 && tau < 0.5, Errc::invalid_argument, "Theorem 6 needs 0 < tau < 1/2, got ", tau);
  const double c2_tau = c2(tau, options);
  return {.kappa1 = c1(tau, options),
          .kappa2 = 2 * c_o * c2_tau * std::pow(2 / tau, 0.25),
          .kappa3 = std::sqrt(std::numbers::pi) * c2_tau / 2};
}

Bound prop5_one_sample(std::size_t n, double tau, const BoundOptions& options) {
  require_sizes(n, 1);
  require_tau(tau);
  require_bound_options(options);
  return deviation(n, tau, 1, options.delta, options);
}

Bound prop5_mom(std::size_t n, std::size_t m, double tau_x, double tau_y, const BoundOptions& options) {
  require_bound_options(options);
  BoundOptions half = options;  // the union of the two samples' failures
  half.delta = options.delta / 2;
  const Bound x = prop5_one_sample(n, tau_x, half);
  const Bound y = prop5_one_sample(m, tau_y, half);
  Bound sum = sum_of(x, y, options);
  sum.notes.emplace_back("each sample at delta / 2");
  sum.log_delta =
      std::max(*x.log_delta, *y.log_delta) + std::log1p(std::exp(-std::abs(*x.log_delta - *y.log_delta)));
  return sum;
}

Bound prop5_mou_diag(std::size_t n, std::size_t m, double tau_x, double tau_y, const BoundOptions& options) {
  require_case(n, m, tau_x, tau_y);
  require_bound_options(options);
  Bound bound{.statement = prop5, .bounded = of_mou_diag, .value = {}, .log_delta = {}, .notes = {}};
  if (!covers_mou_diag(bound, n, m, tau_x, tau_y)) return bound;
  bound = deviation(n, tau_x + tau_y, 2, options.delta, options);
  bound.bounded = of_mou_diag;
  return bound;
}

Bound theorem6_one_sample(std::size_t n, double tau, const BoundOptions& options) {
  require_sizes(n, 1);
  require_tau(tau);
  require_bound_options(options);
  Bound bound{.statement = theorem6, .bounded = of_one_sample, .value = {}, .log_delta = {}, .notes = {}};
  const OutlierGrowth growth = growth_for(n, tau, 0, options);
  check_growth(bound, n, tau, growth);
  check_size(bound, n, tau, options);
  if (options.beta <= growth.alpha_o) not_covered(bound, "it needs beta > alpha_O");
  if (!bound.notes.empty()) return bound;
  const Kappas k = kappas(tau, growth.c_o, options);
  const double rows = static_cast<double>(n);
  bound.value = k.kappa1 * rate(n, options.d) +
                k.kappa2 * std::pow(rows, -(options.beta - growth.alpha_o) / 2) +
                k.kappa3 * std::pow(rows, -options.beta / 2);
  flag_if_vacuous(bound, options.diameter);
  return bound;
}

Bound theorem6_mom(std::size_t n, std::size_t m, double tau_x, double tau_y, const BoundOptions& options) {
  return sum_of(theorem6_one_sample(n, tau_x, options), theorem6_one_sample(m, tau_y, options), options);
}

Bound theorem6_mou_diag(std::size_t n, std::size_t m, double tau_x, double tau_y,
                        const BoundOptions& options) {
  require_case(n, m, tau_x, tau_y);
  require_bound_options(options);
  Bound bound{.statement = theorem6, .bounded = of_mou_diag, .value = {}, .log_delta = {}, .notes = {}};
  if (!covers_mou_diag(bound, n, m, tau_x, tau_y)) return bound;
  const double d = static_cast<double>(options.d);
  // Assumption 3 is about each sample by itself, the condition on n about tau_x + tau_y.
  const double larger = std::max(tau_x, tau_y);
  const OutlierGrowth growth = growth_for(n, larger, d / (d + 2), options);
  check_growth(bound, n, larger, growth);
  check_size(bound, n, tau_x + tau_y, options);
  if (growth.alpha_o > d / (d + 2)) not_covered(bound, "it needs alpha_O <= d / (d + 2)");
  if (options.beta != 1) not_covered(bound, "it is stated for beta = 1 only");
  if (!bound.notes.empty()) return bound;
  bound.value = kappas(tau_x + tau_y, growth.c_o, options).kappa_prime() * rate(n, options.d);
  flag_if_vacuous(bound, options.diameter);
  return bound;
}

}  // namespace motmot
