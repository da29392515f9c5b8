// What crosses as something else than a bound class: PerSample, Interval, arrays.
#include "binding.hpp"

namespace motmot::python {

namespace {

/// Lives as long as the interpreter, which may end before static objects.
struct NamedTuples {
  py::object per_sample, interval;
};
NamedTuples& named_tuples() {
  static auto* types = new NamedTuples;
  return *types;
}

py::object named_tuple(py::module_& module, const char* type, const char* names, const char* help) {
  py::object made = py::module_::import("collections").attr("namedtuple")(type, names);
  made.attr("__doc__") = help;
  module.attr(type) = made;
  return made;
}

}  // namespace

py::object& per_sample_type() { return named_tuples().per_sample; }
py::object& interval_type() { return named_tuples().interval; }

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
  per_sample_type() = named_tuple(module, "PerSample", "x y", "One thing for each of the two samples.");
  interval_type() = named_tuple(module, "Interval", "low high", "From low to high.");
}

}  // namespace motmot::python
