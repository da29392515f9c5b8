#include <algorithm>
#include <cmath>
#include <set>

#include "base/memory.hpp"
#include "base/require.hpp"
#include "data/complaint.hpp"
#include "data/units.hpp"
#include "motmot/watch.hpp"
#include "watch/apart.hpp"
#include "watch/reference_file.hpp"

namespace motmot {
namespace {

constexpr std::size_t least_rows = 20;

bool is_number(const std::string& name) { return name.find_first_not_of("0123456789") == std::string::npos; }

/// Columns without a name have their number.
std::string called(const std::string& name) { return is_number(name) ? "c" + name : name; }

void give_names(Frame& frame) {
  for (Column& column : frame.columns) column.name = called(column.name);
}

bool has_names(const Frame& frame) {
  std::vector<std::string> names;
  for (const Column& column : frame.columns) names.push_back(column.name);
  return motmot::has_names(names);
}

void require_options(const ReferenceOptions& o) {
  require(0 <= o.tau && o.tau < 0.5, Errc::invalid_argument, "tau must lie in [0, 0.5), got ", o.tau);
  require(o.rows >= least_rows, Errc::invalid_argument, "a reference keeps at least ", least_rows,
          " rows, got ", o.rows);
  require(o.chunk_rows == 0 || o.chunk_rows >= least_chunk_rows, Errc::invalid_argument,
          "a chunk has at least ", least_chunk_rows, " rows, got ", o.chunk_rows);
  require(o.chunks >= 1, Errc::invalid_argument, "at least one chunk is needed, got 0");
}

void require_table(const Frame& x) {
  require(x.n() >= least_rows, Errc::invalid_argument, "a reference needs at least ", least_rows,
          " rows, got ", x.n());
  std::set<std::string> seen;
  for (const Column& column : x.columns)
    require(seen.insert(column.name).second, Errc::invalid_argument, "the column ", shown(column.name),
            " occurs twice: columns are matched by name");
}

/// The columns that are compared, at the places that the coding then has.
Frame compared(const Frame& x, Coding& coding) {
  Frame some{.rows = x.rows, .rows_dropped = x.rows_dropped};
  for (CodedColumn& column : coding.columns) {
    some.columns.push_back(x.columns[column.place]);
    column.place = some.columns.size() - 1;
  }
  return some;
}

/// By default forty chunks: more would be so small that they see little, fewer would know little of each
/// other. Small tables have twenty, for one alarm in 20; large ones more, since a chunk has 1000 rows at
/// most.
std::size_t own_chunk_rows(std::size_t n, const ReferenceOptions& o) {
  if (o.chunk_rows > 0) return o.chunk_rows;
  const std::size_t twentieth = std::clamp<std::size_t>(n / 20, least_chunk_rows, 25);
  return std::clamp<std::size_t>(n / 40, twentieth, 1000);
}

/// Chunks of all rows against those of the rows kept that are not in the chunk.
OwnChunks learn_chunks(const Frame& all, const RowList& kept, const Reference& reference,
                       const ReferenceOptions& o) {
  const std::size_t rows = own_chunk_rows(all.n(), o);
  require(2 * rows <= all.n(), Errc::invalid_argument, "a chunk of ", rows, " rows is more than half of the ",
          all.n(), " rows of the reference");
  const std::vector<std::size_t> starts = chunk_starts(all.n(), rows, o.chunks);
  const RowList held = drawn_rows(kept.size(), most_held_against, o.seed, Purpose::reference_rows, 1);
  const Points points = encode(reference.rows, reference.coding);
  Watch watch(o.progress, 0);
  Team team(o.threads);
  const HeldRows held_rows(rows_of(points, held), reference.tau, team);
  const std::optional<OwnChunks> own = own_chunks(
      starts.size(),
      [&](std::size_t i) {
        HeldAgainst pair{.chunk = encode(rows_of(all, stretch(starts[i], rows)), reference.coding)};
        for (std::uint32_t place = 0; place < held.size(); ++place)
          if (kept[held[place]] < starts[i] || kept[held[place]] >= starts[i] + rows)
            pair.places.push_back(place);
        pair.rows = rows_of(held_rows.points(), pair.places);
        return pair;
      },
      {.coding = reference.coding, .tau = reference.tau, .seed = reference.seed, .held = &held_rows}, team,
      watch);
  require(own.has_value(), Errc::invalid_argument, "stopped before the reference was made");
  OwnChunks found = *own;
  found.rows = rows;
  return found;
}

const Column* find(const Frame& frame, const std::string& wanted) {
  const auto found = std::ranges::find(frame.columns, wanted, &Column::name);
  return found == frame.columns.end() ? nullptr : &*found;
}

template <class List, class Name>
bool lists(const List& list, const std::string& wanted, Name name) {
  return std::ranges::any_of(list, [&](const auto& entry) { return name(entry) == wanted; });
}

void require_known(const Reference& reference, const Frame& y, const std::string& source) {
  for (const Column& column : y.columns) {
    const bool known =
        lists(reference.coding.columns, column.name, [](const auto& one) { return one.name; }) ||
        lists(reference.coding.left_out, column.name, [](const auto& one) { return one.name; }) ||
        lists(reference.exclude, column.name, [](const std::string& one) { return called(one); });
    require(known, Errc::invalid_argument, source, " has the additional column ", shown(column.name),
            ", which the reference has not: --exclude ", column.name, " leaves it out");
  }
}

}  // namespace

double reference_bytes(std::size_t n, std::size_t d, const ReferenceOptions& o) {
  constexpr double to_spare = 1.35;
  const auto threads = static_cast<double>(thread_count(o.threads));
  const std::size_t chunk = own_chunk_rows(n, o);
  return to_spare * (process_bytes + (8 + 14 * threads) * sample_bytes(n, d) + pair_bytes(n, chunk));
}

Reference make_reference(const Frame& x, const ReferenceOptions& o) {
  require_options(o);
  Frame table = as_utf8(x);
  give_names(table);
  require_table(table);
  Reference reference{.name = o.name,
                      .coding = learn_coding(table, {o.scale, o.category_weight, o.missing}),
                      .tau = o.tau,
                      .missing = o.missing,
                      .source_rows = x.n(),
                      .has_names = has_names(x),
                      .exclude = o.exclude,
                      .na = o.na,
                      .seed = o.seed};
  table = compared(table, reference.coding);
  require_memory(reference_bytes(table.n(), width_in(reference.coding, table), o), o.memory_limit);
  const RowList kept = drawn_rows(table.n(), o.rows, o.seed, Purpose::reference_rows);
  reference.rows = rows_of(table, kept);
  reference.own = learn_chunks(table, kept, reference, o);
  reference.digest = digest_of_reference(reference);
  return reference;
}

ReadOptions read_options(const Reference& reference, ReadOptions options) {
  for (const CodedColumn& column : reference.coding.columns)
    require(
        std::ranges::find(options.exclude, column.name) == options.exclude.end(), Errc::invalid_argument,
        "the reference compares the column ", shown(column.name),
        ", so a check of it cannot leave it out; make the reference without it (motmot reference --exclude)");
  options.missing = reference.missing;
  options.na.insert(options.na.end(), reference.na.begin(), reference.na.end());
  for (const CodedColumn& column : reference.coding.columns)
    options.kinds.push_back({reference.has_names ? column.name : column.name.substr(1), column.kind});
  return options;
}

Frame matched(const Reference& reference, Frame y, const std::string& source) {
  require(y.n() > 0, Errc::invalid_argument, source, " has no rows");
  y = as_utf8(std::move(y));
  give_names(y);
  require_known(reference, y, source);
  Frame ordered{.rows = std::move(y.rows), .rows_dropped = y.rows_dropped};
  for (const CodedColumn& column : reference.coding.columns) {
    const Column* found = find(y, column.name);
    require(found != nullptr, Errc::invalid_argument, source, " has no column ", shown(column.name),
            ", which the reference has; its columns are ",
            listed(y.columns.size(), [&](std::size_t j) { return y.columns[j].name; }));
    const auto missing = [&](std::size_t row) { return cell_text(*found, row) == missing_level; };
    std::size_t row = 0;
    while (found->kind != column.kind && row < found->rows() && missing(row)) ++row;
    require(found->kind == column.kind || row == found->rows(), Errc::invalid_argument, source, ", column ",
            shown(column.name), " is a ", name(found->kind), " where the reference has a ",
            name(column.kind));
    ordered.columns.push_back(*found);
  }
  return ordered;
}

}  // namespace motmot
