/// Tasks that do not depend on each other, dealt out to ranks and threads.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/threads.hpp"
#include "motmot/communicator.hpp"

namespace motmot {

/// The tasks of this rank: each has every size()-th one, so that neighbours, which take about as long, are
/// shared.
[[nodiscard]] inline std::vector<std::size_t> tasks_of_rank(std::size_t count, const Communicator& ranks) {
  std::vector<std::size_t> mine;
  for (std::size_t i = ranks.rank(); i < count; i += ranks.size()) mine.push_back(i);
  return mine;
}

/// All: values that each rank has where tasks_of_rank() says, from everybody to everybody. T is plain
/// numbers.
template <class T>
void share_results(Communicator& ranks, std::span<T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (ranks.alone()) return;
  std::string mine;
  for (const std::size_t i : tasks_of_rank(values.size(), ranks))
    mine.append(reinterpret_cast<const char*>(&values[i]), sizeof(T));
  const std::vector<std::string> all = ranks.gather(mine);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::memcpy(&values[i], all[i % ranks.size()].data() + i / ranks.size() * sizeof(T), sizeof(T));
}

/// All: values[i] = task(i, worker) for each i, on every rank.
template <class T, class Task>
void spread_tasks(Communicator& ranks, Team& team, std::span<T> values, const Task& task) {
  const std::vector<std::size_t> mine = tasks_of_rank(values.size(), ranks);
  team.run(mine.size(), [&](std::size_t k, std::size_t worker) { values[mine[k]] = task(mine[k], worker); });
  share_results(ranks, values);
}

}  // namespace motmot
