/// What the files of the Python module share: how values of the library cross into Python and back.
///
/// Results are bound classes whose attributes come from the lists of fields.hpp, names and help included. An
/// enum is its name, a PerSample the named tuple motmot.PerSample(x, y), an Interval the named tuple
/// motmot.Interval(low, high), a vector of numbers a NumPy array.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motmot/data.hpp"
#include "motmot/fields.hpp"
#include "spelling.hpp"

namespace motmot::python {

namespace py = pybind11;

/// motmot.PerSample and motmot.Interval, made by bind_values().
[[nodiscard]] py::object& per_sample_type();
[[nodiscard]] py::object& interval_type();

/// Throws Error: "scheme must be one of shuffle, partition, swor, pairs; got 'random'".
template <NamedEnum E>
E choice(std::string_view option, const std::string& word) {
  if (const std::optional<E> value = named<E>(word)) return *value;
  std::string all;
  for (const auto& [name, value] : names<E>) all.append(all.empty() ? "" : ", ").append(name);
  throw Error(Errc::invalid_argument,
              std::string(option) + " must be one of " + all + "; got '" + word + "'");
}

/// Kinds of columns by their names, as words.
using Kinds = std::map<std::string, std::string>;

/// How a table is settled.
[[nodiscard]] inline ReadOptions read_options(const Kinds& kinds, Missing missing) {
  ReadOptions options{.missing = missing};
  for (const auto& [column, kind] : kinds) options.kinds.push_back({column, choice<Kind>("kinds", kind)});
  return options;
}

}  // namespace motmot::python

template <motmot::NamedEnum E>
struct pybind11::detail::type_caster<E> {
  PYBIND11_TYPE_CASTER(E, const_name("str"));

  bool load(handle source, bool /*convert*/) {
    if (!isinstance<str>(source)) return false;
    const std::optional<E> found = motmot::named<E>(source.cast<std::string>());
    if (found) value = *found;
    return found.has_value();
  }
  static handle cast(E wanted, return_value_policy /*policy*/, handle /*parent*/) {
    const std::string_view word = motmot::name(wanted);
    return str(word.data(), word.size()).release();
  }
};

template <class T>
struct pybind11::detail::type_caster<motmot::PerSample<T>> {
  PYBIND11_TYPE_CASTER(motmot::PerSample<T>,
                       const_name("PerSample[") + make_caster<T>::name + const_name("]"));

  bool load(handle source, bool /*convert*/) {
    if (!isinstance<tuple>(source) || len(source) != 2) return false;
    const auto both = reinterpret_borrow<tuple>(source);
    value = {both[0].template cast<T>(), both[1].template cast<T>()};
    return true;
  }
  static handle cast(const motmot::PerSample<T>& both, return_value_policy policy, handle parent) {
    return motmot::python::per_sample_type()(pybind11::cast(both.x, policy, parent),
                                             pybind11::cast(both.y, policy, parent))
        .release();
  }
};

template <>
struct pybind11::detail::type_caster<motmot::Interval> {
  PYBIND11_TYPE_CASTER(motmot::Interval, const_name("Interval"));

  bool load(handle /*source*/, bool /*convert*/) { return false; }  // results only
  static handle cast(const motmot::Interval& ends, return_value_policy /*policy*/, handle /*parent*/) {
    return motmot::python::interval_type()(ends.low, ends.high).release();
  }
};

