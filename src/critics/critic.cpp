// Fitted critics: what each kind keeps, and the one place that knows critic files (JSON).
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>

#include "base/memory.hpp"
#include "base/output_file.hpp"
#include "base/require.hpp"
#include "base/text.hpp"
#include "base/whole.hpp"
#include "critics/lipschitz.hpp"
#include "critics/min_plus.hpp"
#include "critics/model.hpp"
#include "data/complaint.hpp"
#include "data/units.hpp"

namespace motmot {

class Critic::Model {
 public:
  virtual ~Model() = default;
  [[nodiscard]] virtual std::string_view kind() const = 0;
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  [[nodiscard]] virtual std::vector<double> evaluate(PointsView rows) const = 0;
  /// What it keeps, and what evaluate() takes for n rows beside them.
  [[nodiscard]] virtual double bytes(std::size_t n) const = 0;
  /// Everything that evaluate() needs; load() adds nothing to it.
  [[nodiscard]] virtual nlohmann::json to_json() const = 0;
};

namespace {

/// A network as the fields "dimension", "hidden" and "weights".
nlohmann::json mlp_to_json(const Mlp& mlp) {
  return {{"dimension", mlp.dimension()},
          {"hidden", mlp.hidden()},
          {"weights", std::vector<float>(mlp.weights().begin(), mlp.weights().end())}};
}

double weight_bytes(const Mlp& mlp) { return static_cast<double>(mlp.weights().size_bytes()); }

Mlp mlp_from_json(const nlohmann::json& json, Nonlinearity between = Nonlinearity::relu) {
  const auto dimension = whole<std::size_t>(json, "dimension");
  std::vector<std::size_t> hidden;
  for (const auto& width : json.at("hidden")) hidden.push_back(whole<std::size_t>(width));
  const auto weights = json.at("weights").get<std::vector<float>>();
  constexpr std::size_t largest = 1 << 20;
  require(1 <= dimension && dimension <= largest, Errc::io, "dimension ", dimension, " is out of range");
  for (const std::size_t size : hidden)
    require(1 <= size && size <= largest, Errc::io, "a hidden layer of ", size, " units is out of range");
  std::size_t wanted = 0;
  std::size_t inputs = dimension;
  for (const std::size_t outputs : hidden) wanted += (std::exchange(inputs, outputs) + 1) * outputs;
  wanted += inputs + 1;
  require(weights.size() == wanted, Errc::io, "the network needs ", wanted, " weights, the file has ",
          weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i)
    require(std::isfinite(weights[i]), Errc::io, "weight ", i + 1, " of ", weights.size(),
            " is beyond the range of float32");
  Mlp mlp(dimension, hidden, between);
  std::ranges::copy(weights, mlp.weights().begin());
  return mlp;
}

class ClippedModel final : public Critic::Model {
 public:
  explicit ClippedModel(Mlp mlp) : mlp_(std::move(mlp)) {}
  [[nodiscard]] std::string_view kind() const override { return "clipped"; }
  [[nodiscard]] std::size_t dimension() const override { return mlp_.dimension(); }
  [[nodiscard]] nlohmann::json to_json() const override { return mlp_to_json(mlp_); }

  [[nodiscard]] std::vector<double> evaluate(PointsView rows) const override {
    const FeatureMajor data = to_feature_major(rows, {}, "the data");
    Mlp::Workspace workspace(mlp_);
    std::vector<float> phi(data.ld());
    for (std::size_t t = 0; t < data.tiles(); ++t)
      mlp_.evaluate(data.tile(t), data.ld(), phi.data() + t * kernels::tile_rows, workspace);
    return {phi.begin(), phi.begin() + static_cast<std::ptrdiff_t>(rows.rows())};
  }
  [[nodiscard]] double bytes(std::size_t n) const override {
    constexpr double of_a_row = sizeof(float) + sizeof(double);  // phi as it is computed, and as it is given
    return weight_bytes(mlp_) + sample_bytes(n, dimension()) / 2 + of_a_row * static_cast<double>(n);
  }

