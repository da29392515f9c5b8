// motmot._motmot: the public C++ headers for Python. What users hand over is checked in motmot/*.py.
#include "binding.hpp"
#include "motmot/base.hpp"

PYBIND11_MODULE(_motmot, module) {
  using namespace motmot::python;
  module.doc() = "The compiled part of motmot; use the package.";
  module.def("version", &motmot::version);
  bind_values(module);
  bind_errors(module);
  bind_critic(module);
  bind_frames(module);
  bind_distance(module);
  bind_matrix(module);
  bind_compare(module);
  bind_outliers(module);
  bind_reference(module);
  bind_transport(module);
  bind_advice(module);
}
