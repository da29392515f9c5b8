/// What every room shares: the error type, the version, progress.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace motmot {

enum class Errc {
  invalid_argument,  ///< an option or the shape of the data breaks a rule
  io,                ///< a file cannot be read, written or understood
  numeric,           ///< values that the method cannot work with (NaN, overflow)
  unsupported,       ///< right in principle, not offered
};

/// The only exception that leaves the library on purpose. what() is one sentence that names the
/// rule and the values (file, row, column, option) that broke it.
class Error : public std::runtime_error {
 public:
  Error(Errc code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] Errc code() const noexcept { return code_; }

 private:
  Errc code_;
};

/// "0.1.0"
[[nodiscard]] std::string_view version() noexcept;

/// Called now and then, from the calling thread, with the share of the work that is done, in
/// [0, 1]. Returning false stops the run: the result is the best so far, flagged as stopped.
using Progress = std::function<bool(double)>;

}  // namespace motmot
