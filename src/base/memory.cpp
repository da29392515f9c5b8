#include "base/memory.hpp"

#include <cstdio>

#include "base/cpu_quota.hpp"
#include "base/require.hpp"

namespace motmot {

std::uint64_t memory_allowed(std::uint64_t asked) {
  static const std::uint64_t usual = memory_by_quota() / 4 * 3;  // files of the system, read once
  return asked > 0 ? asked : usual;
}

std::string size_words(double bytes) {
  char words[32];
  const auto in = [&](double unit, const char* name) {
    std::snprintf(words, sizeof words, "%.3g %s", bytes / unit, name);
    return words;
  };
  return bytes >= 1e9   ? in(1e9, "GB")
         : bytes >= 1e6 ? in(1e6, "MB")
         : bytes >= 1e3 ? in(1e3, "kB")
                        : in(1, "bytes");
}

void require_memory(double forecast, std::uint64_t asked, std::string_view remedy) {
  const auto allowed = static_cast<double>(memory_allowed(asked));
  if (forecast <= allowed) return;
  fail(Errc::invalid_argument, "this would take about ", size_words(forecast), ", and ", size_words(allowed),
       " are allowed (--memory-limit): ", remedy, ", or allow more");
}

}  // namespace motmot
