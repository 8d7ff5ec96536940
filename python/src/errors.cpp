// Exceptions of the libraries become those of holomorph.errors, with the same text.

#include <exception>

#include "holo/core/error.h"
#include "holo/study/runner.h"
#include "parts.h"

namespace holo::python {

namespace py = pybind11;

namespace {

const char* exception_name(Failure failure) {
  switch (failure) {
    case Failure::input:
      return "InputError";
    case Failure::environment:
      return "MachineError";
    case Failure::internal:
      break;
  }
  return "InternalError";
}

void set_error(const char* name, const char* text) {
  try {
    const py::object type = py::module_::import("holomorph.errors").attr(name);
    // A path in a message may have bytes that are no UTF-8.
    const auto message = py::reinterpret_steal<py::object>(PyUnicode_DecodeFSDefault(text));
    PyErr_SetObject(type.ptr(), type(message).ptr());
  } catch (py::error_already_set& error) {
    error.restore();
  }
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const NotAvailable& missing) {
    set_error("NotAvailable", missing.what());
  } catch (const Error& error) {
    set_error(exception_name(error.failure()), error.what());
  }
}

}  // namespace

void add_errors(py::module_&) { py::register_local_exception_translator(translate); }

}  // namespace holo::python
