// motmot generate TOY: samples whose distance is known and whose outliers are listed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/memory.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "common.hpp"
#include "motmot/data.hpp"

namespace motmot::app {
namespace {

struct GenerateCommand {
  Toy toy{};
  std::string output, format = "csv";
  std::size_t n = 500;
  std::optional<std::size_t> m;
  std::size_t d = 2;
  double tau_x = 0.1;
  std::optional<double> tau_y;
  std::uint64_t seed = 0;
  bool quiet = false;
  MemoryFlag memory{};

  void add_to(CLI::App& command);
  [[nodiscard]] ToyOptions options() const;
  [[nodiscard]] double bytes(const ToyOptions& asked) const;
  void operator()() const;

 private:
  void write(const ToySample& sample, const std::filesystem::path& folder) const;
};

void GenerateCommand::add_to(CLI::App& command) {
  const Options options(command);
  options.add("TOY", toy, "", all_names<Toy>());
  options.add("--n", n, "N", "Rows of X (default 500)");
  options.add("--m", m, "M", "Rows of Y (default: as many as X)");
  options.add("--d", d, "D", "Columns (default 2)");
  options.add_each("--tau", tau_x, tau_y, "T",
                   "Share of outliers in X and in Y (default: 0.1 in X; in Y 0, for 'both' 0.1)");
  options.add("--seed", seed, "S", "The data are a function of this and the other options (default 0)");
  options.add("--output", output, "DIR", "Folder for x.csv, y.csv and outliers.csv; made if missing")
      ->required();
  options.add("--format", format, "csv|npy", "csv (default) or npy");
  options.flag("--quiet", quiet, "No summary");
  memory.add_to(command);
  command.footer(
      "d1 and d2 are the paper's (Section 4.2): N(0,I) against N(5,I) with outliers in X, uniform on "
      "[-50,50]\n"
      "or Cauchy around 25. The others put outliers on one side, behind Y, inside Y, in both samples, or "
      "change\n"
      "the inliers: another shape, skewed, heavy-tailed, bimodal.\n\n"
      "Example:\n"
      "  motmot generate d1 --n 500 --tau-x 0.1 --seed 1 --output toy");
}

ToyOptions GenerateCommand::options() const {
  return {.toy = toy,
          .n = n,
          .m = m.value_or(n),
          .d = d,
          .tau_x = tau_x,
          .tau_y = tau_y,
          .seed = seed,
          .memory_limit = memory.limit()};
}

/// The samples, and while they are written a line of text with the names of its columns, or the list of all
/// outliers.
double GenerateCommand::bytes(const ToyOptions& asked) const {
  constexpr double of_a_column = 100, of_an_outlier = 30;
  const double share = std::clamp(std::max(asked.tau_x, asked.tau_y.value_or(0)), 0.0, 1.0),
               outliers = share * (static_cast<double>(asked.n) + static_cast<double>(asked.m)),
               of_line = format == "csv" ? of_a_column * static_cast<double>(asked.d) : 0;
  return generate_bytes(asked) + std::max(of_line, of_an_outlier * outliers);
}

std::string outliers_csv(const ToySample& sample) {
  std::string text = "sample,row\n";
  for (const std::uint32_t row : sample.outliers_x) text += fmt::format("x,{}\n", row + 1);
  for (const std::uint32_t row : sample.outliers_y) text += fmt::format("y,{}\n", row + 1);
  return text;
}

void GenerateCommand::write(const ToySample& sample, const std::filesystem::path& folder) const {
  const std::string x = folder / ("x." + format), y = folder / ("y." + format),
                    outliers = folder / "outliers.csv";
  require_distinct({}, {{"X", x}, {"Y", y}, {"the list of outliers", outliers}});
  make_folder(folder);
  if (format == "npy") {
    write_npy(x, sample.x);
    write_npy(y, sample.y);
  } else {
    std::vector<std::string> columns;
    for (std::size_t j = 0; j < sample.x.cols(); ++j) columns.push_back(fmt::format("c{}", j + 1));
    write_csv(x, sample.x, columns);
    write_csv(y, sample.y, columns);
  }
  OptionalOutput(outliers).write(outliers_csv(sample));
}

void GenerateCommand::operator()() const {
  require(format == "csv" || format == "npy", Errc::invalid_argument, "--format must be csv or npy; got '",
          format, "'");
  const ToyOptions asked = options();
  require_memory(bytes(asked), asked.memory_limit, "take fewer rows or columns");
  memory.hold();
  const ToySample sample = generate(asked);
  write(sample, output);
  if (quiet) return;
  print(
      fmt::format("{}: X {}, {} of them outliers; Y {}, {}; {}\n"
                  "W1 between the laws of the inliers: {:.6g}\n"
                  "wrote x.{}, y.{} and outliers.csv (rows counted from 1) to {}\n",
                  name(toy), counted(sample.x.rows(), "row"), sample.outliers_x.size(),
                  counted(sample.y.rows(), "row"), counted(sample.outliers_y.size(), "outlier"),
                  counted(sample.x.cols(), "column"), sample.population_w1, format, format, output));
}

}  // namespace

void add_generate(CLI::App& program) {
  add_command<GenerateCommand>(program, "generate", "Toy samples with known distance and listed outliers");
}

}  // namespace motmot::app
