// The front door of the room: include/motmot/transport.hpp.
#include "motmot/transport.hpp"

#include "base/threads.hpp"
#include "transport/engine.hpp"

namespace motmot {

TransportWorkspace::TransportWorkspace() : engine_(std::make_unique<Engine>()) {}
TransportWorkspace::~TransportWorkspace() = default;
TransportWorkspace::TransportWorkspace(TransportWorkspace&&) noexcept = default;
TransportWorkspace& TransportWorkspace::operator=(TransportWorkspace&&) noexcept = default;

Transport exact_w1(TransportWorkspace& workspace, PointsView x, PointsView y, std::span<const double> a,
                   std::span<const double> b, const TransportOptions& options) {
  workspace.engine().bind(x, y);
  return workspace.engine().solve(a, b, options, false);
}

Transport exact_w1(PointsView x, PointsView y, std::span<const double> a, std::span<const double> b,
                   const TransportOptions& options) {
  TransportWorkspace workspace;
  return exact_w1(workspace, x, y, a, b, options);
}

Transport partial_w1(TransportWorkspace& workspace, PointsView x, PointsView y, double tau_x, double tau_y,
                     const TransportOptions& options) {
  workspace.engine().bind(x, y);
  return workspace.engine().solve_partial(tau_x, tau_y, options);
}

Transport partial_w1(PointsView x, PointsView y, double tau_x, double tau_y,
                     const TransportOptions& options) {
  TransportWorkspace workspace;
  return partial_w1(workspace, x, y, tau_x, tau_y, options);
}

TransportSolver::TransportSolver(PointsView x, PointsView y, TransportOptions options)
    : options_(std::move(options)) {
  workspace_.engine().bind(x, y);
}
TransportSolver::~TransportSolver() = default;
TransportSolver::TransportSolver(TransportSolver&&) noexcept = default;
TransportSolver& TransportSolver::operator=(TransportSolver&&) noexcept = default;

Transport TransportSolver::solve(std::span<const double> a, std::span<const double> b) {
  return workspace_.engine().solve(a, b, options_, true);
}

std::vector<Transport> exact_w1_batch(std::span<const TransportProblem> problems, std::size_t threads,
                                      const TransportOptions& options) {
  TransportOptions quiet = options;
  quiet.progress = nullptr;
  Team team(std::min(thread_count(threads), std::max<std::size_t>(1, problems.size())));
  std::vector<TransportWorkspace> workspaces(team.size());
  std::vector<Transport> results(problems.size());
  team.run(problems.size(), [&](std::size_t k, std::size_t worker) {
    const TransportProblem& problem = problems[k];
    results[k] = exact_w1(workspaces[worker], problem.x, problem.y, problem.a, problem.b, quiet);
  });
  return results;
}

std::string_view name(TransportStatus status) noexcept {
  switch (status) {
    case TransportStatus::optimal:
      return "optimal";
    case TransportStatus::stopped:
      return "stopped";
    case TransportStatus::work_limit:
      return "work_limit";
  }
  return "?";
}

}  // namespace motmot
