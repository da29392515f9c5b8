// How fast text is read, on one thread: MB of file per second of processor time, and peak memory over the
// size of the result. Each case runs in a child process, so that its peak is its own.
//
//   reading_bench [MEGABYTES]      1000 unless said
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/random.hpp"
#include "motmot/data.hpp"

namespace {

using namespace motmot;

constexpr std::size_t columns = 10, rows_per_block = 20000;

struct Case {
  const char* name;
  std::function<std::string(Rng&)> field;
};

void write_file(const std::filesystem::path& path, const Case& what, double megabytes) {
  Rng rng(1, Purpose::toy_x);
  std::string block;
  for (std::size_t i = 0; i < rows_per_block; ++i)
    for (std::size_t k = 0; k < columns; ++k) block += what.field(rng) + (k + 1 < columns ? ',' : '\n');
  std::ofstream file(path, std::ios::binary);
  const auto blocks =
      static_cast<std::size_t>(std::ceil(megabytes * 1e6 / static_cast<double>(block.size())));
  for (std::size_t k = 0; k < blocks; ++k) file << block;
}

/// In a child process: reads and tells how many doubles there were.
double read_in_child(const std::filesystem::path& path, rusage& used) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    const Table table = read_table(path.string());
    const double count = static_cast<double>(table.points.rows() * table.points.cols());
    _exit(write(ends[1], &count, sizeof count) == sizeof count ? 0 : 1);
  }
  int status = 0;
  wait4(child, &status, 0, &used);
  double count = 0;
  if (status != 0 || read(ends[0], &count, sizeof count) != sizeof count) std::exit(1);
  close(ends[0]);
  close(ends[1]);
  return count;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

int main(int argc, char** argv) {
  const double megabytes = argc > 1 ? std::atof(argv[1]) : 1000;
  const Case cases[] = {
      {"17 digits", [](Rng& rng) { return fmt::format("{:.17g}", rng.uniform() * 100 - 50); }},
      {"three decimals", [](Rng& rng) { return fmt::format("{:.3f}", rng.uniform() * 100 - 50); }},
      {"one digit", [](Rng& rng) { return fmt::format("{}", rng.below(10)); }},
  };
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("motmot-reading-{}.csv", getpid());
  for (const Case& what : cases) {
    write_file(path, what, megabytes);
    rusage used{};
    const double bytes = 8 * read_in_child(path, used);
    const double size = static_cast<double>(std::filesystem::file_size(path));
    fmt::print("{:>15}: {:6.0f} MB at {:4.0f} MB/s, peak memory {:.2f} times the result\n", what.name,
               size / 1e6, size / 1e6 / (seconds(used.ru_utime) + seconds(used.ru_stime)),
               1024.0 * static_cast<double>(used.ru_maxrss) / bytes);
    std::filesystem::remove(path);
  }
}
