// Every allocation fails once: the n-th of a call, for all n, alone or with all that follow. The call then
// says so (Error or std::bad_alloc), nothing is leaked (memory, files, threads, temporaries), and the next
// call gives the bits that it always gave. MOTMOT_FAULTS=all takes every n, otherwise at most some hundred of
// each.
#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>

#include "base/output_file.hpp"
#include "motmot/motmot.hpp"
#include "motmot/report.hpp"
#include "support/support.hpp"

namespace {

std::atomic<std::int64_t> left{-1};  ///< allocations until one fails; below 0: none does
std::atomic<std::int64_t> asked{0};  ///< allocations so far
std::atomic<std::int64_t> live{0};   ///< allocations that are not freed
std::atomic<std::int64_t> injected{0};
std::atomic<bool> all_that_follow{false};

void* allocate(std::size_t size, std::size_t alignment) {
  asked.fetch_add(1);
  if (left.load() >= 0 && left.fetch_sub(1) == 0) {
    injected.fetch_add(1);
    if (all_that_follow.load()) left.store(0);
    throw std::bad_alloc();
  }
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  live.fetch_add(1);
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  live.fetch_sub(1);
  std::free(memory);
}

constexpr std::size_t usual = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size) { return allocate(size, usual); }
void* operator new[](std::size_t size) { return allocate(size, usual); }
void* operator new(std::size_t size, std::align_val_t to) {
  return allocate(size, static_cast<std::size_t>(to));
}
void* operator new[](std::size_t size, std::align_val_t to) {
  return allocate(size, static_cast<std::size_t>(to));
}
void* operator new(std::size_t size, const std::nothrow_t& /*none*/) noexcept {
  try {
    return allocate(size, usual);
  } catch (...) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t /*to*/) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t /*to*/) noexcept { release(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*to*/) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::size_t /*size*/, std::align_val_t /*to*/) noexcept {
  release(memory);
}
void operator delete(void* memory, const std::nothrow_t& /*none*/) noexcept { release(memory); }

