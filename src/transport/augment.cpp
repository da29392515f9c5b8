#include "transport/augment.hpp"

#include <algorithm>
#include <cmath>

namespace motmot::solver {
namespace {

constexpr std::uint64_t searches_between_questions = 16;

}  // namespace

Augmenter::End Augmenter::run(const Geometry& geometry, Scanner& scanner, RowLists& lists,
                              std::span<const std::uint32_t> hint, std::vector<double>& v, std::uint64_t bids,
                              const Budget& budget, const Ask& ask) {
  geometry_ = &geometry;
  scanner_ = &scanner;
  lists_ = &lists;
  v_ = &v;
  searches_ = steps_ = columns_seen_ = 0;
  const std::size_t n = geometry.rows();
  raised_.reset(geometry, v);
  double largest = 0;
  for (const double price : v) largest = std::max(largest, std::abs(price));
  horizon_slack_ = geometry.largest_col_margin() + 0x1p-21 * largest;
  u_.assign(n, 0);
  column_of_.assign(n, nobody);
  row_of_.assign(n, nobody);
  keep_what_fits(hint);
  bid_without_epsilon(bids, budget.columns);
  free_columns_.clear();
  for (std::size_t j = 0; j < n; ++j)
    if (row_of_[j] == nobody) free_columns_.push_back(static_cast<std::uint32_t>(j));
  distance_.assign(n, infinite);
  previous_.assign(n, nobody);
  for (const std::uint32_t i : free_rows_) {
    if (columns_seen_ > budget.columns) return End::many_ties;
    if (steps_ > budget.scans) return End::many_scans;
    if (searches_ % searches_between_questions == 0 && !ask()) return End::stopped;
    search(i);
  }
  return End::done;
}

void Augmenter::place(std::uint32_t i, std::uint32_t j) {
  column_of_[i] = j;
  row_of_[j] = i;
}

void Augmenter::lower_price(std::uint32_t j, double v) {
  (*v_)[j] = v;
  raised_.lower(*geometry_, j, v);
}

// A row keeps its column when that is exactly its best one.
void Augmenter::keep_what_fits(std::span<const std::uint32_t> hint) {
  const std::size_t n = geometry_->rows();
  std::vector<std::uint32_t>& wish = previous_;
  wish.assign(n, nobody);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Two best = two_smallest(i);
    const std::uint32_t j = hint[i];
    u_[i] = best.first;
    wish[i] = best.at;
    if (j != nobody && (j == best.at || geometry_->cost(i, j) - (*v_)[j] == best.first)) place(i, j);
  }
  free_rows_.clear();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (column_of_[i] != nobody) continue;
    if (row_of_[wish[i]] == nobody) place(i, wish[i]);
    else free_rows_.push_back(i);
  }
}

// Augmenting row reduction: the auction with epsilon zero, which keeps complementary slackness exact.
// A row that would have to fight over an exact tie is left to the searches.
void Augmenter::bid_without_epsilon(std::uint64_t bids, std::uint64_t most_columns) {
  std::vector<std::uint32_t> stuck;
  while (!free_rows_.empty() && bids > 0 && columns_seen_ <= most_columns) {
    const std::uint32_t i = free_rows_.back();
    free_rows_.pop_back();
    --bids;
    const Two best = two_smallest(i);
    std::uint32_t j = best.at;
    u_[i] = best.second;
    if (best.second > best.first) {
      lower_price(j, (*v_)[j] - (best.second - best.first));
    } else if (row_of_[j] != nobody) {
      if (best.next == nobody || row_of_[best.next] != nobody) {
        stuck.push_back(i);
        continue;
      }
      j = best.next;
    }
    const std::uint32_t loser = row_of_[j];
    place(i, j);
    if (loser == nobody) continue;
    column_of_[loser] = nobody;
    free_rows_.push_back(loser);
  }
  free_rows_.insert(free_rows_.end(), stuck.begin(), stuck.end());
}

Augmenter::Two Augmenter::two_smallest(std::uint32_t i) {
  if (!lists_->made(i)) lists_->rebuild(i, raised_);
  Two best = two_smallest_of_list(i);
  if (best.first >= horizon(i)) {
    lists_->rebuild(i, raised_);
    best = two_smallest_of_list(i);
    if (best.second >= horizon(i)) return two_smallest_of_all(i, best.second);
  }
  if (best.second > horizon(i)) {
    best.second = horizon(i);
    best.next = nobody;
  }
  return best;
}

