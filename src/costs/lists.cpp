#include "costs/lists.hpp"

#include <algorithm>

namespace motmot::solver {

void RowLists::reset(const Geometry& geometry, Scanner& scanner) {
  geometry_ = &geometry;
  scanner_ = &scanner;
  column_.resize(geometry.rows() * capacity);
  cost_.resize(geometry.rows() * capacity);
  length_.assign(geometry.rows(), 0);
  horizon_.assign(geometry.rows(), 0);
}

void RowLists::rebuild(std::size_t i, const Prices& prices) {
  horizon_[i] = 3e37f;  // all that are not hidden
  if (geometry_->cols() > capacity) horizon_[i] = std::min(scanner_->near_bound(i, prices), horizon_[i]);
  keep_smallest(i, scanner_->collect(i, prices, horizon_[i]), prices);
}

void RowLists::keep_smallest(std::size_t i, std::size_t count, const Prices& prices) {
  std::uint32_t* columns = column_.data() + i * capacity;
  float* costs = cost_.data() + i * capacity;
  order_.clear();
  for (std::size_t k = 0; k < count; ++k)
    order_.emplace_back(scanner_->cost(k) - prices[scanner_->column(k)], static_cast<std::uint32_t>(k));
  if (count > 2 * capacity) thin_out(i);
  count = order_.size();
  if (count > capacity) {
    std::nth_element(order_.begin(), order_.begin() + capacity, order_.end());
    horizon_[i] = order_[capacity].first;
    count = capacity;
  }
  for (std::size_t k = 0; k < count; ++k) {
    columns[k] = scanner_->column(order_[k].second);
    costs[k] = scanner_->cost(order_[k].second);
  }
  end_at(i, count);
}

void RowLists::take(std::size_t i, std::span<const std::uint32_t> columns) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    column_[i * capacity + k] = columns[k];
    cost_[i * capacity + k] = static_cast<float>(geometry_->cost(i, columns[k]));
  }
  horizon_[i] = -3e37f;
  end_at(i, columns.size());
}

// Up to the next multiple of 16: a hidden column, so that vectors may run over the end.
void RowLists::end_at(std::size_t i, std::size_t count) {
  length_[i] = static_cast<std::uint32_t>(count);
  for (std::size_t k = count; k < (count + 15) / 16 * 16; ++k) {
    column_[i * capacity + k] = static_cast<std::uint32_t>(geometry_->cols());
    cost_[i * capacity + k] = 0;
  }
}

// The bound came from a part of the columns and was too generous: bound again among those found.
void RowLists::thin_out(std::size_t i) {
  const std::size_t padded = (order_.size() + 63) / 64 * 64;
  values_.assign(padded, 3e37f);
  zeros_.resize(std::max(zeros_.size(), padded), 0.0f);
  for (std::size_t k = 0; k < order_.size(); ++k) values_[k] = order_[k].first;
  const float bound = kernels::transport_kernels().near_bound(values_.data(), zeros_.data(), padded);
  std::erase_if(order_, [bound](const auto& found) { return found.first > bound; });
  horizon_[i] = std::min(horizon_[i], bound);
}

}  // namespace motmot::solver