 private:
  Mlp mlp_;
};

/// The min-plus critic in the units of the data: scale * min_j (|z - y_j| - g_j), z = (row - centre) / scale.
class ExactModel final : public Critic::Model {
 public:
  explicit ExactModel(ExactCriticParts parts) : parts_(std::move(parts)), anchors_(parts_.anchors) {}
  [[nodiscard]] std::string_view kind() const override { return "exact"; }
  [[nodiscard]] std::size_t dimension() const override { return parts_.centre.size(); }

  [[nodiscard]] std::vector<double> evaluate(PointsView rows) const override {
    const Points scaled = within_reach(to_scale(rows));
    std::vector<double> phi(rows.rows());
    Team alone(1);
    anchors_.min_plus(scaled, parts_.g, phi, alone);
    for (double& value : phi) value *= parts_.scale;
    return phi;
  }
  [[nodiscard]] double bytes(std::size_t n) const override {
    return 2 * sample_bytes(parts_.g.size() + n, dimension()) + sample_bytes(parts_.g.size() + n, 1);
  }

  [[nodiscard]] nlohmann::json to_json() const override {
    return {{"centre", parts_.centre},
            {"scale", parts_.scale},
            {"anchors", parts_.anchors.values()},
            {"g", parts_.g}};
  }

 private:
  [[nodiscard]] Points to_scale(PointsView rows) const {
    Points scaled(rows.rows(), rows.cols());
    for (std::size_t i = 0; i < rows.rows(); ++i)
      for (std::size_t k = 0; k < rows.cols(); ++k) {
        require(std::isfinite(rows(i, k)), Errc::numeric, "row ", i + 1, ", column ", k + 1,
                " of the data is not finite");
        // Halves: the difference of two numbers near the ends of double does not fit into one.
        scaled(i, k) = (rows(i, k) / 2 - parts_.centre[k] / 2) / parts_.scale * 2;
      }
    return scaled;
  }

  ExactCriticParts parts_;
  Anchors anchors_;
};

/// Evaluates in double, so that the slopes a user can see are those of the certificate.
class LipschitzModel final : public Critic::Model {
 public:
  LipschitzModel(Mlp network, Standard standard)
      : network_(std::move(network)), standard_(std::move(standard)) {}
  [[nodiscard]] std::string_view kind() const override { return "lipschitz"; }
  [[nodiscard]] std::size_t dimension() const override { return network_.dimension(); }

  [[nodiscard]] std::vector<double> evaluate(PointsView rows) const override {
    constexpr std::size_t chunk = 1024;
    std::vector<double> phi, standardised;
    for (std::size_t first = 0; first < rows.rows(); first += chunk) {
      const std::size_t count = std::min(chunk, rows.rows() - first);
      standardised.resize(count * rows.cols());
      for (std::size_t i = 0; i < count; ++i)
        standard_.apply(rows.row(first + i), std::span(standardised).subspan(i * rows.cols(), rows.cols()));
      for (const double value : evaluate_in_double(network_, standardised))
        phi.push_back(standard_.scale * value);
    }
    return phi;
  }
  [[nodiscard]] double bytes(std::size_t n) const override {
    constexpr double of_growth = 2;
    return weight_bytes(network_) + of_growth * sample_bytes(n, 1);
  }

  [[nodiscard]] nlohmann::json to_json() const override {
    nlohmann::json json = mlp_to_json(network_);
    json["centre"] = standard_.centre;
    json["scale"] = standard_.scale;
    return json;
  }

