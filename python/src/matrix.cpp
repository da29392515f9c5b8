// matrix() and compare() with their options and results as values.
#include "motmot/matrix.hpp"

#include <memory>

#include "binding.hpp"
#include "motmot/compare.hpp"
#include "watch.hpp"

namespace motmot::python {
namespace {

/// The samples, settled, and which rows of what was given they have.
struct Given {
  std::vector<Frame> frames{};
  std::vector<NamedFrame> named{};  ///< of these frames
  std::vector<UsedRows> used{};
};

std::shared_ptr<const Given> given_of(const std::vector<std::string>& names,
                                      const std::vector<const Frame*>& frames, const std::vector<Used>& used,
                                      const Kinds& kinds, Missing missing) {
  const auto given = std::make_shared<Given>();
  given->frames.reserve(frames.size());
  for (std::size_t k = 0; k < frames.size(); ++k) {
    given->used.emplace_back(used[k], frames[k]->n());
    given->frames.push_back(settled(*frames[k], read_options(kinds, missing), names[k]));
    given->named.push_back({names[k], &given->frames.back()});
  }
  return given;
}

/// Rows are numbered as in the samples that were given.
Matrix renumbered(Matrix m, const Given& given) {
  for (std::size_t k = 0; k < m.samples.size(); ++k)
    for (std::uint32_t& row : m.samples[k].left_out)
      row = static_cast<std::uint32_t>(given.used[k].numbers()[row]);
  return m;
}

/// As large as all samples together: such a run has a thread of its own.
PointsView size_of(const Given& given) {
  std::size_t rows = 0;
  for (const Frame& frame : given.frames) rows += frame.n();
  return {nullptr, rows, given.frames.empty() ? 0 : given.frames.front().columns.size()};
}

Matrix whole(const std::vector<std::string>& names, const std::vector<const Frame*>& frames,
             const std::vector<Used>& used, const Kinds& kinds, const MatrixOptions& options,
             const py::object& callback) {
  const auto given = given_of(names, frames, used, kinds, options.missing);
  return renumbered(
      watched<Matrix>(size_of(*given), size_of(*given), callback, py::none(), options,
                      [given](const MatrixOptions& with) { return matrix(given->named, with); }),
      *given);
}

// ------------------------------------------------------------------------------------- the same in parts

/// A plan and the samples that it is of.
struct Plan {
  MatrixPlan plan{};
  std::shared_ptr<const Given> given{};
};

Plan plan_of(const std::vector<std::string>& names, const std::vector<const Frame*>& frames,
             const std::vector<Used>& used, const Kinds& kinds, const MatrixOptions& options) {
  const auto given = given_of(names, frames, used, kinds, options.missing);
  return {watched<MatrixPlan>(size_of(*given), size_of(*given), py::none(), py::none(), options,
                              [given](const MatrixOptions& with) { return plan_matrix(given->named, with); }),
          given};
}

using FoundTuple = std::tuple<double, double, double>;

FoundTuple found_of(const ReadySample& a, const ReadySample& b) {
  const PairFound found = pair_found(a, b);
  return {found.value, found.energy, found.p_value};
}

Matrix finished(const Plan& plan, const std::vector<std::optional<FoundTuple>>& found, double seconds) {
  std::vector<PairFound> pairs;
  pairs.reserve(found.size());
  for (const std::optional<FoundTuple>& pair : found)
    pairs.push_back(pair ? PairFound{std::get<0>(*pair), std::get<1>(*pair), std::get<2>(*pair)}
                         : PairFound{.stopped = true});
  Matrix result = renumbered(finish_matrix(plan.plan, pairs), *plan.given);
  result.run.seconds = seconds;
  return result;
}

template <class T>
std::vector<T> vector_of(const py::handle& array) {
  const auto values = array.cast<py::array_t<T, py::array::c_style>>();
  return {values.data(), values.data() + values.size()};
}

py::tuple ready_state(const ReadySample& self) {
  return py::make_tuple(array_of(std::vector<double>(self.points.values())), self.points.cols(), self.unit,
                        array_of(std::vector<double>(self.row_sums)), self.squares,
                        array_of(std::vector<std::uint32_t>(self.some)));
}

ReadySample ready_from(const py::tuple& state) {
  return {.points = {vector_of<double>(state[0]), state[1].cast<std::size_t>()},
          .unit = state[2].cast<double>(),
          .row_sums = vector_of<double>(state[3]),
          .squares = state[4].cast<double>(),
          .some = vector_of<std::uint32_t>(state[5])};
}

void bind_parts_of_matrix(py::module_& module) {
  py::class_<ReadySample>(module, "ReadySample", "A sample as its pairs need it.")
      .def(py::pickle(&ready_state, &ready_from));
  py::class_<Plan>(module, "MatrixPlan", "A matrix whose pairs are still to be found.")
      .def_property_readonly("pairs",
                             [](const Plan& self) {
                               std::vector<std::pair<std::size_t, std::size_t>> pairs;
                               for (const MatrixPair& pair : self.plan.so_far.pairs)
                                 pairs.emplace_back(pair.first, pair.second);
                               return pairs;
                             })
      .def_property_readonly("ready", [](const Plan& self) { return self.plan.ready; });
  module.def("plan_matrix", &plan_of, py::arg("names"), py::arg("frames"), py::arg("used"), py::arg("kinds"),
             py::arg("options"));
  module.def("pair_found", &found_of, py::arg("a"), py::arg("b"), py::call_guard<py::gil_scoped_release>());
  module.def("finish_matrix", &finished, py::arg("plan"), py::arg("found"), py::arg("seconds"));
}

}  // namespace

void bind_matrix(py::module_& module) {
  auto options = bind_options<MatrixOptions>(module, "MatrixOptions")
                     .def_readwrite("most_rows", &MatrixOptions::most_rows)
                     .def_readwrite("memory_limit", &MatrixOptions::memory_limit);
  bind_choice(options, "missing", &MatrixOptions::missing);
  bind_part<MatrixSample>(module, "MatrixSample", "One of the samples of a matrix.");
  bind_part<MatrixPair>(module, "MatrixPair", "Two samples of a matrix.");
  bind_part<Merge>(module, "Merge", "Two clusters that become one.");
  bind_part<MapPoint>(module, "MapPoint", "Where a sample is drawn in the plane.");
  bind_result<Matrix>(
      module, "Matrix",
      "How far apart many samples are.\n\n"
      "repr() is what ``motmot matrix`` prints, to_dict() is what its ``--json`` writes, with rows "
      "numbered from 0.")
      .def(
          "to_dict", [](const Matrix& self) { return dict_of(self, matrix_schema); },
          "What ``motmot matrix --json`` writes, with rows numbered from 0.")
      .def("__repr__", [](const Matrix& self) { return python_text(text(self)); })
      .def(pickled<Matrix>());
  module.def("matrix", &whole, py::arg("names"), py::arg("frames"), py::arg("used"), py::arg("kinds"),
             py::arg("options"), py::arg("progress"));
  bind_parts_of_matrix(module);
}

namespace {

Comparison compared(const Frame& x, const Frame& y, const Kinds& kinds, const CompareOptions& options,
                    const py::object& callback) {
  const auto given = given_of({"X", "Y"}, {&x, &y}, {{}, {}}, kinds, options.missing);
  return watched<Comparison>(
      size_of(*given), size_of(*given), callback, py::none(), options,
      [given](const CompareOptions& with) { return compare(given->frames[0], given->frames[1], with); });
}

}  // namespace

void bind_compare(py::module_& module) {
  auto options = bind_options<CompareOptions>(module, "CompareOptions")
                     .def_readwrite("memory_limit", &CompareOptions::memory_limit);
  bind_choice(options, "missing", &CompareOptions::missing);
  bind_part<Stressed>(module, "Stressed", "What dirt does to a method.");
  bind_part<MethodResult>(module, "MethodResult", "What one method says.");
  bind_part<Planted>(module, "Planted", "Dirt as it was planted.");
  bind_result<Comparison>(
      module, "Comparison",
      "Several distances of two samples side by side.\n\n"
      "repr() is what ``motmot compare`` prints, to_dict() is what its ``--json`` writes.")
      .def(
          "to_dict", [](const Comparison& self) { return dict_of(self, compare_schema); },
          "What ``motmot compare --json`` writes.")
      .def("__repr__", [](const Comparison& self) { return python_text(text(self)); })
      .def(pickled<Comparison>());
  module.def("compare", &compared, py::arg("x"), py::arg("y"), py::arg("kinds"), py::arg("options"),
             py::arg("progress"));
}

}  // namespace motmot::python
