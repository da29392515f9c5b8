// Feeds targets with files, without libFuzzer: every compiler can, and `make test` does.
//   fuzz_replay TARGET [FILE|FOLDER]...   its seeds, and these
//   fuzz_replay --list                    the targets
//   fuzz_replay --seeds FOLDER            writes FOLDER/TARGET/seed-N, for libFuzzer to begin with
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

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

int replay(const std::vector<std::string>& words) {
  const std::vector<Target> all = all_targets();
  const auto target = std::ranges::find(all, words[0], &Target::name);
  if (target == all.end()) {
    std::fprintf(stderr, "fuzz_replay: there is no target '%s'\n", words[0].c_str());
    return 2;
  }
  std::size_t inputs = 0;
  const auto feed = [&](const std::string& bytes, const std::string& name) {
    std::fprintf(stderr, "%s\n", name.c_str());  // the last line is the one that failed
    run(*target, bytes);
    ++inputs;
  };
  feed("", "nothing");
  for (const std::string& seed : target->seeds()) {
    feed(seed, "seed");
    feed(seed.substr(0, seed.size() / 2), "half of a seed");
  }
  for (std::size_t i = 1; i < words.size(); ++i)
    for (const fs::path& file : files_of(words[i])) feed(content(file.string()), file.string());
  std::printf("%s: %zu inputs\n", target->name.c_str(), inputs);
  return 0;
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
  if (!words.empty()) return replay(words);
  std::fprintf(stderr, "usage: fuzz_replay TARGET [FILE|FOLDER]... | --list | --seeds FOLDER\n");
  return 2;
}
