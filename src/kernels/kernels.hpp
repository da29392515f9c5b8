/// The arithmetic that takes the time, behind one table of functions. scalar.cpp is the definition;
/// the vector versions are written once in Highway, compiled for every target and chosen at run time.
/// MOTMOT_ISA=scalar forces the definition. All kernels are noexcept and touch no global state.
///
/// Matrices of activations are feature-major: element (feature f, row r) is at [f * ld + r], so that a
/// vector register holds one feature of neighbouring rows. The arithmetic of a row then does not depend
/// on the rows beside it: its value has the same bits in whatever tile it is evaluated.
#pragma once

#include <cstddef>

namespace motmot::kernels {

/// Rows per tile; every feature-major buffer has room for a multiple of it.
inline constexpr std::size_t tile_rows = 48;

constexpr std::size_t padded_rows(std::size_t rows) { return (rows + tile_rows - 1) / tile_rows * tile_rows; }

/// What happens to bias + W x.
enum class Activation {
  none,
  relu,
  relu_mask,     ///< multiply by 1 where mask > 0, else by 0: the gradient of relu
  max_min,       ///< outputs 2k and 2k + 1 become their maximum and minimum; an odd last output stays
  max_min_back,  ///< outputs 2k and 2k + 1 change places where order[k] < 0: the gradient of max_min
};

/// out[o][r] = act(bias[o] + sum_i w[o * w_out + i * w_in] * in[i][r]) for r < tile_rows.
struct Dense {
  const float* w = nullptr;
  std::size_t w_out = 0;        ///< step between outputs in w
  std::size_t w_in = 0;         ///< step between inputs in w
  const float* bias = nullptr;  ///< null: no bias
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  const float* in = nullptr;
  std::size_t in_ld = 0;
  float* out = nullptr;
  std::size_t out_ld = 0;
  Activation activation = Activation::none;
  const float* mask = nullptr;  ///< relu_mask: outputs x rows; max_min_back: the order; with out_ld
  float* order = nullptr;  ///< max_min, may be null: output 2k less output 2k + 1, pairs x rows, with out_ld
};

/// Sums over rows of outer products: w[o * inputs + i] += sum_r delta[r * outputs + o] * in[r * inputs + i]
/// and bias[o] += sum_r delta[r * outputs + o]; both factors row-major.
struct Outer {
  const float* delta = nullptr;
  const float* in = nullptr;
  std::size_t rows = 0;
  std::size_t outputs = 0;
  std::size_t inputs = 0;
  float* w = nullptr;
  float* bias = nullptr;
};

/// One RMSProp step of ascent, then the clip (Algorithm 1, lines 7.1 and 7.2), on every weight:
/// s <- alpha s + (1 - alpha) g^2;  w <- clip(w + rate g / (sqrt(s) + eps), -clip, clip).
struct RmsPropStep {
  float* w = nullptr;
  float* s = nullptr;
  const float* g = nullptr;
  std::size_t size = 0;
  float rate = 0, alpha = 0, eps = 0, clip = 0;
};

struct Table {
  const char* name;                              ///< "scalar", "AVX2", ...
  void (*dense)(const Dense&) noexcept;          ///< relative error of a sum of `inputs` float products
  void (*outer)(const Outer&) noexcept;          ///< same, of `rows` products
  void (*rmsprop)(const RmsPropStep&) noexcept;  ///< the same bits as the definition
};

extern const Table scalar_table;

/// Whether MOTMOT_ISA=scalar asks for the definition of every kernel.
bool scalar_forced() noexcept;

/// The table in use. Chosen once, at the first call.
const Table& table() noexcept;

/// The name of the best set that this machine can run, whatever is in use.
const char* best_target() noexcept;

}  // namespace motmot::kernels
