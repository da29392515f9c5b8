/// The blocks of one sample as B columns of K rows, and the turned partitions that come with them.
#pragma once

#include <span>
#include <vector>

#include "motmot/blocks.hpp"

namespace motmot {

/// Block k of turn t is made of row (k + t * (c + lead)) mod K of each column c: turn 0 is the partition that
/// was drawn when lead = 0, and every turn is as uniform as it.
class SampleBlocks {
 public:
  SampleBlocks(std::size_t count, std::size_t size, std::size_t lead)
      : k_(count), b_(size), lead_(lead), rows_(count * size) {}

  void assign(const Blocks& blocks) {
    for (std::size_t k = 0; k < k_; ++k)
      for (std::size_t c = 0; c < b_; ++c) rows_[c * k_ + k] = blocks.index[k * b_ + c];
  }

  /// phi of the rows in their places, for means().
  void gather(std::span<const double> phi, std::vector<double>& values) const {
    values.resize(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) values[i] = phi[rows_[i]];
  }

  void means(std::span<const double> values, std::size_t turn, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t c = 0; c < b_; ++c) {
      const double* column = values.data() + c * k_;
      const std::size_t shift = shift_of(c, turn);
      for (std::size_t k = 0; k < k_ - shift; ++k) out[k] += column[k + shift];
      for (std::size_t k = k_ - shift; k < k_; ++k) out[k] += column[k + shift - k_];
    }
    const double size = static_cast<double>(b_);
    for (double& mean : out) mean /= size;
  }

  /// counts[row] += shares[k] for the rows of each block k.
  void add(std::span<const std::uint64_t> shares, std::size_t turn, std::span<std::uint64_t> counts) const {
    for (std::size_t k = 0; k < k_; ++k) {
      if (shares[k] == 0) continue;
      for (std::size_t c = 0; c < b_; ++c) {
        const std::size_t at = k + shift_of(c, turn);
        counts[rows_[c * k_ + (at < k_ ? at : at - k_)]] += shares[k];
      }
    }
  }

 private:
  [[nodiscard]] std::size_t shift_of(std::size_t c, std::size_t turn) const {
    return turn == 0 ? 0 : turn * (c + lead_) % k_;
  }

  std::size_t k_, b_, lead_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace motmot
