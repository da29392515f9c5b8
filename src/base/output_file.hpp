/// Files that appear whole or not at all.
#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace motmot {

class FdBuffer;

/// Collects what is written under a temporary name beside the target; commit() moves it into place
/// in one step, so a reader of the target sees the old file or the new one and never half of it.
/// Without commit() nothing is left behind. A target that is a device, a pipe or a socket is
/// written to directly, and "-" is standard output: there, what has left the buffer stays written.
///
///   OutputFile out("result.json");  // throws at once when the folder cannot be written to
///   out.stream() << "{}\n";
///   out.commit();                   // throws when any of it could not be written
///
/// Complaints are Error(Errc::io) and name the file: "cannot write 'a/b.csv': No such file or directory".
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] std::ostream& stream() noexcept { return stream_; }

  /// Writes what is still buffered and puts the file in its place. Call it once, last.
  void commit();

 private:
  void open_temporary();
  void remove_temporary() noexcept;
  [[noreturn]] void complain(int error) const;

  std::string path_;       ///< as the caller named it
  std::string target_;     ///< the file to replace: path_ with links followed
  std::string temporary_;  ///< empty when the target is written to directly
  std::unique_ptr<FdBuffer> buffer_;
  std::ostream stream_{nullptr};
};

}  // namespace motmot
