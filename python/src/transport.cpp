// Exact and partial transport.
#include "motmot/transport.hpp"

#include <chrono>

#include "binding.hpp"
#include "watch.hpp"

namespace motmot::python {
namespace {

/// Columns instead of entries: what sparse matrices are made of.
struct Plan {
  py::array_t<std::int64_t> row, col;
  py::array_t<double> mass;
};

/// A Transport as Python sees it: rows are numbered as in the arrays that were given.
struct Solution {
  double cost = 0, gap = 0;
  TransportStatus status{};
  std::size_t n = 0, m = 0, d = 0;
  PerSample<std::size_t> rows_dropped{};
  double seconds = 0;
  Plan plan{};
  py::array_t<double> u{}, v{};
};

}  // namespace
}  // namespace motmot::python

namespace motmot {

template <>
inline constexpr std::tuple fields<python::Solution>{
    Field{"cost", &python::Solution::cost, "The 1-Wasserstein distance, in the units of the points"},
    Field{"status", &python::Solution::status,
          "'optimal', 'stopped', 'work_limit' or 'close' (the gap that was asked for)"},
    Field{"gap", &python::Solution::gap, "Certified: cost - gap <= the optimum <= cost"},
    Field{"n", &python::Solution::n, "Rows of X"},
    Field{"m", &python::Solution::m, "Rows of Y"},
    Field{"d", &python::Solution::d, "Columns"},
    Field{"rows_dropped", &python::Solution::rows_dropped,
          "Rows that were not moved because a value is missing"},
    Field{"seconds", &python::Solution::seconds, "Of the solve"},
};

}  // namespace motmot

