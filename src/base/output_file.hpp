/// Files that appear whole or not at all.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <utility>

namespace motmot {

/// Collects what is written in a hidden temporary file beside the target. commit() puts it on the disk and
/// moves it into place in one step, so a reader of the target sees the old file or the new one and never half
/// of it, even after a power cut. Without commit() nothing is left behind. What a killed run left behind is
/// removed by the next one that writes into the same folder: a living run holds a lock on its temporaries.
/// A target that is a device, a pipe or a socket is written to directly, and "-" is standard output: there,
/// what has left the buffer stays written.
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
  class Buffer;

  void open_temporary(const std::string& folder);
  void forget_temporary() noexcept;
  [[noreturn]] void complain(int error) const;

  std::string path_;       ///< as the caller named it
  std::string target_;     ///< the file to replace: path_ with links followed
  std::string temporary_;  ///< empty when the target is written to directly
  std::unique_ptr<Buffer> buffer_;
  std::ostream stream_{nullptr};
};

/// The folder and those above it are there when it returns.
void make_folder(const std::string& path);

/// Keeps a folder for one run while it lives; the kernel gives it up with the process. Throws Error(Errc::io)
/// where another has it. Where a file system has no locks, it is nobody's.
class FolderLock {
 public:
  FolderLock() = default;
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(FolderLock&& from) noexcept : fd_(std::exchange(from.fd_, -1)) {}
  FolderLock& operator=(FolderLock&& from) noexcept {
    std::swap(fd_, from.fd_);
    return *this;
  }

 private:
  int fd_ = -1;
};

/// Removes the temporaries of all OutputFiles of this process, which can then only end. For signal handlers:
/// it calls nothing but unlink().
void remove_temporaries() noexcept;

/// Whether two names lead to one regular file, there or not there yet: links are followed, hard links are
/// known by device and inode. "-" is standard output, and two of them are the same.
[[nodiscard]] bool same_file(const std::string& a, const std::string& b);

}  // namespace motmot
