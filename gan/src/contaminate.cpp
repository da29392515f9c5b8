#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/memory.hpp"
#include "base/output_file.hpp"
#include "base/random.hpp"
#include "base/require.hpp"
#include "blocks/sampler.hpp"
#include "data/csv_text.hpp"
#include "motmot/gan/images.hpp"
#include "motmot/gan/memory.hpp"

namespace motmot::gan {
namespace {

/// "0-4,7" as numbers.
std::set<std::int32_t> class_list(const std::string& text, const char* option) {
  std::set<std::int32_t> classes;
  std::size_t at = 0;
  const auto number = [&] {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    require(end > at && end - at < 6, Errc::invalid_argument, option,
            " must be classes like 0-4 or 0,2,7; got '", text, "'");
    const int value = std::stoi(text.substr(at, end - at));
    at = end;
    return value;
  };
  while (at < text.size()) {
    const int first = number(), last = at < text.size() && text[at] == '-' ? (++at, number()) : first;
    for (int c = first; c <= last; ++c) classes.insert(c);
    require(first <= last && (at == text.size() || text[at] == ','), Errc::invalid_argument, option,
            " must be classes like 0-4 or 0,2,7; got '", text, "'");
    ++at;
  }
  return classes;
}

std::vector<std::size_t> rows_of_classes(const Images& images, const std::set<std::int32_t>& classes) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < images.size(); ++i)
    if (classes.empty() || classes.contains(images.labels[i])) rows.push_back(i);
  return rows;
}

Images chosen(const Images& images, const std::vector<std::size_t>& rows) {
  Images out{.channels = images.channels};
  for (const std::size_t row : rows) out.append(images, row);
  return out;
}

std::size_t outlier_count(double amount, std::size_t inliers) {
  require(amount >= 0 && std::isfinite(amount), Errc::invalid_argument,
          "--contaminate must be a share in [0, 1) or a number of images; got ", amount);
  require(amount < 1 || (amount <= 1e8 && amount == std::floor(amount)), Errc::invalid_argument,
          "--contaminate must be a share below 1 or a whole number of at most 100 million images; got ",
          amount);
  if (amount >= 1) return static_cast<std::size_t>(std::llround(amount));
  return static_cast<std::size_t>(std::llround(amount / (1 - amount) * static_cast<double>(inliers)));
}

/// 0 .. n - 1 in random order.
std::vector<std::uint32_t> shuffled(std::size_t n, Rng rng) {
  return n == 0 ? std::vector<std::uint32_t>() : partition_blocks(n, 1, rng).index;
}

/// The images that outliers are drawn from, and the class that a classifier gives them.
struct Pool {
  Images images{};
  std::optional<std::int32_t> label{};
  std::string name{};
};

std::set<std::int32_t> outlier_classes(const std::string& kind) {
  return class_list(kind.substr(6), "--outliers class:");
}

Pool outlier_pool(const DataSet& data, const std::set<std::int32_t>& inliers, const std::string& kind,
                  std::size_t count, std::uint64_t seed, std::uint64_t memory_limit) {
  if (kind == "noise") return {noise_images(count, data.train.channels, seed), noise_class, "noise"};
  if (kind.starts_with("class:")) {
    const std::set<std::int32_t> classes = outlier_classes(kind);
    require(!data.train.labels.empty(), Errc::invalid_argument, "--outliers ", kind, " needs labels, which ",
            data.name, " does not have");
    for (const std::int32_t label : classes)
      require(!inliers.empty() && !inliers.contains(label), Errc::invalid_argument, "--outliers ", kind,
              ": class ", label, " is among the inliers too; name those with --inliers");
    const auto label = classes.size() == 1 ? std::optional(*classes.begin()) : std::nullopt;
    return {chosen(data.train, rows_of_classes(data.train, classes)), label, "class " + kind.substr(6)};
  }
  Pool pool{read_data_set(kind, memory_limit).train, std::nullopt, kind};
  require(pool.images.channels == data.train.channels, Errc::invalid_argument, "--outliers '", kind, "' has ",
          pool.images.channels, " channels and --data has ", data.train.channels);
  return pool;
}

}  // namespace

void Images::append(const Images& other, std::size_t i) {
  const auto image = other[i];
  bytes.insert(bytes.end(), image.begin(), image.end());
  if (!other.labels.empty()) labels.push_back(other.labels[i]);
  if (!other.sources.empty()) sources.push_back(other.sources[i]);
}

std::size_t TrainingSet::dirty_count() const noexcept {
  return static_cast<std::size_t>(std::ranges::count(dirty, 1));
}