namespace motmot::python {
namespace {

using Clock = std::chrono::steady_clock;

Plan plan_of(const std::vector<PlanEntry>& plan, const UsedRows& used_x, const UsedRows& used_y) {
  std::vector<std::int64_t> row, col;
  std::vector<double> mass;
  for (const PlanEntry& entry : plan) {
    row.push_back(used_x.numbers()[entry.row]);
    col.push_back(used_y.numbers()[entry.col]);
    mass.push_back(entry.mass);
  }
  return {array_of(std::move(row)), array_of(std::move(col)), array_of(std::move(mass))};
}

/// What both functions share. solve(x, y, options) runs without the interpreter's lock.
template <class Solve>
Solution solved(const Rows& x, const Rows& y, const Used& rows_x, const Used& rows_y,
                const TransportOptions& options, const py::object& inputs, const py::object& callback,
                Solve solve) {
  const PointsView points_x = view(x), points_y = view(y);
  const auto start = Clock::now();
  Transport t = watched<Transport>(
      points_x, points_y, callback, inputs, options,
      [points_x, points_y, solve](const TransportOptions& with) { return solve(points_x, points_y, with); });
  const UsedRows used_x(rows_x, points_x.rows()), used_y(rows_y, points_y.rows());
  used_x.spread(t.u);
  used_y.spread(t.v);
  return {.cost = t.cost,
          .gap = t.gap,
          .status = t.status,
          .n = points_x.rows(),
          .m = points_y.rows(),
          .d = points_x.cols(),
          .rows_dropped = {used_x.dropped(), used_y.dropped()},
          .seconds = std::chrono::duration<double>(Clock::now() - start).count(),
          .plan = plan_of(t.plan, used_x, used_y),
          .u = array_of(std::move(t.u)),
          .v = array_of(std::move(t.v))};
}

Solution exact(const Rows& x, const Rows& y, const std::optional<Numbers>& weights_x,
               const std::optional<Numbers>& weights_y, const Used& used_x, const Used& used_y,
               const TransportOptions& options, const py::object& callback) {
  const std::span<const double> a = view(weights_x), b = view(weights_y);
  return solved(x, y, used_x, used_y, options, py::make_tuple(x, y, weights_x, weights_y), callback,
                [a, b](PointsView of_x, PointsView of_y, const TransportOptions& o) {
                  return transport(of_x, of_y, a, b, o);
                });
}

Solution partial(const Rows& x, const Rows& y, double tau_x, double tau_y, const Used& used_x,
                 const Used& used_y, const TransportOptions& options, const py::object& callback) {
  return solved(x, y, used_x, used_y, options, py::make_tuple(x, y), callback,
                [tau_x, tau_y](PointsView of_x, PointsView of_y, const TransportOptions& o) {
                  return partial_transport(of_x, of_y, tau_x, tau_y, o);
                });
}

py::object to_dict(const Solution& self) {
  py::object dict = plain_of(self);
  dict["threads"] = 1;
  dict["version"] = py::cast(version());
  return dict;
}

py::tuple get_state(const Solution& self) {
  return py::make_tuple(plain_of(self), self.plan.row, self.plan.col, self.plan.mass, self.u, self.v);
}

Solution from_state(const py::tuple& state) {
  Solution result;
  read_plain(state[0], result);
  result.plan.row = state[1].cast<py::array_t<std::int64_t>>();
  result.plan.col = state[2].cast<py::array_t<std::int64_t>>();
  result.plan.mass = state[3].cast<py::array_t<double>>();
  result.u = state[4].cast<py::array_t<double>>();
  result.v = state[5].cast<py::array_t<double>>();
  return result;
}

void bind_solution(py::module_& module) {
  py::class_<Plan>(
      module, "Plan",
      "Who goes where: mass[k] from row row[k] of X to row col[k] of Y (both from 0), of a total of "
      "1.\n\nThe arrays are what scipy.sparse.coo_array((mass, (row, col)), shape=(n, m)) takes.")
      .def_readonly("row", &Plan::row)
      .def_readonly("col", &Plan::col)
      .def_readonly("mass", &Plan::mass);
  bind_result<Solution>(module, "Transport",
                        "An optimal plan, its potentials and a certificate that both are right: cost - gap "
                        "<= optimum <= cost.\n\n"
                        "to_dict() is what ``motmot transport --json`` writes.")
      .def_readonly("plan", &Solution::plan, "Who goes where; empty unless asked for")
      .def_readonly("u", &Solution::u,
                    "Potentials of the rows of X: u_i + v_j <= \\|x_i - y_j\\|; empty unless asked for")
      .def_readonly("v", &Solution::v, "Potentials of the rows of Y")
      .def("to_dict", &to_dict, "What ``motmot transport --json`` writes.")
      .def("__repr__", [](const py::object& self) { return listed<Solution>("Transport", self); })
      .def(py::pickle(&get_state, &from_state));
}

}  // namespace

void bind_transport(py::module_& module) {
  bind_solution(module);
  py::class_<TransportOptions>(module, "TransportOptions")
      .def(py::init<>())
      .def_readwrite("stored_costs", &TransportOptions::stored_costs)
      .def_readwrite("memory_limit", &TransportOptions::memory_limit)
      .def_readwrite("want_plan", &TransportOptions::want_plan)
      .def_readwrite("want_potentials", &TransportOptions::want_potentials)
      .def_readwrite("gap", &TransportOptions::gap)
      .def_readwrite("vertex", &TransportOptions::vertex)
      .def_readwrite("time_limit", &TransportOptions::time_limit);
  module.def("transport", &exact, py::arg("x").noconvert(), py::arg("y").noconvert(),
             py::arg("weights_x").noconvert(), py::arg("weights_y").noconvert(), py::arg("used_x"),
             py::arg("used_y"), py::arg("options"), py::arg("progress"));
  module.def("partial_transport", &partial, py::arg("x").noconvert(), py::arg("y").noconvert(),
             py::arg("tau_x"), py::arg("tau_y"), py::arg("used_x"), py::arg("used_y"), py::arg("options"),
             py::arg("progress"));
}

}  // namespace motmot::python
