// What the studies of motmot reproduce have in common: where results go, how they begin and end.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "base/text.hpp"
#include "common.hpp"
#include "interrupt.hpp"
#include "ranks.hpp"
#include "report/claims.hpp"

namespace motmot::app {

/// Names of enums, separated by commas, as an option takes them.
template <class E>
std::string comma_names(const std::vector<E>& values) {
  std::string text;
  for (const E value : values) text.append(text.empty() ? "" : ",").append(name(value));
  return text;
}

/// " (default 1,2,5)", for the help of an option.
template <class T>
std::string by_default(const std::vector<T>& values) {
  if constexpr (std::is_enum_v<T>) return fmt::format(" (default {})", comma_names(values));
  else return fmt::format(" (default {})", fmt::join(values, ","));
}
inline std::string by_default(double value) { return fmt::format(" (default {})", value); }

/// The value that was given for a part of the grid, if one was.
template <class T>
void replace(std::vector<T>& part, const std::vector<T>& given) {
  if (!given.empty()) part = given;
}

struct StudyFlags {
  std::string output{}, report{};
  bool quick = false;
  std::optional<std::size_t> repetitions{};
  RunFlags run{};
  MemoryFlag memory{};
  Communicator* ranks = &alone();

  void add_to(CLI::App& command, const char* what_quick_is, std::size_t usual_repetitions) {
    const Options options(command), grid(command, "Grid");
    options.add("--output", output, "DIR", "Folder for results, figures and finished cells; made if missing")
        ->required();
    options.add("--report", report, "FILE.html", "One page with figures, tables and claims");
    options.flag("--quick", quick, what_quick_is);
    grid.add("--repetitions", repetitions, "R",
             "Repetitions, each with data of its own" + by_default(static_cast<double>(usual_repetitions)));
    run.add_to(command);
    memory.add_to(command);
  }

  /// The options of a study with what was asked for here.
  template <class StudyOptions>
  [[nodiscard]] StudyOptions with(StudyOptions o) const {
    o.repetitions = repetitions.value_or(o.repetitions);
    o.seed = run.seed;
    o.threads = run.threads;
    o.memory_limit = memory.limit();
    o.folder = output;
    o.progress = progress_bar(run.quiet || ranks->rank() != 0);
    o.ranks = ranks;
    return o;
  }

  /// What can be refused is, on every rank, before work starts; `files` are those of the folder. Returns the
  /// page that --report asks for.
  [[nodiscard]] OptionalOutput begin(const std::vector<NamedFile>& inputs, const std::string& cells,
                                     const std::vector<std::string>& files) const {
    std::optional<OptionalOutput> page;
    begin_study(*ranks, output, [&] {
      std::vector<NamedFile> outputs{{"--report", report}, {"--output", cells}};
      for (const std::string& file : files) outputs.push_back({"--output", in_folder(file)});
      require_distinct(inputs, outputs);
      for (const NamedFile& input : inputs)
        require(input.path.empty() || std::filesystem::exists(input.path), Errc::io, "cannot read '",
                input.path, "': there is no such file");
      memory.hold();
      page.emplace(ranks->rank() == 0 ? report : "");
    });
    return std::move(*page);
  }

  [[nodiscard]] std::string in_folder(const std::string& file) const {
    return (std::filesystem::path(output) / file).string();
  }

  void save(const std::string& file, const std::string& text) const {
    OptionalOutput(in_folder(file)).write(text);
  }

  template <class Result>
  void require_complete(const Result& result) const {
    if (!result.complete())
      throw Interrupted{fmt::format("interrupted; {} of {} cells are kept in '{}': the same command goes on",
                                    result.cells_done, result.cells, output)};
  }

  template <class Result>
  void print_end(std::string_view study, const Result& result, const std::vector<Claim>& claims) const {
    if (run.quiet) return;
    print(fmt::format("{}: {} ({} found finished), {}; results and figures in {}\n\n{}", study,
                      counted(result.cells, "cell"), result.cells_reused,
                      counted(result.options.repetitions, "repetition"), output, claims_text(claims)));
  }
};

}  // namespace motmot::app
