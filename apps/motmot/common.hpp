/// What several subcommands share: reading samples, choices by name, outputs.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "motmot/data.hpp"

namespace motmot::app {

/// All names of an enum's values, as help and complaints list them.
template <NamedEnum E>
std::string all_names(std::string_view between = "|") {
  std::string all;
  for (const auto& [name, value] : names<E>) all.append(all.empty() ? "" : between).append(name);
  return all;
}

/// The value that `word` names; a complaint lists the names there are.
template <NamedEnum E>
E choice(std::string_view option, std::string_view word) {
  const std::optional<E> value = named<E>(word);
  require(value.has_value(), Errc::invalid_argument, option, " must be one of ", all_names<E>(", "),
          "; got '", word, "'");
  return *value;
}

/// The same for a list of words that is no enum's table.
template <class T, std::size_t N>
T choice(std::string_view option, std::string_view word,
         const std::array<std::pair<std::string_view, T>, N>& words) {
  std::string all;
  for (const auto& [name, value] : words) {
    if (name == word) return value;
    all += all.empty() ? "" : ", ";
    all += name;
  }
  fail(Errc::invalid_argument, option, " must be one of ", all, "; got '", word, "'");
}

/// A number of things; CLI11 would take -3 for 2^64 - 3.
[[nodiscard]] CLI::Validator count();

/// --columns, --exclude, --missing.
struct ReadFlags {
  ReadOptions options{};
  std::string missing = "error";

  void add_to(CLI::App& command);
  /// The table at `path`; `weights` names its column of row weights, if any.
  [[nodiscard]] Table read(const std::string& path, const std::string& weights = {}) const;
};

/// Reads X and Y; complains when both are standard input, when their columns differ in number, or when they
/// share names and differ in others or in their order.
std::pair<Table, Table> read_samples(const ReadFlags& flags, const std::string& x, const std::string& y,
                                     const std::string& weights_x = {}, const std::string& weights_y = {});

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

/// --seed, --threads, --quiet.
struct RunFlags {
  std::uint64_t seed = 0;
  std::size_t threads = 0;
  bool quiet = false;

  void add_to(CLI::App& command);
};

}  // namespace motmot::app
