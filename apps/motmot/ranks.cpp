#include "ranks.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/require.hpp"
#include "base/sha256.hpp"
#include "data/complaint.hpp"
#include "data/readers.hpp"
#include "interrupt.hpp"
#include "kernels/kernels.hpp"

namespace motmot::app {
namespace {

/// The size of a file and a digest of pieces of it, first and last among them.
std::string words_of(const std::string& path) {
  constexpr std::uint64_t piece = 65536, pieces = 66;
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error) return "";  // reading it will tell
  std::ifstream file(path, std::ios::binary);
  Sha256 digest;
  std::string bytes(piece, '\0');
  for (std::uint64_t k = 0; k < pieces; ++k) {
    const std::uint64_t last = size > piece ? size - piece : 0;
    file.seekg(
        static_cast<std::streamoff>(last / (pieces - 1) * k + (k + 1 == pieces ? last % (pieces - 1) : 0)));
    file.read(bytes.data(), static_cast<std::streamsize>(piece));
    digest.add(std::string_view(bytes).substr(0, static_cast<std::size_t>(file.gcount())));
    file.clear();
  }
  return std::to_string(size) + " " + digest.digest();
}

}  // namespace

void require_same_everywhere(Communicator& ranks, const std::vector<std::string>& samples) {
  if (ranks.alone()) return;
  ranks.agree([&] {
    for (const std::string& sample : samples)
      require(sample != "-", Errc::invalid_argument,
              "standard input reaches one rank alone: name a file that all ranks can read");
  });
  const auto same = [&](const std::string& mine, const std::string& what) {
    const std::vector<std::string> all = ranks.gather(mine);
    const auto other =
        std::ranges::find_if(all, [&](const std::string& words) { return words != all.front(); });
    if (other == all.end()) return;
    throw AgreedError(Errc::io, what + " on rank 0 and on rank " + std::to_string(other - all.begin()));
  };
  same(std::string(version()) + " " + (kernels::scalar_forced() ? "scalar" : kernels::best_target()),
       "motmot or the processor's vector instructions differ");
  for (const std::string& sample : samples)
    same(words_of(split_member(sample).first), name_of(sample) + " is not the same file");
}

void prepare_last_words(const Communicator& ranks, const std::string& command, const std::string& kept) {
  if (ranks.alone()) return;
  set_last_words(ranks.rank() == 0 ? command + ": a rank ended or the job was cancelled; " + kept + "\n"
                                   : "");
}

void begin_study(Communicator& ranks, const std::string& output, const std::function<void()>& check) {
  require_same_everywhere(ranks, {});
  ranks.agree(check);
  prepare_last_words(ranks, "motmot reproduce",
                     "finished cells are kept in '" + output + "': the same command goes on");
  if (ranks.alone()) catch_interrupts();
}

void leave_writing_to_the_first(const Communicator& ranks, std::initializer_list<std::string*> outputs) {
  if (ranks.rank() == 0) return;
  for (std::string* output : outputs) output->clear();
}

}  // namespace motmot::app
