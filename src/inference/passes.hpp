/// Passes over a sample that may be stopped, for code in which a stop ends everything.
#pragma once

#include <utility>
#include <vector>

#include "motmot/base.hpp"

namespace motmot {

/// Thrown where progress said stop, caught where the public functions return.
struct Stopped {};

template <class T>
std::vector<T> unless_stopped(std::vector<T> found) {
  if (found.empty()) throw Stopped{};
  return found;
}

/// Nobody knows how many passes there will be: each takes half of what is left.
class Passes {
 public:
  explicit Passes(Progress progress) : progress_(std::move(progress)) {}
  Progress next() {
    if (!progress_) return {};
    const double from = done_;
    done_ = (1 + done_) / 2;
    return [this, from, to = done_](double done) { return progress_(from + (to - from) * done); };
  }

 private:
  Progress progress_;
  double done_ = 0;
};

}  // namespace motmot
