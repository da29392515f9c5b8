#include "motmot/communicator.hpp"

#include <algorithm>
#include <exception>

#include "base/require.hpp"

namespace motmot {
namespace {

/// It has nobody to talk to.
class Alone final : public Communicator {
 public:
  [[nodiscard]] std::size_t rank() const noexcept override { return 0; }
  [[nodiscard]] std::size_t size() const noexcept override { return 1; }

 private:
  void do_send(std::span<const std::byte> /*bytes*/, std::size_t /*to*/) override {}
  void do_receive(std::span<std::byte> /*bytes*/, std::size_t /*from*/) override {}
  void do_broadcast(std::span<std::byte> /*bytes*/, std::size_t /*from*/) override {}
  void do_post(const std::string& /*note*/, std::size_t /*to*/) override {}
  std::optional<std::string> do_next_note(bool /*wait*/) override { return {}; }
};

template <class T>
std::span<std::byte> bytes_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

/// How a rank's part went: nothing, or a code and the sentence.
std::string outcome_of(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return std::string(name(error.code())) + "\n" + error.what();
  }
}

}  // namespace

void Communicator::send(std::span<const std::byte> bytes, std::size_t to) {
  do_send(bytes, to);
  sent_.messages += 1;
  sent_.bytes += bytes.size();
}

void Communicator::receive(std::span<std::byte> bytes, std::size_t from) { do_receive(bytes, from); }

void Communicator::broadcast(std::span<std::byte> bytes, std::size_t from) {
  if (alone()) return;
  do_broadcast(bytes, from);
  if (rank() != from) return;
  sent_.messages += size() - 1;
  sent_.bytes += (size() - 1) * bytes.size();
}

std::vector<std::string> Communicator::gather(const std::string& mine) {
  std::vector<std::string> all(size());
  for (std::size_t from = 0; from < size(); ++from) {
    std::uint64_t length = mine.size();
    broadcast(bytes_of(length), from);
    if (from == rank()) all[from] = mine;
    else all[from].resize(length);
    broadcast(std::as_writable_bytes(std::span(all[from])), from);
  }
  return all;
}

void Communicator::post(const std::string& note, std::size_t to) {
  do_post(note, to);
  sent_.messages += 1;
  sent_.bytes += note.size();
}

std::optional<std::string> Communicator::next_note(bool wait) { return do_next_note(wait); }

void Communicator::agree(const std::function<void()>& work) {
  if (alone()) return work();
  const std::vector<std::string> outcomes = gather(outcome_of(work));
  const auto failed = std::ranges::find_if(outcomes, [](const std::string& text) { return !text.empty(); });
  if (failed == outcomes.end()) return;
  const std::size_t cut = failed->find('\n');
  const std::string sentence = failed->substr(cut + 1);
  const bool by_all = std::ranges::count(outcomes, *failed) == static_cast<std::ptrdiff_t>(size());
  throw AgreedError(named<Errc>(failed->substr(0, cut)).value_or(Errc::io),
                    by_all ? sentence
                           : "rank " + std::to_string(failed - outcomes.begin()) + " of " +
                                 std::to_string(size()) + ": " + sentence);
}

Communicator& alone() noexcept {
  static Alone one;
  return one;
}

}  // namespace motmot
