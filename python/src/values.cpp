// What crosses as something else than a bound class: PerSample, arrays.
#include "binding.hpp"

namespace motmot::python {

py::object& per_sample_type() {
  static auto* type =
      new py::object;  // lives as long as the interpreter, which may end before static objects
  return *type;
}

py::array_t<double> view_of(const std::vector<double>& values, const py::handle& owner) {
  py::array_t<double> array(static_cast<py::ssize_t>(values.size()), values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::array_t<std::int64_t> row_numbers(const std::vector<std::uint32_t>& rows) {
  return array_of(std::vector<std::int64_t>(rows.begin(), rows.end()));
}

UsedRows::UsedRows(const Used& mask, std::size_t used)
    : given_(mask ? static_cast<std::size_t>(mask->size()) : used) {
  for (std::size_t i = 0; i < given_; ++i)
    if (!mask || mask->data()[i]) used_.push_back(static_cast<std::int64_t>(i));
}

void bind_values(py::module_& module) {
  per_sample_type() = py::module_::import("collections").attr("namedtuple")("PerSample", "x y");
  per_sample_type().attr("__doc__") = "One thing for each of the two samples.";
  module.attr("PerSample") = per_sample_type();
}

}  // namespace motmot::python
