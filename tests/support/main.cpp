#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

namespace {

constexpr int skipped = 77;  // for ctest

/// MOTMOT_TEST_TARGET=AVX2: as on a processor that has no better vector instructions. False where this one
/// has not even these.
bool hide_better_instructions() {
  const char* const wanted = std::getenv("MOTMOT_TEST_TARGET");
  if (wanted == nullptr) return true;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    if (std::string_view(hwy::TargetName(target)) == wanted) {
      hwy::DisableTargets(target - 1);  // better ones have lower bits
      return true;
    }
  std::cout << "this processor has no " << wanted << '\n';
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  setenv("MOTMOT_CORES", "8",
         0);  // bits must not depend on the number of threads: try several on any machine
  testing::InitGoogleTest(&argc, argv);
  return hide_better_instructions() ? RUN_ALL_TESTS() : skipped;
}
