// Files that motmot writes and reads again. Where a digest guards one, it is made right: what stands behind
// it is looked at, too.
#include <cstring>
#include <filesystem>

#include "base/sha256.hpp"
#include "critics/checkpoint.hpp"
#include "fuzz/fuzz.hpp"
#include "motmot/cache.hpp"
#include "motmot/critics.hpp"
#include "motmot/watch.hpp"
#include "study/cells.hpp"
#include "support/support.hpp"
#include "watch/log.hpp"
#include "watch/reference_file.hpp"
#include "watch/watch_tables.hpp"

namespace motmot::fuzz {
namespace {

namespace fs = std::filesystem;

// ----------------------------------------------------------------------------------------- critic

void read_critic(std::string_view bytes) {
  const Critic critic = Critic::from_json(std::string(bytes));
  if (critic.dimension() > 64) return;
  const Points rows({std::vector<double>(2 * critic.dimension(), 0.5)}, critic.dimension());
  expect(critic(rows).size() == 2, "phi of each row");
  expect(Critic::from_json(critic.to_json()).to_json() == critic.to_json(), "what is written reads back");
}

std::vector<std::string> critics() {
  Rng rng(1, Purpose::test);
  const Points x = test::gaussian(rng, 12, 2), y = test::gaussian(rng, 10, 2, 1);
  const auto phi = [&](Estimator estimator, CriticKind critic, const std::string& scale) {
    DistanceOptions options{.estimator = estimator, .scale = scale, .permutations = 1, .threads = 1};
    options.critic = critic;
    if (estimator == Estimator::company) options.column_names = {"age", "weight"};
    options.ascent.hidden = {2};
    options.ascent.steps = 2;
    return distance(x, y, options).phi->to_json();
  };
  return {phi(Estimator::company, CriticKind::automatic, "robust"),
          phi(Estimator::mom, CriticKind::lipschitz, "none"),
          phi(Estimator::mou, CriticKind::clipped, "none")};
}

// -------------------------------------------------------------------------------------- reference

std::string with_header(std::string_view body) {
  return "motmot reference 2 sha256 " + sha256(std::string(body)) + "\n" + std::string(body);
}

/// Read, and used.
void read_reference(std::string_view bytes) {
  Choices choices(bytes);
  const bool guarded = choices.coin();
  const std::string file = guarded ? std::string(choices.rest()) : with_header(choices.rest());
  const Reference reference = reference_from(file, "the file");
  expect(reference_from(file_text(reference), "what was read").digest == digest_of_reference(reference),
         "what is written reads back");
  static_cast<void>(text(reference));
  static_cast<void>(read_options(reference));
  if (reference.rows.n() <= 200 && reference.coding.width() <= 64)
    static_cast<void>(check(reference, reference.rows, {.rows = 20, .threads = 1}));
}

std::vector<std::string> references() {
  Rng rng(2, Purpose::test);
  const std::string file =
      file_text(make_reference(test::mixed_table(rng, 24), {.name = "seed", .chunks = 2, .threads = 1}));
  return {std::string(1, '\1') + file, std::string(1, '\0') + file.substr(file.find('\n') + 1)};
}

// -------------------------------------------------------------------------------------------- log

Monitored series() {
  return {.reference = "may", .digest = "0123", .one_in = 20, .effect = 0.5, .rolling = 0};
}

std::string log_of(const std::vector<Judgement>& judgements) {
  const std::string path = written("seed.log", "");
  fs::remove(path);
  MonitorLog log(path, series());
  for (const Judgement& judgement : judgements) log.add(judgement);
  log.end();
  return content(path);
}

/// The first line is right unless the first byte says otherwise.
void read_log(std::string_view bytes) {
  static const std::string first_line = log_of({}).substr(0, log_of({}).find('\n') + 1);
  Choices choices(bytes);
  const std::string start = choices.coin() ? "" : first_line;
  const std::string path = written("days.log", start + std::string(choices.rest()));
  std::size_t judged = 0;
  {
    MonitorLog log(path, series());
    judged = log.judgements().size();
    log.add({.name = "new", .digest = "new"});
  }
  MonitorLog again(path, series());
  expect(again.judgements().size() == judged + 1 && again.has("new"),
         "a log that was read can be added to, and read again");
}

std::vector<std::string> logs() {
  const std::string all = log_of({{.name = "a",
                                   .digest = "1",
                                   .rows = 9,
                                   .alarm = true,
                                   .value = 1.5,
                                   .band = Interval{0, 1},
                                   .columns = {{.name = "x"}}},
                                  {.name = "b", .digest = "2", .why_not = "too few"}});
  return {std::string(1, '\1') + all, std::string(1, '\0') + all.substr(all.find('\n') + 1)};
}

// ------------------------------------------------------------------------------------------ cells

void read_cells(std::string_view bytes) {
  Choices choices(bytes);
  const std::string folder = in_folder("cells"), settings = "settings";
  const std::string path = cell_file(folder, "error", settings), first_line = "{\"settings\":\"settings\"}\n";
  fs::create_directories(folder);
  test::write_file(path, (choices.coin() ? "" : first_line) + std::string(choices.rest()));
  CellStore(folder, "error", settings).add("new", {1, 2.5});
  const CellStore again(folder, "error", settings);
  expect(again.find("new") != nullptr && again.find("new")->size() == 2,
         "a store that was read can be added to, and read again");
}

std::vector<std::string> cells() {
  const std::string line = "{\"cell\":\"d1 0.1 mou-diag 70 3\",\"values\":[1.5,null,-2e-308]}\n";
  return {std::string(1, '\0') + line + line, std::string(1, '\1') + "{\"settings\":\"settings\"}\n" + line,
          std::string(1, '\0') + line + "{\"cell\":"};
}

// ------------------------------------------------------------------------------------- checkpoint

void read_checkpoint(std::string_view bytes) {
  Choices choices(bytes);
  const std::string body(choices.byte() ? choices.rest() : std::string_view()),
      file = "motmot-checkpoint-1 " + sha256(body) + "\n" + body;
  const std::string path = written("run.checkpoint", body.empty() ? choices.rest() : std::string_view(file));
  Checkpoint checkpoint({.path = path, .run = "run"}, alone());
  const AscentState beginning{.steps = 1, .weights = {1, 2}, .rule = {3}, .tail = {4}, .trace = {}};
  static_cast<void>(checkpoint.found("ascent", beginning));
}

std::vector<std::string> checkpoints() {
  const std::string path = written("seed.checkpoint", "");
  fs::remove(path);
  Checkpoint checkpoint({.path = path, .run = "run"}, alone());
  checkpoint.save("ascent", {.steps = 3, .weights = {1, 2}, .rule = {3}, .tail = {4, 5}, .trace = {6}});
  const std::string file = content(path);
  return {std::string(1, '\0') + file, std::string(1, '\1') + file.substr(file.find('\n') + 1)};
}

// ------------------------------------------------------------------------------------------ cache

const std::string& cached_file() {
  static const std::string path = written("cached.csv", "x,y\n1,2\nNA,3\n4,5\n");
  return path;
}
const ReadOptions dropping{.missing = Missing::drop};

/// Bytes before the JSON at the end, then that; its length, digest and mark are made right.
std::string made_right(std::string_view bytes, std::size_t data_size) {
  std::string data(bytes.substr(0, data_size)), about(bytes.substr(data.size()));
  const std::uint64_t length = about.size();
  std::string tail(sizeof length, '\0');
  std::memcpy(tail.data(), &length, sizeof length);
  return data + about + tail + "MOTMOT1\n";
}

/// Whatever stands there: the rows are those of the file.
void read_cache(std::string_view bytes) {
  Choices choices(bytes);
  const std::size_t data_size = choices.byte();
  const std::string folder = in_folder(""), cache = cache_of(cached_file(), dropping, folder);
  test::write_file(cache,
                   data_size == 0 ? std::string(choices.rest()) : made_right(choices.rest(), data_size));
  const CachedTable table = map_cached(cached_file(), dropping, folder);
  const PointsView rows = table.points;
  expect(rows.n == 2 && rows.d == 2 && rows(1, 1) == 5 && table.rows.size() == 2,
         "a cache has the rows of its file");
}

std::vector<std::string> caches() {
  const std::string folder = in_folder("");
  static_cast<void>(map_cached(cached_file(), dropping, folder));
  const std::string file = content(cache_of(cached_file(), dropping, folder));
  constexpr char data_size = 8 * (2 * 2 + 2);
  return {std::string(1, '\0') + file, std::string(1, data_size) + file.substr(0, file.size() - 16)};
}

// ------------------------------------------------------------------------------------------ peers

void read_peers(std::string_view bytes) {
  StudyResult result{
      .measurements = {{.data = Toy::d1, .tau = 0.1, .method = "plain", .k = 1, .value = 2, .reference = 1}}};
  add_peers(result, written("peers.csv", bytes));
  expect(result.measurements.size() >= 1, "measurements stay");
}

std::vector<std::string> peers() {
  return {
      "data,tau,method,blocks,epoch,repetition,value,reference,shown\nd1,0.1,pot-partial,0,0,0,1.5,1,50\n"};
}

}  // namespace

std::vector<Target> own_file_targets() {
  return {{"critic", read_critic, critics},
          {"reference", read_reference, references},
          {"monitor_log", read_log, logs},
          {"cells", read_cells, cells},
          {"checkpoint", read_checkpoint, checkpoints},
          {"cache", read_cache, caches},
          {"peers", read_peers, peers}};
}

}  // namespace motmot::fuzz
