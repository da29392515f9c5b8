// Feeds targets with files, without libFuzzer: every compiler can, and `make test` does.
//   fuzz_replay all CORPUS FOUND    every target: its seeds, the files in CORPUS/TARGET, the lines of
//   FOUND/TARGET fuzz_replay TARGET [FILE]...    one target: its seeds, and these fuzz_replay --list the
//   targets fuzz_replay --seeds FOLDER      writes FOLDER/TARGET/seed-N, for libFuzzer to begin with
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>

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

unsigned hexadecimal(char digit) {
  const std::size_t value = std::string_view("0123456789abcdef").find(digit);
  if (value == std::string_view::npos) throw std::runtime_error("not a hexadecimal digit");
  return static_cast<unsigned>(value);
}

/// What a campaign found and kept (scripts/fuzz --keep): an input a line, two digits a byte.
std::vector<std::string> inputs_in(const fs::path& found) {
  std::vector<std::string> inputs;
  if (!fs::exists(found)) return inputs;
  std::istringstream lines(content(found.string()));
  for (std::string line; std::getline(lines, line);) {
    std::string& bytes = inputs.emplace_back();
    for (std::size_t i = 0; i + 1 < line.size(); i += 2)
      bytes += static_cast<char>(16 * hexadecimal(line[i]) + hexadecimal(line[i + 1]));
  }
  return inputs;
}

void replay(const Target& target, const std::vector<std::string>& files,
            const std::vector<std::string>& found = {}) {
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
  for (std::size_t line = 0; line < found.size(); ++line)
    feed(found[line], "line " + std::to_string(line + 1) + " of what was found");
  std::printf("%s: %zu inputs\n", target.name.c_str(), inputs);
}

void replay_all(const fs::path& corpus, const fs::path& found) {
  for (const Target& target : all_targets())
    replay(target, files_in(corpus / target.name), inputs_in(found / target.name));
}

bool replay_one(const std::string& name, const std::vector<std::string>& files) {
  const std::vector<Target> targets = all_targets();
  const auto target = std::ranges::find(targets, name, &Target::name);
  if (target == targets.end()) return false;
  replay(*target, files);
  return true;
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
  if (words.size() == 3 && words[0] == "all") {
    replay_all(words[1], words[2]);
    return 0;
  }
  if (!words.empty() && replay_one(words[0], {words.begin() + 1, words.end()})) return 0;
  std::fprintf(stderr, "usage: fuzz_replay all CORPUS FOUND | TARGET [FILE]... | --list | --seeds FOLDER\n");
  return 2;
}
