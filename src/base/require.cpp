#include "base/require.hpp"

namespace motmot {

std::string one_line(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) result += c;
    else result.append({'\\', 'x', digits[byte >> 4], digits[byte & 15]});
  }
  return result;
}

Error::Error(Errc code, const std::string& message) : std::runtime_error(one_line(message)), code_(code) {}

}  // namespace motmot
