#include "transport/column_search.hpp"

#include <algorithm>

namespace motmot::solver {
namespace {

PlanePoint point(const Side& side, std::size_t k) { return {side.at[2 * k], side.at[2 * k + 1]}; }

}  // namespace

void TreeSearch::build(std::span<const FlowEntry> flows) {
  const Side& x = geometry_.x();
  const Side& y = geometry_.y();
  margin_ = 1e-14 * (x.largest + y.largest);
  columns_.resize(y.n);
  for (std::size_t j = 0; j < y.n; ++j) columns_[j] = point(y, j);
  rays_.assign(y.n, {0, 0});
  std::vector<Mass> largest(y.n, 0);
  for (const FlowEntry& flow : flows) {
    if (flow.row >= x.n || flow.col >= y.n || flow.amount <= largest[flow.col]) continue;
    largest[flow.col] = flow.amount;
    const PlanePoint p = point(x, flow.row);
    rays_[flow.col] = {p.x - columns_[flow.col].x, p.y - columns_[flow.col].y};
  }
  tree_.build(columns_, rays_);
  column_of_.assign(tree_.places(), nobody);
  for (std::uint32_t j = 0; j < y.n; ++j) column_of_[tree_.place(j)] = j;
}

// |x - y| - r - s - v, without the gauge of the row: distance + price.
void TreeSearch::set(std::span<const double> v) {
  v_.assign(v.begin(), v.end());
  const Side& y = geometry_.y();
  for (std::size_t j = 0; j < y.n; ++j) tree_.set_price(tree_.place(j), -v[j] - y.norm[j]);
  tree_.fit();
}

std::span<const std::uint32_t> TreeSearch::below(std::size_t i, double bound) {
  const auto real = static_cast<std::uint32_t>(geometry_.y().n);
  found_.resize(2 * kernels::ray_list);
  distance_.resize(2 * kernels::ray_list);
  if (i < geometry_.x().n) {
    found_.resize(tree_
                      .collect(point(geometry_.x(), i), bound + geometry_.x().norm[i] + margin_,
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

}  // namespace motmot::solver