namespace motmot::test {
namespace {

std::size_t entries_of(const std::filesystem::path& folder) {
  DIR* const open_folder =
      opendir(folder.c_str());  // std::filesystem's iterator ends the process without memory
  std::size_t count = 0;
  while (open_folder != nullptr && readdir(open_folder) != nullptr) ++count;
  closedir(open_folder);
  return count;
}

/// Streams would swallow a bad_alloc.
std::string content_of(const std::string& path) {
  std::string content(1 << 20, '\0');
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  content.resize(std::fread(content.data(), 1, content.size(), file));
  std::fclose(file);
  return content;
}

/// What a call may hold on to by mistake.
struct Held {
  std::int64_t memory = live.load();
  std::size_t files = entries_of("/proc/self/fd");
  friend bool operator==(const Held&, const Held&) = default;
};

std::ostream& operator<<(std::ostream& out, const Held& held) {
  return out << held.memory << " allocations, " << held.files << " files";
}

enum class Outcome { fine, told, other };

/// Calls with a fault at the n-th allocation; what the call gave goes to `result`.
Outcome call_with_fault(const std::function<std::string()>& call, std::int64_t n, bool and_all_that_follow,
                        std::string& result) {
  Outcome outcome = Outcome::fine;
  all_that_follow.store(and_all_that_follow);
  left.store(n);
  try {
    std::string gave = call();
    left.store(-1);
    result = std::move(gave);
  } catch (const Error&) {
    outcome = Outcome::told;
  } catch (const std::bad_alloc&) {
    outcome = Outcome::told;
  } catch (...) {
    outcome = Outcome::other;
  }
  left.store(-1);
  return outcome;
}

/// Destroying a value of nlohmann/json 3.11 allocates, and where that fails the process ends: nobody can
/// catch it. Where a call makes such values, each fault is tried in a child, and such ends are counted.
enum class Uses { no_json, json };

/// What a child says of a call, as its exit code.
constexpr int child_fine = 0, child_told = 10, child_wrong = 11, child_terminated = 12;

int in_a_child(const std::function<std::string()>& call, std::int64_t n, bool following,
               const std::string& want) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::set_terminate([] { _exit(child_terminated); });
    std::string result;
    const Outcome outcome = call_with_fault(call, n, following, result);
    const bool right = outcome == Outcome::told || (outcome == Outcome::fine && result == want);
    _exit(!right || call() != want ? child_wrong : outcome == Outcome::told ? child_told : child_fine);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// `call` must give the same text each time.
void survives(const char* name, const std::function<std::string()>& call, Uses uses = Uses::no_json) {
  const char* wish = std::getenv("MOTMOT_FAULTS");
  const bool all = wish != nullptr && std::string(wish) == "all";
  const std::string want = call();
  ASSERT_EQ(call(), want) << name << " does not give the same twice";
  const std::int64_t before = asked.load();
  ASSERT_EQ(call(), want);
  const std::int64_t allocations = asked.load() - before;
  const std::int64_t most = all ? allocations : allocations < 5000 ? 60 : 10;
  const std::int64_t step = std::max<std::int64_t>(1, allocations / most);
  std::int64_t faults = 0, told = 0, ended = 0;
  for (const bool following : {false, true})
    for (std::int64_t n = 0; n < allocations && !testing::Test::HasFailure(); n += step) {
      SCOPED_TRACE(testing::Message() << name << ", allocation " << n << " of " << allocations
                                      << (following ? " and all that follow" : ""));
      if (uses == Uses::json) {
        const int code = in_a_child(call, n, following, want);
        EXPECT_TRUE(code == child_fine || code == child_told || code == child_terminated) << "code " << code;
        ++faults;
        told += code == child_told ? 1 : 0;
        ended += code == child_terminated ? 1 : 0;
        continue;
      }
      alarm(60);  // a call that waits for ever is a failure, too
      const std::int64_t so_far = injected.load();
      std::string result;
      const Held held;
      const Outcome outcome = call_with_fault(call, n, following, result);
      const bool fired = injected.load() > so_far;
      faults += fired ? 1 : 0;
      told += outcome == Outcome::told ? 1 : 0;
      EXPECT_NE(outcome, Outcome::other) << "neither Error nor bad_alloc was thrown";
      if (outcome == Outcome::fine) {
        EXPECT_EQ(result, want) << "an allocation failed, and the result is another one";
      }
      std::string().swap(result);  // an assignment would keep its memory
      EXPECT_EQ(Held(), held);
      EXPECT_EQ(call(), want) << "the next call gives another result";
    }
  alarm(0);
  EXPECT_GT(told, 0);
  std::printf(
      "  %-22s %6lld allocations, %6lld faults injected, %6lld told by an exception, %lld ended by JSON\n",
      name, static_cast<long long>(allocations), static_cast<long long>(faults), static_cast<long long>(told),
      static_cast<long long>(ended));
  std::fflush(stdout);  // a run of all faults is long, and may be stopped
}

Points some_rows(std::uint64_t seed, std::size_t n, std::size_t d, double shift = 0) {
  Rng rng(seed, Purpose::test);
  return gaussian(rng, n, d, shift);
}

std::string some_text(std::uint64_t seed, std::size_t n, double shift = 0) {
  Rng rng(seed, Purpose::test);
  std::string text = "height,weight,town\n";
  for (std::size_t i = 0; i < n; ++i)
    text += std::to_string(rng.normal() + shift) + "," + std::to_string(rng.normal()) + "," +
            (rng.below(2) == 0 ? "Paris" : R"("Rome, ""the"" eternal")") + "\n";
  return text;
}

Frame some_frame(std::uint64_t seed, std::size_t n, double shift = 0) {
  const TempDir folder;
  write_file(folder / "t.csv", some_text(seed, n, shift));
  return read_frame((folder / "t.csv").string());
}

std::string bits(const std::vector<double>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

/// Without the line that says how long it took.
std::string timeless(std::string text) {
  if (const std::size_t at = text.find(" s on "); at != std::string::npos) {
    const std::size_t from = text.rfind('\n', at) + 1;
    text.erase(from, text.find('\n', at) - from);
  }
  return text;
}

TEST(Allocations, Transport) {
  const Points x = some_rows(1, 14, 3), y = some_rows(2, 11, 3, 1), z = some_rows(3, 14, 3, 1),
               line = some_rows(4, 9, 1);
  survives("transport", [&] {
    std::string all;
    for (const Transport& w :
         {transport(x, y), transport(x, z), transport(line, line), partial_transport(x, y, 0.2, 0.1)})
      all += bits(w.u) + bits(w.v) + bits({w.cost, w.gap});
    return all;
  });
}

TEST(Allocations, Distance) {
  const Points x = some_rows(1, 16, 2), y = some_rows(2, 13, 2, 1);
  survives("distance", [&] {
    const Distance w = distance(x, y, {.permutations = 9, .keep_rows = true, .threads = 3});
    return timeless(text(w)) + rows_csv(w);
  });
}

TEST(Allocations, DistanceOfBlocks) {
  const Points x = some_rows(1, 16, 2), y = some_rows(2, 13, 2, 1);
  for (const Estimator estimator : {Estimator::plain, Estimator::mom, Estimator::mou})
    survives(std::string(name(estimator)).c_str(), [&] {
      DistanceOptions options{.estimator = estimator, .read_out = 5, .threads = 3};
      if (estimator != Estimator::plain) options.blocks = {5, 5};
      return timeless(text(distance(x, y, options)));
    });
}

TEST(Allocations, DistanceOfTables) {
  const Frame x = some_frame(1, 16), y = some_frame(2, 14, 1);
  survives("distance of tables", [&] {
    const Distance w = distance(x, y, {.permutations = 5, .threads = 2});
    return timeless(text(w));
  });
}

TEST(Allocations, Outliers) {
  const Frame x = some_frame(1, 24);
  survives("outliers", [&] {
    const Outliers found = outliers(x, {.threads = 3});
    return timeless(text(found)) + outliers_csv(found);
  });
}

TEST(Allocations, Matrix) {
  const std::vector<Frame> frames{some_frame(1, 12), some_frame(2, 11), some_frame(3, 12, 1)};
  const std::vector<NamedFrame> named{{"a", &frames[0]}, {"b", &frames[1]}, {"c", &frames[2]}};
  survives("matrix", [&] {
    const Matrix m = matrix(named, {.threads = 3});
    return timeless(text(m)) + pairs_csv(m);
  });
}

TEST(Allocations, Reference) {
  const Frame x = some_frame(1, 24);
  const TempDir folder;
  const std::string file = (folder / "r.ref").string();
  const auto make = [&] {
    save(make_reference(x, {.chunk_rows = 10, .threads = 1}), file);
    return content_of(file) + std::to_string(entries_of(folder.path()));
  };
  survives("reference", make, Uses::json);
  survives(
      "load_reference", [&] { return load_reference(file).digest; }, Uses::json);
}

TEST(Allocations, Check) {
  const Frame x = some_frame(1, 24), y = some_frame(2, 12, 1);
  const Reference reference = make_reference(x, {.chunk_rows = 10});
  survives("check", [&] { return timeless(text(check(reference, y, {.threads = 2}))); });
}

TEST(Allocations, Monitor) {
  const Frame x = some_frame(1, 24), y = some_frame(2, 12, 1);
  const Reference reference = make_reference(x, {.chunk_rows = 10});
  const TempDir folder;
  const std::string log = (folder / "m.log").string();
  const auto watch = [&] {
    std::filesystem::remove(log);
    std::vector<ChunkSource> chunks;
    for (const char* name : {"a", "b"}) chunks.push_back({.name = name, .read = [&] { return y; }});
    (void)monitor(reference, chunks, {.one_in = 2, .log = log, .threads = 1});
    // Once more: now the log is read, and nothing is to be judged.
    return text(monitor(reference, chunks, {.one_in = 2, .log = log, .threads = 1})) + content_of(log);
  };
  survives("monitor", watch, Uses::json);
}

TEST(Allocations, ReadingAndWriting) {
  const TempDir folder;
  const Points x = some_rows(1, 40, 3);
  const std::string csv = (folder / "x.csv").string(), npy = (folder / "x.npy").string(),
                    other = (folder / "out.csv").string();
  write_csv(csv, x);
  write_npy(npy, x);
  for (const std::string& path : {csv, npy})
    survives(path.ends_with("csv") ? "reading csv" : "reading npy", [&] {
      const Table table = read_table(path);
      const PointsView points = table.points;
      return bits({points.data, points.data + x.rows() * x.cols()});
    });
  const std::string table = (folder / "t.csv").string();
  write_file(table, some_text(3, 6));
  survives("reading a table", [&] {
    const Frame frame = read_frame(table);
    return bits(frame.columns[0].numbers) + frame.columns[2].levels[0] + frame.columns[2].levels[1];
  });
  survives("writing", [&] {
    OutputFile file(other);
    file.stream() << std::string(100, 'a') << 3.5;
    file.commit();
    return content_of(other) + std::to_string(entries_of(folder.path()));
  });
}

}  // namespace
}  // namespace motmot::test
