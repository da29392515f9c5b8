#include <algorithm>
#include <cmath>
#include <map>

#include "base/memory.hpp"
#include "base/require.hpp"
#include "base/sha256.hpp"
#include "base/statistics.hpp"
#include "data/complaint.hpp"
#include "watch/apart.hpp"
#include "watch/chunk_test.hpp"
#include "watch/log.hpp"

namespace motmot {
namespace {

Points joined(std::span<const Points> parts, std::size_t d) {
  std::vector<double> values;
  for (const Points& part : parts) values.insert(values.end(), part.values().begin(), part.values().end());
  return {std::move(values), d};
}

Points at_most(Points points, std::size_t rows, std::uint64_t seed, Purpose purpose, std::uint64_t step) {
  if (points.rows() <= rows) return points;
  return rows_of(points, drawn_rows(points.rows(), rows, seed, purpose, step));
}

constexpr std::size_t usual_one_in = 20;

/// What chunks are held against, and what own chunks of any size give.
class Judge {
 public:
  Judge(const Reference& reference, const MonitorOptions& options)
      : reference_(reference),
        options_(options),
        team_(options.threads),
        watch_(options.progress, 0),
        points_(encode(reference.rows, reference.coding)),
        starts_(chunk_starts(reference.source_rows, reference.own.rows, reference.own.count())) {
    require_options();
    if (options_.one_in == 0) options_.one_in = std::min(usual_one_in, supported() + 1);
    if (options.rolling == 0) {
      held_.emplace(rows_of(points_, held_rows()), reference.tau, team_);
      if (!reference.own.score.empty()) own_.emplace(reference.own.rows, reference.own);
    } else {
      for (const std::size_t start : last_of(starts_, options.rolling))
        remember(rows_of(points_, stretch(start, reference.own.rows)),
                 sha256(reference.digest + std::to_string(start)));
    }
  }

  [[nodiscard]] std::size_t one_in() const { return options_.one_in; }
  [[nodiscard]] const OwnChunks& usual() { return own_of(reference_.own.rows); }

  /// Its digest, and in a rolling series also what it is held against.
  [[nodiscard]] std::string digest(const Frame& chunk) const {
    std::string of_window;
    for (const auto& [points, digest] : window_) of_window += digest;
    return window_.empty() ? digest_of(chunk) : sha256(of_window + digest_of(chunk));
  }

  Judgement judge(const std::string& name, const Frame& chunk, const std::string& digest);
  /// A chunk becomes one of those that later ones are held against.
  void roll(const Frame& chunk);

 private:
  struct Remembered {
    Points points;
    std::string digest;
  };

  static std::span<const std::size_t> last_of(std::span<const std::size_t> all, std::size_t count) {
    return all.last(std::min(count, all.size()));
  }

  void require_options() const;
  [[nodiscard]] RowList held_rows() const {
    return drawn_rows(points_.rows(), most_held_against, reference_.seed, Purpose::reference_rows, 1);
  }
  [[nodiscard]] std::size_t supported() const {
    return starts_.size() - std::min(starts_.size(), options_.rolling);
  }
  void remember(Points points, std::string digest) {
    window_.push_back({std::move(points), std::move(digest)});
    if (window_.size() > options_.rolling) window_.erase(window_.begin());
  }
  [[nodiscard]] std::size_t size_for(std::size_t rows) const;
  [[nodiscard]] RowList some_of(std::size_t rows, std::size_t size) const {
    return drawn_rows(rows, size, reference_.seed, Purpose::chunk_rows, 1);
  }
  void hold();
  [[nodiscard]] OwnChunkOptions measured() const {
    return {.coding = reference_.coding,
            .tau = reference_.tau,
            .seed = reference_.seed,
            .held = options_.rolling == 0 ? &*held_ : nullptr};
  }
  [[nodiscard]] HeldAgainst own_pair(std::size_t i, std::size_t size) const;
  const OwnChunks& own_of(std::size_t size);
  [[nodiscard]] Judgement explained(Judgement judgement, const Frame& chunk, const Points& points) const;

