#include "outliers/looks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "base/statistics.hpp"
#include "data/without.hpp"
#include "neighbours/neighbours.hpp"
#include "outliers/falloff.hpp"
#include "outliers/relations.hpp"

namespace motmot {
namespace {

constexpr std::size_t near = 5;            ///< neighbour that small groups of wrong rows do not reach
constexpr std::size_t most_columns = 400;  ///< whose correlations are worth their cost
constexpr double lift_of_distances = 0.3;  ///< times the median, before logs are taken: as lone_rows() does
constexpr double lift_of_columns = 3;      ///< tails of single columns are lighter

/// A look at one column.
struct ColumnLook {
  std::size_t column = 0;      ///< of the coding
  std::size_t coordinate = 0;  ///< of the points
  bool given_others = false;
};

bool is_tied(PointsView points, std::size_t j, std::span<const std::uint32_t> kept) {
  std::vector<double> values;
  for (const std::uint32_t row : kept) values.push_back(points(row, j));
  std::ranges::sort(values);
  const std::size_t many = values.size() / 4;
  for (std::size_t i = 0; i + many < values.size(); ++i)
    if (values[i] == values[i + many]) return true;
  return false;
}

std::vector<ColumnLook> column_looks(const LookedAt& sample, std::span<const std::uint32_t> kept,
                                     bool with_relations) {
  std::vector<ColumnLook> looks;
  std::size_t first = 0;
  for (std::size_t k = 0; k < sample.coding.columns.size(); ++k) {
    const CodedColumn& coded = sample.coding.columns[k];
    if (coded.kind != Kind::category && !is_tied(sample.points, first, kept)) {
      looks.push_back({k, first, false});
      if (with_relations && coded.kind == Kind::number) looks.push_back({k, first, true});
    }
    first += coded.width();
  }
  return looks;
}

/// The median, of those that are not 0 where that is 0.
double typical_size(const std::vector<double>& values) {
  const double median = median_of(values);
  if (median > 0) return median;
  std::vector<double> positive;
  std::ranges::copy_if(values, std::back_inserter(positive), [](double value) { return value > 0; });
  return positive.empty() ? 0 : median_of(std::move(positive));
}

std::vector<double> surprises(std::span<const double> values, double lift, const LookedAt& sample) {
  const double typical = typical_size(without(values, sample.suspects));
  if (typical == 0) return std::vector<double>(values.size(), 0.0);
  std::vector<double> found(values.begin(), values.end());
  for (double& value : found) value = std::log(value + lift * typical);
  const Falloff falloff = falloff_of(found, sample.suspects, sample.still_wrong);
  for (double& value : found) value = falloff.surprise(value);
  return found;
}

std::vector<double> from_median(PointsView points, std::size_t j, std::span<const std::uint32_t> kept) {
  std::vector<double> values, of_kept;
  for (std::size_t i = 0; i < points.n; ++i) values.push_back(points(i, j));
  for (const std::uint32_t row : kept) of_kept.push_back(values[row]);
  const double median = median_of(std::move(of_kept));
  for (double& value : values) value -= median;
  return values;
}

std::vector<double> sizes(std::vector<double> values) {
  for (double& value : values) value = std::abs(value);
  return values;
}

/// The strongest look so far at each row.
struct Strongest {
  std::vector<double> evidence;
  std::vector<std::size_t> look;  ///< no_look, or the place of a look at a column

  static constexpr std::size_t no_look = std::numeric_limits<std::size_t>::max();
  explicit Strongest(std::size_t n)
      : evidence(n, -std::numeric_limits<double>::infinity()), look(n, no_look) {}
  void add(std::span<const double> surprises, double among, std::size_t place = no_look) {
    constexpr double between_ties = 1e-3;  // rows of one cut have the same evidence
    const std::vector<double> found = motmot::evidence(surprises);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double value = found[i] + between_ties * surprises[i] - std::log(among);
      if (value > evidence[i]) evidence[i] = value, look[i] = place;
    }
  }
};

}  // namespace

std::vector<double> distances_to_kept(PointsView points, std::span<const std::uint32_t> suspects,
                                      std::size_t k, Team& team, Passes& passes) {
  std::vector<double> distances(points.n, 0.0);
  const std::vector<std::uint32_t> kept = rows_without(points.n, suspects);
  const Points rest = without(points, suspects), out = without(points, kept);
  const auto put = [&](std::span<const std::uint32_t> rows, const std::vector<double>& found) {
    for (std::size_t i = 0; i < rows.size(); ++i) distances[rows[i]] = found[i];
  };
  if (kept.size() > 1)
    put(kept, unless_stopped(kth_distances(rest, std::array{k}, team, passes.next())).front());
  if (!suspects.empty())
    put(suspects, unless_stopped(kth_distances_to(out, rest, std::array{k}, team, passes.next())).front());
  return distances;
}

Looks look_at(const LookedAt& sample, Team& team, Passes& passes) {
  const PointsView points = sample.points;
  const std::vector<std::uint32_t> kept = rows_without(points.n, sample.suspects);
  const std::size_t k = std::clamp<std::size_t>(kept.size() - 1, 1, near);
  std::optional<Relations> relations;
  if (points.d > 1 && points.d <= most_columns) relations.emplace(points, kept);

  Strongest strongest(points.n);
  strongest.add(surprises(sample.distances, lift_of_distances, sample), 1);
  const std::vector<double> nearby =
      surprises(distances_to_kept(points, sample.suspects, k, team, passes), lift_of_distances, sample);
  strongest.add(nearby, 1);
  std::vector<double> unrelated = nearby;
  if (relations)
    unrelated =
        surprises(distances_to_kept(relations->decorrelated(points), sample.suspects, k, team, passes),
                  lift_of_distances, sample);

  const std::vector<ColumnLook> looks = column_looks(sample, kept, relations.has_value());
  std::vector<std::vector<double>> values(looks.size()), found(looks.size());
  team.run(looks.size(), [&](std::size_t i, std::size_t) {
    values[i] = looks[i].given_others ? relations->residuals(points, looks[i].coordinate)
                                      : from_median(points, looks[i].coordinate, kept);
    found[i] = surprises(sizes(values[i]), lift_of_columns, sample);
  });
  const auto columns = static_cast<double>(std::ranges::count(looks, false, &ColumnLook::given_others));
  for (std::size_t i = 0; i < looks.size(); ++i) strongest.add(found[i], columns, i);

  Looks seen{.unexpected = std::vector<std::optional<Unexpected>>(points.n)};
  for (std::size_t i = 0; i < points.n; ++i) {
    const double sum = strongest.evidence[i] + 0.25 * (nearby[i] + unrelated[i]);
    // log(1 + e^sum), without overflow
    seen.scores.push_back((std::max(sum, 0.0) + std::log1p(std::exp(-std::abs(sum)))) / std::log(20.0));
    const std::size_t place = strongest.look[i];
    if (place == Strongest::no_look || !looks[place].given_others || strongest.evidence[i] <= 0) continue;
    seen.unexpected[i] = {.column = looks[place].column,
                          .residual = values[place][i],
                          .usual = median_of(without(sizes(values[place]), sample.suspects))};
  }
  return seen;
}

}  // namespace motmot
