// Command lines: every option of every command is parsed, nothing is run; what says how files are read is
// used, too.
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "data/units.hpp"
#include "fuzz/fuzz.hpp"
#include "motmot/tables.hpp"
#include "program.hpp"

namespace motmot::fuzz {
namespace {

/// Words by their lines.
std::vector<std::string> words_of(std::string_view bytes) {
  std::vector<std::string> words;
  for (std::size_t from = 0; from <= bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', from), bytes.size());
    words.emplace_back(bytes.substr(from, end - from));
    from = end + 1;
  }
  return words;
}

struct Parsed {};

/// Parses, and complains as the command would; nothing is run.
void parse(CLI::App& program, std::vector<std::string> words) {
  std::ranges::reverse(words);
  program.parse_complete_callback([] { throw Parsed{}; });
  const app::Outcome outcome = app::outcome_of(program, [&] {
    try {
      program.parse(std::move(words));
    } catch (const Parsed&) {
    } catch (const CLI::Success&) {  // --help
    }
  });
  expect(outcome.code == 0 || outcome.code == 2, "a command line is right or wrong: " + outcome.line);
  if (outcome.code != 0) throw Error(Errc::invalid_argument, outcome.line);
}

/// Every command; made once, since that takes longer than to parse.
CLI::App& whole_program() {
  static CLI::App program("", "motmot");
  if (!program.get_subcommands([](CLI::App*) { return true; }).empty()) return program;
  program.require_subcommand(1);
  app::add_distance(program, "", alone());
  app::add_matrix(program, "", alone());
  app::add_compare(program, "");
  app::add_transport(program);
  app::add_outliers(program, "");
  app::add_doctor(program, "");
  app::add_watch(program, "");
  app::add_evaluate(program);
  app::add_advise(program);
  app::add_generate(program);
  app::add_reproduce(program, alone());
  return program;
}

void read_command_line(std::string_view bytes) { parse(whole_program(), words_of(bytes)); }

std::vector<std::string> command_lines() {
  return {
      "distance\nx.csv\ny.csv\n--tau\n0.1\n--scale\nage=10,income=5000\n--permutations\n99\n--seed\n7\n--"
      "hidden\n128,64",
      "distance\nx\ny\n--estimator\nmou-diag\n--blocks-x\n7\n--critic\nclipped\n--rate=5e-5\n--columns\na,"
      "b\n--kinds\nzip=category",
      "matrix\na\nb\nc\n--by\nwhen\n--missing\nlevel",
      "outliers\nx.csv\n--na\n-999,unknown\n--list\n20",
      "check\nmay.ref\nx.csv\n--effect\n0.5",
      "monitor\nmay.ref\na.csv\nb.csv\n--one-in\n20\n--log\nd.log",
      "generate\nd1\n--n\n10\n--tau-x\n0.1\n--output\ntoy",
      "reproduce\nerror\n--quick\n--output\ndir",
      "advise\n--n\n500\n--tau\n0.1"};
}

/// The options of reading with a file of many kinds of columns, and units for them.
void read_flags(std::string_view bytes) {
  static const std::string path =
      written("columns.csv",
              "x,\"y, z\",2,when,,label,x "
              "y\n1,2.5,3,2024-01-31,5,a,007\n2,NA,4,2024-02-29,-999,b,8\n3,+4,5,1999-12-31,6,a,9\n");
  app::ReadFlags flags{.any_kind = true};
  std::string weights, scale = "none";
  CLI::App program;
  flags.add_to(program);
  const app::Options options(program);
  options.add("--weights", weights, "COL", "");
  options.add("--scale", scale, "UNITS", "");
  parse(program, words_of(bytes));
  const Frame frame = read_frame(path, flags.read_options(weights));
  expect(frame.n() > 0 && !frame.columns.empty(), "a table has rows and columns");
  std::vector<std::string> names;
  for (const Column& column : frame.columns) names.push_back(column.name);
  for (const double unit : given_units(scale, names)) expect(unit > 0, "units are positive");
}

std::vector<std::string> flags() {
  return {"--columns\nx,2,3",
          "--exclude\nlabel,5\n--missing\ndrop",
          "--kinds\n7=category,when=time\n--missing\nlevel",
          "--na\n-999,a\n--weights\n3\n--missing\nlevel",
          "--separator\ncomma\n--decimal\n.\n--comment\n#",
          "--columns\nx,when\n--scale\nx=10,when=2.5e3",
          "--raw\nfloat64,3"};
}

}  // namespace

std::vector<Target> option_targets() {
  return {{"command_line", read_command_line, command_lines}, {"read_flags", read_flags, flags}};
}

}  // namespace motmot::fuzz
