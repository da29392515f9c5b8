#include "data/mapping.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "base/require.hpp"
#include "data/complaint.hpp"

namespace motmot {
namespace {

/// One file that is mapped now. Handlers of signals read it: `begin` is set last and taken back first.
struct Entry {
  std::atomic<bool> taken{false};
  std::atomic<const char*> begin{nullptr};
  std::atomic<std::size_t> size{0};
  std::array<char, 256> name{};
};

/// Files beyond so many are mapped, too, but a signal does not know their names.
constexpr std::size_t most_files = 64;
std::array<Entry, most_files> entries;  // NOLINT: the one thing that a handler of a signal can look at

std::size_t enlist(const char* begin, std::size_t size, const std::string& name) {
  std::size_t slot = 0;
  while (slot < most_files && entries[slot].taken.exchange(true)) ++slot;
  if (slot == most_files) return slot;
  Entry& entry = entries[slot];
  const std::size_t length = std::min(name.size(), entry.name.size() - 1);
  std::copy_n(name.data(), length, entry.name.data());
  entry.name[length] = '\0';
  entry.size = size;
  entry.begin = begin;
  return slot;
}

void delist(std::size_t slot) {
  if (slot == most_files) return;
  entries[slot].begin = nullptr;
  entries[slot].taken = false;
}

const Entry* entry_at(const void* address) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Entry& entry : entries) {
    const auto begin = reinterpret_cast<std::uintptr_t>(entry.begin.load());
    if (begin != 0 && begin <= at && at - begin < entry.size) return &entry;
  }
  return nullptr;
}

}  // namespace

Mapping::Mapping(const std::string& path) {
  const std::string name = name_of(path);
  const auto complain = [&](int error) {
    fail(Errc::io, "cannot read ", name, ": ", std::generic_category().message(error));
  };
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) complain(errno);
  struct stat status {};
  const bool known = ::fstat(fd, &status) == 0;
  const bool regular = known && S_ISREG(status.st_mode) && status.st_size > 0;
  size_ = regular ? static_cast<std::size_t>(status.st_size) : 0;
  void* const at = regular ? ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
  const int error = errno;
  ::close(fd);
  require(regular, Errc::io, name, " cannot be mapped: it is empty or not a regular file");
  if (at == MAP_FAILED) complain(error);
  data_ = static_cast<const char*>(at);
  slot_ = enlist(data_, size_, name);
}

Mapping::~Mapping() {
  delist(slot_);
  ::munmap(const_cast<char*>(data_), size_);
}

const char* mapped_file_at(const void* address) noexcept {
  const Entry* const entry = entry_at(address);
  return entry == nullptr ? nullptr : entry->name.data();
}

void expect(PointsView rows, Access access) noexcept {
  if (rows.n == 0 || entry_at(rows.data) == nullptr) return;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  // From the beginning of the page.
  const std::size_t before = reinterpret_cast<std::uintptr_t>(rows.data) % page;
  char* const first = const_cast<char*>(reinterpret_cast<const char*>(rows.data)) - before;
  // Advice: where it is not taken, time is lost and nothing else.
  ::madvise(first, before + rows.n * rows.d * sizeof(double),
            access == Access::at_random ? MADV_RANDOM : MADV_NORMAL);
}

MappedPoints rows_of(std::shared_ptr<const Mapping> mapping, std::size_t offset, std::size_t n,
                     std::size_t d) {
  const PointsView rows{reinterpret_cast<const double*>(mapping->data() + offset), n, d};
  return {std::move(mapping), rows};
}

MappedPoints MappedPoints::part(std::size_t first, std::size_t count) const {
  require(first <= rows_.n && count <= rows_.n - first, Errc::invalid_argument, "rows ", first + 1, " to ",
          first + count, " were asked for and there are ", rows_.n);
  return {keeper_, {rows_.data + first * rows_.d, count, rows_.d}};
}

}  // namespace motmot
