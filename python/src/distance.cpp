// distance() with its options and its result as values.
#include <memory>

#include "binding.hpp"
#include "motmot/answer.hpp"
#include "watch.hpp"

namespace motmot::python {
namespace {

/// Complains about options that were changed and have no use.
void require_use(const DistanceOptions& o, std::size_t n, std::size_t m, bool has_levels) {
  const auto check = [&](bool changed, std::string_view option) {
    const std::string use = changed ? useless(option, o, n, m, has_levels) : "";
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

/// Rows are numbered as in the arrays that were given.
void renumber(const UsedRows& used, std::vector<std::uint32_t>& left_out, RowDiagnostics& rows) {
  for (std::uint32_t& row : left_out) row = static_cast<std::uint32_t>(used.numbers()[row]);
  used.spread(rows.phi);
  used.spread(rows.score);
  used.spread(rows.frequency);
  used.spread(rows.left_out);
}

py::array_t<double> copy_of(PointsView points) {
  py::array_t<double> copy({points.n, points.d});
  std::copy_n(points.data, points.n * points.d, copy.mutable_data());
  return copy;
}

/// A Python function that solves permutations. Runs end on threads without the interpreter's lock, so it is
/// let go of under the lock.
PermutationSolver solver_of(const py::object& solve) {
  if (solve.is_none()) return {};
  const std::shared_ptr<py::object> kept(new py::object(solve), [](py::object* function) {
    const py::gil_scoped_acquire locked;
    delete function;
  });
  return [kept](PointsView x, PointsView y, std::uint64_t seed, std::size_t first, std::size_t count) {
    const py::gil_scoped_acquire locked;
    std::vector<PermutedW1> found;
    for (const py::handle one : (*kept)(copy_of(x), copy_of(y), seed, first, count)) {
      auto [w1, columns] = one.cast<std::pair<double, std::vector<double>>>();
      found.push_back({w1, std::move(columns)});
    }
    return found;
  };
}

/// What is handed over beside the rows.
struct Beside {
  std::optional<Numbers> weights_x, weights_y;
  Used used_x, used_y;
  py::object callback;
};

/// ask(options) on a thread of its own; `inputs` are what it reads.
template <class Ask>
Distance watched_distance(PointsView x, PointsView y, DistanceOptions options, const Beside& beside,
                          const py::object& inputs, Ask ask) {
  const UsedRows rows_x(beside.used_x, x.rows()), rows_y(beside.used_y, y.rows());
  options.weights = {view(beside.weights_x), view(beside.weights_y)};
  options.rows_dropped = {rows_x.dropped(), rows_y.dropped()};
  options.keep_rows = true;
  Distance result = watched<Distance>(x, y, beside.callback, inputs, options, std::move(ask));
  renumber(rows_x, result.left_out.x, result.rows.x);
  renumber(rows_y, result.left_out.y, result.rows.y);
  return result;
}

Distance robust(const Rows& x, const Rows& y, const DistanceOptions& options,
                const std::optional<Numbers>& weights_x, const std::optional<Numbers>& weights_y,
                const Used& used_x, const Used& used_y, const py::object& callback) {
  const PointsView points_x = view(x), points_y = view(y);
  require_use(options, points_x.rows(), points_y.rows(), false);
  return watched_distance(
      points_x, points_y, options, {weights_x, weights_y, used_x, used_y, callback},
      py::make_tuple(x, y, weights_x, weights_y),
      [points_x, points_y](const DistanceOptions& o) { return distance(points_x, points_y, o); });
}

// ----------------------------------------------------------------------------------------------- tables

Distance robust_tables(const Frame& x, const Frame& y, const DistanceOptions& options, const Kinds& kinds,
                       bool level, const std::optional<Numbers>& weights_x,
                       const std::optional<Numbers>& weights_y, const Used& used_x, const Used& used_y,
                       const py::object& callback) {
  const Missing missing = level ? Missing::level : Missing::error;
  const ReadOptions asked = read_options(kinds, missing);
  const Frame table_x = settled(x, asked, "X"), table_y = settled(y, asked, "Y");
  struct Encoded {
    Coding coding;
    Points x, y;
  };
  Coding coding = learn_coding(table_x, table_y, {options.scale, options.category_weight, missing});
  require_use(options, x.n(), y.n(), coding.has_levels());
  Points points_x = encode(table_x, coding), points_y = encode(table_y, coding);
  const auto encoded =
      std::make_shared<const Encoded>(Encoded{std::move(coding), std::move(points_x), std::move(points_y)});
  return watched_distance(encoded->x, encoded->y, options, {weights_x, weights_y, used_x, used_y, callback},
                          py::make_tuple(weights_x, weights_y), [encoded](const DistanceOptions& o) {
                            return coded_distance(encoded->x, encoded->y, encoded->coding, o);
                          });
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

/// A list of numbers of a result as an array.
template <class T>
auto numbers(std::vector<double> T::*member) {
  return [member](const py::object& self) { return numbers_or_none(self.cast<const T&>().*member, self); };
}

// --------------------------------------------------------------------------------------------- the result

py::object to_dict(const Distance& self) { return dict_of(self, distance_schema); }

/// What to_dict() leaves out.
py::tuple rows_state(const RowDiagnostics& rows) {
  return py::make_tuple(rows.phi, rows.score, rows.left_out, rows.frequency);
}

RowDiagnostics rows_from(const py::tuple& state) {
  return {state[0].cast<std::vector<double>>(), state[1].cast<std::vector<double>>(),
          state[2].cast<std::vector<bool>>(), state[3].cast<std::vector<double>>()};
}

py::tuple get_state(const Distance& self) {
  return py::make_tuple(plain_of(self), self.floor ? self.floor->permuted : std::vector<double>(),
                        self.run.trace, rows_state(self.rows.x), rows_state(self.rows.y), self.phi);
}

Distance from_state(const py::tuple& state) {
  Distance result;
  read_plain(state[0], result);
  if (result.floor) result.floor->permuted = state[1].cast<std::vector<double>>();
  result.run.trace = state[2].cast<std::vector<double>>();
  result.rows = {rows_from(state[3]), rows_from(state[4])};
  result.phi = state[5].cast<std::optional<Critic>>();
  return result;
}

void bind_question(py::module_& module) {
  bind_options<AscentOptions>(module, "AscentOptions")
      .def_readwrite("trace", &AscentOptions::trace, "Keep the value of every step (lipschitz, clipped)");
  bind_options<DistanceOptions>(module, "DistanceOptions")
      .def_readwrite(
          "memory_limit", &DistanceOptions::memory_limit,
          "Bytes that may be taken, with the samples: jobs that are forecast to need more are "
          "refused before they start; 0: three quarters of what the machine or its control group has")
      .def_readwrite("tau_auto", &DistanceOptions::tau_auto)
      .def_readwrite("column_names", &DistanceOptions::column_names)
      .def_readwrite("ascent", &DistanceOptions::ascent)
      .def(
          "spread_permutations",
          [](DistanceOptions& options, const py::object& solve) {
            options.solve_permutations = solver_of(solve);
          },
          py::arg("solve"),
          "solve(x, y, seed, first, count) gives what permuted_w1() gives for these numbers, by whoever does "
          "it.");
  module.def(
      "permuted_w1",
      [](const Rows& x, const Rows& y, std::uint64_t seed, const std::vector<std::size_t>& numbers) {
        const PointsView of_x = view(x), of_y = view(y);
        const py::gil_scoped_release unlocked;
        std::vector<std::pair<double, std::vector<double>>> found;
        for (const std::size_t number : numbers) {
          PermutedW1 one = permuted_w1(of_x, of_y, seed, number);
          found.emplace_back(one.w1, std::move(one.columns));
        }
        return found;
      },
      py::arg("x"), py::arg("y"), py::arg("seed"), py::arg("numbers"),
      "W1 of the permutations of these numbers, each with what the columns carry of it.");
}

void bind_parts(py::module_& module) {
  bind_part<Floor>(module, "Floor", "What chance alone gives: the kept rows mixed and dealt anew.")
      .def_property_readonly("permuted", numbers(&Floor::permuted), "Every distance of mixed rows");
  bind_part<SizePoint>(module, "SizePoint", "The distance of some rows of each sample.");
  bind_part<Subsampling>(module, "Subsampling", "What taking some of the rows does to their distance.");
  bind_part<Population>(module, "Population", "The distance between the laws that the rows come from.");
  bind_part<SharedValue>(module, "SharedValue",
                         "One value that rows of a group have in one column, far outside the rows kept.");
  bind_part<Reading>(module, "Reading", "Rows left out that lie together: wrong, or a group of their own.");
  bind_part<ProfilePoint>(module, "ProfilePoint",
                          "The distance when so many of the most remote rows are left out.");
  bind_part<LevelMove>(module, "LevelMove", "How a level of a category gained or lost.");
  bind_part<ColumnLeftOut>(module, "ColumnLeftOut", "A column that is not compared, and why.");
  bind_part<ColumnMove>(module, "ColumnMove", "How a column moved, and its share of the distance.");
  bind_part<TauPoint>(module, "TauPoint", "What would be left out with another tau.");
  bind_part<Warning>(module, "DistanceWarning", "What to look at, and what to do.");
  bind_part<PaperEstimate>(module, "PaperEstimate", "An estimate by medians of block means (Definition 2).");
  bind_part<NetworkEstimate>(module, "NetworkEstimate",
                             "The distance of the laws, as a network estimates it.");
  bind_part<Neighbours>(module, "Neighbours", "Other estimates, to compare with. None: not computed.");
  bind_part<Asked>(module, "Asked", "How the question was understood: the options with every choice made.");
  bind_part<RunReport>(module, "RunReport", "How the run went.")
      .def_property_readonly("trace", numbers(&RunReport::trace),
                             "The value of every step, with trace=True; None otherwise");
  py::class_<RowDiagnostics>(
      module, "RowDiagnostics",
      "What is known of one sample's rows, in their order. None: the estimator does not say.")
      .def_property_readonly("phi", numbers(&RowDiagnostics::phi), "The potential, or the critic's value")
      .def_property_readonly("score", numbers(&RowDiagnostics::score),
                             "Distance to the k-th nearest row of the own sample: how far from company")
      .def_property_readonly("frequency", numbers(&RowDiagnostics::frequency),
                             "How often the row carried the median; sums to 1")
      .def_property_readonly(
          "left_out", [](const RowDiagnostics& self) { return marks_or_none(self.left_out); },
          "Whether the row stands alone and was left out");
}

}  // namespace

void bind_distance(py::module_& module) {
  bind_question(module);
  bind_parts(module);
  bind_result<Distance>(
      module, "Distance",
      "How far apart two samples are, whether by more than chance, which columns and rows did it.\n\n"
      "None: not computed. repr() is what ``motmot distance`` prints, text(verbose=True) also says how it "
      "was "
      "computed, to_dict() is what its ``--json`` writes, with rows numbered from 0.")
      .def_property_readonly(
          "rows",
          [](const py::object& self) {
            return py::cast(self.cast<const Distance&>().rows, py::return_value_policy::reference_internal,
                            self);
          },
          "What is known of every row of X and of Y")
      .def_readonly(
          "phi", &Distance::phi,
          "The potential of the answer, or the fitted critic, callable on new rows; None for weighted rows "
          "and for other metrics than w1")
      .def_property_readonly(
          "suspects",
          [](const Distance& self) {
            return per_sample_type()(row_numbers(self.left_out.x), row_numbers(self.left_out.y));
          },
          "Rows of X and of Y that stand alone and were left out, as arrays, from 0, ascending")
      .def("to_dict", &to_dict, "What ``motmot distance --json`` writes, with rows numbered from 0.")
      .def(
          "text",
          [](const Distance& self, bool verbose) { return in_python(text(self, {.verbose = verbose})); },
          py::arg("verbose") = false, "The answer in words; verbose: also how it was computed.")
      .def("__float__", [](const Distance& self) { return self.value; })
      .def("__repr__", [](const Distance& self) { return python_text(text(self)); })
      .def(py::pickle(&get_state, &from_state));
  module.def("distance_of_tables", &robust_tables, py::arg("x"), py::arg("y"), py::arg("options"),
             py::arg("kinds"), py::arg("level"), py::arg("weights_x").noconvert(),
             py::arg("weights_y").noconvert(), py::arg("used_x"), py::arg("used_y"), py::arg("progress"));
  module.def("distance", &robust, py::arg("x").noconvert(), py::arg("y").noconvert(), py::arg("options"),
             py::arg("weights_x").noconvert(), py::arg("weights_y").noconvert(), py::arg("used_x"),
             py::arg("used_y"), py::arg("progress"));
}

}  // namespace motmot::python
