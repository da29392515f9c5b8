/// Several processes that work on one answer. A communicator is passed in (DistanceOptions::ranks and its
/// likes); without one a run is alone. The library knows no MPI: motmot-mpi hands one in that does.
///
/// Every rank runs the same program on the same options. Work is cut into parts whose number does not depend
/// on that of the ranks; a part is done by one rank, and parts are put together in their own order. So the
/// answer has the same bits on any number of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motmot/base.hpp"

namespace motmot {

/// What has been sent, for cost models.
struct Traffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// A failure that every rank knows of: all of them throw it, so one of them may speak for all.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// Calls come from one thread of each rank. Those marked "all" are made by every rank, in the same order.
class Communicator {
 public:
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  [[nodiscard]] virtual std::size_t rank() const noexcept = 0;  ///< from 0
  [[nodiscard]] virtual std::size_t size() const noexcept = 0;
  [[nodiscard]] bool alone() const noexcept { return size() == 1; }

  /// From one rank to another, which calls receive() with as many bytes.
  void send(std::span<const std::byte> bytes, std::size_t to);
  void receive(std::span<std::byte> bytes, std::size_t from);
  /// All: what rank `from` has becomes what everybody has.
  void broadcast(std::span<std::byte> bytes, std::size_t from);
  /// All: what each rank gave, by rank, on every rank.
  [[nodiscard]] std::vector<std::string> gather(const std::string& mine);

  /// A note to another rank, which picks it up when it looks.
  void post(const std::string& note, std::size_t to);
  /// The next note that has come; with `wait` there will be one.
  [[nodiscard]] std::optional<std::string> next_note(bool wait);

  /// All: does the work, which must not communicate, and throws AgreedError on every rank where it threw on
  /// one. The sentence is that of the first rank that failed, with its number unless all failed alike.
  void agree(const std::function<void()>& work);

  /// By this rank. A broadcast counts as one message to each other rank.
  [[nodiscard]] const Traffic& sent() const noexcept { return sent_; }

 private:
  virtual void do_send(std::span<const std::byte> bytes, std::size_t to) = 0;
  virtual void do_receive(std::span<std::byte> bytes, std::size_t from) = 0;
  virtual void do_broadcast(std::span<std::byte> bytes, std::size_t from) = 0;
  virtual void do_post(const std::string& note, std::size_t to) = 0;
  virtual std::optional<std::string> do_next_note(bool wait) = 0;

  Traffic sent_{};
};

/// Rank 0 of 1: what a run without a communicator has.
[[nodiscard]] Communicator& alone() noexcept;

}  // namespace motmot
