#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/memory.hpp"
#include "base/require.hpp"
#include "data/complaint.hpp"
#include "motmot/data.hpp"
#include "motmot/gan/images.hpp"
#include "motmot/gan/memory.hpp"
#include "picture.hpp"

namespace motmot::gan {
namespace {

namespace fs = std::filesystem;

constexpr const char* debian_fashion_mnist = "/usr/share/datasets/fashion-mnist";
constexpr std::size_t cifar_pixels = side * side, cifar_record = 1 + 3 * cifar_pixels;

/// n x (28 * 28) or n x (32 * 32) greys; images of 28 x 28 get a frame of two black pixels.
Images framed(const Points& points, const std::string& file) {
  const std::size_t from = points.cols() == 784 ? 28 : side, frame = (side - from) / 2;
  require(points.cols() == from * from, Errc::io, name_of(file),
          " must hold images of 28 x 28 pixels; a row has ", points.cols());
  Images images{.channels = 1};
  images.bytes.resize(points.rows() * side * side);
  for (std::size_t i = 0; i < points.rows(); ++i)
    for (std::size_t p = 0; p < from * from; ++p)
      images.bytes[(i * side + frame + p / from) * side + frame + p % from] =
          static_cast<std::uint8_t>(points(i, p));
  return images;
}

Images read_mnist_part(const fs::path& folder, const std::string& part) {
  const std::string pictures = folder / (part + "-images-idx3-ubyte.gz"),
                    labels = folder / (part + "-labels-idx1-ubyte.gz");
  const Table table = read_table(labels);
  Images images = framed(read_table(pictures).points, pictures);
  require(table.points.rows() == images.size(), Errc::io, name_of(labels), " has ", table.points.rows(),
          " labels for the ", images.size(), " images of ", name_of(pictures));
  for (const double label : table.points.values()) images.labels.push_back(static_cast<std::int32_t>(label));
  return images;
}

DataSet read_mnist(const fs::path& folder, bool fashion) {
  return {.kind = fashion ? DataKind::fashion_mnist : DataKind::folder,
          .name = fashion ? "Fashion-MNIST" : folder.string(),
          .train = read_mnist_part(folder, "train"),
          .test = read_mnist_part(folder, "t10k")};
}

/// Every record is a label, then 1024 bytes of red, of green and of blue.
void append_cifar(Images& images, const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  require(in.good(), Errc::io, "cannot read ", name_of(path), ": is it there and readable?");
  const auto size = static_cast<std::size_t>(fs::file_size(path));
  require(size > 0 && size % cifar_record == 0, Errc::io, name_of(path), " is not a CIFAR-10 batch: its ",
          size, " bytes are not a multiple of ", cifar_record);
  std::vector<std::uint8_t> record(cifar_record);
  images.channels = 3;
  for (std::size_t i = 0; i < size / cifar_record; ++i) {
    in.read(reinterpret_cast<char*>(record.data()), static_cast<std::streamsize>(record.size()));
    require(in.good(), Errc::io, "cannot read ", name_of(path), " beyond image ", i);
    require(record[0] < 10, Errc::io, name_of(path), ", image ", i + 1, ": label ", int{record[0]},
            " is not one of 0..9");
    images.labels.push_back(record[0]);
    for (std::size_t p = 0; p < cifar_pixels; ++p)
      for (std::size_t c = 0; c < 3; ++c) images.bytes.push_back(record[1 + c * cifar_pixels + p]);
  }
}

DataSet read_cifar(const fs::path& folder) {
  DataSet set{.kind = DataKind::cifar10, .name = "CIFAR-10"};
  for (int batch = 1; batch <= 5; ++batch)
    append_cifar(set.train, folder / ("data_batch_" + std::to_string(batch) + ".bin"));
  append_cifar(set.test, folder / "test_batch.bin");
  return set;
}

bool is_picture_name(const fs::path& path) {
  std::string end = path.extension();
  std::ranges::transform(end, end.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return end == ".png" || end == ".jpg" || end == ".jpeg";
}

/// The folders right below `root`, sorted, are the classes; pictures beside them have no label.
DataSet read_folder(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file() && is_picture_name(entry.path())) files.push_back(entry.path());
  require(!files.empty(), Errc::io, "folder ", name_of(root),
          " holds no .png, .jpg or .jpeg, no data_batch_1.bin and no train-images-idx3-ubyte.gz");
  std::ranges::sort(files);
  std::vector<Picture> pictures;
  std::size_t channels = 1;
  for (const fs::path& file : files) {
    pictures.push_back(resized(read_picture(file), side));
    channels = std::max(channels, pictures.back().channels);
  }
  std::set<std::string> classes;
  for (const fs::path& file : files) classes.insert(fs::relative(file, root).begin()->string());
  DataSet set{.kind = DataKind::folder, .name = root.string()};
  set.train.channels = channels;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Picture picture = with_channels(std::move(pictures[i]), channels);
    set.train.bytes.insert(set.train.bytes.end(), picture.bytes.begin(), picture.bytes.end());
    set.train.sources.push_back(files[i].string());
    if (files.size() > classes.size())
      set.train.labels.push_back(static_cast<std::int32_t>(
          std::distance(classes.begin(), classes.find(fs::relative(files[i], root).begin()->string()))));
  }
  return set;
}

/// Bytes beside libtorch: numbers are read as doubles, bytes as they come into a vector that grows.
double array_bytes(double values, double images) {
  return sizeof(double) * values + 2 * static_cast<double>(side * side) * images;
}

double mnist_bytes(const fs::path& folder) {
  const double values = unpacked_size(folder / "train-images-idx3-ubyte.gz") +
                        unpacked_size(folder / "t10k-images-idx3-ubyte.gz");
  return array_bytes(values, values / 784);
}

double folder_bytes(const fs::path& folder) {
  constexpr double of_a_picture = 9.0 * side * side + 300;  // three times three channels, and its name
  double pictures = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    pictures += is_picture_name(entry.path()) ? 1 : 0;
  return of_a_picture * pictures;
}

double cifar_bytes(const fs::path& folder) {
  double bytes = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".bin") bytes += unpacked_size(entry.path());
  return 2 * bytes;
}

