// Partial transport on the line. A unit that is moved earns a reward; a walk over the sorted points finds the
// best flow for one reward in a time proportional to their number, and bisection the reward for which the
// mass is 1.
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "transport/engine.hpp"

namespace motmot::solver {
namespace {

/// A point of either sample and what it may send (of x) or take (of y).
struct Place {
  double at;
  Mass capacity;
  std::uint32_t index;
  bool of_x;
};

std::vector<Place> sorted_places(PointsView x, PointsView y, const Masses& masses) {
  std::vector<Place> places;
  places.reserve(x.rows() + y.rows());
  for (std::uint32_t i = 0; i < x.rows(); ++i) places.push_back({x(i, 0), masses.a[i], i, true});
  for (std::uint32_t j = 0; j < y.rows(); ++j) places.push_back({y(j, 0), masses.b[j], j, false});
  std::ranges::stable_sort(places, {}, &Place::at);
  return places;
}

/// Slopes of a convex function, ascending, each over a length; all of them move together in a time that does
/// not depend on their number.
class Slopes {
 public:
  [[nodiscard]] bool empty() const { return parts_.empty(); }
  [[nodiscard]] double first() const { return parts_.front().slope + offset_; }
  [[nodiscard]] double last() const { return parts_.back().slope + offset_; }
  void add(double amount) {
    if (!parts_.empty()) offset_ += amount;
  }
  void push_first(double slope, Mass length) { parts_.push_front({slope - offset_, length}); }
  void push_last(double slope, Mass length) { parts_.push_back({slope - offset_, length}); }
  /// At most `most` of the first or last part; how much it was.
  Mass take_first(Mass most) {
    const Mass taken = std::min(most, parts_.front().length);
    if ((parts_.front().length -= taken) == 0) parts_.pop_front();
    begin_anew_if_empty();
    return taken;
  }
  Mass take_last(Mass most) {
    const Mass taken = std::min(most, parts_.back().length);
    if ((parts_.back().length -= taken) == 0) parts_.pop_back();
    begin_anew_if_empty();
    return taken;
  }

 private:
  /// A wide gap leaves nothing over, and is not to round what comes after it.
  void begin_anew_if_empty() {
    if (parts_.empty()) offset_ = 0;
  }

  struct Part {
    double slope;
    Mass length;
  };
  std::deque<Part> parts_;
  double offset_ = 0;
};

constexpr Mass everything = std::numeric_limits<Mass>::max();

/// The best flow where a unit that is moved earns `reward`.
struct Flow {
  std::vector<Mass> moved;  ///< of each place
  std::vector<double> phi;  ///< at each place: 1-Lipschitz, within [0, reward]
  Mass mass = 0;
};

/// f(F) is the least cost of the places so far when F units go on to the right (to the left where F < 0),
/// less their rewards. It is convex; a place of x joins a slope of -reward to it, a place of y one of 0, and
/// a gap of width g adds g |F|. Slopes outside [-reward, 0] can never pay and are cut off, so new slopes join
/// at the ends.
class Walk {
 public:
  Walk(const std::vector<Place>& places, double reward) : places_(places), reward_(reward) {
    ends_.reserve(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (k > 0) cross(places[k].at - places[k - 1].at);
      ends_.push_back({low_, high_, before_zero_, after_zero_});
      join(places[k]);
    }
  }

  [[nodiscard]] Flow flow() const {
    Flow found{.moved = std::vector<Mass>(places_.size()), .phi = std::vector<double>(places_.size())};
    Mass going_on = 0;
    const double least = left_.empty() ? -reward_ : left_.last(), most = right_.empty() ? 0 : right_.first();
    double slope = std::clamp(-reward_ / 2, least, std::max(least, most));
    // As long as mass goes one way, phi is measured from where it began to: no sums of many gaps.
    Bend bend{.at = places_.back().at, .slope = slope, .way = 0};
    for (std::size_t k = places_.size(); k-- > 0;) {
      const Ends& ends = ends_[k];
      const auto& [at, capacity, index, of_x] = places_[k];
      found.phi[k] = std::clamp(-slope, 0.0, reward_);
      found.moved[k] = std::min(capacity, of_x ? going_on - ends.low : ends.high - going_on);
      going_on += of_x ? -found.moved[k] : found.moved[k];
      if (of_x) found.mass += found.moved[k];
      if (k == 0) break;
      const int way = going_on > 0 ? -1 : going_on < 0 ? 1 : 0;
      if (way != bend.way || way == 0) bend = {at, slope, way};
      const double gap = at - places_[k - 1].at;
      if (way != 0) slope = bend.slope + way * (bend.at - places_[k - 1].at);
      else {
        const double low = std::max(ends.before_zero, slope - gap);
        slope = std::clamp(slope, low, std::max(low, std::min(ends.after_zero, slope + gap)));
      }
    }
    return found;
  }

 private:
  struct Bend {
    double at, slope;
    int way;
  };
  /// Where f lives in front of a place, and its slopes beside F = 0 in front of the gap before it.
  struct Ends {
    Mass low, high;
    double before_zero, after_zero;
  };

  void cross(double gap) {
    before_zero_ = left_.empty() ? -std::numeric_limits<double>::infinity() : left_.last();
    after_zero_ = right_.empty() ? std::numeric_limits<double>::infinity() : right_.first();
    left_.add(-gap);
    right_.add(gap);
    while (!left_.empty() && left_.first() < -reward_) low_ += left_.take_first(everything);
    while (!right_.empty() && right_.last() > 0) high_ -= right_.take_last(everything);
  }

