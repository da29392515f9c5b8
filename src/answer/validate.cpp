#include <cmath>

#include "answer/plan.hpp"
#include "base/require.hpp"

namespace motmot {
namespace {

void require_rows(PointsView points, const char* sample) {
  require(points.rows() > 0 && points.cols() > 0, Errc::invalid_argument, sample, " is empty");
  require(points.rows() <= 0x7fffffffu, Errc::unsupported, sample, " has ", points.rows(),
          " rows; at most 2^31 - 1 are supported");
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (std::size_t j = 0; j < points.cols(); ++j)
      require(std::isfinite(points(i, j)), Errc::numeric, "row ", i + 1, ", column ", j + 1, " of ", sample,
              " is ", points(i, j), "; every value must be finite");
}

void require_tau(double tau, const char* option) {
  require(0 <= tau && tau < 0.5, Errc::invalid_argument, option, " must lie in [0, 0.5), got ", tau);
}

void require_scheme(const DistanceOptions& o) {
  require(o.scheme != Scheme::pairs || o.estimator == Estimator::mou, Errc::invalid_argument,
          "scheme pairs is for estimator mou, got ", name(o.estimator));
  require(o.scheme == Scheme::swor || (o.b_x == 0 && o.b_y == 0), Errc::invalid_argument,
          "block sizes are free in scheme swor only, got scheme ", name(o.scheme));
  require(o.scheme == Scheme::pairs || o.pairs == 0, Errc::invalid_argument,
          "a number of pairs is for scheme pairs, got scheme ", name(o.scheme));
}

void require_network(const DistanceOptions& o) {
  for (const std::size_t size : o.mlp.hidden)
    require(1 <= size && size <= 65536, Errc::invalid_argument, "a hidden layer needs 1 to 65536 units, got ",
            size);
  require(o.ascent.tail >= 1, Errc::invalid_argument, "the tail needs at least one step, got ",
          o.ascent.tail);
  const auto positive = [](double value, const char* option) {
    require(std::isfinite(value) && value > 0, Errc::invalid_argument, option, " must be positive, got ",
            value);
  };
  positive(o.ascent.rate, "the rate");
  positive(o.ascent.clip, "the clip");
  positive(o.ascent.eps, "eps");
  require(0 <= o.ascent.alpha && o.ascent.alpha < 1, Errc::invalid_argument, "alpha must lie in [0, 1), got ",
          o.ascent.alpha);
}

void require_weights(const DistanceOptions& o) {
  if (o.weights_x.empty() && o.weights_y.empty()) return;
  require(o.estimator == Estimator::plain, Errc::invalid_argument,
          "row weights are for estimator plain: block means take none, got estimator ", name(o.estimator));
  require(o.critic == CriticKind::exact || o.critic == CriticKind::automatic, Errc::invalid_argument,
          "row weights need critic exact, got ", name(o.critic));
}

void require_tau_auto(const DistanceOptions& o) {
  if (!o.tau_auto) return;
  require(o.critic == CriticKind::exact || o.critic == CriticKind::automatic, Errc::invalid_argument,
          "tau auto needs critic exact, got ", name(o.critic));
  require(o.estimator != Estimator::plain && o.k_x == 0 && o.k_y == 0, Errc::invalid_argument,
          "tau auto chooses the number of blocks: give no blocks, and an estimator that has some");
}

}  // namespace

void validate(PointsView x, PointsView y, const DistanceOptions& options) {
  require_tau(options.tau_x, "tau_x");
  require_tau(options.tau_y, "tau_y");
  require_scheme(options);
  require_weights(options);
  require_tau_auto(options);
  require_network(options);
  require(x.cols() == y.cols(), Errc::invalid_argument, "X and Y must have the same number of columns, got ",
          x.cols(), " and ", y.cols());
  require_rows(x, "X");
  require_rows(y, "Y");
}

}  // namespace motmot
