/// What several subcommands share: options, reading samples, choices by name, outputs.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "motmot/cache.hpp"
#include "motmot/data.hpp"
#include "motmot/drawn.hpp"
#include "motmot/fields.hpp"
#include "motmot/tables.hpp"

namespace motmot::app {

/// All names of an enum's values, as help and complaints list them.
template <NamedEnum E>
std::string all_names(std::string_view between = "|") {
  std::string all;
  for (const auto& [name, value] : names<E>) all.append(all.empty() ? "" : between).append(name);
  return all;
}

// What a value must be. CLI11 would take -3 for 2^64 - 3, 10^30 for 2^64 - 1 and 010 for 8.
[[nodiscard]] CLI::Validator count();         ///< a whole number that fits into 64 bits
[[nodiscard]] CLI::Validator at_least_one();  ///< after count()
[[nodiscard]] CLI::Validator real();          ///< a finite number
[[nodiscard]] CLI::Validator positive();      ///< after real()
[[nodiscard]] CLI::Validator word();          ///< not empty, and not the next option

/// A name of the enum's table; becomes its number, which is what CLI11 reads into an enum.
template <NamedEnum E>
CLI::Validator one_of() {
  return {[](std::string& text) -> std::string {
            const std::optional<E> value = named<E>(text);
            if (!value) return "must be one of " + all_names<E>(", ") + "; got '" + text + "'";
            text = std::to_string(static_cast<int>(*value));
            return {};
          },
          ""};
}

/// Adds options and arguments to a command, all in one way: their values are checked as their type demands,
/// and a list is one word with commas.
class Options {
 public:
  explicit Options(CLI::App& command, std::string group = "Options")
      : command_(command), group_(std::move(group)) {}

  /// `type` is what help shows for the value: a letter, FILE or DIR, or the words there are (a|b|c). Names
  /// without dashes are arguments, which must be given.
  template <class T>
  CLI::Option* add(const std::string& name, T& value, const std::string& type,
                   const std::string& text) const {
    CLI::Option* option = command_.add_option(name, value, text);
    option->transform(validator(value));
    if (!name.starts_with('-')) return option->type_name("")->required();
    if constexpr (NamedEnum<T>) return option->type_name(all_names<T>())->group(group_);
    return option->type_name(type)->group(group_);
  }
  template <class T>
  CLI::Option* add(const std::string& name, std::vector<T>& value, const std::string& type,
                   const std::string& text) const {
    CLI::Option* option = command_.add_option(name, value, text)->delimiter(',')->allow_extra_args(false);
    return option->transform(validator(T()))->type_name(type)->group(group_);
  }
  /// An option for both samples, which is returned, and one for each.
  template <class X, class Y>
  CLI::Option* add_each(const std::string& name, X& x, Y& y, const std::string& type,
                        const std::string& text) const {
    CLI::Option* both = command_.add_option_function<X>(
        name, [&x, &y](const X& value) { y = x = value; }, text);
    both->transform(validator(x))->type_name(type)->group(group_);
    both->excludes(add(name + "-x", x, type, "The same for X alone"));
    both->excludes(add(name + "-y", y, type, "The same for Y alone"));
    return both;
  }
  CLI::Option* flag(const std::string& name, bool& value, const std::string& text) const {
    return command_.add_flag(name, value, text)->disable_flag_override()->group(group_);
  }

 private:
  template <class T>
  static CLI::Validator validator(const std::optional<T>& /*value*/) {
    return validator(T());
  }
  template <class T>
  static CLI::Validator validator(const T& /*value*/) {
    if constexpr (NamedEnum<T>) return one_of<T>();
    return std::is_integral_v<T> ? count() : std::is_floating_point_v<T> ? real() : word();
  }

  CLI::App& command_;
  std::string group_;
};

/// "--time-limit" for the field time_limit.
inline std::string option_name(std::string_view field) {
  std::string name = "--" + std::string(field);
  std::ranges::replace(name, '_', '-');
  return name;
}

/// " (default 0.1)"; nothing for 0, which stands for a choice that the help explains.
template <class T>
std::string default_words(const T& value) {
  if constexpr (requires { value.has_value(); }) return "";
  else if constexpr (NamedEnum<T>) return fmt::format(" (default {})", name(value));
  else return value == T{} ? "" : fmt::format(" (default {})", value);
}
inline std::string default_words(const std::vector<std::size_t>& value) {
  return fmt::format(" (default {})", fmt::join(value, ","));
}

/// One option for each field of T's list; a number of things is at least 1.
template <class T>
void add_fields(CLI::App& command, T& values) {
  for_each_field<T>([&](const auto& field) {
    auto& value = values.*field.member;
    using Value = std::remove_reference_t<decltype(value)>;
    const Options options(command, field.group.empty() ? "Options" : std::string(field.group));
    const std::string name = option_name(field.name), type(field.type), help(field.help);
    if constexpr (std::tuple_size_v < std::remove_cvref_t < decltype(fields<Value>) >>> 0) {
      add_fields(command, value);
    } else if constexpr (std::is_same_v<Value, bool>) {
      options.flag(name, value, help);
    } else if constexpr (requires { value.x; }) {
      options.add_each(name, value.x, value.y, type, help + default_words(value.x));
    } else {
      options.add(name, value, type, help + default_words(value));
    }
    if constexpr (std::is_same_v<Value, std::size_t>)
      if (field.name != "threads") command.get_option(name)->check(at_least_one());
    if constexpr (std::is_same_v<Value, PerSample<std::size_t>>)
      for (const char* suffix : {"", "-x", "-y"}) command.get_option(name + suffix)->check(at_least_one());
  });
}

/// Adds a command to a program: its options by add_to(), its work by calling it.
template <class Command>
CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& text,
                      Command command = {}) {
  const auto kept = std::make_shared<Command>(std::move(command));
  CLI::App* added = program.add_subcommand(name, text);
  kept->add_to(*added);
  added->callback([kept] { (*kept)(); });
  return added;
}

