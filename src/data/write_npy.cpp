#include <bit>
#include <ostream>
#include <string>

#include "base/output_file.hpp"
#include "motmot/data.hpp"

namespace motmot {
namespace {

/// Magic, version, and a Python literal padded so that the data start at a multiple of 64.
std::string npy_header(std::size_t n, std::size_t d) {
  const std::string descr = std::endian::native == std::endian::little ? "<f8" : ">f8";
  std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + std::to_string(n) +
                     ", " + std::to_string(d) + "), }";
  constexpr std::size_t before = 10;
  dict.append(63 - (before + dict.size()) % 64, ' ');
  dict += '\n';
  const auto length = static_cast<unsigned>(dict.size());
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(length & 0xff) +
         static_cast<char>(length >> 8) + dict;
}

}  // namespace

void write_npy(const std::string& path, PointsView points) {
  OutputFile file(path);
  file.stream() << npy_header(points.rows(), points.cols());
  file.stream().write(reinterpret_cast<const char*>(points.data),
                      static_cast<std::streamsize>(points.rows() * points.cols() * sizeof(double)));
  file.commit();
}

}  // namespace motmot