  const Reference& reference_;
  MonitorOptions options_;
  Team team_;
  Watch watch_;
  Points points_;                         ///< of the reference
  std::vector<std::size_t> starts_;       ///< of its own chunks
  std::optional<HeldRows> held_;          ///< what chunks are held against
  std::vector<Remembered> window_;        ///< rolling: the chunks before
  std::map<std::size_t, OwnChunks> own_;  ///< by their rows
};

void Judge::require_options() const {
  const MonitorOptions& o = options_;
  require(o.one_in != 1, Errc::invalid_argument, "--one-in must be at least 2, got 1");
  require(!o.effect || (std::isfinite(*o.effect) && *o.effect >= 0), Errc::invalid_argument,
          "the smallest distance that matters must be a number from 0 on, got ", o.effect.value_or(0));
  require(o.rolling == 0 || reference_.has_all_rows(), Errc::invalid_argument,
          "--rolling needs a reference that keeps all of its ", reference_.source_rows, " rows, it has ",
          reference_.rows.n(), ": make it with --rows ", reference_.source_rows);
  const std::size_t least = std::max<std::size_t>(2, o.one_in);
  require(supported() + 1 >= least, Errc::invalid_argument, "one alarm in ", least, " chunks needs ",
          least - 1, " chunks of the reference's own", o.rolling > 0 ? " after those rolled over" : "",
          ", and it has ", supported(), " of ", reference_.own.rows, " rows: take --one-in ",
          std::max<std::size_t>(2, supported() + 1),
          " at most, or make the reference from more rows or with a smaller --chunk-rows");
  require(
      !reference_.own.score.empty() || reference_.has_all_rows(), Errc::invalid_argument,
      "the reference is of schema 1, whose own chunks have no scores, and does not keep all rows: make it "
      "anew");
}

/// Own chunks of this size are held against a chunk of so many rows: all of them, or cut by steps of a tenth.
std::size_t Judge::size_for(std::size_t rows) const {
  std::size_t size = reference_.own.rows;
  while (size > rows) size = std::max(std::min(size - 1, 9 * size / 10), least_chunk_rows);
  return size;
}

/// Rolling: what the chunks before make of it.
void Judge::hold() {
  if (options_.rolling == 0) return;
  std::vector<Points> parts;
  for (const Remembered& one : window_) parts.push_back(one.points);
  held_.emplace(
      at_most(joined(parts, points_.cols()), most_held_against, reference_.seed, Purpose::reference_rows, 3),
      reference_.tau, team_);
}

/// Own chunk i, cut, as a chunk of the series would be held against what comes before it or the other rows.
HeldAgainst Judge::own_pair(std::size_t i, std::size_t size) const {
  const std::size_t usual = reference_.own.rows;
  if (options_.rolling > 0) {
    std::vector<Points> before;
    for (std::size_t k = i; k < i + options_.rolling; ++k)
      before.push_back(rows_of(points_, stretch(starts_[k], usual)));
    return {at_most(joined(before, points_.cols()), most_held_against, reference_.seed,
                    Purpose::reference_rows, 3),
            rows_of(points_, stretch(starts_[i + options_.rolling], size))};
  }
  HeldAgainst pair{.chunk = rows_of(points_, stretch(starts_[i], size))};
  const RowList rows = held_rows();
  for (std::uint32_t place = 0; place < rows.size(); ++place)
    if (rows[place] < starts_[i] || rows[place] >= starts_[i] + usual) pair.places.push_back(place);
  pair.rows = rows_of(held_->points(), pair.places);
  return pair;
}

const OwnChunks& Judge::own_of(std::size_t size) {
  const auto known = own_.find(size);
  if (known != own_.end()) return known->second;
  std::optional<OwnChunks> own = own_chunks(
      supported(), [&](std::size_t i) { return own_pair(i, size); }, measured(), team_, watch_);
  require(own.has_value(), Errc::invalid_argument, "stopped before all chunks were judged");
  own->rows = size;
  return own_.emplace(size, std::move(*own)).first->second;
}

/// Columns and rows behind an alarm, and whether it is one where small distances do not matter.
Judgement Judge::explained(Judgement judgement, const Frame& chunk, const Points& points) const {
  constexpr std::size_t most_behind = 10;
  const Coded coded = without_idle(reference_.coding, held_->points(), points);
  DistanceOptions asked;
  asked.tau = {reference_.tau, reference_.tau};
  asked.keep_rows = true;
  asked.seed = reference_.seed;
  asked.threads = options_.threads;
  asked.progress = options_.progress;
  const Distance w = coded_distance(coded.x, coded.y, coded.coding, asked);
  require(w.population && !w.run.stopped, Errc::invalid_argument, "stopped before all chunks were judged");
  judgement.low = w.population->interval.value_or(Interval{}).low;
  judgement.alarm = !options_.effect || *judgement.low > *options_.effect;
  judgement.columns = w.columns;
  std::ranges::stable_sort(judgement.columns, std::greater{},
                           [](const ColumnMove& column) { return column.share.value_or(0); });
  RowList kept;
  for (std::uint32_t i = 0; i < w.rows.y.phi.size(); ++i)
    if (!w.rows.y.left_out[i]) kept.push_back(i);
  std::ranges::stable_sort(kept, {}, [&](std::uint32_t i) { return w.rows.y.phi[i]; });
  kept.resize(std::min(kept.size(), most_behind));
  for (const std::uint32_t i : kept) judgement.rows_behind.push_back(source_row(chunk, i));
  return judgement;
}

Judgement Judge::judge(const std::string& name, const Frame& chunk, const std::string& digest) {
  Judgement judgement{.name = name, .digest = digest, .rows = chunk.n()};
  const std::size_t usual = reference_.own.rows;
  if (chunk.n() < least_chunk_rows) {
    judgement.why_not = "too few rows: at least " + std::to_string(least_chunk_rows) + " are needed";
    return judgement;
  }
  if (chunk.n() < usual && !reference_.has_all_rows()) {
    judgement.why_not = "fewer rows than the " + std::to_string(usual) +
                        " of the reference's own chunks, which cannot be cut because it does not keep all "
                        "rows: make it with --chunk-rows " +
                        std::to_string(chunk.n()) + " or a larger --rows";
    return judgement;
  }
  const OwnChunks& own = own_of(size_for(chunk.n()));
  const Frame used = rows_of(chunk, some_of(chunk.n(), own.rows));
  const Points points = encode(used, reference_.coding);
  hold();
  const Apart found = apart(held_->points(), points, reference_.tau, team_);
  const ChunkTest test = test_chunk(*held_, points, reference_.coding,
                                    {.tau = reference_.tau,
                                     .permutations = permutations_for(options_.one_in, own.rows),
                                     .seed = reference_.seed},
                                    team_);
  const Rank rank = rank_of(test, own, options_.one_in);
  std::vector<double> sorted = own.distance;
  std::ranges::sort(sorted);
  const double rate = 1 / static_cast<double>(options_.one_in);
  judgement.rows_used = own.rows;
  judgement.value = found.distance;
  judgement.p_value = rank.p_value;
  judgement.score = rank.score;
  judgement.limit = rank.limit;
  judgement.band = {sorted_quantile(sorted, rate), sorted_quantile(sorted, 1 - rate)};
  for (const std::uint32_t row : found.left_out.y) judgement.rows_left_out.push_back(source_row(used, row));
  judgement.alarm = rank.p_value <= rate;
  const bool asked = options_.explain || options_.effect.has_value();
  return judgement.alarm && asked ? explained(std::move(judgement), used, points) : judgement;
}

void Judge::roll(const Frame& chunk) {
  if (options_.rolling == 0 || chunk.n() < least_chunk_rows) return;
  const RowList rows = some_of(chunk.n(), std::min(chunk.n(), reference_.own.rows));
  remember(encode(rows_of(chunk, rows), reference_.coding), digest_of(chunk));
}

}  // namespace

std::size_t Monitored::alarms() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(chunks, [](const Judgement& one) { return one.is_new && one.alarm; }));
}

