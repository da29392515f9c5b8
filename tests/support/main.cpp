#include <gtest/gtest.h>

#include <cstdlib>

int main(int argc, char** argv) {
  setenv("MOTMOT_CORES", "8",
         0);  // bits must not depend on the number of threads: try several on any machine
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