double beside_torch(const fs::path& path) {
  if (fs::exists(path / "train-images-idx3-ubyte.gz")) return mnist_bytes(path);
  if (fs::exists(path / "data_batch_1.bin")) return cifar_bytes(path);
  if (fs::is_directory(path)) return folder_bytes(path);
  if (path.extension() != ".npy" || !fs::exists(path)) return 2 * unpacked_size(path);
  const ArraySize size = image_array_size(path);
  return array_bytes(size.values, static_cast<double>(size.images * size.channels));
}

}  // namespace

double data_set_bytes(const std::string& data) {
  constexpr double to_spare = 1.25;
  return torch_bytes + to_spare * beside_torch(data == "fashion-mnist" ? debian_fashion_mnist : data);
}

DataSet read_data_set(const std::string& data, std::uint64_t memory_limit) {
  require_memory(data_set_bytes(data), memory_limit, "take fewer images");
  if (data == "fashion-mnist") {
    require(fs::exists(debian_fashion_mnist), Errc::io,
            "fashion-mnist is not here: install Debian's package dataset-fashion-mnist");
    return read_mnist(debian_fashion_mnist, true);
  }
  require(fs::exists(data), Errc::io, "cannot read ", name_of(data), ": there is no such file or folder");
  if (fs::is_directory(data)) {
    const fs::path folder = data;
    if (fs::exists(folder / "train-images-idx3-ubyte.gz"))
      return read_mnist(folder,
                        fs::exists(debian_fashion_mnist) && fs::equivalent(folder, debian_fashion_mnist));
    if (fs::exists(folder / "data_batch_1.bin")) return read_cifar(folder);
    return read_folder(folder);
  }
  if (data.ends_with(".npy")) return {.kind = DataKind::array, .name = data, .train = read_image_array(data)};
  require(data.ends_with(".bin"), Errc::io, name_of(data),
          " must be fashion-mnist, a folder, a .npy file or a CIFAR-10 .bin file");
  DataSet set{.kind = DataKind::cifar10, .name = data};
  append_cifar(set.train, data);
  return set;
}

}  // namespace motmot::gan
