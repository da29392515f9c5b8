// Fitted critics: callable on rows, kept as JSON.
#include "binding.hpp"
#include "motmot/critics.hpp"

namespace motmot::python {
namespace {

py::array_t<double> evaluate(const Critic& critic, const Rows& rows) {
  const PointsView points = view(rows);
  std::vector<double> phi;
  {
    const py::gil_scoped_release unlocked;
    phi = critic(points);
  }
  return array_of(std::move(phi));
}

}  // namespace

void bind_critic(py::module_& module) {
  py::class_<Critic>(module, "Critic")
      .def_property_readonly("kind", &Critic::kind)
      .def_property_readonly("dimension", &Critic::dimension)
      .def("evaluate", &evaluate, py::arg("rows").noconvert())
      .def("to_json", &Critic::to_json)
      .def("save", &Critic::save, py::arg("path"))
      .def_static("load", &Critic::load, py::arg("path"))
      .def_static("from_json", &Critic::from_json, py::arg("text"));
}

}  // namespace motmot::python
