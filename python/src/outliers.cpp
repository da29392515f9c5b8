// outliers() and doctor() with their results as values.
#include "motmot/outliers.hpp"

#include <memory>
#include <numeric>

#include "binding.hpp"
#include "motmot/doctor.hpp"
#include "watch.hpp"

namespace motmot::python {
namespace {

/// One table or two, as they are judged.
struct Tables {
  Frame x{};
  std::optional<Frame> y{};
};

Tables settled_tables(const Frame& x, const std::optional<Frame>& y, const Kinds& kinds, bool level) {
  const ReadOptions asked = read_options(kinds, level ? Missing::level : Missing::error);
  Tables tables{.x = settled(x, asked, "X")};
  if (y) tables.y = settled(*y, asked, "Y");
  return tables;
}

/// Rows are numbered as in the arrays that were given.
void renumber(const UsedRows& used, OutlierSample& sample) {
  for (std::uint32_t& row : sample.suspects) row = static_cast<std::uint32_t>(used.numbers()[row]);
  used.spread(sample.scores);
}

Outliers found_in(const Frame& x, const std::optional<Frame>& y, OutlierOptions options, const Kinds& kinds,
                  bool level, const Used& used_x, const Used& used_y, const py::object& callback) {
  const auto tables = std::make_shared<const Tables>(settled_tables(x, y, kinds, level));
  const UsedRows rows_x(used_x, x.n()), rows_y(used_y, y ? y->n() : 0);
  options.missing = level ? Missing::level : Missing::error;
  options.rows_dropped = {rows_x.dropped(), rows_y.dropped()};
  const PointsView size_x{nullptr, x.n(), x.columns.size()},
      size_y{nullptr, y ? y->n() : 0, x.columns.size()};
  Outliers found =
      watched<Outliers>(size_x, size_y, callback, py::none(), options, [tables](const OutlierOptions& with) {
        return tables->y ? outliers(tables->x, *tables->y, with) : outliers(tables->x, with);
      });
  for (OutlierRow& row : found.rows)
    row.row = static_cast<std::uint32_t>((row.sample == Sample::x ? rows_x : rows_y).numbers()[row.row]);
  renumber(rows_x, found.x);
  if (found.y) renumber(rows_y, *found.y);
  return found;
}

Checkup checked(const Frame& x, const std::optional<Frame>& y, const Kinds& kinds,
                std::uint64_t memory_limit) {
  const Tables tables = settled_tables(x, y, kinds, true);
  const py::gil_scoped_release unlocked;
  return tables.y ? doctor(tables.x, *tables.y, memory_limit) : doctor(tables.x, memory_limit);
}

py::object to_dict(const Outliers& self) {
  py::object dict = dict_of(self, outliers_schema);
  dict["run"].attr("pop")("solves");
  return dict;
}

/// What the command prints, with advice for Python.
std::string checkup_words(Checkup checkup) {
  for (Symptom& finding : checkup.findings) finding.type = typed_in_python(finding.type);
  return python_text(text(checkup));
}

/// What the command prints, with rows numbered from 0.
std::string in_words(const Outliers& self) {
  const auto from_zero = [](const OutlierSample& sample) {
    std::vector<std::uint64_t> numbers(sample.n + sample.rows_dropped);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    return numbers;
  };
  return python_text(
      text(self, {from_zero(self.x), self.y ? from_zero(*self.y) : std::vector<std::uint64_t>{}}));
}

/// The scores are no part of plain_of().
py::tuple get_state(const Outliers& self) {
  return py::make_tuple(plain_of(self), self.x.scores, self.y ? self.y->scores : std::vector<double>());
}

Outliers from_state(const py::tuple& state) {
  Outliers found;
  read_plain(state[0], found);
  found.x.scores = state[1].cast<std::vector<double>>();
  if (found.y) found.y->scores = state[2].cast<std::vector<double>>();
  return found;
}

void bind_rows(py::module_& module) {
  bind_options<OutlierOptions>(module, "OutlierOptions")
      .def_readwrite("memory_limit", &OutlierOptions::memory_limit);
  bind_part<OutlierRow>(module, "OutlierRow", "A row that stands out, or one of the next, and why.");
  bind_part<OutlierSample>(module, "OutlierSample", "What was found in one of the samples.")
      .def_property_readonly(
          "scores",
          [](const py::object& self) { return view_of(self.cast<const OutlierSample&>().scores, self); },
          "Of every row; NaN for rows that were dropped");
  bind_result<Outliers>(
      module, "Outliers",
      "Rows that stand out, ranked, each with its reason.\n\nrepr() is what ``motmot outliers`` "
      "prints, to_dict() what its ``--json`` writes, both with rows numbered from 0.")
      .def("to_dict", &to_dict, "What ``motmot outliers --json`` writes, with rows numbered from 0.")
      .def("__repr__", &in_words)
      .def(py::pickle(&get_state, &from_state));
}

}  // namespace

void bind_outliers(py::module_& module) {
  bind_rows(module);
  bind_part<Symptom>(module, "Symptom", "Something that stands in the way, and what to type.");
  bind_part<Forecast>(module, "Forecast", "What a method is expected to cost.");
  bind_result<Checkup>(
      module, "Checkup",
      "What stands in the way of comparing tables, the worst first.\n\nrepr() is what ``motmot doctor`` "
      "prints, to_dict() what its ``--json`` writes.")
      .def(
          "to_dict", [](const Checkup& self) { return dict_of(self, doctor_schema); },
          "What ``motmot doctor --json`` writes.")
      .def("__repr__", [](const Checkup& self) { return checkup_words(self); })
      .def(pickled<Checkup>());
  module.def("outliers", &found_in, py::arg("x"), py::arg("y"), py::arg("options"), py::arg("kinds"),
             py::arg("level"), py::arg("used_x"), py::arg("used_y"), py::arg("progress"));
  module.def("doctor", &checked, py::arg("x"), py::arg("y"), py::arg("kinds"), py::arg("memory_limit"));
}

}  // namespace motmot::python
