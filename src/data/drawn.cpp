#include "motmot/drawn.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/require.hpp"
#include "data/row_stream.hpp"

namespace motmot {
namespace {

/// The rows with the smallest random numbers so far.
class SmallestKeys {
 public:
  explicit SmallestKeys(const DrawOptions& draw)
      : most_(draw.rows),
        seed_(draw.seed),
        purpose_(draw.sample == Drawn::first ? Purpose::drawn_once_x : Purpose::drawn_once_y) {
    require(most_ >= 1, Errc::invalid_argument, "at least one row must be drawn, got 0");
  }

  struct Entry {
    std::uint64_t key, row;                                         ///< the row's number breaks ties
    std::size_t place;                                              ///< where the caller keeps it
    friend auto operator<=>(const Entry&, const Entry&) = default;  // NOLINT: sees a 0
  };

  static constexpr std::size_t refused = ~std::size_t{0};

  /// The place for this row, among as many as are kept, or refused.
  std::size_t offer(std::uint64_t row) {
    Entry entry{Rng(seed_, purpose_, row).bits64(), row, entries_.size()};
    if (entries_.size() < most_) {
      entries_.push_back(entry);
      std::ranges::push_heap(entries_);
      return entry.place;
    }
    const Entry& largest = entries_.front();
    if (std::pair(entry.key, entry.row) > std::pair(largest.key, largest.row)) return refused;
    entry.place = largest.place;
    std::ranges::pop_heap(entries_);
    entries_.back() = entry;
    std::ranges::push_heap(entries_);
    return entry.place;
  }

  /// In the order of the rows.
  [[nodiscard]] std::vector<Entry> in_order() && {
    std::ranges::sort(entries_, {}, &Entry::row);
    return std::move(entries_);
  }

 private:
  std::size_t most_;
  std::uint64_t seed_;
  Purpose purpose_;
  std::vector<Entry> entries_;
};

/// Up to so many rows are not drawn from.
std::uint64_t rows_taken_whole(const DrawOptions& draw, std::size_t columns) {
  return std::max<std::uint64_t>(draw.most_values / columns, draw.rows);
}

/// Keeps all rows while these are few, else the drawn ones.
class Keeper {
 public:
  explicit Keeper(const DrawOptions& draw) : draw_(draw), keys_(draw) {}

  void add(const RowChunk& chunk) {
    d_ = chunk.points.cols();
    rows_ += chunk.rows.size();
    if (is_large_) return draw_from(chunk);
    all_.insert(all_.end(), chunk.points.data, chunk.points.data + chunk.points.n * d_);
    numbers_.insert(numbers_.end(), chunk.rows.begin(), chunk.rows.end());
    is_large_ = rows_ > rows_taken_whole(draw_, d_);
    if (!is_large_) return;
    draw_from({{all_.data(), numbers_.size(), d_}, numbers_});
    all_ = {};
    numbers_ = {};
  }

  [[nodiscard]] DrawnTable finish(RowStream stream) && {
    Table table{.points = {}, .columns = std::move(stream.columns), .rows_dropped = stream.rows_dropped};
    if (!is_large_) {
      table.points = Points(std::move(all_), d_);
      if (stream.rows_dropped > 0) table.rows = std::move(numbers_);
      return {std::move(table), 0};
    }
    const auto entries = std::move(keys_).in_order();
    table.points = Points(entries.size(), d_);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      std::copy_n(drawn_.begin() + static_cast<std::ptrdiff_t>(entries[i].place * d_), d_,
                  table.points.row(i).begin());
      table.rows.push_back(entries[i].row);
    }
    return {std::move(table), rows_};
  }

 private:
  void draw_from(const RowChunk& chunk) {
    for (std::size_t i = 0; i < chunk.rows.size(); ++i) {
      const std::size_t place = keys_.offer(chunk.rows[i]);
      if (place == SmallestKeys::refused) continue;
      if ((place + 1) * d_ > drawn_.size()) drawn_.resize((place + 1) * d_);
      std::ranges::copy(chunk.points.row(i), drawn_.begin() + static_cast<std::ptrdiff_t>(place * d_));
    }
  }

  DrawOptions draw_;
  SmallestKeys keys_;
  bool is_large_ = false;
  std::size_t d_ = 1;
  std::uint64_t rows_ = 0;
  std::vector<double> all_, drawn_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace

DrawnTable read_drawn(const std::string& path, const ReadOptions& options, const DrawOptions& draw) {
  Keeper keeper(draw);
  RowStream stream = stream_rows(path, options, [&](const RowChunk& chunk) { keeper.add(chunk); });
  return std::move(keeper).finish(std::move(stream));
}

std::vector<std::uint32_t> drawn_rows(std::size_t n, std::size_t columns,
                                      const std::vector<std::uint64_t>& numbers, const DrawOptions& draw) {
  require(numbers.empty() || numbers.size() == n, Errc::invalid_argument, "there are ", n, " rows and ",
          numbers.size(), " numbers of rows");
  std::vector<std::uint32_t> rows;
  if (columns == 0 || n <= rows_taken_whole(draw, columns)) return rows;
  SmallestKeys keys(draw);
  std::vector<std::uint32_t> place_of;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t place = keys.offer(numbers.empty() ? i + 1 : numbers[i]);
    if (place == SmallestKeys::refused) continue;
    if (place == place_of.size()) place_of.push_back(0);
    place_of[place] = static_cast<std::uint32_t>(i);
  }
  for (const auto& entry : std::move(keys).in_order()) rows.push_back(place_of[entry.place]);
  return rows;
}

}  // namespace motmot
