// Fitted critics: callable on rows, kept as JSON files.
#include <pybind11/stl/filesystem.h>

#include "binding.hpp"
#include "motmot/critics.hpp"

namespace motmot::python {
namespace {

py::array_t<double> evaluate(const Critic& critic, const Rows& rows, std::uint64_t memory_limit) {
  const PointsView points = view(rows);
  std::vector<double> phi;
  {
    const py::gil_scoped_release unlocked;
    phi = critic(points, memory_limit);
  }
  return array_of(std::move(phi));
}

std::string shown(const Critic& critic) {
  return "<motmot.Critic " + std::string(critic.kind()) + ", " + std::to_string(critic.dimension()) +
         (critic.dimension() == 1 ? " column>" : " columns>");
}

}  // namespace

void bind_critic(py::module_& module) {
  py::class_<Critic>(
      module, "Critic",
      "The function phi that a distance was read from, to be called on new rows.\n\n"
      "Cheap to copy, immutable, safe to share between threads; pickles and files keep the bits.")
      .def_property_readonly("kind", &Critic::kind, "'exact', 'lipschitz' or 'clipped'.")
      .def_property_readonly("dimension", &Critic::dimension, "Columns it takes.")
      .def_property_readonly("columns", &Critic::columns,
                             "Names of the columns it takes; empty: the samples had none.")
      .def(
          "places",
          [](const Critic& self, const std::vector<std::string>& names, const std::string& source) {
            return self.places(names, source);
          },
          py::arg("names"), py::arg("source"),
          "Where its columns stand in data whose columns have these names; an Error where a name is not "
          "there. "
          "`source` is how complaints call the data.")
      .def("evaluate", &evaluate, py::arg("rows").noconvert(), py::arg("memory_limit") = 0,
           "phi of every row of a float64 array.")
      .def(
          "save", [](const Critic& self, const std::filesystem::path& path) { self.save(path); },
          py::arg("path"),
          "Writes a JSON file, whole or not at all; ``motmot evaluate`` and :meth:`load` read it.")
      .def_static(
          "load", [](const std::filesystem::path& path) { return Critic::load(path); }, py::arg("path"),
          "The critic that :meth:`save` or ``motmot distance --save-phi`` wrote; phi has the same bits.")
      .def("__repr__", &shown)
      .def("__copy__", [](const Critic& self) { return self; })
      .def(py::pickle([](const Critic& self) { return self.to_json(); },
                      [](const std::string& json) { return Critic::from_json(json); }));
}

}  // namespace motmot::python