/// --memory-limit.
struct MemoryFlag {
  std::string size{};  ///< "18GB"; empty: three quarters of what there is

  void add_to(CLI::App& command);
  /// Bytes that the command may take.
  [[nodiscard]] std::uint64_t limit() const;
  /// From here on the process gets no more than that, whatever a forecast said. `untouched`: bytes that its
  /// libraries ask for and never use, which count for the system.
  void hold(std::uint64_t untouched = 0) const;
};

/// What every command that reads samples takes: columns, missing values, how a text is written.
struct ReadFlags {
  ReadOptions options{};
  std::string decimal = ".";
  std::vector<std::string> kinds{};  ///< "city=category"
  std::vector<std::string> raw{};    ///< "float64", "20"
  bool any_size = false;             ///< values whose distances may overflow are welcome
  bool any_kind = false;             ///< columns may be of any kind
  double time_limit = 0;             ///< seconds that DuckDB may take for a table; 0: any number
  bool by_reference = false;         ///< columns, kinds and missing values are those of a reference
  MemoryFlag memory{};
  mutable std::vector<std::string>
      notes{};  ///< what was done as samples were read that does not show in them

  void add_to(CLI::App& command);
  /// The notes as lines below an answer.
  [[nodiscard]] std::string note_lines() const;
  /// What the options say of a file; `weights` names its column of row weights, if any.
  [[nodiscard]] ReadOptions read_options(const std::string& weights = {}) const;
  /// Complains about --raw where none of these files is raw.
  void require_raw(const std::vector<std::string>& files) const;
  /// Before these files are read into memory: complains where that would take more than the limit, and holds
  /// it.
  void hold_memory(const std::vector<std::string>& files) const;
  /// Says stop after Ctrl-C and after the time limit.
  [[nodiscard]] Progress patience() const;
};

/// Reads X and Y; complains when both are standard input, when their columns do not correspond
/// (match_columns(): those of Y are put into the order of X), or when a value is too large (see
/// ReadFlags::any_size).
std::pair<Table, Table> read_samples(const ReadFlags& flags, const std::string& x, const std::string& y,
                                     const std::string& weights_x = {}, const std::string& weights_y = {});
/// The same of tables whose columns may be of any kind.
std::pair<Frame, Frame> read_frames(const ReadFlags& flags, const std::string& x, const std::string& y,
                                    const std::string& weights_x = {}, const std::string& weights_y = {});

/// Tables that may be too large to be compared whole: rows of them, drawn as they were read.
struct DrawnFrames {
  Frame x, y;
  PerSample<std::uint64_t> rows_read{};  ///< that they were drawn from; 0: the table has them all
};
/// read_frames() without weights, by the rule of DrawOptions. Files of numbers are read in memory that does
/// not grow with them; other tables, packed or not, are read whole before rows are drawn.
DrawnFrames read_drawn_frames(const ReadFlags& flags, const std::string& x, const std::string& y,
                              DrawOptions draw);

/// Rows in a file: of the sample itself, or of its cache.
struct MappedSample {
  MappedPoints points{};
  std::vector<std::string> columns{};     ///< names; empty: none
  std::span<const std::uint64_t> rows{};  ///< their numbers; empty: 1, 2, ...
  std::size_t rows_dropped = 0;
};
/// The rows of X and Y where they lie, where each can be mapped or converted into a cache in the folder
/// (empty: none); complaints as those of read_samples(). Values are looked at here, or left to who takes
/// rows.
std::optional<PerSample<MappedSample>> map_samples(const ReadFlags& flags, const std::string& x,
                                                   const std::string& y, const std::string& cache,
                                                   bool look_at_values);

/// The same of one table held against the first of several.
void make_comparable(const ReadFlags& flags, const std::string& x, const Frame& of_x, const std::string& y,
                     Frame& of_y);

/// One table; complains about values that are too large.
Frame read_one_frame(const ReadFlags& flags, const std::string& path);

/// Columns without a name have their number, which is no name to print alone: 2 becomes c2.
void give_names(Frame& frame);
void give_names(std::vector<std::string>& columns);

/// A file and the option or argument that named it.
struct NamedFile {
  std::string_view option;
  std::string path;  ///< empty: not asked for
};

/// Complains when a command would write over a file that it reads, or twice to the same place. Called by
/// every command that writes, before anything is read.
void require_distinct(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

/// An output that may not have been asked for. Opened before the work, so that a bad name is found out at
/// once; appears when write() is called.
class OptionalOutput {
 public:
  explicit OptionalOutput(const std::string& path);
  explicit operator bool() const { return file_ != nullptr; }
  void write(const std::string& text);

 private:
  std::unique_ptr<OutputFile> file_;
};

/// Prints to standard output, or to standard error when one of these outputs goes to standard output.
/// Throws when standard output cannot be written to.
void print(const std::string& text, std::initializer_list<std::string> outputs = {});

/// The text as a shell reads it as one word: as it is, or in single quotes.
[[nodiscard]] std::string shell_word(const std::string& text);

/// --seed, --threads, --quiet.
struct RunFlags {
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  bool quiet = false;

  void add_to(CLI::App& command);
};

}  // namespace motmot::app
