// advise() and generate().
#include "binding.hpp"
#include "motmot/data.hpp"
#include "motmot/theory.hpp"

namespace motmot::python {
namespace {

void bind_advice_parts(py::module_& module) {
  bind_options<BoundOptions>(module, "BoundOptions");
  bind_options<AdviseOptions>(module, "AdviseOptions");
  bind_part<Tolerance>(module, "Tolerance", "The most outliers that the blocks withstand.");
  bind_part<BlockChoice>(module, "BlockChoice",
                         "Numbers and sizes of blocks, and how many of them are dirty.");
  bind_part<RuleAdvice>(module, "RuleAdvice", "One rule for the number of blocks and what comes with it.");
  bind_part<Condition>(module, "Condition", "One hypothesis of the paper.");
  bind_part<Admission>(module, "Admission", "Whether the paper speaks about an estimator here.")
      .def("all", &Admission::all, "Whether every hypothesis holds.");
  bind_part<Bound>(module, "Bound", "An upper bound that the paper proves, or why it proves none here.");
  bind_part<EstimatorAdvice>(module, "EstimatorAdvice", "Advice on one estimator.");
  bind_result<Advice>(module, "Advice",
                      "What advise() says. repr() is what ``motmot advise`` prints, to_dict() what its "
                      "``--json`` writes.")
      .def(
          "to_dict", [](const Advice& self) { return plain_of(self); },
          "What ``motmot advise --json`` writes.")
      .def("__repr__", [](const Advice& self) { return python_text(text(self)); })
      .def(py::pickle([](const Advice& self) { return py::dict(plain_of(self.options)); },
                      [](const py::dict& asked) {
                        AdviseOptions options;
                        read_plain(asked, options);
                        return advise(options);
                      }));
}

// --------------------------------------------------------------------------------------------- samples

py::array_t<double> array_of(const Points& points, const py::object& owner) {
  return py::array_t<double>({points.rows(), points.cols()}, points.values().data(), owner);
}

py::tuple get_state(const py::object& self) {
  const auto& sample = self.cast<const ToySample&>();
  return py::make_tuple(sample.x.values(), sample.y.values(), sample.x.cols(), sample.outliers_x,
                        sample.outliers_y, sample.population_w1);
}

ToySample from_state(const py::tuple& state) {
  const auto d = state[2].cast<std::size_t>();
  return {Points(state[0].cast<std::vector<double>>(), d), Points(state[1].cast<std::vector<double>>(), d),
          state[3].cast<std::vector<std::uint32_t>>(), state[4].cast<std::vector<std::uint32_t>>(),
          state[5].cast<double>()};
}

void bind_toys(py::module_& module) {
  py::class_<ToyOptions> options(module, "ToyOptions");
  bind_choice(options, "toy", &ToyOptions::toy);
  options.def(py::init<>())
      .def_readwrite("n", &ToyOptions::n)
      .def_readwrite("m", &ToyOptions::m)
      .def_readwrite("d", &ToyOptions::d)
      .def_readwrite("tau_x", &ToyOptions::tau_x)
      .def_readwrite("tau_y", &ToyOptions::tau_y)
      .def_readwrite("seed", &ToyOptions::seed)
      .def_readwrite("memory_limit", &ToyOptions::memory_limit);
  py::class_<ToySample>(module, "ToySample",
                        "Two samples whose outliers are known, and the W1 between the laws of their inliers.")
      .def_property_readonly(
          "x", [](const py::object& self) { return array_of(self.cast<const ToySample&>().x, self); },
          "n x d rows")
      .def_property_readonly(
          "y", [](const py::object& self) { return array_of(self.cast<const ToySample&>().y, self); },
          "m x d rows")
      .def_property_readonly(
          "outliers_x", [](const ToySample& self) { return row_numbers(self.outliers_x); },
          "Rows of x that are outliers, from 0, ascending")
      .def_property_readonly(
          "outliers_y", [](const ToySample& self) { return row_numbers(self.outliers_y); },
          "Rows of y that are outliers")
      .def_readonly("population_w1", &ToySample::population_w1, "W1 between the laws of the inliers")
      .def(py::pickle(&get_state, &from_state));
}

}  // namespace

void bind_advice(py::module_& module) {
  bind_advice_parts(module);
  bind_toys(module);
  module.def("advise", &advise, py::arg("options"));
  module.def("generate", &generate, py::arg("options"), py::call_guard<py::gil_scoped_release>());
}

}  // namespace motmot::python
