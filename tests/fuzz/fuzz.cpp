// The harness: libFuzzer calls LLVMFuzzerTestOneInput(); replay.cpp does the same with files, where there is
// no libFuzzer.
#include "fuzz/fuzz.hpp"

#include <cstdio>
#include <cstdlib>

#include "motmot/base.hpp"
#include "support/support.hpp"

namespace motmot::fuzz {

std::vector<Target> all_targets() {
  std::vector<Target> all;
  for (auto* list :
       {reader_targets, own_file_targets, option_targets, solver_targets, picture_targets, stream_targets})
    for (Target& target : list()) all.push_back(std::move(target));
  return all;
}

void expect(bool holds, std::string_view words) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: not so: %.*s\n", static_cast<int>(words.size()), words.data());
  std::abort();
}

void run(const Target& target, std::string_view bytes) {
  try {
    target.run(bytes);
  } catch (const Error& error) {
    const std::string_view words = error.what();
    expect(!words.empty() && words.find_first_of("\n\r") == std::string_view::npos,
           "a complaint is one line: " + std::string(words));
  }
}

std::uint8_t Choices::byte() {
  if (rest_.empty()) return 0;
  const auto first = static_cast<std::uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return first;
}

std::string in_folder(const std::string& name) {
  static const test::TempDir folder;
  return folder / name;
}

std::string written(const std::string& name, std::string_view bytes) {
  const std::string path = in_folder(name);
  test::write_file(path, std::string(bytes));
  return path;
}

std::string content(const std::string& path) { return test::read_file(path); }

}  // namespace motmot::fuzz

namespace {

/// The one that the environment names.
const motmot::fuzz::Target& chosen_target() {
  static const motmot::fuzz::Target target = [] {
    const char* wanted = std::getenv("MOTMOT_FUZZ_TARGET");
    for (motmot::fuzz::Target& one : motmot::fuzz::all_targets())
      if (wanted != nullptr && one.name == wanted) return std::move(one);
    std::fprintf(stderr, "fuzz: MOTMOT_FUZZ_TARGET must name a target\n");
    std::exit(2);
  }();
  return target;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  motmot::fuzz::run(chosen_target(), {reinterpret_cast<const char*>(data), size});
  return 0;
}
