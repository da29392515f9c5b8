/// Judgements that survive: one line of JSON each, on the disk before the next chunk is read.
#pragma once

#include <string>
#include <vector>

#include "motmot/watch.hpp"

namespace motmot {

class MonitorLog {
 public:
  /// Opens or makes the file and holds its lock; an empty path keeps everything in memory. The settings of
  /// `series` are its first line, and must be. A last line that was torn is removed.
  MonitorLog(const std::string& path, const Monitored& series);
  ~MonitorLog();
  MonitorLog(const MonitorLog&) = delete;
  MonitorLog& operator=(const MonitorLog&) = delete;

  [[nodiscard]] bool has(const std::string& digest) const;
  void add(const Judgement& judgement);
  /// The run has come to its end: what it judged is no longer new.
  void end();
  [[nodiscard]] const std::vector<Judgement>& judgements() const { return judgements_; }

 private:
  MonitorLog() = default;
  void read(const std::string& settings);
  void take(const std::string& line);
  void append(const std::string& line);
  [[noreturn]] void complain(int error) const;

  std::string path_;
  int fd_ = -1;
  std::vector<Judgement> judgements_;
};

}  // namespace motmot
