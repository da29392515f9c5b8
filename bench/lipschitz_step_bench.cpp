// User CPU time of a step of the critic lipschitz, on rows that stay in their files:
//   lipschitz_step_bench X.npy Y.npy [steps]
// One thread. The clock is read when the ascent reports its progress, from the first report to the last; the
// passes over all rows before and after the ascent are not part of it.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "critics/lipschitz.hpp"
#include "theory/theory.hpp"

namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

int main(int count, char** words) {
  using namespace motmot;
  if (count < 3) return 2;
  const MappedPoints x = map_points(words[1]), y = map_points(words[2]);
  const BlockChoice blocks = choose_blocks(Estimator::mom, x.rows(), y.rows(), 0.1, 0.1);
  const Standard standard{.centre = std::vector<double>(x.cols()), .scale = 4};
  LipschitzTask task;
  task.x = {x};
  task.y = {y};
  task.standard = standard;
  task.plan = {
      .k_x = blocks.k_x, .k_y = blocks.k_y, .b_x = x.rows() / blocks.k_x, .b_y = y.rows() / blocks.k_y};
  task.steps = count > 3 ? std::stoul(words[3]) : 400;
  double first_time = -1, first_done = 0;
  const Progress progress = [&](double done) {
    if (first_time < 0) {
      first_time = cpu_seconds();
      first_done = done;
    } else if (done >= 1) {
      const double steps = (done - first_done) * static_cast<double>(task.steps);
      std::printf("%zu rows: %.2f ms a step over %.0f steps\n", x.rows(),
                  1000 * (cpu_seconds() - first_time) / steps, steps);
      std::fflush(stdout);
      std::_Exit(0);  // what follows is a pass over all rows
    }
    return true;
  };
  Team team(1);
  (void)fit_lipschitz(task, team, progress);
}
