/// What motmot-verify checks without motmot: plans and potentials, with the rows and columns they are of.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "motmot/data.hpp"
#include "motmot/report.hpp"
#include "motmot/transport.hpp"

namespace motmot::app {

/// A column as the data have it, and what it was divided by.
struct CertifiedColumn {
  std::string name;
  double unit = 1;
};

class Certificate {
 public:
  /// `from` numbers the rows of the files; it outlives the certificate.
  Certificate(const PerSample<std::string>& files, std::span<const CertifiedColumn> columns,
              const PerSample<RowNumbers>& from);

  /// Names of columns with row weights; empty: equal weights.
  void weights(const PerSample<std::string>& columns);
  /// W1 of the rows listed is `value`, to within the gap.
  void add_transport(double value, const Transport& solved,
                     const PerSample<std::vector<std::uint32_t>>& rows);
  /// W1 of the rows listed is at least `value` whichever `may_go` of them are left out.
  void add_bound(const std::string& of, double value, const Transport& solved,
                 const PerSample<std::vector<std::uint32_t>>& rows, const PerSample<std::size_t>& may_go);

  [[nodiscard]] std::string text() const;

 private:
  using Json = nlohmann::ordered_json;
  [[nodiscard]] Json potentials(const Transport& solved,
                                const PerSample<std::vector<std::uint32_t>>& rows) const;

  PerSample<RowNumbers> from_;
  Json json_;
};

}  // namespace motmot::app