std::size_t Monitored::not_judged() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(chunks, [](const Judgement& one) { return one.is_new && !one.why_not.empty(); }));
}

double monitor_bytes(const Reference& reference, std::size_t m, const MonitorOptions& o) {
  constexpr double to_spare = 1.25;
  const std::size_t n = reference.rows.n(), d = width_in(reference.coding, reference.rows);
  const auto threads = static_cast<double>(thread_count(o.threads));
  return to_spare * (process_bytes + (15 + 5.1 * threads) * sample_bytes(std::max(n, m), d) +
                     pair_bytes(n, std::min(m, reference.own.rows)));
}

Monitored monitor(const Reference& reference, std::span<const ChunkSource> chunks, const MonitorOptions& o) {
  Judge judge(reference, o);
  Monitored series{.reference = reference.name,
                   .digest = reference.digest,
                   .one_in = judge.one_in(),
                   .effect = o.effect,
                   .rolling = o.rolling,
                   .scale = reference.coding.scale};
  MonitorLog log(o.log, series);
  for (const ChunkSource& source : chunks) {
    const Frame chunk = matched(reference, source.read(), shown(source.name));
    require_memory(monitor_bytes(reference, chunk.n(), o), o.memory_limit);
    const std::string digest = judge.digest(chunk);
    if (!log.has(digest)) log.add(judge.judge(source.name, chunk, digest));
    judge.roll(chunk);
    require(!o.progress || o.progress(1), Errc::invalid_argument, "stopped before all chunks were judged");
  }
  series.chunks = log.judgements();
  series.own = judge.usual();
  log.end();
  return series;
}

}  // namespace motmot
