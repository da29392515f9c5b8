/// Images for training: read from the usual places, made 32 x 32, dirtied on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace motmot::gan {

inline constexpr std::size_t side = 32;  ///< every image is side x side

/// n images of 8 bits per channel: image, then row, then column, then channel. Networks see byte / 127.5 - 1.
struct Images {
  std::size_t channels = 1;            ///< 1 grey, 3 red-green-blue
  std::vector<std::uint8_t> bytes{};   ///< size() * side * side * channels
  std::vector<std::int32_t> labels{};  ///< one per image, or none
  std::vector<std::string> sources{};  ///< file of each image where every image has its own; else empty

  [[nodiscard]] std::size_t values_per_image() const noexcept { return side * side * channels; }
  [[nodiscard]] std::size_t size() const noexcept { return bytes.size() / values_per_image(); }
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t i) const noexcept {
    return std::span(bytes).subspan(i * values_per_image(), values_per_image());
  }
  /// Appends image i of `other`, which has as many channels; its label and source come along where both have
  /// them.
  void append(const Images& other, std::size_t i);
};

/// The kinds of data that --data may name.
enum class DataKind { fashion_mnist, cifar10, folder, array };

/// A data set with its held-out part, which is empty where the data have none (folders, arrays).
struct DataSet {
  DataKind kind = DataKind::folder;
  std::string name{};  ///< as complaints and tables call it
  Images train{};
  Images test{};
};

/// Reads a data set.
///
///   fashion-mnist   Debian's package dataset-fashion-mnist; 28 x 28 framed by two black pixels
///   DIR             with train-images-idx3-ubyte.gz: the MNIST layout; with data_batch_1.bin: CIFAR-10 in
///   its
///                   binary layout; else every .png, .jpg and .jpeg below it, in the order of their names:
///                   cut to the central square, averaged down or interpolated up to 32 x 32. Folders inside
///                   are classes.
///   FILE.npy        n x H x W, n x C x H x W or n x H x W x C, C = 1 or 3 (n x d: C x H x W, H = W), cut and
///                   scaled like pictures; numbers in 0..255, in [0, 1] or in [-1, 1], whichever they fit
///   FILE.bin        one CIFAR-10 batch
///
/// Error(Errc::io) names the file and what is wrong with it. `memory_limit`: see memory.hpp.
[[nodiscard]] DataSet read_data_set(const std::string& data, std::uint64_t memory_limit = 0);

/// How to dirty a data set.
struct Contamination {
  /// Share of outliers in the result when below 1, else their number. Nothing: 0.015 on the two benchmarks of
  /// the paper (Section 4.3), 0 on everything else.
  std::optional<double> amount{};
  /// Classes that are kept, "0-4" or "0,2,7"; empty: 0-4 on Fashion-MNIST, else all.
  std::string inliers{};
  /// noise (uniform pixels), class:5, or data as read_data_set() takes them; empty: class:5 on Fashion-MNIST,
  /// else noise.
  std::string outliers{};
  std::uint64_t seed = 0;
};

/// What a network is trained on, and what is known of it.
struct TrainingSet {
  Images images{};
  std::vector<std::uint8_t> dirty{};   ///< 1 for the rows that were put in; one per image
  std::vector<std::string> sources{};  ///< where each row came from: "train 17", "noise 3", a file
  Images held_out{};                   ///< clean images to compare with: not trained on, where there are such
  bool held_out_is_train = false;  ///< held_out are the inliers, because the data have no other clean images
  std::optional<std::int32_t> dirty_class{};  ///< label of the outliers, 10 for noise; nothing for files
  std::string description{};  ///< "Fashion-MNIST 0-4, 30000 images and 457 of class 5 (1.50 %)"

  [[nodiscard]] std::size_t dirty_count() const noexcept;
};

inline constexpr std::int32_t noise_class = 10;

/// Keeps the inliers of `data` and mixes outliers in. Which outliers, and where they stand, follows from the
/// seed. `memory_limit`: see memory.hpp.
[[nodiscard]] TrainingSet contaminate(const DataSet& data, const Contamination& how,
                                      std::uint64_t memory_limit = 0);

/// One line per row: row (from 1), source, dirty.
void write_rows(const std::string& path, const TrainingSet& set);

/// n images of independent uniform pixels, the i-th a function of (seed, i).
[[nodiscard]] Images noise_images(std::size_t n, std::size_t channels, std::uint64_t seed);

/// Image i as the bytes of a PNG file.
[[nodiscard]] std::string png_of(const Images& images, std::size_t i);

/// A picture of `columns` images per line, one black pixel between them.
void write_png_grid(const std::string& path, const Images& images, std::size_t columns);

/// One picture, any size: height x width x channels bytes.
void write_png(const std::string& path, std::span<const std::uint8_t> bytes, std::size_t height,
               std::size_t width, std::size_t channels);

}  // namespace motmot::gan