Augmenter::Two Augmenter::two_smallest_of_list(std::uint32_t i) const {
  const std::uint32_t* columns = lists_->columns(i);
  const float* costs = lists_->costs(i);
  const double margin = geometry_->row_margin(i);
  Two best;
  const auto consider = [&](std::uint32_t j) { best.add(geometry_->cost(i, j) - (*v_)[j], j); };
  const std::uint32_t likely = lists_->two_smallest(i, raised_).at;
  consider(likely);
  for (std::size_t k = 0; k < lists_->length(i); ++k)
    if (columns[k] != likely && static_cast<double>(costs[k] - raised_[columns[k]]) - margin < best.second)
      consider(columns[k]);
  return best;
}

Augmenter::Two Augmenter::two_smallest_of_all(std::uint32_t i, double second) {
  Two best;
  const std::size_t count = scanner_->collect(i, raised_, raised_bound(second, geometry_->row_margin(i)));
  columns_seen_ += count;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t j = scanner_->column(k);
    best.add(geometry_->cost(i, j) - (*v_)[j], j);
  }
  if (best.second == infinite) best.second = best.first;
  return best;
}

// Dijkstra over columns from a row without place to the nearest column without row.
void Augmenter::search(std::uint32_t start) {
  ++searches_;
  best_ = infinite;
  for (const std::uint32_t j : free_columns_) {
    const double distance = geometry_->cost(start, j) - u_[start] - (*v_)[j];
    if (distance >= best_) continue;
    best_ = distance;
    best_column_ = j;
  }
  previous_[best_column_] = start;
  scan(start, 0);
  while (!heap_.empty()) {
    const auto [distance, j] = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    if (distance >= best_) break;
    if (distance > distance_[j]) continue;  // reached again later by a shorter way
    raised_.hide(j);
    scanned_.push_back(j);
    scan(row_of_[j], distance);
  }
  settle(start);
}

void Augmenter::scan(std::uint32_t i, double distance) {
  const double base = distance - u_[i];
  const double margin = geometry_->row_margin(i);
  if (base + horizon(i) < best_) {
    const std::size_t count = scanner_->collect(i, raised_, raised_bound(best_ - base, margin));
    for (std::size_t k = 0; k < count; ++k) reach(i, scanner_->column(k), scanner_->cost(k), base);
    steps_ += 1 + geometry_->cols() / 256;
    columns_seen_ += count;
    return;
  }
  ++steps_;
  columns_seen_ += lists_->length(i);
  const std::uint32_t* columns = lists_->columns(i);
  const float* costs = lists_->costs(i);
  for (std::size_t k = 0; k < lists_->length(i); ++k) reach(i, columns[k], costs[k], base);
}

void Augmenter::reach(std::uint32_t i, std::uint32_t j, float cost, double base) {
  if (raised_[j] <= kernels::hidden_price) return;  // scanned before
  const double low = base + static_cast<double>(cost - raised_[j]) - geometry_->row_margin(i);
  if (low >= best_ || low >= distance_[j]) return;
  const double distance = base + geometry_->cost(i, j) - (*v_)[j];
  if (distance >= best_ || distance >= distance_[j]) return;
  if (distance_[j] == infinite) reached_.push_back(j);
  distance_[j] = distance;
  previous_[j] = i;
  if (row_of_[j] == nobody) {
    best_ = distance;
    best_column_ = j;
  } else {
    heap_.emplace_back(distance, j);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
}

void Augmenter::settle(std::uint32_t start) {
  for (const std::uint32_t j : scanned_) {
    const double shift = best_ - distance_[j];
    u_[row_of_[j]] += shift;
    lower_price(j, (*v_)[j] - shift);
  }
  u_[start] += best_;
  for (std::uint32_t j = best_column_; j != nobody;) {
    const std::uint32_t i = previous_[j];
    const std::uint32_t next = column_of_[i];
    place(i, j);
    j = next;
  }
  free_columns_.erase(std::ranges::find(free_columns_, best_column_));
  for (const std::uint32_t j : reached_) distance_[j] = infinite;
  reached_.clear();
  scanned_.clear();
  heap_.clear();
}

}  // namespace motmot::solver
