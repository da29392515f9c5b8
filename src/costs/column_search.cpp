#include "costs/column_search.hpp"

#include <algorithm>

namespace motmot::solver {
namespace {

template <std::size_t D>
RayPoint<D> point(const Side& side, std::size_t k) {
  RayPoint<D> at;
  std::copy_n(side.at.data() + D * k, D, at.begin());
  return at;
}

}  // namespace

void FlatSearch::set(std::span<const double> v) {
  if (!geometry_.lifted()) return raised_.reset(geometry_, v);
  in_gauge_.assign(v.begin(), v.end());
  for (std::size_t j = 0; j < geometry_.y().n; ++j) in_gauge_[j] -= geometry_.y().lift[j];
  raised_.reset(geometry_, in_gauge_);
}

std::span<const std::uint32_t> FlatSearch::below(std::size_t i, double bound) {
  if (geometry_.lifted() && i < geometry_.x().n) bound -= geometry_.x().lift[i];
  return scanner_.collect_columns(i, raised_, raised_bound(bound, geometry_.row_margin(i)));
}

template <std::size_t D>
std::vector<RayPoint<D>> ray_points(const Side& side) {
  std::vector<RayPoint<D>> all(side.n);
  for (std::size_t k = 0; k < side.n; ++k) all[k] = point<D>(side, k);
  return all;
}

template <std::size_t D>
void TreeSearch<D>::build(std::span<const FlowEntry> flows) {
  const Side& x = geometry_.x();
  const Side& y = geometry_.y();
  margin_ = 1e-14 * (x.largest + y.largest);
  columns_ = ray_points<D>(y);
  rays_.assign(y.n, {});
  std::vector<Mass> largest(y.n, 0);
  for (const FlowEntry& flow : flows) {
    if (flow.row >= x.n || flow.col >= y.n || flow.amount <= largest[flow.col]) continue;
    largest[flow.col] = flow.amount;
    rays_[flow.col] = difference(point<D>(x, flow.row), columns_[flow.col]);
  }
  tree_.build(columns_, rays_);
  column_of_.assign(tree_.places(), nobody);
  for (std::uint32_t j = 0; j < y.n; ++j) column_of_[tree_.place(j)] = j;
}

// |x - y| - r - s - v, without the gauge of the row: distance + price.
template <std::size_t D>
void TreeSearch<D>::set(std::span<const double> v) {
  v_.assign(v.begin(), v.end());
  const Side& y = geometry_.y();
  for (std::size_t j = 0; j < y.n; ++j) tree_.set_price(tree_.place(j), -v[j] - y.norm[j]);
  tree_.fit();
}

template <std::size_t D>
std::span<const std::uint32_t> TreeSearch<D>::below(std::size_t i, double bound) {
  const auto real = static_cast<std::uint32_t>(geometry_.y().n);
  found_.resize(2 * kernels::ray_list);
  distance_.resize(2 * kernels::ray_list);
  if (i < geometry_.x().n) {
    found_.resize(tree_
                      .collect(point<D>(geometry_.x(), i), bound + geometry_.x().norm[i] + margin_,
                               found_.data(), distance_.data())
                      .count);
    for (std::uint32_t& place : found_) place = column_of_[place];
  } else {
    found_.clear();
    for (std::uint32_t j = 0; j < real; ++j)
      if (geometry_.cost(i, j) - v_[j] <= bound) found_.push_back(j);
  }
  if (geometry_.has_slack_col() && geometry_.cost(i, real) - v_[real] <= bound) found_.push_back(real);
  return found_;
}

template std::vector<RayPoint<2>> ray_points(const Side&);
template std::vector<RayPoint<3>> ray_points(const Side&);
template class TreeSearch<2>;
template class TreeSearch<3>;

}  // namespace motmot::solver
