// motmot generate TOY: samples whose distance is known and whose outliers are listed.
#include <fmt/format.h>

#include <filesystem>

#include "commands.hpp"
#include "common.hpp"
#include "motmot/data.hpp"

namespace motmot::app {
namespace {

struct GenerateCommand {
  std::string toy, output, format = "csv";
  std::size_t n = 500;
  std::optional<std::size_t> m;
  std::size_t d = 2;
  std::optional<double> tau, tau_x, tau_y;
  std::uint64_t seed = 0;
  bool quiet = false;

  void add_to(CLI::App& command);
  [[nodiscard]] ToyOptions options() const;
  void operator()() const;

 private:
  void write(const ToySample& sample, const std::filesystem::path& folder) const;
};

void GenerateCommand::add_to(CLI::App& command) {
  command.add_option("TOY", toy, all_names<Toy>())->required();
  command.add_option("--n", n, "Rows of X (default 500)")->type_name("N")->check(count());
  command.add_option("--m", m, "Rows of Y (default: as many as X)")->type_name("M")->check(count());
  command.add_option("--d", d, "Columns (default 2)")->type_name("D")->check(count());
  command.add_option("--tau", tau, "Share of outliers in X (default 0.1); for 'both' also in Y")
      ->type_name("T");
  command.add_option("--tau-x", tau_x, "Share of outliers in X")->type_name("T");
  command.add_option("--tau-y", tau_y, "Share of outliers in Y")->type_name("T");
  command.add_option("--seed", seed, "The data are a function of this and the other options (default 0)")
      ->type_name("S")
      ->check(count());
  command.add_option("--output", output, "Folder for x.csv, y.csv and outliers.csv; made if missing")
      ->required()
      ->type_name("DIR");
  command.add_option("--format", format, "csv (default) or npy")->type_name("csv|npy");
  command.add_flag("--quiet", quiet, "No summary");
  command.footer(
      "d1 and d2 are the paper's (Section 4.2): N(0,I) against N(5,I) with outliers in X, uniform on "
      "[-50,50]\n"
      "or Cauchy around 25. The others put outliers on one side, behind Y, inside Y, in both samples, or "
      "change\n"
      "the inliers: another shape, skewed, heavy-tailed, bimodal.\n\n"
      "Example:\n"
      "  motmot generate d1 --n 500 --tau 0.1 --seed 1 --output toy");
}

ToyOptions GenerateCommand::options() const {
  ToyOptions o{.toy = choice<Toy>("TOY", toy), .n = n, .m = m.value_or(n), .d = d, .seed = seed};
  require(!tau || !tau_x, Errc::invalid_argument, "--tau and --tau-x say the same: leave one out");
  if (tau) o.tau_x = *tau;
  if (tau_x) o.tau_x = *tau_x;
  o.tau_y = tau_y;
  return o;
}

std::string outliers_csv(const ToySample& sample) {
  std::string text = "sample,row\n";
  for (const std::uint32_t row : sample.outliers_x) text += fmt::format("x,{}\n", row + 1);
  for (const std::uint32_t row : sample.outliers_y) text += fmt::format("y,{}\n", row + 1);
  return text;
}

void GenerateCommand::write(const ToySample& sample, const std::filesystem::path& folder) const {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  require(!error, Errc::io, "cannot make folder '", folder.string(), "': ", error.message());
  if (format == "npy") {
    write_npy(folder / "x.npy", sample.x);
    write_npy(folder / "y.npy", sample.y);
  } else {
    std::vector<std::string> columns;
    for (std::size_t j = 0; j < sample.x.cols(); ++j) columns.push_back(fmt::format("c{}", j + 1));
    write_csv(folder / "x.csv", sample.x, columns);
    write_csv(folder / "y.csv", sample.y, columns);
  }
  OptionalOutput(folder / "outliers.csv").write(outliers_csv(sample));
}

void GenerateCommand::operator()() const {
  require(format == "csv" || format == "npy", Errc::invalid_argument, "--format must be csv or npy; got '",
          format, "'");
  const ToySample sample = generate(options());
  write(sample, output);
  if (quiet) return;
  fmt::print("{}: X {} rows, {} of them outliers; Y {} rows, {} outliers; {} columns\n", toy, sample.x.rows(),
             sample.outliers_x.size(), sample.y.rows(), sample.outliers_y.size(), sample.x.cols());
  fmt::print("W1 between the laws of the inliers: {:.6g}\n", sample.population_w1);
  fmt::print("wrote x.{0}, y.{0} and outliers.csv (rows counted from 1) to {1}\n", format, output);
}

}  // namespace

void add_generate(CLI::App& program) {
  const auto command = std::make_shared<GenerateCommand>();
  CLI::App* sub = program.add_subcommand("generate", "Toy samples with known distance and listed outliers");
  command->add_to(*sub);
  sub->callback([command] { (*command)(); });
}

}  // namespace motmot::app
