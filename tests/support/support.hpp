/// What tests of several rooms use.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "motmot/data.hpp"

namespace motmot::test {

/// Runs the statement for seeds 0 .. count - 1; a failure names its seed.
template <class Statement>
void for_each_seed(std::uint64_t count, Statement statement) {
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed, Purpose::test);
    statement(rng);
    if (testing::Test::HasFatalFailure() || testing::Test::HasNonfatalFailure()) return;
  }
}

std::vector<double> uniforms(Rng& rng, std::size_t count, double low = -1, double high = 1);
std::vector<double> normals(Rng& rng, std::size_t count);

/// n rows from N(shift, I_d).
Points gaussian(Rng& rng, std::size_t n, std::size_t d, double shift = 0);

/// A fresh folder, removed with the object.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void write_file(const std::filesystem::path& path, const std::string& bytes);
std::string read_file(const std::filesystem::path& path);

/// The message of the motmot::Error that f throws; a failure when it throws none.
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no motmot::Error was thrown";
  return {};
}

}  // namespace motmot::test
