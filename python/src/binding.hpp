/// What the files of the Python module share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <span>
#include <vector>

#include "motmot/data.hpp"

namespace motmot::python {

namespace py = pybind11;

/// An enum with the names of its table.
template <NamedEnum E>
void bind_names(py::module_& module, const char* type) {
  py::enum_<E> bound(module, type);
  for (const auto& [name, value] : names<E>) bound.value(std::string(name).c_str(), value);
}

/// n x d float64 without gaps: what _arrays.py hands over. Never converted here, so never copied.
using Rows = py::array_t<double, py::array::c_style>;
using Numbers = py::array_t<double, py::array::c_style>;

[[nodiscard]] inline PointsView view(const Rows& rows) {
  if (rows.ndim() != 2) throw py::type_error("rows need two dimensions");
  return {rows.data(), static_cast<std::size_t>(rows.shape(0)), static_cast<std::size_t>(rows.shape(1))};
}

[[nodiscard]] inline std::span<const double> view(const std::optional<Numbers>& numbers) {
  if (!numbers) return {};
  return {numbers->data(), static_cast<std::size_t>(numbers->size())};
}

/// A NumPy array that owns the vector: nothing is copied.
template <class T>
[[nodiscard]] py::array_t<T> array_of(std::vector<T>&& values) {
  auto* owned = new std::vector<T>(std::move(values));
  const py::capsule owner(owned, [](void* memory) { delete static_cast<std::vector<T>*>(memory); });
  return py::array_t<T>(static_cast<py::ssize_t>(owned->size()), owned->data(), owner);
}

/// The same as n x d.
[[nodiscard]] inline py::array_t<double> array_of(Points&& points) {
  const auto n = static_cast<py::ssize_t>(points.rows()), d = static_cast<py::ssize_t>(points.cols());
  return array_of(std::move(points).values()).reshape({n, d});
}

void bind_errors(py::module_& module);
void bind_critic(py::module_& module);
void bind_distance(py::module_& module);
void bind_transport(py::module_& module);
void bind_advice(py::module_& module);

}  // namespace motmot::python
