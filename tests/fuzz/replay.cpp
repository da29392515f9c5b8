// Feeds targets with files, without libFuzzer: every compiler can, and `make test` does.
//   fuzz_replay all CORPUS          every target: its seeds, and the files in CORPUS/TARGET
//   fuzz_replay TARGET [FILE]...    one target: its seeds, and these
//   fuzz_replay --list              the targets
//   fuzz_replay --seeds FOLDER      writes FOLDER/TARGET/seed-N, for libFuzzer to begin with
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "fuzz/fuzz.hpp"
#include "support/support.hpp"

namespace motmot::fuzz {
namespace {

namespace fs = std::filesystem;

void write_seeds(const fs::path& folder) {
  for (const Target& target : all_targets()) {
    fs::create_directories(folder / target.name);
    const std::vector<std::string> seeds = target.seeds();
    for (std::size_t i = 0; i < seeds.size(); ++i)
      test::write_file(folder / target.name / ("seed-" + std::to_string(i)), seeds[i]);
  }
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> files;
  if (!fs::exists(folder)) return files;  // nothing has failed there yet
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

void replay(const Target& target, const std::vector<std::string>& files) {
  std::size_t inputs = 0;
  const auto feed = [&](const std::string& bytes, const std::string& name) {
    std::fprintf(stderr, "%s: %s\n", target.name.c_str(),
                 name.c_str());  // the last line is the one that failed
    run(target, bytes);
    ++inputs;
  };
  feed("", "nothing");
  for (const std::string& seed : target.seeds()) {
    feed(seed, "a seed");
    feed(seed.substr(0, seed.size() / 2), "half of a seed");
  }
  for (const std::string& file : files) {
    if (!fs::is_regular_file(file)) throw std::runtime_error("there is no file '" + file + "'");
    feed(content(file), file);
  }
  std::printf("%s: %zu inputs\n", target.name.c_str(), inputs);
}

bool replay(const std::string& name, const std::vector<std::string>& files) {
  bool found = false;
  for (const Target& target : all_targets()) {
    if (name != "all" && name != target.name) continue;
    replay(target, name == "all" ? files_in(fs::path(files.at(0)) / target.name) : files);
    found = true;
  }
  return found;
}

}  // namespace
}  // namespace motmot::fuzz

int main(int argc, char** argv) {
  using namespace motmot::fuzz;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--seeds") {
    write_seeds(words[1]);
    return 0;
  }
  if (words.size() == 1 && words[0] == "--list") {
    for (const Target& target : all_targets()) std::printf("%s\n", target.name.c_str());
    return 0;
  }
  if (!words.empty() && (words[0] != "all" || words.size() == 2) &&
      replay(words[0], {words.begin() + 1, words.end()}))
    return 0;
  std::fprintf(stderr, "usage: fuzz_replay all CORPUS | TARGET [FILE]... | --list | --seeds FOLDER\n");
  return 2;
}
