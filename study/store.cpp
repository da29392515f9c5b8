#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "study/cells.hpp"

namespace motmot {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void complain(const std::string& path, int error) {
  fail(Errc::io, "cannot write '", path, "': ", std::generic_category().message(error));
}

std::string digest_of(const std::string& settings) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a
  for (const char c : settings) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return fmt::format("{:016x}", hash);
}

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  require(file.good(), Errc::io, "cannot read '", path, "'");
  std::ostringstream text;
  text.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  text << file.rdbuf();
  return text.str();
}

/// JSON has no NaN: a value that is not finite is written as null.
std::vector<double> numbers(const Json& values) {
  std::vector<double> result;
  for (const Json& value : values.get_ref<const Json::array_t&>())
    result.push_back(value.is_null() ? std::nan("") : value.get<double>());
  return result;
}

}  // namespace

std::string cell_file(const std::string& folder, const std::string& study, const std::string& settings) {
  return (std::filesystem::path(folder) / (study + "-cells-" + digest_of(settings) + ".jsonl")).string();
}

std::string cell_file(const StudyOptions& options) {
  return cell_file(options.folder, std::string(name(options.study)), settings_line(options));
}

// By the other constructor: the file is closed, and its lock given up, where reading it ends in a complaint.
CellStore::CellStore(const std::string& folder, const std::string& study, const std::string& settings)
    : CellStore() {
  if (folder.empty()) return;
  make_folder(folder);
  open(cell_file(folder, study, settings));
  read(path_, settings);
}

CellStore::~CellStore() {
  if (fd_ >= 0) ::close(fd_);
}

void CellStore::open(const std::string& path) {
  path_ = path;
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) complain(path, errno);
  require(::flock(fd_, LOCK_EX | LOCK_NB) == 0, Errc::io, "another run is writing to '", path,
          "': wait for it, or choose another folder");
}

void CellStore::read(const std::string& path, const std::string& settings) {
  const std::string text = read_all(path);
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole < text.size() && ::ftruncate(fd_, static_cast<off_t>(whole)) != 0) complain(path, errno);
  if (whole == 0) return append(Json{{"settings", settings}}.dump() + "\n");
  std::istringstream lines(text.substr(0, whole));
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    try {
      const Json json = Json::parse(line);
      if (number > 1) cells_[json.at("cell").get<std::string>()] = numbers(json.at("values"));
      else require(json.at("settings") == settings, Errc::io, "other settings");
    } catch (const std::exception&) {
      fail(Errc::io, "line ", number, " of '", path,
           "' is not what a study writes there: delete the file to start again");
    }
  }
}

const std::vector<double>* CellStore::find(const std::string& key) const {
  const auto found = cells_.find(key);
  return found == cells_.end() ? nullptr : &found->second;
}

void CellStore::append(const std::string& line) {
  // One call for the whole line: a run that is killed leaves lines, or the beginning of one at the end.
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = ::write(fd_, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) complain(path_, errno);
    written += static_cast<std::size_t>(count);
  }
}

void CellStore::add(const std::string& key, std::vector<double> values) {
  const std::lock_guard lock(mutex_);
  if (fd_ >= 0) append(Json{{"cell", key}, {"values", values}}.dump() + "\n");
  cells_[key] = std::move(values);
}

}  // namespace motmot