Images noise_images(std::size_t n, std::size_t channels, std::uint64_t seed) {
  Images images{.channels = channels};
  images.bytes.resize(n * images.values_per_image());
  for (std::size_t i = 0; i < n; ++i) {
    Rng rng(seed, Purpose::gan_noise, i);
    for (std::size_t j = 0; j < images.values_per_image(); ++j)
      images.bytes[i * images.values_per_image() + j] = static_cast<std::uint8_t>(rng.below(256));
  }
  images.labels.assign(n, noise_class);
  return images;
}

TrainingSet contaminate(const DataSet& data, const Contamination& how, std::uint64_t memory_limit) {
  const bool benchmark = data.kind == DataKind::fashion_mnist || data.kind == DataKind::cifar10;
  const bool fashion = data.kind == DataKind::fashion_mnist;
  const std::string kept = how.inliers.empty() && fashion ? "0-4" : how.inliers;
  const std::string kind = how.outliers.empty() ? (fashion ? "class:5" : "noise") : how.outliers;
  require(how.outliers.empty() || how.amount || benchmark, Errc::invalid_argument,
          "--outliers does nothing without --contaminate");
  const std::set<std::int32_t> classes = class_list(kept, "--inliers");
  require(classes.empty() || !data.train.labels.empty(), Errc::invalid_argument,
          "--inliers needs labels, which ", data.name, " does not have");
  const std::vector<std::size_t> inliers = rows_of_classes(data.train, classes);
  require(inliers.size() >= 2, Errc::invalid_argument, data.name, " has ", inliers.size(),
          " images of the classes ", kept, "; at least 2 are needed");
  const std::size_t count = outlier_count(how.amount.value_or(benchmark ? 0.015 : 0.0), inliers.size());
  require_memory(
      training_set_bytes(data.train.size() + data.test.size(), inliers.size() + count, data.train.channels),
      memory_limit, "take fewer images");

  TrainingSet set;
  Pool pool;
  if (count > 0) pool = outlier_pool(data, classes, kind, count, how.seed, memory_limit);
  if (count == 0 && kind == "noise") pool.label = noise_class;
  if (count == 0 && kind.starts_with("class:")) pool.label = *outlier_classes(kind).begin();
  require(pool.images.size() >= count, Errc::invalid_argument, "--contaminate asks for ", count,
          " outliers and ", pool.name, " has only ", pool.images.size());
  const std::vector<std::uint32_t> drawn = shuffled(pool.images.size(), Rng(how.seed, Purpose::gan_outliers));
  const std::vector<std::uint32_t> places =
      shuffled(inliers.size() + count, Rng(how.seed, Purpose::gan_places));
  set.images.channels = data.train.channels;
  set.dirty.reserve(places.size());
  for (const std::size_t place : places) {
    const bool dirty = place >= inliers.size();
    const Images& from = dirty ? pool.images : data.train;
    const std::size_t row = dirty ? drawn[place - inliers.size()] : inliers[place];
    const auto image = from[row];
    set.images.bytes.insert(set.images.bytes.end(), image.begin(), image.end());
    set.dirty.push_back(dirty ? 1 : 0);
    set.sources.push_back(!from.sources.empty() ? from.sources[row]
                                                : fmt::format("{} {}", dirty ? pool.name : "train", row + 1));
  }
  set.held_out_is_train = data.test.size() == 0;
  const Images& clean = set.held_out_is_train ? data.train : data.test;
  const std::vector<std::size_t> rows = rows_of_classes(clean, classes);
  std::vector<std::size_t> reference = rows;
  if (set.held_out_is_train) {  // files are often sorted by class, and KID compares block by block
    const std::vector<std::uint32_t> order = shuffled(rows.size(), Rng(how.seed, Purpose::gan_places, 1));
    std::ranges::transform(order, reference.begin(), [&](std::uint32_t place) { return rows[place]; });
  }
  set.held_out = chosen(clean, reference);
  set.dirty_class = pool.label;
  set.description =
      fmt::format("{}{}, {} images", data.name, kept.empty() ? "" : " classes " + kept, inliers.size());
  if (count > 0)
    set.description += fmt::format(" and {} outliers ({}, {:.2f} %)", count, pool.name,
                                   100.0 * static_cast<double>(count) / static_cast<double>(places.size()));
  return set;
}

void write_rows(const std::string& path, const TrainingSet& set) {
  OutputFile file(path);
  file.stream() << "row,source,dirty\n";
  for (std::size_t i = 0; i < set.dirty.size(); ++i)
    file.stream() << i + 1 << ',' << quoted_if_needed(set.sources[i]) << ',' << int{set.dirty[i]} << '\n';
  file.commit();
}

}  // namespace motmot::gan
