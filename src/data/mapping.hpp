/// Files in the address space: read-only pages that the system fetches when they are looked at.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "motmot/data.hpp"

namespace motmot {

/// A whole file, mapped while this lives.
class Mapping {
 public:
  /// Error(Errc::io) for what is no regular file, is empty, or cannot be mapped.
  explicit Mapping(const std::string& path);
  ~Mapping();
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  [[nodiscard]] const char* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t slot_ = 0;  ///< in the list of mappings
};

/// The name of the mapped file that holds this address; nullptr if none does. For handlers of SIGBUS, which
/// comes when a file was cut short after it was mapped: it takes no lock and no memory.
[[nodiscard]] const char* mapped_file_at(const void* address) noexcept;

/// How rows will be looked at next: one after the other, so that the system reads ahead, or here and there,
/// so that it does not. Does nothing for rows in memory.
enum class Access { in_order, at_random };
void expect(PointsView rows, Access access) noexcept;

/// Looks at every value, once: complains about one that is missing as reading the file does, and about one
/// beyond 1e300, whose distances overflow.
void require_values(const std::string& path, const MappedPoints& points, const ReadOptions& options);

/// n rows of d numbers that start at byte `offset` of the mapping and need no conversion.
[[nodiscard]] MappedPoints rows_of(std::shared_ptr<const Mapping> mapping, std::size_t offset, std::size_t n,
                                   std::size_t d);

}  // namespace motmot