namespace motmot::python {

/// A struct that fields.hpp lists.
template <class T>
concept Listed = std::tuple_size_v<std::remove_cvref_t<decltype(fields<T>)>> >
0;

// ------------------------------------------------------------------------- results as plain dicts, and back

inline py::object plain_of(double value) { return std::isfinite(value) ? py::cast(value) : py::none(); }
inline py::object plain_of(const std::string& text) { return text.empty() ? py::none() : py::cast(text); }
inline py::object plain_of(const Interval& ends) { return py::list(py::make_tuple(ends.low, ends.high)); }
template <class T>
py::object plain_of(const T& value);
template <class T>
py::object plain_of(const std::optional<T>& value) {
  return value ? plain_of(*value) : py::none();
}
template <class T>
py::object plain_of(const PerSample<T>& both) {
  return py::dict(py::arg("x") = plain_of(both.x), py::arg("y") = plain_of(both.y));
}
template <class T>
py::object plain_of(const std::vector<T>& values) {
  py::list list;
  for (const T& value : values) list.append(plain_of(value));
  return list;
}

/// What JSON has: parts are dicts, what was not computed and what is not finite is None.
template <class T>
py::object plain_of(const T& value) {
  if constexpr (Listed<T>) {
    py::dict dict;
    for_each_field<T>([&](const auto& field) { dict[field.name.data()] = plain_of(value.*field.member); });
    return dict;
  } else {
    return py::cast(value);
  }
}

inline void read_plain(py::handle plain, double& value) {
  value = plain.is_none() ? std::numeric_limits<double>::quiet_NaN() : plain.cast<double>();
}
inline void read_plain(py::handle plain, std::string& text) {
  text = plain.is_none() ? std::string() : plain.cast<std::string>();
}
inline void read_plain(py::handle plain, Interval& ends) {
  ends = {plain[py::int_(0)].cast<double>(), plain[py::int_(1)].cast<double>()};
}
template <class T>
void read_plain(py::handle plain, T& value);
template <class T>
void read_plain(py::handle plain, std::optional<T>& value) {
  value.reset();
  if (!plain.is_none()) read_plain(plain, value.emplace());
}
template <class T>
void read_plain(py::handle plain, std::vector<T>& values) {
  values.clear();
  for (const py::handle value : plain) read_plain(value, values.emplace_back());
}
template <class T>
void read_plain(py::handle plain, PerSample<T>& both) {
  read_plain(plain["x"], both.x);
  read_plain(plain["y"], both.y);
}

/// What plain_of() gave.
template <class T>
void read_plain(py::handle plain, T& value) {
  if constexpr (Listed<T>)
    for_each_field<T>([&](const auto& field) { read_plain(plain[field.name.data()], value.*field.member); });
  else value = plain.cast<T>();
}

/// What a command's --json writes: with the schema, and the version where the run stands, if there is one.
template <Listed T>
py::object dict_of(const T& result, int schema) {
  py::object dict = plain_of(result);
  dict["schema"] = schema;
  if constexpr (requires { result.run; }) dict["run"]["version"] = version();
  else dict["version"] = version();
  return dict;
}

/// Of a result that plain_of() has all of.
template <Listed T>
auto pickled() {
  return py::pickle([](const T& self) { return py::make_tuple(plain_of(self)); },
                    [](const py::tuple& state) {
                      T result;
                      read_plain(state[0], result);
                      return result;
                    });
}

// ----------------------------------------------------------------------------------------- bound classes

/// "Floor(level=3.1, sd=0.2, ...)"
template <Listed T>
std::string listed(const char* type, const py::object& self) {
  std::string text;
  for_each_field<T>([&](const auto& field) {
    text.append(text.empty() ? "" : ", ").append(field.name).append("=");
    text += py::repr(self.attr(field.name.data())).template cast<std::string>();
  });
  return type + ("(" + text + ")");
}

/// Fields in which the library speaks to people. Names of files and columns are left alone.
inline bool is_sentence(std::string_view field) {
  return field == "text" || field == "notes" || field == "warnings";
}

/// A result: its fields can be read.
template <Listed T>
py::class_<T> bind_result(py::module_& module, const char* type, const char* help) {
  py::class_<T> bound(module, type, help);
  for_each_field<T>([&]<class Member>(const Field<T, Member>& field) {
    if constexpr (std::same_as<Member, std::string>) {
      if (field.name == "type") {
        bound.def_property_readonly(
            field.name.data(), [field](const T& self) { return typed_in_python(self.*field.member); },
            field.help.data());
        return;
      }
      if (is_sentence(field.name)) {
        bound.def_property_readonly(
            field.name.data(), [field](const T& self) { return in_python(self.*field.member); },
            field.help.data());
        return;
      }
    }
    if constexpr (std::same_as<Member, std::vector<std::string>>) {
      if (is_sentence(field.name)) {
        bound.def_property_readonly(
            field.name.data(),
            [field](const T& self) {
              std::vector<std::string> sentences = self.*field.member;
              for (std::string& sentence : sentences) sentence = in_python(sentence);
              return sentences;
            },
            field.help.data());
        return;
      }
    }
    bound.def_readonly(field.name.data(), field.member, field.help.data());
  });
  return bound;
}

/// A part of one, which shows its fields.
template <Listed T>
py::class_<T> bind_part(py::module_& module, const char* type, const char* help) {
  return bind_result<T>(module, type, help)
      .def(
          "to_dict", [](const T& self) { return plain_of(self); }, "The fields as a dict.")
      .def("__repr__", [type](const py::object& self) { return listed<T>(type, self); });
}

/// The enum of an option that may be unset.
template <class T>
struct Choice {
  using type = T;
};
template <class T>
struct Choice<std::optional<T>> {
  using type = T;
};

/// An enum among options, which is set by its name.
template <class T, class Member>
void bind_choice(py::class_<T>& bound, std::string_view option, Member T::*member, const char* help = "") {
  bound.def_property(
      option.data(), [member](const T& self) { return self.*member; },
      [member, option](T& self, const std::string& word) {
        self.*member = choice<typename Choice<Member>::type>(option, word);
      },
      help);
}

/// Options: their fields can be written too.
template <Listed T>
py::class_<T> bind_options(py::module_& module, const char* type) {
  py::class_<T> bound(module, type);
  bound.def(py::init<>());
  for_each_field<T>([&]<class Member>(const Field<T, Member>& field) {
    if constexpr (NamedEnum<typename Choice<Member>::type>)
      bind_choice(bound, field.name, field.member, field.help.data());
    else bound.def_readwrite(field.name.data(), field.member, field.help.data());
  });
  return bound;
}

// ------------------------------------------------------------------------------------------------ arrays

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

/// Which rows of the array that was given are in the sample (a mask); none: all of them.
using Used = std::optional<py::array_t<bool, py::array::c_style>>;

/// Results about the rows that were used, said of the rows that were given.
class UsedRows {
 public:
  UsedRows(const Used& mask, std::size_t used);
  [[nodiscard]] std::size_t dropped() const { return given_ - used_.size(); }
  [[nodiscard]] const std::vector<std::int64_t>& numbers() const { return used_; }
  /// One value per row given: NaN or false for those that were left out. Empty stays empty.
  template <class T>
  void spread(std::vector<T>& values) const {
    if (values.empty() || dropped() == 0) return;
    std::vector<T> all(given_, std::numeric_limits<T>::quiet_NaN());
    for (std::size_t i = 0; i < used_.size(); ++i) all[static_cast<std::size_t>(used_[i])] = values[i];
    values = std::move(all);
  }

 private:
  std::vector<std::int64_t> used_;
  std::size_t given_;
};

/// What repr() shows: options as Python spells them, no last newline.
[[nodiscard]] inline std::string python_text(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return in_python(text);
}

/// The numbers of a result without a copy, to be read; `owner` is the result's Python object.
[[nodiscard]] py::array_t<double> view_of(const std::vector<double>& values, const py::handle& owner);
/// Row numbers, from 0.
[[nodiscard]] py::array_t<std::int64_t> row_numbers(const std::vector<std::uint32_t>& rows);

void bind_values(py::module_& module);
void bind_errors(py::module_& module);
void bind_critic(py::module_& module);
void bind_distance(py::module_& module);
void bind_matrix(py::module_& module);
void bind_compare(py::module_& module);
void bind_reference(py::module_& module);
void bind_transport(py::module_& module);
void bind_advice(py::module_& module);
void bind_frames(py::module_& module);
void bind_outliers(py::module_& module);

}  // namespace motmot::python
