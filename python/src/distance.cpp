// distance() with its options and its result as values.
#include "binding.hpp"
#include "motmot/answer.hpp"
#include "motmot/report.hpp"
#include "watch.hpp"

namespace motmot::python {
namespace {

/// Complains about options that were changed and have no use.
void require_use(const DistanceOptions& o, std::size_t n, std::size_t m) {
  const auto check = [&](bool changed, std::string_view option) {
    const std::string use = changed ? useless(option, o, n, m) : "";
    if (!use.empty())
      throw Error(Errc::invalid_argument, std::string(option) + " does nothing here: it is for " + use);
  };
  const DistanceOptions usual;
  check(o.ascent.trace, "trace");
  for_each_field<DistanceOptions>(
      [&](const auto& field) { check(o.*field.member != usual.*field.member, field.name); });
  for_each_field<AscentOptions>(
      [&](const auto& field) { check(o.ascent.*field.member != usual.ascent.*field.member, field.name); });
}

void spread(const UsedRows& used, RowDiagnostics& rows) {
  used.spread(rows.phi);
  used.spread(rows.frequency);
  used.spread(rows.dropped);
}

/// A Distance as Python sees it: rows are numbered as in the arrays that were given.
struct Answer : Distance {
  PerSample<std::size_t> rows_left_out{};
};

Answer robust(const Rows& x, const Rows& y, DistanceOptions options, const std::optional<Numbers>& weights_x,
              const std::optional<Numbers>& weights_y, const Used& used_x, const Used& used_y,
              const py::object& callback) {
  const PointsView points_x = view(x), points_y = view(y);
  require_use(options, points_x.rows(), points_y.rows());
  options.weights = {view(weights_x), view(weights_y)};
  options.keep_rows = true;
  Answer result{watched<Distance>(points_x, points_y, callback, py::make_tuple(x, y, weights_x, weights_y),
                                  [points_x, points_y, options](const Progress& progress) {
                                    DistanceOptions watched_options = options;
                                    watched_options.progress = progress;
                                    return distance(points_x, points_y, watched_options);
                                  })};
  const UsedRows rows_x(used_x, points_x.rows()), rows_y(used_y, points_y.rows());
  result.rows_left_out = {rows_x.left_out(), rows_y.left_out()};
  spread(rows_x, result.rows.x);
  spread(rows_y, result.rows.y);
  return result;
}

// ------------------------------------------------------------------------------------------------- rows

/// None where the critic does not say.
py::object numbers_or_none(const std::vector<double>& values, const py::object& owner) {
  return values.empty() ? py::object(py::none()) : view_of(values, owner);
}

py::object marks_or_none(const std::vector<bool>& marks) {
  if (marks.empty()) return py::none();
  py::array_t<bool> array(static_cast<py::ssize_t>(marks.size()));
  std::copy(marks.begin(), marks.end(), array.mutable_data());
  return array;
}

py::array_t<std::int64_t> dropped_rows(const RowDiagnostics& rows) {
  std::vector<std::int64_t> dropped;
  for (std::size_t i = 0; i < rows.dropped.size(); ++i)
    if (rows.dropped[i]) dropped.push_back(static_cast<std::int64_t>(i));
  return array_of(std::move(dropped));
}

template <class Member>
auto numbers(Member RowDiagnostics::*member) {
  return [member](const py::object& self) {
    return numbers_or_none(self.cast<const RowDiagnostics&>().*member, self);
  };
}

// --------------------------------------------------------------------------------------------- the result

py::object to_dict(const Answer& self) {
  py::object dict = plain_of<Distance>(self);
  dict["rows_left_out"] = plain_of(self.rows_left_out);
  dict["version"] = py::cast(version());
  return dict;
}

std::string text(const Answer& self) {
  std::string text =
      distance_text(self, {{.left_out = self.rows_left_out.x}, {.left_out = self.rows_left_out.y}});
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

py::tuple rows_state(const RowDiagnostics& rows) {
  return py::make_tuple(rows.phi, rows.frequency, rows.dropped);
}

RowDiagnostics rows_from(const py::tuple& state) {
  return {state[0].cast<std::vector<double>>(), state[1].cast<std::vector<double>>(),
          state[2].cast<std::vector<bool>>()};
}

py::tuple get_state(const Answer& self) {
  return py::make_tuple(to_dict(self), self.run.trace, rows_state(self.rows.x), rows_state(self.rows.y),
                        self.phi);
}

Answer from_state(const py::tuple& state) {
  Answer result;
  read_plain<Distance>(state[0], result);
  read_plain(state[0]["rows_left_out"], result.rows_left_out);
  result.run.trace = state[1].cast<std::vector<double>>();
  result.rows = {rows_from(state[2]), rows_from(state[3])};
  result.phi = state[4].cast<std::optional<Critic>>();
  return result;
}

void bind_question(py::module_& module) {
  bind_options<AscentOptions>(module, "AscentOptions")
      .def_readwrite("trace", &AscentOptions::trace, "Keep the value of every step (lipschitz, clipped)");
  bind_options<DistanceOptions>(module, "DistanceOptions")
      .def_readwrite("tau_auto", &DistanceOptions::tau_auto)
      .def_readwrite("ascent", &DistanceOptions::ascent);
}

void bind_parts(py::module_& module) {
  bind_part<NetworkEstimate>(module, "NetworkEstimate",
                             "The distance of the laws, as a network estimates it.");
  bind_part<Beside>(module, "Beside", "Other values, to compare with. None: not computed.");
  bind_part<Bounds>(module, "Bounds",
                    "What holds for certain, and under which assumption. None: not computed.");
  bind_part<Asked>(module, "Asked", "How the question was understood: the options with every choice made.");
  bind_part<RunReport>(module, "RunReport", "How the run went.")
      .def_property_readonly(
          "trace",
          [](const py::object& self) { return numbers_or_none(self.cast<const RunReport&>().trace, self); },
          "The value of every step, with trace=True; None otherwise");
  py::class_<RowDiagnostics>(
      module, "RowDiagnostics",
      "What is known of one sample's rows, in their order. None: the critic does not say.")
      .def_property_readonly("phi", numbers(&RowDiagnostics::phi), "The critic's value")
      .def_property_readonly("frequency", numbers(&RowDiagnostics::frequency),
                             "How often the row carried the median; sums to 1")
      .def_property_readonly(
          "dropped", [](const RowDiagnostics& self) { return marks_or_none(self.dropped); },
          "Whether the row looks like an outlier: left out by trim");
}

}  // namespace

void bind_distance(py::module_& module) {
  bind_question(module);
  bind_parts(module);
  bind_result<Distance, Answer>(
      module, "Distance",
      "A robust distance, what bounds it, and how the run went.\n\n"
      "None: not computed. repr() is what ``motmot distance`` prints, to_dict() what its "
      "``--json`` writes.")
      .def_property_readonly(
          "rows",
          [](const py::object& self) {
            return py::cast(self.cast<const Answer&>().rows, py::return_value_policy::reference_internal,
                            self);
          },
          "What is known of every row of X and of Y")
      .def_readonly("rows_left_out", &Answer::rows_left_out, "Rows left out because a value was missing")
      .def_readonly("phi", &Answer::phi, "The fitted critic, callable on new rows; None for weighted rows")
      .def_property_readonly(
          "suspects",
          [](const Answer& self) {
            return per_sample_type()(dropped_rows(self.rows.x), dropped_rows(self.rows.y));
          },
          "Rows of X and of Y that look like outliers (those that trim leaves out), from 0, ascending")
      .def("to_dict", &to_dict, "What ``motmot distance --json`` writes.")
      .def("__float__", [](const Answer& self) { return self.value; })
      .def("__repr__", &text)
      .def(py::pickle(&get_state, &from_state));
  module.def("distance", &robust, py::arg("x").noconvert(), py::arg("y").noconvert(), py::arg("options"),
             py::arg("weights_x").noconvert(), py::arg("weights_y").noconvert(), py::arg("used_x"),
             py::arg("used_y"), py::arg("progress"));
}

}  // namespace motmot::python
