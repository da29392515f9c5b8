/// What work takes, measured, against what was forecast.
#pragma once

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <new>
#include <string>

namespace motmot::test {

constexpr bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

/// Bytes that this process has now, and the most it had.
inline double status(const char* what) {
  std::FILE* const file = std::fopen("/proc/self/status", "r");
  char line[256];
  long kilobytes = 0;
  while (std::fgets(line, sizeof line, file) != nullptr)
    if (std::string(line).starts_with(what)) std::sscanf(line + std::string(what).size(), "%ld", &kilobytes);
  std::fclose(file);
  return 1024.0 * static_cast<double>(kilobytes);
}

/// The most that a process takes which does this and nothing else. What the tests brought along is not
/// counted, but a bare process instead; what the work touches of the library is its own.
inline double peak(const std::function<void()>& work) {
  constexpr double bare_process = 5e6;
  ::malloc_trim(0);  // memory that is free and kept would serve the work
  int ends[2];
  if (::pipe(ends) != 0) throw std::bad_alloc();
  const pid_t child = ::fork();
  if (child == 0) {
    const double before = status("VmRSS:");
    try {
      work();
    } catch (const std::exception& error) {
      std::printf("%s\n", error.what());
      ::_exit(1);
    }
    const double most = status("VmHWM:") - before + bare_process;
    ::_exit(::write(ends[1], &most, sizeof most) == sizeof most ? 0 : 1);
  }
  int code = 0;
  ::waitpid(child, &code, 0);
  double most = 0;
  EXPECT_TRUE(code == 0 && ::read(ends[0], &most, sizeof most) == sizeof most);
  ::close(ends[0]);
  ::close(ends[1]);
  return most;
}

/// The forecast is no less than the work takes, and at most `most` times as much. A sanitizer takes memory of
/// its own.
inline void expect_forecast(const std::string& job, double forecast, const std::function<void()>& work,
                            double most = 2) {
  if (is_sanitized()) return;
  const double measured = peak(work);
  std::printf("  %-50s %6.1f MB, forecast %6.1f MB\n", job.c_str(), 1e-6 * measured, 1e-6 * forecast);
  EXPECT_GE(forecast, measured) << job << " takes more than it forecasts";
  EXPECT_LE(forecast, most * measured) << job << " forecasts too much";
}

}  // namespace motmot::test
