/// Finished cells in a file, one line each, appended as they finish: what a run that was killed leaves
/// behind.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "motmot/study.hpp"

namespace motmot {

/// The first line says which settings the file is for; every other is {"cell": "...", "values": [...]}, a
/// number in the fewest digits that read back to the same double. A last line that was cut short is dropped;
/// any other damage is an error. One process at a time.
class CellStore {
 public:
  /// Without a folder in the options nothing is read or kept beyond the life of the object.
  explicit CellStore(const StudyOptions& options);
  ~CellStore();
  CellStore(const CellStore&) = delete;
  CellStore& operator=(const CellStore&) = delete;

  /// Null when the cell is not there yet. Not while other threads add.
  [[nodiscard]] const std::vector<double>* find(const std::string& key) const;
  /// Safe from several threads; on the disk when it returns.
  void add(const std::string& key, std::vector<double> values);

 private:
  void open(const std::string& path);
  void read(const std::string& path, const std::string& settings);
  void append(const std::string& line);

  std::string path_{};
  int fd_ = -1;
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<double>> cells_;
};

/// DIR/error-cells-0123456789abcdef.jsonl
[[nodiscard]] std::string cell_file(const StudyOptions& options);

}  // namespace motmot
