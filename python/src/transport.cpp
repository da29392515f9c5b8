// Exact and partial transport.
#include "motmot/transport.hpp"

#include "binding.hpp"
#include "watch.hpp"

namespace motmot::python {
namespace {

struct PlanArrays {
  std::vector<std::int64_t> row, col;
  std::vector<double> mass;
};

PlanArrays columns_of(const std::vector<PlanEntry>& plan) {
  PlanArrays arrays;
  for (const PlanEntry& entry : plan) {
    arrays.row.push_back(entry.row);
    arrays.col.push_back(entry.col);
    arrays.mass.push_back(entry.mass);
  }
  return arrays;
}

/// (cost, gap, status, row, col, mass, u, v)
py::tuple tuple_of(Transport&& t) {
  PlanArrays plan = columns_of(t.plan);
  return py::make_tuple(t.cost, t.gap, name(t.status), array_of(std::move(plan.row)),
                        array_of(std::move(plan.col)), array_of(std::move(plan.mass)),
                        array_of(std::move(t.u)), array_of(std::move(t.v)));
}

py::tuple exact(const Rows& x, const Rows& y, const std::optional<Numbers>& weights_x,
                const std::optional<Numbers>& weights_y, bool plan, bool potentials, std::size_t memory_limit,
                const py::object& callback) {
  const PointsView points_x = view(x), points_y = view(y);
  const std::span<const double> a = view(weights_x), b = view(weights_y);
  return tuple_of(watched<Transport>(points_x, points_y, callback, py::make_tuple(x, y, weights_x, weights_y),
                                     [=](const Progress& progress) {
                                       return transport(points_x, points_y, a, b,
                                                        {.memory_limit = memory_limit,
                                                         .want_plan = plan,
                                                         .want_potentials = potentials,
                                                         .progress = progress});
                                     }));
}

py::tuple partial(const Rows& x, const Rows& y, double tau_x, double tau_y, bool plan, bool potentials,
                  std::size_t memory_limit, const py::object& callback) {
  const PointsView points_x = view(x), points_y = view(y);
  return tuple_of(
      watched<Transport>(points_x, points_y, callback, py::make_tuple(x, y), [=](const Progress& progress) {
        return partial_transport(points_x, points_y, tau_x, tau_y,
                                 {.memory_limit = memory_limit,
                                  .want_plan = plan,
                                  .want_potentials = potentials,
                                  .progress = progress});
      }));
}

}  // namespace

void bind_transport(py::module_& module) {
  module.def("transport", &exact, py::arg("x").noconvert(), py::arg("y").noconvert(),
             py::arg("weights_x").noconvert(), py::arg("weights_y").noconvert(), py::arg("plan"),
             py::arg("potentials"), py::arg("memory_limit"), py::arg("progress"));
  module.def("partial_transport", &partial, py::arg("x").noconvert(), py::arg("y").noconvert(),
             py::arg("tau_x"), py::arg("tau_y"), py::arg("plan"), py::arg("potentials"),
             py::arg("memory_limit"), py::arg("progress"));
}

}  // namespace motmot::python
