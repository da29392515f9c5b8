/// Ranks as threads of one process: what several ranks do, without MPI.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "motmot/communicator.hpp"

namespace motmot {

/// Letters between threads, by (from, to, kind).
class MailRoom {
 public:
  void put(std::size_t from, std::size_t to, char kind, std::string letter) {
    const std::lock_guard lock(mutex_);
    boxes_[{from, to, kind}].push_back(std::move(letter));
    came_.notify_all();
  }
  std::string take(std::size_t from, std::size_t to, char kind) {
    std::unique_lock lock(mutex_);
    std::deque<std::string>& box = boxes_[{from, to, kind}];
    came_.wait(lock, [&] { return !box.empty(); });
    return pop(box);
  }
  std::optional<std::string> take_any(std::size_t to, char kind, std::size_t ranks, bool wait) {
    std::unique_lock lock(mutex_);
    std::optional<std::string> found;
    const auto look = [&] {
      for (std::size_t from = 0; from < ranks && !found; ++from)
        if (auto& box = boxes_[{from, to, kind}]; !box.empty()) found = pop(box);
      return found.has_value();
    };
    if (wait) came_.wait(lock, look);
    else look();
    return found;
  }

 private:
  static std::string pop(std::deque<std::string>& box) {
    std::string letter = std::move(box.front());
    box.pop_front();
    return letter;
  }

  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::tuple<std::size_t, std::size_t, char>, std::deque<std::string>> boxes_;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(MailRoom& mail, std::size_t rank, std::size_t size) : mail_(mail), rank_(rank), size_(size) {}
  [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }
  [[nodiscard]] std::size_t size() const noexcept override { return size_; }

 private:
  static std::string letter(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  static void open(const std::string& letter, std::span<std::byte> bytes) {
    if (letter.size() != bytes.size()) std::terminate();
    std::memcpy(bytes.data(), letter.data(), letter.size());
  }
  void do_send(std::span<const std::byte> bytes, std::size_t to) override {
    mail_.put(rank_, to, 's', letter(bytes));
  }
  void do_receive(std::span<std::byte> bytes, std::size_t from) override {
    open(mail_.take(from, rank_, 's'), bytes);
  }
  void do_broadcast(std::span<std::byte> bytes, std::size_t from) override {
    if (rank_ != from) return open(mail_.take(from, rank_, 'b'), bytes);
    for (std::size_t to = 0; to < size_; ++to)
      if (to != from) mail_.put(rank_, to, 'b', letter(bytes));
  }
  void do_post(const std::string& note, std::size_t to) override { mail_.put(rank_, to, 'n', note); }
  std::optional<std::string> do_next_note(bool wait) override {
    return mail_.take_any(rank_, 'n', size_, wait);
  }

  MailRoom& mail_;
  std::size_t rank_, size_;
};

/// Runs work(communicator) on so many ranks at once; the first exception is thrown again.
inline void on_ranks(std::size_t size, const std::function<void(Communicator&)>& work) {
  MailRoom mail;
  std::vector<std::exception_ptr> errors(size);
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < size; ++rank)
      threads.emplace_back([&, rank] {
        ThreadRank here(mail, rank, size);
        try {
          work(here);
        } catch (...) {
          errors[rank] = std::current_exception();
        }
      });
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace motmot
