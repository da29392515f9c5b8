#include "watch/log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>

#include "base/require.hpp"
#include "data/complaint.hpp"
#include "watch/json_of.hpp"

namespace motmot {
namespace {

std::string settings_line(const Monitored& series) {
  return dumped({{"log", "motmot monitor"},
                 {"schema", monitor_schema},
                 {"reference", series.digest},
                 {"one_in", series.one_in},
                 {"effect", json_of(series.effect)},
                 {"rolling", series.rolling}});
}

std::string content(int fd) {
  std::string all;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t count = ::read(fd, buffer.data(), buffer.size());
    if (count == 0) return all;
    if (count > 0) all.append(buffer.data(), static_cast<std::size_t>(count));
    else if (errno != EINTR) throw std::system_error(errno, std::generic_category());
  }
}

}  // namespace

// By the other constructor: the file is closed, and its lock given up, where reading it ends in a complaint.
MonitorLog::MonitorLog(const std::string& path, const Monitored& series) : MonitorLog() {
  if (path.empty()) return;
  path_ = path;
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ < 0) complain(errno);
  require(::flock(fd_, LOCK_EX | LOCK_NB) == 0, Errc::io, "the log ", name_of(path_),
          " is in use by another run");
  read(settings_line(series));
}

MonitorLog::~MonitorLog() {
  if (fd_ >= 0) ::close(fd_);
}

void MonitorLog::complain(int error) const {
  fail(Errc::io, "cannot write the log ", name_of(path_), ": ", std::generic_category().message(error));
}

void MonitorLog::read(const std::string& settings) {
  std::string all;
  try {
    all = content(fd_);
  } catch (const std::system_error& error) {
    complain(error.code().value());
  }
  const std::size_t first = all.find('\n');
  if (first == std::string::npos) {  // new, or killed while the first line was written
    require(settings.starts_with(all), Errc::io, name_of(path_), " is not a log of motmot monitor");
    if (::ftruncate(fd_, 0) != 0) complain(errno);
    append(settings);
    return;
  }
  require(all.starts_with("{\"log\":\"motmot monitor\""), Errc::io, name_of(path_),
          " is not a log of motmot monitor");
  require(all.substr(0, first) == settings, Errc::io, "the log ", name_of(path_),
          " is of another reference or of other settings: give another file; it says ", all.substr(0, first));
  std::size_t number = 1;
  for (std::size_t from = first + 1; from < all.size();) {
    const std::size_t end = all.find('\n', from);
    const bool last = end == std::string::npos || end + 1 == all.size();
    ++number;
    try {
      require(end != std::string::npos, Errc::io, "torn");
      take(all.substr(from, end - from));
    } catch (const std::bad_alloc&) {
      throw;  // the line is as good as it was
    } catch (const std::exception& error) {
      require(last, Errc::io, "the log ", name_of(path_), ", line ", number, " is damaged: ", error.what());
      if (::ftruncate(fd_, static_cast<off_t>(from)) != 0) complain(errno);
      return;
    }
    from = end + 1;
  }
}

void MonitorLog::take(const std::string& line) {
  const Json json = Json::parse(line);
  if (json.contains("end")) {
    for (Judgement& judgement : judgements_) judgement.is_new = false;
    return;
  }
  Judgement judgement;
  read_json(json, judgement);
  judgements_.push_back(std::move(judgement));
}

bool MonitorLog::has(const std::string& digest) const {
  return std::ranges::find(judgements_, digest, &Judgement::digest) != judgements_.end();
}

void MonitorLog::add(const Judgement& judgement) {
  if (fd_ >= 0) append(dumped(json_of(judgement)));
  judgements_.push_back(judgement);
}

void MonitorLog::end() {
  const auto news = std::ranges::count(judgements_, true, &Judgement::is_new);
  if (fd_ >= 0 && news > 0) append(dumped({{"end", news}}));
}

void MonitorLog::append(const std::string& line) {
  const std::string whole = line + "\n";
  const off_t before = ::lseek(fd_, 0, SEEK_END);
  std::size_t done = 0;
  while (done < whole.size()) {
    const ssize_t count = ::write(fd_, whole.data() + done, whole.size() - done);
    if (count >= 0) done += static_cast<std::size_t>(count);
    else if (errno != EINTR) {
      const int error = errno;
      (void)!::ftruncate(fd_, before);  // what cannot be removed is taken for a torn line
      complain(error);
    }
  }
  if (::fsync(fd_) != 0 && errno != EINVAL) complain(errno);
}

}  // namespace motmot
