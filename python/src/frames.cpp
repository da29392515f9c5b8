// Tables in memory: Arrow's C stream, and columns whose buffers motmot/_frames.py has found.
#include <deque>
#include <memory>

#include "binding.hpp"
#include "motmot/arrow.hpp"

namespace motmot::python {
namespace {

/// The values without a copy, to be read; `owner` is the Python object that has them.
template <class T>
py::array_t<T> read_only(const std::vector<T>& values, const py::handle& owner) {
  py::array_t<T> array(static_cast<py::ssize_t>(values.size()), values.data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

Frame frame_of_stream(const py::object& capsule, const std::string& name) {
  auto* const stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (stream == nullptr) {
    PyErr_Clear();
    throw Error(Errc::io, name + ": __arrow_c_stream__() must return a capsule called 'arrow_array_stream'");
  }
  return read_arrow(*stream, name);
}

/// A column in Arrow's structs, over memory that somebody else has. Never moves: the structs point to each
/// other.
struct ColumnStructs {
  std::string name;
  std::string format;
  std::vector<const void*> buffers;
  std::unique_ptr<ColumnStructs> dictionary;
  ArrowSchema schema{};
  ArrowArray array{};

  /// (name, format, length, offset, addresses of the buffers, the same for the dictionary or None)
  explicit ColumnStructs(const py::tuple& column)
      : name(column[0].cast<std::string>()), format(column[1].cast<std::string>()) {
    for (const py::handle address : column[4])
      buffers.push_back(reinterpret_cast<const void*>(address.cast<std::uintptr_t>()));  // NOLINT: Python's
    if (!column[5].is_none()) dictionary = std::make_unique<ColumnStructs>(column[5].cast<py::tuple>());
    schema.format = format.c_str();
    schema.name = name.c_str();
    schema.dictionary = dictionary ? &dictionary->schema : nullptr;
    array.length = column[2].cast<std::int64_t>();
    array.offset = column[3].cast<std::int64_t>();
    array.null_count = -1;
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.dictionary = dictionary ? &dictionary->array : nullptr;
  }
};

/// Chunks of such columns, as a stream.
class BufferStream {
 public:
  explicit BufferStream(const py::list& chunks) {
    for (const py::handle chunk : chunks) add(chunk.cast<py::list>());
    stream_ = {get_schema, get_next, [](ArrowArrayStream*) { return "no such chunk"; },
               [](ArrowArrayStream* stream) { stream->release = nullptr; }, this};
  }
  ArrowArrayStream& stream() { return stream_; }

 private:
  struct Chunk {
    std::deque<ColumnStructs> columns;
    std::vector<ArrowSchema*> schemas;
    std::vector<ArrowArray*> arrays;
  };

  void add(const py::list& columns) {
    Chunk& chunk = chunks_.emplace_back();
    for (const py::handle column : columns) {
      ColumnStructs& made = chunk.columns.emplace_back(column.cast<py::tuple>());
      chunk.schemas.push_back(&made.schema);
      chunk.arrays.push_back(&made.array);
    }
  }

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
    auto& self = *static_cast<BufferStream*>(stream->private_data);
    if (self.chunks_.empty()) return EINVAL;
    Chunk& first = self.chunks_.front();
    *schema = {};
    schema->format = "+s";
    schema->n_children = static_cast<std::int64_t>(first.schemas.size());
    schema->children = first.schemas.data();
    schema->release = [](ArrowSchema* released) { released->release = nullptr; };
    return 0;
  }

  static int get_next(ArrowArrayStream* stream, ArrowArray* array) {
    auto& self = *static_cast<BufferStream*>(stream->private_data);
    *array = {};
    if (self.next_ == self.chunks_.size()) return 0;
    Chunk& chunk = self.chunks_[self.next_++];
    array->length = chunk.arrays.empty() ? 0 : chunk.arrays.front()->length;
    array->n_children = static_cast<std::int64_t>(chunk.arrays.size());
    array->children = chunk.arrays.data();
    array->release = [](ArrowArray* released) { released->release = nullptr; };
    return 0;
  }

  std::deque<Chunk> chunks_;
  std::size_t next_ = 0;
  ArrowArrayStream stream_{};
};

Frame frame_of_buffers(const py::list& chunks, const std::string& name) {
  BufferStream buffers(chunks);
  return read_arrow(buffers.stream(), name);
}

using Codes = py::array_t<std::uint32_t, py::array::c_style>;

void add_numbers(Frame& frame, const std::string& name, const Numbers& values, bool is_time) {
  frame.columns.push_back({.name = name,
                           .kind = is_time ? Kind::time : Kind::number,
                           .numbers = {values.data(), values.data() + values.size()}});
}

void add_words(Frame& frame, const std::string& name, const Codes& codes, std::vector<std::string> levels) {
  frame.columns.push_back({.name = name,
                           .kind = Kind::category,
                           .codes = {codes.data(), codes.data() + codes.size()},
                           .levels = std::move(levels)});
}

/// The rows are those of the mask, and numbered as a file numbers them that rows were dropped from: an
/// identifier counts these.
void keep_numbers(Frame& frame, const py::array_t<bool, py::array::c_style>& used) {
  for (py::ssize_t i = 0; i < used.size(); ++i)
    if (used.data()[i]) frame.rows.push_back(static_cast<std::uint64_t>(i) + 1);
  frame.rows_dropped = static_cast<std::size_t>(used.size()) - frame.rows.size();
}

py::list columns_of(const py::object& self) {
  py::list list;
  for (const Column& column : self.cast<const Frame&>().columns)
    list.append(py::cast(column, py::return_value_policy::reference_internal, self));
  return list;
}

}  // namespace

void bind_frames(py::module_& module) {
  py::class_<Column>(module, "Column", "A column of a table.")
      .def_readonly("name", &Column::name)
      .def_readonly("kind", &Column::kind, "number, category or time.")
      .def_readonly("is_whole", &Column::is_whole)
      .def_readonly("levels", &Column::levels, "Of a category, in the order of their first row.")
      .def_property_readonly(
          "numbers",
          [](const py::object& self) { return read_only(self.cast<const Column&>().numbers, self); },
          "Of numbers and times: NaN where a value is missing.")
      .def_property_readonly(
          "codes", [](const py::object& self) { return read_only(self.cast<const Column&>().codes, self); },
          "Of a category: places in levels, 2^32 - 1 where it is missing.");
  py::class_<Frame>(module, "Frame", "A table whose columns are of several kinds.")
      .def(py::init<>())
      .def("add_numbers", &add_numbers, py::arg("name"), py::arg("values").noconvert(), py::arg("is_time"))
      .def("add_words", &add_words, py::arg("name"), py::arg("codes").noconvert(), py::arg("levels"))
      .def("keep_numbers", &keep_numbers, py::arg("used").noconvert())
      .def_property_readonly("columns", columns_of)
      .def_property_readonly("n", &Frame::n, "How many rows.");
  module.def("frame_of_stream", frame_of_stream, py::arg("capsule"), py::arg("name"));
  module.def("frame_of_buffers", frame_of_buffers, py::arg("chunks"), py::arg("name"));
}

}  // namespace motmot::python
