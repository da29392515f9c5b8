// motmot::Error becomes motmot.Error, with the same sentence, options as Python spells them, and the code as
// a word.
#include "binding.hpp"
#include "motmot/base.hpp"

namespace motmot::python {
namespace {

/// Lives as long as the interpreter, which may end before static objects do.
py::object* error_type = nullptr;

void raise(const Error& error) {
  py::object raised = (*error_type)(in_python(error.what()));
  raised.attr("code") = name(error.code());
  PyErr_SetObject(error_type->ptr(), raised.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  const py::exception<Error> type(module, "Error", PyExc_ValueError);
  error_type = new py::object(type);
  error_type->attr("__module__") = "motmot";
  error_type->attr("__doc__") =
      "Bad input: one sentence that names the rule and the values (sample, row, column, option) that broke "
      "it.\n\n``code`` is 'invalid_argument', 'io', 'numeric' or 'unsupported'.";
  error_type->attr("code") = "invalid_argument";
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(std::move(pointer));
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace motmot::python
