#pragma once

#include "motmot/communicator.hpp"

namespace motmot {

/// The processes that mpirun started. One at a time; MPI begins and ends with it. A call of MPI that fails
/// ends the job, as MPI's own handler of errors does. With MOTMOT_MPI_TIMES in the environment each rank says
/// at its end, on standard error, how much of its time was work and how much talk.
class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator(int& argc, char**& argv);
  ~MpiCommunicator() override;

  [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::size_t size() const noexcept override { return size_; }

  /// Ends all ranks with this code, at once.
  [[noreturn]] static void abort(int code);

 private:
  void do_send(std::span<const std::byte> bytes, std::size_t to) override;
  void do_receive(std::span<std::byte> bytes, std::size_t from) override;
  void do_broadcast(std::span<std::byte> bytes, std::size_t from) override;
  void do_post(const std::string& note, std::size_t to) override;
  std::optional<std::string> do_next_note(bool wait) override;

  class Clock;
  struct Seconds {
    double wall = 0, cpu = 0;
  };

  std::size_t rank_ = 0, size_ = 1;
  Seconds start_{}, talk_{};
};

}  // namespace motmot
