// The front door of the room: include/motmot/transport.hpp.
#include "motmot/transport.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "costs/scanner.hpp"
#include "transport/engine.hpp"

namespace motmot {

TransportWorkspace::TransportWorkspace() : engine_(std::make_unique<TransportEngine>()) {}
TransportWorkspace::~TransportWorkspace() = default;
TransportWorkspace::TransportWorkspace(TransportWorkspace&&) noexcept = default;
TransportWorkspace& TransportWorkspace::operator=(TransportWorkspace&&) noexcept = default;

TransportEngine& engine_of(TransportWorkspace& workspace) noexcept { return *workspace.engine_; }

double transport_bytes(std::size_t n, std::size_t m, std::size_t d, const TransportOptions& options) {
  constexpr double copies = 3, bytes_a_row = 650, to_spare = 1.2;
  return to_spare *
         (process_bytes + copies * sample_bytes(n + m, d) + bytes_a_row * static_cast<double>(n + m) +
          solver::stored_bytes(n, m, d, options.stored_costs));
}

Transport transport(TransportWorkspace& workspace, PointsView x, PointsView y, std::span<const double> a,
                    std::span<const double> b, const TransportOptions& options) {
  require_memory(transport_bytes(x.n, y.n, x.d, options), options.memory_limit);
  engine_of(workspace).bind(x, y);
  return engine_of(workspace).solve(a, b, options, false);
}

Transport transport(PointsView x, PointsView y, std::span<const double> a, std::span<const double> b,
                    const TransportOptions& options) {
  TransportWorkspace workspace;
  return transport(workspace, x, y, a, b, options);
}

namespace {

// A share of 10 % has no exact double: a mass of 1e-16 that has to go to a far outlier would cost more than
// the gap says. A larger tau only lowers the cost.
double with_room(double tau) { return tau > 0 && tau < 1 ? std::min(tau + 1e-12, 1 - 1e-12) : tau; }

}  // namespace

Transport partial_transport(TransportWorkspace& workspace, PointsView x, PointsView y, double tau_x,
                            double tau_y, const TransportOptions& options) {
  require_memory(transport_bytes(x.n, y.n, x.d, options), options.memory_limit);
  engine_of(workspace).bind(x, y);
  return engine_of(workspace).solve_partial(with_room(tau_x), with_room(tau_y), options, false);
}

Transport partial_transport_again(TransportWorkspace& workspace, double tau_x, double tau_y,
                                  const TransportOptions& options) {
  return engine_of(workspace).solve_partial(with_room(tau_x), with_room(tau_y), options, true);
}

Transport partial_transport(PointsView x, PointsView y, double tau_x, double tau_y,
                            const TransportOptions& options) {
  TransportWorkspace workspace;
  return partial_transport(workspace, x, y, tau_x, tau_y, options);
}

TransportSolver::TransportSolver(PointsView x, PointsView y, TransportOptions options)
    : options_(std::move(options)) {
  engine_of(workspace_).bind(x, y);
}

Transport TransportSolver::solve(std::span<const double> a, std::span<const double> b) {
  return engine_of(workspace_).solve(a, b, options_, true);
}

}  // namespace motmot
