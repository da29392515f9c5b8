#include "support/support.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace motmot::test {

std::vector<double> uniforms(Rng& rng, std::size_t count, double low, double high) {
  std::vector<double> values(count);
  for (double& value : values) value = rng.uniform(low, high);
  return values;
}

std::vector<double> normals(Rng& rng, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = rng.normal();
  return values;
}

Points gaussian(Rng& rng, std::size_t n, std::size_t d, double shift) {
  std::vector<double> values = normals(rng, n * d);
  for (double& value : values) value += shift;
  return {std::move(values), d};
}

TempDir::TempDir() {
  std::string name = (std::filesystem::temp_directory_path() / "motmot-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

}  // namespace motmot::test
