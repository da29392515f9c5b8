#include "motmot/gan/clean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>

#include "base/require.hpp"
#include "base/threads.hpp"
#include "data/complaint.hpp"
#include "data/csv_text.hpp"
#include "neighbours/neighbours.hpp"

namespace motmot::gan {

Cleaning clean(PointsView features, double tau, std::size_t threads, const Progress& progress) {
  require(tau > 0 && tau < 0.5, Errc::invalid_argument, "--tau must be above 0 and below 0.5; got ", tau);
  require(features.n >= 10, Errc::invalid_argument, "at least 10 images are needed; there are ", features.n);
  const double most = tau * static_cast<double>(features.n);
  const auto k = static_cast<std::size_t>(std::ceil(1.25 * most - 1e-9)) + 1;
  Team team(thread_count(threads));
  std::vector<std::vector<double>> distances = kth_distances(features, std::array{k}, team, progress);
  if (distances.empty()) return {};
  Cleaning result{.neighbour = k, .scores = std::move(distances.front())};
  result.ranking.resize(features.n);
  std::iota(result.ranking.begin(), result.ranking.end(), 0u);
  std::ranges::stable_sort(result.ranking, std::greater<>(),
                           [&](std::uint32_t i) { return result.scores[i]; });
  result.left_out.assign(result.ranking.begin(),
                         result.ranking.begin() + static_cast<std::ptrdiff_t>(std::floor(most + 1e-9)));
  return result;
}

std::string list_of(const Cleaning& cleaning, const TrainingSet& set) {
  std::vector<bool> is_out(set.images.size());
  for (const std::uint32_t row : cleaning.left_out) is_out[row] = true;
  std::string text = "row,source,score,kept\n";
  for (std::size_t i = 0; i < is_out.size(); ++i)
    text += fmt::format("{},{},{:.6g},{}\n", i + 1, quoted_if_needed(set.sources[i]), cleaning.scores[i],
                        is_out[i] ? 0 : 1);
  return text;
}

std::vector<std::uint32_t> read_left_out(const std::string& list, const TrainingSet& set) {
  std::ifstream in(list);
  std::string text;
  require(in.good() && std::getline(in, text).good(), Errc::io, "cannot read ", name_of(list));
  const std::vector<std::string> names = fields_of(text);
  const auto column = [&](const char* name) {
    const auto found = std::ranges::find(names, name);
    require(found != names.end(), Errc::io, name_of(list), " needs a column '", name,
            "': it is a list of motmot gan clean");
    return static_cast<std::size_t>(found - names.begin());
  };
  const std::size_t row = column("row"), source = column("source"), kept = column("kept");
  std::vector<std::uint32_t> left_out;
  for (std::size_t line = 2; std::getline(in, text); ++line) {
    const std::vector<std::string> fields = fields_of(text);
    std::uint32_t number = 0;
    require(fields.size() == names.size() && reads_as(fields[row], number) && number > 0 &&
                (fields[kept] == "0" || fields[kept] == "1"),
            Errc::io, name_of(list), ", line ", line,
            ": row must be a number from 1 on and kept 0 or 1; got '", text, "'");
    require(number <= set.images.size() && fields[source] == set.sources[number - 1], Errc::io, name_of(list),
            ", line ", line, ": image ", number, " is '", fields[source], "' there, and the data have ",
            number <= set.images.size() ? "'" + set.sources[number - 1] + "'"
                                        : "only " + std::to_string(set.images.size()) + " images",
            ": the list is of other data, or of another --contaminate or --seed");
    if (fields[kept] == "0") left_out.push_back(number - 1);
  }
  std::ranges::sort(left_out);
  left_out.erase(std::unique(left_out.begin(), left_out.end()), left_out.end());
  return left_out;
}

TrainingSet without(const TrainingSet& set, const std::vector<std::uint32_t>& rows) {
  require(rows.size() < set.images.size(), Errc::invalid_argument, "--without leaves no image");
  TrainingSet rest = set;
  rest.images = {.channels = set.images.channels};
  rest.dirty.clear();
  rest.sources.clear();
  for (std::size_t i = 0; i < set.images.size(); ++i) {
    if (std::ranges::binary_search(rows, i)) continue;
    rest.images.append(set.images, i);
    rest.dirty.push_back(set.dirty[i]);
    rest.sources.push_back(set.sources[i]);
  }
  rest.description += fmt::format(", without {} of them", rows.size());
  return rest;
}

}  // namespace motmot::gan
