#include "run_log.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"
#include "base/require.hpp"

namespace motmot::gan {

RunLog::RunLog(std::filesystem::path path, std::int64_t step, std::span<const std::uint8_t> dirty)
    : path_(std::move(path)), dirty_(dirty) {
  std::string kept;
  if (std::ifstream old(path_); step > 0 && old.good())
    for (std::string line; std::getline(old, line);) {
      const auto object = nlohmann::json::parse(line, nullptr, false);
      if (object.is_object() && object.value("step", step + 1) <= step) kept += line + "\n";
    }
  OutputFile file(path_);
  file.stream() << kept;
  file.commit();
  out_.open(path_, std::ios::app);
  require(out_.good(), Errc::io, "cannot write '", path_.string(), "'");
}

void RunLog::count(std::span<const std::uint32_t> rows, std::span<const std::int64_t> used) {
  std::uint64_t all = 0, carried = 0;
  for (const std::uint32_t row : rows) all += dirty_[row];
  for (const std::int64_t i : used) carried += dirty_[rows[static_cast<std::size_t>(i)]];
  const std::uint64_t n = used.empty() ? rows.size() : used.size();
  if (used.empty()) carried = all;
  used_ += n;
  used_dirty_ += carried;
  rejected_ += rows.size() - n;
  rejected_dirty_ += all - carried;
}

double RunLog::used_dirty() const {
  return used_ == 0 ? 0 : static_cast<double>(used_dirty_) / static_cast<double>(used_);
}

void RunLog::write(std::size_t step, double critic_loss, double images_per_second, double seconds) {
  nlohmann::json line{{"step", step},
                      {"critic_loss", critic_loss},
                      {"used", used_},
                      {"used_dirty", used_dirty_},
                      {"rejected", rejected_},
                      {"rejected_dirty", rejected_dirty_},
                      {"images_per_second", std::round(images_per_second)},
                      {"seconds", std::round(seconds * 1000) / 1000}};
  out_ << line.dump() << '\n' << std::flush;
  require(out_.good(), Errc::io, "cannot write '", path_.string(), "': is the disk full?");
  used_ = used_dirty_ = rejected_ = rejected_dirty_ = 0;
}

}  // namespace motmot::gan