  void join(const Place& place) {
    if (place.of_x) {
      left_.push_first(-reward_, place.capacity);
      high_ += place.capacity;
      for (Mass rest = place.capacity; rest > 0;) {
        const double slope = left_.last();
        const Mass taken = left_.take_last(rest);
        right_.push_first(slope, taken);
        rest -= taken;
      }
    } else {
      right_.push_last(0, place.capacity);
      low_ -= place.capacity;
      for (Mass rest = place.capacity; rest > 0;) {
        const double slope = right_.first();
        const Mass taken = right_.take_first(rest);
        left_.push_last(slope, taken);
        rest -= taken;
      }
    }
  }

  const std::vector<Place>& places_;
  double reward_;
  Slopes left_, right_;      ///< of f for F < 0 and for F > 0
  Mass low_ = 0, high_ = 0;  ///< f lives on [low_, high_], which holds 0
  double before_zero_ = 0, after_zero_ = 0;
  std::vector<Ends> ends_;
};

/// For the range and more all is moved. Where far points are few the search begins with what others ask for:
/// phi is then not rounded to a reward that is far larger than distances.
double first_reward(const std::vector<Place>& places) {
  constexpr double far_ratio = 1e3;
  const double range = places.back().at - places.front().at,
               of_half = places[places.size() * 3 / 4].at - places[places.size() / 4].at;
  return of_half > 0 && range > far_ratio * of_half ? of_half : 2 * range;
}

/// Two flows that are both best for one reward, mixed so that the mass is `total`.
std::vector<Mass> mixed(const std::vector<Place>& places, const Flow& less, const Flow& more, Mass total) {
  if (more.mass == total) return more.moved;
  const long double weight =
      static_cast<long double>(total - less.mass) / static_cast<long double>(more.mass - less.mass);
  std::vector<Mass> moved(places.size());
  Mass missing_x = total, missing_y = total;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Mass step = more.moved[k] - less.moved[k];
    moved[k] = less.moved[k] + static_cast<Mass>(std::floor(weight * static_cast<long double>(step)));
    (places[k].of_x ? missing_x : missing_y) -= moved[k];
  }
  // What rounding took or gave: a few units of 2^60, at places where both flows are right.
  for (std::size_t k = 0; k < places.size(); ++k) {
    Mass& missing = places[k].of_x ? missing_x : missing_y;
    const auto [least, most] = std::minmax(less.moved[k], more.moved[k]);
    const Mass fixed = std::clamp(moved[k] + missing, least, most);
    missing -= fixed - moved[k];
    moved[k] = fixed;
  }
  return moved;
}

}  // namespace

Transport solve_partial_line(PointsView x, PointsView y, const Masses& masses,
                             const TransportOptions& options) {
  const std::vector<Place> places = sorted_places(x, y, masses);
  const double most = 2 * (places.back().at - places.front().at);
  double low = 0, high = first_reward(places);
  Flow less{.moved = std::vector<Mass>(places.size()), .phi = {}}, more = Walk(places, high).flow();
  for (; more.mass < masses.total && high < most; more = Walk(places, high).flow()) {
    low = high;
    high = std::min(2 * high, most);
    less = std::move(more);
  }
  while (more.mass != masses.total) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    Flow tried = Walk(places, middle).flow();
    const bool enough = tried.mass >= masses.total;
    (enough ? high : low) = middle;
    (enough ? more : less) = std::move(tried);
  }
  const std::vector<Mass> moved = mixed(places, less, more, masses.total);

  Masses kept{.rows = {}, .cols = {}, .a = {}, .b = {}, .total = masses.total};
  std::vector<Mass> sent(x.rows()), taken(y.rows());
  for (std::size_t k = 0; k < places.size(); ++k) (places[k].of_x ? sent : taken)[places[k].index] = moved[k];
  const auto keep = [](const std::vector<Mass>& all, std::vector<std::uint32_t>& rows,
                       std::vector<Mass>& mass) {
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (all[i] > 0) {
        rows.push_back(i);
        mass.push_back(all[i]);
      }
  };
  keep(sent, kept.rows, kept.a);
  keep(taken, kept.cols, kept.b);

  TransportOptions with_plan = options;
  with_plan.want_plan = true;
  with_plan.want_potentials = false;
  Transport result = solve_one_dimension(x, y, kept, with_plan);
  result.u.resize(x.rows());
  result.v.resize(y.rows());
  for (std::size_t k = 0; k < places.size(); ++k)
    (places[k].of_x ? result.u : result.v)[places[k].index] = places[k].of_x ? more.phi[k] : -more.phi[k];
  result.u_left_out = masses.a.size() > x.rows() ? -std::ranges::max(result.v) : 0;
  result.v_left_out = masses.b.size() > y.rows() ? -std::ranges::max(result.u) : 0;
  const double unit = 1 / static_cast<double>(masses.total);
  result.gap = 0;
  for (const PlanEntry& entry : result.plan)
    result.gap += entry.mass * std::max(0.0, std::abs(x(entry.row, 0) - y(entry.col, 0)) -
                                                 result.u[entry.row] - result.v[entry.col]);
  for (std::size_t k = 0; k < places.size(); ++k) {
    const double price = places[k].of_x ? result.u[places[k].index] + result.v_left_out
                                        : result.v[places[k].index] + result.u_left_out;
    result.gap += static_cast<double>(places[k].capacity - moved[k]) * unit * std::max(0.0, -price);
  }
  if (!options.want_plan) result.plan.clear();
  if (!options.want_potentials) {
    result.u.clear();
    result.v.clear();
  }
  return result;
}

}  // namespace motmot::solver
