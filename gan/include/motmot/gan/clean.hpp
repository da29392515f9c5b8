/// Cleaning before training: images ranked by how far they are from company, and lists of what to leave out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "motmot/data.hpp"
#include "motmot/gan/images.hpp"

namespace motmot::gan {

struct Cleaning {
  std::size_t neighbour = 0;             ///< k: the score is the distance to the k-th nearest image
  std::vector<double> scores{};          ///< of every image
  std::vector<std::uint32_t> ranking{};  ///< all images by falling score; of equal ones the first comes first
  std::vector<std::uint32_t> left_out{};  ///< the first floor(tau n) of the ranking
};

/// Ranks images by their features, one row each, and leaves out the share tau, 0 < tau < 1/2. The score is
/// that of rows without company: the distance to the k-th nearest other image. With k = ceil(1.25 tau n) + 1,
/// images of a foreign kind, if they are no more than tau n, must look beyond their own group, however alike
/// they are, and past the stragglers next to it: k just above tau n, as for rows of tables, found half of
/// what this finds where noise lies compact beside the tail of a class. An honest kind of fewer than k images
/// looks the same: see the page. Needs 10 images. Cost: n^2 distances. Empty where `progress` said stop.
[[nodiscard]] Cleaning clean(PointsView features, double tau, std::size_t threads = 0,
                             const Progress& progress = {});

/// The list as text: row (from 1), source, score, kept (1 or 0); one line per image, in the order of the set.
[[nodiscard]] std::string list_of(const Cleaning& cleaning, const TrainingSet& set);

/// The rows of `set`, ascending, that a list does not keep. A list may hold some of the images only; it needs
/// the columns row, source and kept. Error(Errc::io) names the line of an image that is not the set's.
[[nodiscard]] std::vector<std::uint32_t> read_left_out(const std::string& list, const TrainingSet& set);

/// The set without these rows, which ascend; what it is held against stays the same.
[[nodiscard]] TrainingSet without(const TrainingSet& set, const std::vector<std::uint32_t>& rows);

}  // namespace motmot::gan
