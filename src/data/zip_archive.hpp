#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/byte_source.hpp"

namespace motmot {

/// The members of a zip archive, as far as NumPy writes them: stored or deflated, zip64 where large.
class ZipArchive {
 public:
  struct Member {
    std::string name;
    unsigned flags = 0;
    unsigned method = 0;  ///< 0 stored, 8 deflated
    std::uint32_t checksum = 0;
    std::uint64_t packed = 0;  ///< bytes in the archive
    std::uint64_t size = 0;    ///< bytes after decompression
    std::uint64_t header = 0;  ///< where its local header starts
  };

  /// Reads the directory of the archive. Error(Errc::io) when there is none or it is damaged.
  explicit ZipArchive(std::string path);

  [[nodiscard]] const std::vector<Member>& members() const noexcept { return members_; }
  /// The member's bytes; the last read checks their number and checksum.
  [[nodiscard]] std::unique_ptr<ByteSource> open(const Member& member) const;

 private:
  void read_directory();

  std::string path_;
  std::uint64_t size_ = 0;
  std::vector<Member> members_;
};

}  // namespace motmot
