// Reference, check() and monitor() of motmot/watch.hpp.
#include <memory>

#include "binding.hpp"
#include "motmot/watch.hpp"
#include "watch.hpp"

namespace motmot::python {
namespace {

/// Runs without the interpreter's lock; the callback and Ctrl-C are heard. `rows` is what decides on a
/// thread.
template <class Result, class Options, class Ask>
Result run_watched(std::size_t rows, const py::object& callback, const Options& options, Ask ask) {
  const PointsView as_large{nullptr, rows, 1};
  return watched<Result>(as_large, as_large, callback, py::none(), options, std::move(ask));
}

Reference make(const Frame& x, const Kinds& kinds, const ReferenceOptions& options,
               const py::object& callback) {
  const auto table = std::make_shared<const Frame>(settled(x, read_options(kinds, options.missing), "X"));
  return run_watched<Reference>(table->n(), callback, options, [table](const ReferenceOptions& with) {
    return make_reference(*table, with);
  });
}

/// A table as files that are held against the reference are read.
Frame as_read(const Reference& reference, Frame y, const std::string& source) {
  ReadOptions with = read_options(reference);
  std::erase_if(with.kinds, [&](const ColumnKind& kind) {
    return std::ranges::none_of(y.columns, [&](const Column& column) { return column.name == kind.column; });
  });
  return settled(std::move(y), with, source);
}

Check check_table(const Reference& reference, const Frame& y, const CheckOptions& options,
                  const py::object& callback) {
  const auto kept = std::make_shared<const Reference>(reference);
  const auto table = std::make_shared<const Frame>(as_read(reference, y, options.source));
  return run_watched<Check>(table->n() + kept->rows.n(), callback, options,
                            [kept, table](const CheckOptions& with) { return check(*kept, *table, with); });
}

Monitored monitor_tables(const Reference& reference, const std::vector<std::pair<std::string, Frame>>& chunks,
                         const MonitorOptions& options, const std::optional<ChunkOptions>& cut,
                         const py::object& callback) {
  const auto kept = std::make_shared<const Reference>(reference);
  auto sources = std::make_shared<std::vector<ChunkSource>>();
  for (const auto& [name, frame] : chunks) {
    Frame table = as_read(reference, frame, "'" + name + "'");
    if (cut)
      for (ChunkSource& source : chunks_of(std::move(table), *cut, "'" + name + "'"))
        sources->push_back(std::move(source));
    else sources->push_back({name, [table = std::move(table)] { return table; }});
  }
  return run_watched<Monitored>(
      kept->rows.n(), callback, options,
      [kept, sources](const MonitorOptions& with) { return monitor(*kept, *sources, with); });
}

py::object check_dict(const Check& self) {
  py::object dict = dict_of(self, check_schema);
  dict["distance"]["schema"] = distance_schema;
  dict["distance"]["run"]["version"] = version();
  return dict;
}

py::object monitored_dict(const Monitored& self) {
  py::object dict = dict_of(self, monitor_schema);
  dict["alarms"] = self.alarms();
  dict["not_judged"] = self.not_judged();
  return dict;
}

void bind_options_of_watch(py::module_& module) {
  py::class_<ReferenceOptions> of_reference(module, "ReferenceOptions");
  bind_choice(of_reference, "missing", &ReferenceOptions::missing);
  of_reference.def(py::init<>())
      .def_readwrite("name", &ReferenceOptions::name)
      .def_readwrite("tau", &ReferenceOptions::tau)
      .def_readwrite("scale", &ReferenceOptions::scale)
      .def_readwrite("category_weight", &ReferenceOptions::category_weight)
      .def_readwrite("exclude", &ReferenceOptions::exclude)
      .def_readwrite("na", &ReferenceOptions::na)
      .def_readwrite("rows", &ReferenceOptions::rows)
      .def_readwrite("chunk_rows", &ReferenceOptions::chunk_rows)
      .def_readwrite("chunks", &ReferenceOptions::chunks)
      .def_readwrite("seed", &ReferenceOptions::seed)
      .def_readwrite("threads", &ReferenceOptions::threads)
      .def_readwrite("memory_limit", &ReferenceOptions::memory_limit);
  py::class_<CheckOptions>(module, "CheckOptions")
      .def(py::init<>())
      .def_readwrite("alpha", &CheckOptions::alpha)
      .def_readwrite("effect", &CheckOptions::effect)
      .def_readwrite("rows", &CheckOptions::rows)
      .def_readwrite("seed", &CheckOptions::seed)
      .def_readwrite("threads", &CheckOptions::threads)
      .def_readwrite("memory_limit", &CheckOptions::memory_limit);
  py::class_<MonitorOptions>(module, "MonitorOptions")
      .def(py::init<>())
      .def_readwrite("one_in", &MonitorOptions::one_in)
      .def_readwrite("effect", &MonitorOptions::effect)
      .def_readwrite("rolling", &MonitorOptions::rolling)
      .def_readwrite("log", &MonitorOptions::log)
      .def_readwrite("explain", &MonitorOptions::explain)
      .def_readwrite("threads", &MonitorOptions::threads)
      .def_readwrite("memory_limit", &MonitorOptions::memory_limit);
  py::class_<ChunkOptions>(module, "ChunkOptions")
      .def(py::init([](const std::string& time, const std::string& by, std::size_t rows) {
             ChunkOptions options{.time = time, .rows = rows};
             if (!by.empty()) options.by = choice<ChunkBy>("chunk", by);
             return options;
           }),
           py::arg("time"), py::arg("by"), py::arg("rows"));
}

}  // namespace

void bind_reference(py::module_& module) {
  bind_options_of_watch(module);
  bind_part<OwnChunks>(module, "OwnChunks", "How far chunks of the reference are from its other rows.");
  bind_part<Judgement>(module, "Judgement", "What was found of one chunk.");
  bind_result<Check>(module, "Check",
                     "Whether a table differs from the reference. repr() is what ``motmot check`` prints, "
                     "to_dict() is what its ``--json`` writes, with rows numbered from 0.")
      .def("to_dict", &check_dict, "What ``motmot check --json`` writes, with rows numbered from 0.")
      .def("__bool__", [](const Check& self) { return self.differs; })
      .def("__repr__", [](const Check& self) { return python_text(text(self)); });
  bind_result<Monitored>(
      module, "Monitored",
      "A series of chunks. repr() is what ``motmot monitor`` prints, to_dict() is what its "
      "``--json`` writes.")
      .def_property_readonly("alarms", &Monitored::alarms, "Among new chunks")
      .def_property_readonly("not_judged", &Monitored::not_judged, "Among new chunks")
      .def("to_dict", &monitored_dict, "What ``motmot monitor --json`` writes.")
      .def("__repr__", [](const Monitored& self) { return python_text(text(self)); });
  py::class_<Reference>(module, "ReferenceData", "What a reference keeps.")
      .def_readonly("name", &Reference::name)
      .def_readonly("tau", &Reference::tau)
      .def_readonly("digest", &Reference::digest)
      .def_readonly("na", &Reference::na)
      .def_readonly("own", &Reference::own)
      .def_readonly("source_rows", &Reference::source_rows)
      .def_property_readonly("rows", [](const Reference& self) { return self.rows.n(); })
      .def_property_readonly("columns",
                             [](const Reference& self) {
                               py::dict kinds;
                               for (const CodedColumn& column : self.coding.columns)
                                 kinds[py::str(column.name)] = name(column.kind);
                               return kinds;
                             })
      .def(
          "save", [](const Reference& self, const std::string& path) { save(self, path); }, py::arg("path"))
      .def("__repr__", [](const Reference& self) { return python_text(text(self)); });
  module.def("make_reference", &make, py::arg("x"), py::arg("kinds"), py::arg("options"),
             py::arg("progress"));
  module.def("load_reference", &load_reference, py::arg("path"));
  module.def("check", &check_table, py::arg("reference"), py::arg("y"), py::arg("options"),
             py::arg("progress"));
  module.def("monitor", &monitor_tables, py::arg("reference"), py::arg("chunks"), py::arg("options"),
             py::arg("cut"), py::arg("progress"));
}

}  // namespace motmot::python
