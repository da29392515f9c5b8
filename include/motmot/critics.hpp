/// Critics: the functions phi whose block means are compared, and what a user can do with a fitted one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// Shape of a network.
struct MlpOptions {
  /// Sizes of the hidden layers. {128, 64} is the paper's published code, {128} the paper's text
  /// (Section 4.2: one hidden layer).
  std::vector<std::size_t> hidden{128, 64};
};

/// The ascent of Algorithms 1, 3 and 4.
struct AscentOptions {
  std::size_t steps = 0;    ///< 0: 500 epochs of max(K_X, K_Y) steps
  double rate = 5e-5;       ///< eta, the learning rate of RMSProp
  double alpha = 0.99;      ///< RMSProp's memory of squared gradients
  double eps = 1e-8;        ///< RMSProp's guard against division by zero
  double clip = 0.01;       ///< c: every weight stays in [-c, c]
  std::size_t tail = 100;   ///< the value is the mean over this many last steps
  bool keep_trace = false;  ///< keep the value of every step in Distance::trace
};

/// A fitted critic: cheap to copy, immutable, safe to share between threads.
class Critic {
 public:
  class Model;  ///< what kinds of critics implement

  explicit Critic(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  [[nodiscard]] std::string_view kind() const;  ///< "clipped"
  [[nodiscard]] std::size_t dimension() const;  ///< columns it takes
  /// phi of every row, in order. Throws unless the rows have dimension() columns.
  [[nodiscard]] std::vector<double> operator()(PointsView rows) const;

  /// What save() writes.
  [[nodiscard]] std::string to_json() const;
  /// What to_json() gave; phi has the same bits. Throws Errc::io for anything else.
  [[nodiscard]] static Critic from_json(const std::string& text);
  /// A JSON file, written whole or not at all.
  void save(const std::string& path) const;
  /// What save() wrote; phi has the same bits. Throws Errc::io for anything else.
  [[nodiscard]] static Critic load(const std::string& path);

 private:
  std::shared_ptr<const Model> model_;
};

}  // namespace motmot