 private:
  Mlp network_;
  Standard standard_;
};

Critic exact_critic_from_json(const nlohmann::json& json) {
  ExactCriticParts parts{.anchors = {},
                         .g = json.at("g").get<std::vector<double>>(),
                         .centre = json.at("centre").get<std::vector<double>>(),
                         .scale = json.at("scale").get<double>()};
  auto anchors = json.at("anchors").get<std::vector<double>>();
  const std::size_t d = parts.centre.size();
  require(d >= 1 && !parts.g.empty(), Errc::io, "it has ", d, " columns and ", parts.g.size(), " anchors");
  require(anchors.size() == parts.g.size() * d, Errc::io, "it needs ", parts.g.size() * d,
          " coordinates of anchors, the file has ", anchors.size());
  require(parts.scale > 0 && std::isfinite(parts.scale), Errc::io, "its scale ", parts.scale,
          " is not positive");
  parts.anchors = Points(std::move(anchors), d);
  return exact_critic(std::move(parts));
}

Critic lipschitz_critic_from_json(const nlohmann::json& json) {
  Mlp network = mlp_from_json(json, Nonlinearity::max_min);
  Standard standard{.centre = json.at("centre").get<std::vector<double>>(),
                    .scale = json.at("scale").get<double>()};
  require(standard.centre.empty() || standard.centre.size() == network.dimension(), Errc::io,
          "the centre has ", standard.centre.size(), " numbers, the network takes ", network.dimension(),
          " columns");
  require(std::isfinite(standard.scale) && standard.scale > 0, Errc::io, "the scale ", standard.scale,
          " is not positive");
  return lipschitz_critic(std::move(network), std::move(standard));
}

constexpr int file_version = 1;

Critic positive_critic_of(const nlohmann::json& json) {
  require(json.at("motmot_critic") == file_version, Errc::io, "its version is not ", file_version);
  const auto kind = json.at("kind").get<std::string>();
  if (kind == "clipped") return clipped_critic(mlp_from_json(json));
  if (kind == "lipschitz") return lipschitz_critic_from_json(json);
  if (kind == "exact") return exact_critic_from_json(json);
  fail(Errc::io, "its kind '", kind, "' is unknown");
}

Critic critic_of(const nlohmann::json& json) {
  Critic critic = positive_critic_of(json);
  if (json.contains("units")) {
    auto units = json.at("units").get<std::vector<double>>();
    require(units.size() == critic.dimension(), Errc::io, "it has ", units.size(), " units and takes ",
            critic.dimension(), " columns");
    for (const double unit : units)
      require(unit >= 0 && std::isfinite(unit), Errc::io, "its unit ", unit,
              " is not a positive number or 0");
    critic = critic.in_units(std::move(units));
  }
  if (json.contains("columns")) {
    auto names = json.at("columns").get<std::vector<std::string>>();
    require(names.size() == critic.dimension(), Errc::io, "it has ", counted(names.size(), "name"),
            " and takes ", counted(critic.dimension(), "column"));
    critic = critic.with_columns(std::move(names));
  }
  return json.value("sign", 1) < 0 ? critic.negated() : critic;
}

/// As a file keeps it: bytes that are not UTF-8 become U+FFFD.
std::string as_kept(const std::string& name) {
  using nlohmann::json;
  return json::parse(json(name).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

std::vector<std::string> as_kept(std::span<const std::string> names) {
  std::vector<std::string> kept;
  for (const std::string& name : names) kept.push_back(as_kept(name));
  return kept;
}

void require_width(std::size_t wanted, std::size_t given) {
  require(given == wanted, Errc::invalid_argument, "the critic takes ", wanted, " columns, the data have ",
          given);
}

/// `source` is a stream or a text; `what` is how a complaint calls it.
template <class Source>
Critic parse_critic(Source&& source, const std::string& what) {
  try {
    return critic_of(nlohmann::json::parse(source));
  } catch (const nlohmann::json::exception& error) {
    const std::string said = error.what();  // "[json.exception.type_error.302] type must be ..."
    fail(Errc::io, what, " is not a critic that motmot wrote: ", said.substr(said.find("] ") + 2));
  } catch (const Error& error) {
    fail(Errc::io, what, " is not a critic that motmot can read: ", error.what());
  }
}

}  // namespace

Critic clipped_critic(Mlp mlp) { return Critic(std::make_shared<ClippedModel>(std::move(mlp))); }

Critic exact_critic(ExactCriticParts parts) {
  parts.anchors = within_reach(parts.anchors);
  return Critic(std::make_shared<ExactModel>(std::move(parts)));
}

Critic lipschitz_critic(Mlp network, Standard standard) {
  return Critic(std::make_shared<LipschitzModel>(std::move(network), std::move(standard)));
}

std::string_view Critic::kind() const { return model_->kind(); }

std::size_t Critic::dimension() const { return model_->dimension(); }

double evaluate_bytes(const Critic& critic, std::size_t n) {
  constexpr double to_spare = 1.25;
  const double copies = critic.units_.empty() ? 1 : 2;
  return to_spare * (process_bytes + critic.model_->bytes(n) + copies * sample_bytes(n, critic.dimension()));
}

std::vector<double> Critic::operator()(PointsView rows, std::uint64_t memory_limit) const {
  require_width(dimension(), rows.cols());
  require_memory(evaluate_bytes(*this, rows.rows()), memory_limit, "evaluate fewer rows");
  std::vector<double> phi =
      units_.empty() ? model_->evaluate(rows) : model_->evaluate(motmot::in_units(rows, units_));
  for (std::size_t i = 0; i < phi.size(); ++i)
    require(std::isfinite(phi[i]), Errc::numeric, "the critic's value at row ", i + 1,
            " overflows: the row or the critic has numbers that are too large");
  if (sign_ < 0)
    for (double& value : phi) value = -value;
  return phi;
}

Critic Critic::negated() const {
  Critic critic = *this;
  critic.sign_ = -sign_;
  return critic;
}

Critic Critic::in_units(std::vector<double> units) const {
  Critic critic = *this;
  critic.units_ = std::move(units);
  return critic;
}

Critic Critic::with_columns(std::vector<std::string> names) const {
  require(names.empty() || names.size() == dimension(), Errc::invalid_argument, "the critic takes ",
          counted(dimension(), "column"), ", got ", counted(names.size(), "name"));
  Critic critic = *this;
  critic.columns_ = as_kept(names);
  return critic;
}

std::vector<std::size_t> Critic::places(std::span<const std::string> given, const std::string& source) const {
  const std::vector<std::string> names = as_kept(given);
  std::vector<std::size_t> places(dimension());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (names == columns_) return places;
  std::unordered_map<std::string, std::vector<std::size_t>> called;
  for (std::size_t j = 0; j < names.size(); ++j) called[names[j]].push_back(j);
  const bool all_there =
      std::ranges::all_of(columns_, [&](const std::string& name) { return called.contains(name); });
  if (columns_.empty() || (!all_there && !has_names(names))) {
    require_width(dimension(), names.size());
    return places;
  }
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    std::vector<std::size_t>& found = called[columns_[k]];
    require(!found.empty(), Errc::invalid_argument, source, " has no column ", shown(columns_[k]),
            ", which the critic takes; its columns are ",
            listed(names.size(), [&](std::size_t j) { return names[j]; }));
    require(found.size() == 1, Errc::invalid_argument, source,
            " and the critic go by names, and several columns are called ", shown(columns_[k]));
    places[k] = found.front();
    found.push_back(places[k]);  // a second column of that name in the critic complains
  }
  return places;
}

std::string Critic::to_json() const {
  nlohmann::json json = model_->to_json();
  json["motmot_critic"] = file_version;
  json["kind"] = kind();
  if (sign_ < 0) json["sign"] = -1;
  if (!units_.empty()) json["units"] = units_;
  if (!columns_.empty()) json["columns"] = columns_;
  return json.dump() + "\n";
}

void Critic::save(const std::string& path) const {
  OutputFile file(path);
  file.stream() << to_json();
  file.commit();
}

namespace {

/// What taking a critic's file apart takes: its numbers as JSON, which grows as it is read, and as the parts
/// of a critic. Leaves the file at its beginning.
double parsing_bytes(std::ifstream& file) {
  constexpr double to_spare = 1.25, of_a_number = 65;
  std::vector<char> part(1 << 16);
  double numbers = 1;
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())), file.gcount() > 0)
    numbers += static_cast<double>(std::count(part.begin(), part.begin() + file.gcount(), ','));
  file.clear();
  file.seekg(0);
  return to_spare * (process_bytes + of_a_number * numbers);
}

}  // namespace

Critic Critic::load(const std::string& path, std::uint64_t memory_limit) {
  std::ifstream file(path);
  require(file.good(), Errc::io, "cannot read critic '", path, "': ", std::strerror(errno));
  if (std::filesystem::is_regular_file(path))
    require_memory(parsing_bytes(file), memory_limit, "take a smaller critic");
  return parse_critic(file, "'" + path + "'");
}

Critic Critic::from_json(const std::string& text) { return parse_critic(text, "the text"); }

}  // namespace motmot
