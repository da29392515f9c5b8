/// Critics: the functions phi whose block means are compared, and what a user can do with a fitted one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "motmot/data.hpp"

namespace motmot {

/// The family of functions that the supremum runs over.
enum class CriticKind {
  automatic,  ///< exact or lipschitz, by n and m alone: see choose_critic()
  exact,  ///< all 1-Lipschitz functions, by exact transport. In the data's units; estimates the distance of
          ///< the samples, which in high dimension exceeds that of the laws they come from.
  lipschitz,  ///< 1-Lipschitz networks. In the data's units; estimates the distance of the laws, from below.
  clipped,    ///< the paper's network with clipped weights, on raw data. Its value is the distance times an
              ///< unknown constant: compare such values with each other only, at equal settings.
};

template <>
inline constexpr auto names<CriticKind> = names_in_order<CriticKind>("auto", "exact", "lipschitz", "clipped");

/// What a value estimates.
enum class Target {
  empirical,   ///< the distance between the two samples' inliers
  population,  ///< the distance between the laws that the inliers come from
  unknown,     ///< a distance times an unknown constant
};

template <>
inline constexpr auto names<Target> = names_in_order<Target>("empirical", "population", "unknown");

/// Networks and their ascent (Algorithms 1, 3 and 4). lipschitz reads steps and trace, clipped all of it.
struct AscentOptions {
  /// Sizes of the hidden layers. {128, 64} is the paper's published code, {128} the paper's text
  /// (Section 4.2: one hidden layer).
  std::vector<std::size_t> hidden{128, 64};
  std::size_t steps = 0;   ///< 0: lipschitz 1000, clipped 500 epochs of max(K_X, K_Y) steps
  double rate = 5e-5;      ///< eta, the learning rate of RMSProp
  double alpha = 0.99;     ///< RMSProp's memory of squared gradients
  double eps = 1e-8;       ///< RMSProp's guard against division by zero
  double clip = 0.01;      ///< c: every weight stays in [-c, c]
  std::size_t tail = 100;  ///< the value is the mean over this many last steps
  bool trace = false;      ///< keep the value of every step in RunReport::trace
};

/// A fitted critic: cheap to copy, immutable, safe to share between threads.
class Critic {
 public:
  class Model;  ///< what kinds of critics implement

  explicit Critic(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

  [[nodiscard]] std::string_view kind() const;  ///< "clipped"
  [[nodiscard]] std::size_t dimension() const;  ///< columns it takes
  /// phi of every row, in order. Throws unless the rows have dimension() columns. `memory_limit`: bytes that
  /// may be taken, with the rows; what is forecast to need more is refused before the work. 0: three quarters
  /// of what the machine or its control group has.
  [[nodiscard]] std::vector<double> operator()(PointsView rows, std::uint64_t memory_limit = 0) const;

  /// -phi: what separates Y from X where phi separates X from Y.
  [[nodiscard]] Critic negated() const;
  /// phi of rows whose columns are divided by these numbers first (0: the column is left out).
  [[nodiscard]] Critic in_units(std::vector<double> units) const;

  /// The same phi, which knows what its columns are called: one name for each, or none.
  [[nodiscard]] Critic with_columns(std::vector<std::string> names) const;
  /// Names of the columns it takes; empty: the samples had none.
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
  /// Where its columns stand in data whose columns have these names: by name, in any order, with others
  /// beside them; one after the other where the critic or the data have no names but numbers.
  /// Error(Errc::invalid_argument) where a name is not there or there twice; `source` is how complaints call
  /// the data.
  [[nodiscard]] std::vector<std::size_t> places(std::span<const std::string> names,
                                                const std::string& source) const;

  /// What save() writes.
  [[nodiscard]] std::string to_json() const;
  /// What to_json() gave; phi has the same bits. Throws Errc::io for anything else.
  [[nodiscard]] static Critic from_json(const std::string& text);
  /// A JSON file, written whole or not at all.
  void save(const std::string& path) const;
  /// What save() wrote; phi has the same bits. Throws Errc::io for anything else. `memory_limit`: as above,
  /// forecast from the numbers in the file.
  [[nodiscard]] static Critic load(const std::string& path, std::uint64_t memory_limit = 0);

 private:
  friend double evaluate_bytes(const Critic& critic, std::size_t n);

  std::shared_ptr<const Model> model_;
  double sign_ = 1;              ///< -1 where the samples changed places
  std::vector<double> units_{};  ///< empty: columns are taken as they are
  std::vector<std::string> columns_{};
};

/// Bytes that a critic takes at most on n rows, with the rows and itself; measured peaks are half of it or
/// more (docs/results-trust.md).
[[nodiscard]] double evaluate_bytes(const Critic& critic, std::size_t n);

}  // namespace motmot
