#include "mpi_communicator.hpp"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace motmot {
namespace {

constexpr int parts = 1, notes = 2;  // kinds of messages

/// MPI counts in int: long messages go in pieces.
template <class Byte, class Visit>
void in_pieces(std::span<Byte> bytes, Visit visit) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (std::size_t first = 0; first < bytes.size(); first += most) {
    const std::span<Byte> piece = bytes.subspan(first, std::min(most, bytes.size() - first));
    visit(piece.data(), static_cast<int>(piece.size()));
  }
}

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

/// Adds what passes while it lives.
class MpiCommunicator::Clock {
 public:
  explicit Clock(Seconds& to) : to_(to), start_(now()) {}
  ~Clock() {
    to_.wall += now().wall - start_.wall;
    to_.cpu += now().cpu - start_.cpu;
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;

  static Seconds now() { return {seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_PROCESS_CPUTIME_ID)}; }

 private:
  Seconds& to_;
  Seconds start_;
};

MpiCommunicator::MpiCommunicator(int& argc, char**& argv) {
  int given = 0, rank = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<std::size_t>(rank);
  size_ = static_cast<std::size_t>(size);
  start_ = Clock::now();
}

MpiCommunicator::~MpiCommunicator() {
  if (std::getenv("MOTMOT_MPI_TIMES") != nullptr) {
    const Seconds end = Clock::now();
    std::fprintf(stderr,
                 "rank %zu: %.3f s, CPU %.3f s; of these in MPI %.3f s, CPU %.3f s; sent %llu bytes in %llu "
                 "messages\n",
                 rank_, end.wall - start_.wall, end.cpu - start_.cpu, talk_.wall, talk_.cpu,
                 static_cast<unsigned long long>(sent().bytes),
                 static_cast<unsigned long long>(sent().messages));
  }
  MPI_Finalize();
}

void MpiCommunicator::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

void MpiCommunicator::do_send(std::span<const std::byte> bytes, std::size_t to) {
  const Clock clock(talk_);
  in_pieces(bytes, [&](const std::byte* piece, int length) {
    MPI_Send(piece, length, MPI_BYTE, static_cast<int>(to), parts, MPI_COMM_WORLD);
  });
}

void MpiCommunicator::do_receive(std::span<std::byte> bytes, std::size_t from) {
  const Clock clock(talk_);
  in_pieces(bytes, [&](std::byte* piece, int length) {
    MPI_Recv(piece, length, MPI_BYTE, static_cast<int>(from), parts, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
}

void MpiCommunicator::do_broadcast(std::span<std::byte> bytes, std::size_t from) {
  const Clock clock(talk_);
  in_pieces(bytes, [&](std::byte* piece, int length) {
    MPI_Bcast(piece, length, MPI_BYTE, static_cast<int>(from), MPI_COMM_WORLD);
  });
}

void MpiCommunicator::do_post(const std::string& note, std::size_t to) {
  const Clock clock(talk_);
  MPI_Send(note.data(), static_cast<int>(note.size()), MPI_BYTE, static_cast<int>(to), notes, MPI_COMM_WORLD);
}

std::optional<std::string> MpiCommunicator::do_next_note(bool wait) {
  const Clock clock(talk_);
  MPI_Status status;
  int there = 1, length = 0;
  if (wait) MPI_Probe(MPI_ANY_SOURCE, notes, MPI_COMM_WORLD, &status);
  else MPI_Iprobe(MPI_ANY_SOURCE, notes, MPI_COMM_WORLD, &there, &status);
  if (there == 0) return {};
  MPI_Get_count(&status, MPI_BYTE, &length);
  std::string note(static_cast<std::size_t>(length), '\0');
  MPI_Recv(note.data(), length, MPI_BYTE, status.MPI_SOURCE, notes, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return note;
}

}  // namespace motmot
