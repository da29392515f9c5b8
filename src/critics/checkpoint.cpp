#include "critics/checkpoint.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/output_file.hpp"
#include "base/require.hpp"
#include "base/sha256.hpp"
#include "base/whole.hpp"

namespace motmot {
namespace {

using Json = nlohmann::json;

constexpr std::string_view first_word = "motmot-checkpoint-1 ";
constexpr std::size_t digest_length = 64;

template <class T>
Json packed(const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  // Not Json::binary(): where memory ends in it, nlohmann/json 3.11 follows a null pointer.
  return Json(Json::binary_t(std::vector<std::uint8_t>(bytes, bytes + values.size() * sizeof(T))));
}

template <class T>
std::vector<T> unpacked(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

Json to_json(const AscentState& state) {
  return {{"steps", state.steps},
          {"weights", packed(state.weights)},
          {"rule", packed(state.rule)},
          {"tail", packed(state.tail)},
          {"trace", packed(state.trace)}};
}

AscentState state_of(const Json& json) {
  return {.steps = whole<std::uint64_t>(json, "steps"),
          .weights = unpacked<float>(json.at("weights")),
          .rule = unpacked<float>(json.at("rule")),
          .tail = unpacked<double>(json.at("tail")),
          .trace = unpacked<double>(json.at("trace"))};
}

std::string bytes_of(const Json& json) {
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

}  // namespace

Checkpoint::Checkpoint(Options options, Communicator& ranks) : options_(std::move(options)), ranks_(ranks) {
  if (options_.path.empty()) return;
  ranks_.agree([&] {
    if (ranks_.rank() != 0) return;
    read();
  });
}

void Checkpoint::read() {
  if (!std::filesystem::exists(options_.path)) return;
  require(std::filesystem::is_regular_file(options_.path), Errc::io, "checkpoint '", options_.path,
          "' is no regular file");
  std::ifstream file(options_.path, std::ios::binary);
  require(file.good(), Errc::io, "cannot read checkpoint '", options_.path, "': ", std::strerror(errno));
  std::ostringstream stream;
  stream.exceptions(std::ios::badbit);  // a stream would swallow bad_alloc
  stream << file.rdbuf();
  const std::string text = stream.str();
  const std::string damaged =
      "checkpoint '" + options_.path + "' is damaged or not one: delete it to start again";
  const std::size_t head = first_word.size() + digest_length + 1;
  require(text.size() > head && text.starts_with(first_word) &&
              sha256(std::string_view(text).substr(head)) == text.substr(first_word.size(), digest_length),
          Errc::io, damaged);
  try {
    const Json json = Json::from_cbor(text.substr(head));
    require(json.at("run").get<std::string>() == options_.run, Errc::invalid_argument, "checkpoint '",
            options_.path,
            "' is of a run with other samples, options or another version of motmot: delete it or choose "
            "another file");
    for (const auto& [ascent, state] : json.at("ascents").items()) states_[ascent] = state_of(state);
  } catch (const Json::exception&) {  // a right digest of wrong content
    fail(Errc::io, damaged);
  }
}

void Checkpoint::write() {
  Json json{{"run", options_.run}, {"ascents", Json::object()}};
  for (const auto& [ascent, state] : states_) json["ascents"][ascent] = to_json(state);
  const std::string bytes = bytes_of(json);
  OutputFile file(options_.path);
  file.stream() << first_word << sha256(bytes) << '\n' << bytes;
  file.commit();
  written_ = std::chrono::steady_clock::now();
}

std::optional<AscentState> Checkpoint::found(const std::string& ascent, const AscentState& beginning) {
  if (options_.path.empty()) return {};
  const auto here = states_.find(ascent);
  const std::string mine = here == states_.end() ? "" : bytes_of(to_json(here->second));
  const std::string first = ranks_.gather(mine).front();
  if (first.empty()) {
    ranks_.agree([&] {
      if (keeps()) save(ascent, beginning);
    });
    return {};
  }
  return state_of(Json::from_cbor(first));
}

bool Checkpoint::is_due() const {
  return keeps() && std::chrono::duration<double>(std::chrono::steady_clock::now() - written_).count() >=
                        options_.seconds;
}

void Checkpoint::save(const std::string& ascent, AscentState state) {
  states_[ascent] = std::move(state);
  write();
}

}  // namespace motmot
