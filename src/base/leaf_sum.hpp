/// Sums over ranks in an order that does not depend on the ranks: along a binary tree over a fixed number of
/// leaves.
#pragma once

#include <cassert>
#include <span>
#include <vector>

#include "motmot/communicator.hpp"

namespace motmot {

/// The leaves [first, last) that a rank does; leaves are dealt in order, as evenly as they can be.
struct LeafShare {
  std::size_t leaves = 1, first = 0, last = 1;

  [[nodiscard]] std::size_t count() const noexcept { return last - first; }
};

[[nodiscard]] inline LeafShare leaf_share(std::size_t leaves, std::size_t rank, std::size_t ranks) noexcept {
  return {.leaves = leaves, .first = rank * leaves / ranks, .last = (rank + 1) * leaves / ranks};
}

/// The rank that does a leaf.
[[nodiscard]] inline std::size_t leaf_owner(std::size_t leaf, std::size_t leaves,
                                            std::size_t ranks) noexcept {
  return ((leaf + 1) * ranks - 1) / leaves;
}

/// Adds one vector for each leaf: ((0 + 1) + (2 + 3)) + ..., every rank having those of its share. A rank
/// adds up the subtrees that it has whole and sends their sums on, so that about one vector leaves it, and
/// one comes back. The number of leaves is a power of two. The object keeps its memory between sums.
template <class T>
class LeafSum {
 public:
  LeafSum(Communicator& ranks, std::size_t leaves, std::size_t length)
      : ranks_(ranks),
        share_(leaf_share(leaves, ranks.rank(), ranks.size())),
        length_(length),
        parts_(share_.count() * length),
        total_(length),
        received_(length) {
    assert((leaves & (leaves - 1)) == 0 && ranks.size() <= leaves);
  }

  [[nodiscard]] const LeafShare& share() const noexcept { return share_; }
  /// Where the vector of the i-th leaf of this rank goes; left as the last sum left it.
  [[nodiscard]] std::span<T> part(std::size_t i) noexcept {
    return std::span(parts_).subspan(i * length_, length_);
  }
  [[nodiscard]] std::span<T> parts() noexcept { return parts_; }

  /// All: the sum, the same bits on every rank. The parts are used up.
  std::span<const T> sum() {
    add_up(0, share_.leaves);
    if (ranks_.rank() == 0) std::copy_n(parts_.begin(), length_, total_.begin());
    ranks_.broadcast(std::as_writable_bytes(std::span(total_)), 0);
    return total_;
  }

 private:
  [[nodiscard]] std::size_t owner(std::size_t leaf) const noexcept {
    return leaf_owner(leaf, share_.leaves, ranks_.size());
  }
  std::span<T> at(std::size_t leaf) noexcept { return part(leaf - share_.first); }

  /// The sum over [first, last) comes to lie where the vector of `first` was. Every rank walks the tree in
  /// the same order, so no two of them wait for each other.
  void add_up(std::size_t first, std::size_t last) {
    if (last <= share_.first || share_.last <= first || last - first == 1) return;
    const std::size_t middle = first + (last - first) / 2;
    add_up(first, middle);
    add_up(middle, last);
    const std::size_t here = ranks_.rank(), to = owner(first), from = owner(middle);
    if (to == here && from == here) return add(at(first), at(middle));
    if (from == here) ranks_.send(std::as_bytes(at(middle)), to);
    if (to != here) return;
    ranks_.receive(std::as_writable_bytes(std::span(received_)), from);
    add(at(first), received_);
  }
  static void add(std::span<T> to, std::span<const T> what) noexcept {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i];
  }

  Communicator& ranks_;
  LeafShare share_;
  std::size_t length_;
  std::vector<T> parts_, total_, received_;
};

}  // namespace motmot
