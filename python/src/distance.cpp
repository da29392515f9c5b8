// distance() with its options as keywords. _distance.py checks and names them for people.
#include "binding.hpp"
#include "motmot/answer.hpp"
#include "motmot/report.hpp"
#include "watch.hpp"

namespace motmot::python {
namespace {

/// None where the critic has none.
template <class T>
py::object array_or_none(std::vector<T>&& values) {
  if (values.empty()) return py::none();
  return array_of(std::move(values));
}

py::tuple rows_of(RowDiagnostics&& rows) {
  std::vector<std::uint8_t> dropped(rows.dropped.begin(), rows.dropped.end());
  py::object marks = array_or_none(std::move(dropped));
  if (!marks.is_none()) marks = marks.attr("view")("bool");
  return py::make_tuple(array_or_none(std::move(rows.phi)), array_or_none(std::move(rows.frequency)), marks);
}

py::tuple robust(const Rows& x, const Rows& y, DistanceOptions options,
                 const std::optional<Numbers>& weights_x, const std::optional<Numbers>& weights_y,
                 const py::object& callback) {
  const PointsView points_x = view(x), points_y = view(y);
  options.weights_x = view(weights_x);
  options.weights_y = view(weights_y);
  options.keep_rows = true;
  Distance e = watched<Distance>(points_x, points_y, callback, py::make_tuple(x, y, weights_x, weights_y),
                                 [points_x, points_y, options](const Progress& progress) {
                                   DistanceOptions watched_options = options;
                                   watched_options.progress = progress;
                                   return distance(points_x, points_y, watched_options);
                                 });
  const std::string json = distance_json(e), text = distance_text(e);
  return py::make_tuple(json, text, e.critic, rows_of(std::move(e.rows_x)), rows_of(std::move(e.rows_y)),
                        array_or_none(std::move(e.trace)));
}

}  // namespace

void bind_distance(py::module_& module) {
  bind_names<Estimator>(module, "Estimator");
  bind_names<CriticKind>(module, "CriticKind");
  bind_names<Scheme>(module, "Scheme");
  py::class_<DistanceOptions>(module, "DistanceOptions")
      .def(py::init<>())
      .def_readwrite("estimator", &DistanceOptions::estimator)
      .def_readwrite("critic", &DistanceOptions::critic)
      .def_readwrite("scheme", &DistanceOptions::scheme)
      .def_readwrite("k_x", &DistanceOptions::k_x)
      .def_readwrite("k_y", &DistanceOptions::k_y)
      .def_readwrite("b_x", &DistanceOptions::b_x)
      .def_readwrite("b_y", &DistanceOptions::b_y)
      .def_readwrite("pairs", &DistanceOptions::pairs)
      .def_readwrite("tau_x", &DistanceOptions::tau_x)
      .def_readwrite("tau_y", &DistanceOptions::tau_y)
      .def_readwrite("tau_auto", &DistanceOptions::tau_auto)
      .def_readwrite("read_out", &DistanceOptions::read_out)
      .def_readwrite("certify", &DistanceOptions::certify)
      .def_readwrite("seed", &DistanceOptions::seed)
      .def_readwrite("threads", &DistanceOptions::threads)
      .def_readwrite("time_limit", &DistanceOptions::time_limit)
      .def(
          "set_network",
          [](DistanceOptions& o, std::vector<std::size_t> hidden) { o.mlp.hidden = std::move(hidden); },
          py::arg("hidden"))
      .def(
          "set_ascent",
          [](DistanceOptions& o, std::size_t steps, double rate, double alpha, double eps, double clip,
             std::size_t tail, bool trace) {
            o.ascent = {.steps = steps,
                        .rate = rate,
                        .alpha = alpha,
                        .eps = eps,
                        .clip = clip,
                        .tail = tail,
                        .keep_trace = trace};
          },
          py::arg("steps"), py::arg("rate"), py::arg("alpha"), py::arg("eps"), py::arg("clip"),
          py::arg("tail"), py::arg("trace"));
  module.def("distance", &robust, py::arg("x").noconvert(), py::arg("y").noconvert(), py::arg("options"),
             py::arg("weights_x").noconvert() = py::none(), py::arg("weights_y").noconvert() = py::none(),
             py::arg("progress") = py::none());
}

}  // namespace motmot::python
