// advise() and generate().
#include "binding.hpp"
#include "motmot/data.hpp"
#include "motmot/report.hpp"
#include "motmot/theory.hpp"

namespace motmot::python {
namespace {

/// (json, text)
py::tuple advice(std::size_t n, std::size_t m, std::size_t d, double tau_x, double tau_y,
                 std::optional<Estimator> estimator, double diameter, double c_l, double delta) {
  const Advice result = advise({.n = n,
                                .m = m,
                                .tau_x = tau_x,
                                .tau_y = tau_y,
                                .estimator = estimator,
                                .bounds = {.d = d, .diameter = diameter, .c_l = c_l, .delta = delta}});
  return py::make_tuple(advice_json(result), advice_text(result));
}

py::array_t<std::int64_t> row_numbers(const std::vector<std::uint32_t>& rows) {
  return array_of(std::vector<std::int64_t>(rows.begin(), rows.end()));
}

/// (x, y, outliers_x, outliers_y, population_w1), or None where no toy has the name.
std::optional<py::tuple> toy(const std::string& name, std::size_t n, std::size_t m, std::size_t d,
                             double tau_x, std::optional<double> tau_y, std::uint64_t seed) {
  const std::optional<Toy> which = named<Toy>(name);
  if (!which) return std::nullopt;
  ToySample sample;
  {
    const py::gil_scoped_release unlocked;
    sample = generate({.toy = *which, .n = n, .m = m, .d = d, .tau_x = tau_x, .tau_y = tau_y, .seed = seed});
  }
  return py::make_tuple(array_of(std::move(sample.x)), array_of(std::move(sample.y)),
                        row_numbers(sample.outliers_x), row_numbers(sample.outliers_y), sample.population_w1);
}

std::vector<std::string> toy_words() {
  std::vector<std::string> words;
  for (const auto& [word, toy] : names<Toy>) words.emplace_back(word);
  return words;
}

}  // namespace

void bind_advice(py::module_& module) {
  module.def("advise", &advice, py::arg("n"), py::arg("m"), py::arg("d"), py::arg("tau_x"), py::arg("tau_y"),
             py::arg("estimator"), py::arg("diameter"), py::arg("c_l"), py::arg("delta"));
  module.def("generate", &toy, py::arg("name"), py::arg("n"), py::arg("m"), py::arg("d"), py::arg("tau_x"),
             py::arg("tau_y"), py::arg("seed"));
  module.def("toys", &toy_words);
}

}  // namespace motmot::python
