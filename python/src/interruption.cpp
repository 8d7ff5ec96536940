#include "interruption.h"

#include <cstdlib>
#include <stdexcept>

namespace holo::python {

namespace py = pybind11;

namespace {

std::atomic<bool> stop_requested{false}, scope_exists{false};
struct sigaction action_of_python;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void stop_and_tell_python(int signal) {
  stop_requested = true;
  action_of_python.sa_handler(signal);
}

bool is_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

bool raises_keyboard_interrupt() {
  const py::module_ signals = py::module_::import("signal");
  return signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"));
}

}  // namespace

py::object take_exception() {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value != nullptr && traceback != nullptr) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value == nullptr ? py::object(py::none()) : py::reinterpret_steal<py::object>(value);
}

std::atomic<bool>& InterruptibleScope::stop() { return stop_requested; }

InterruptibleScope::InterruptibleScope() {
  if (scope_exists.exchange(true))
    throw std::runtime_error(
        "another run is in progress in this process; runs of one process come one after another, and several at once need a "
        "process each");
  stop_requested = false;
  try {
    is_handling_ = is_main_thread() && raises_keyboard_interrupt();
  } catch (...) {
    scope_exists = false;
    throw;
  }
  if (!is_handling_) return;
  sigaction(SIGINT, nullptr, &action_of_python);
  if ((action_of_python.sa_flags & SA_SIGINFO) != 0 || action_of_python.sa_handler == SIG_DFL ||
      action_of_python.sa_handler == SIG_IGN) {
    is_handling_ = false;
    return;
  }
  struct sigaction action = action_of_python;
  action.sa_handler = stop_and_tell_python;
  sigaction(SIGINT, &action, nullptr);
}

InterruptibleScope::~InterruptibleScope() {
  if (is_handling_) {
    struct sigaction now = {};
    sigaction(SIGINT, nullptr, &now);
    // A handler that `progress` installed stays.
    if (now.sa_handler == stop_and_tell_python) sigaction(SIGINT, &action_of_python, nullptr);
  }
  scope_exists = false;
}

void StepCallback::call(std::int64_t done, std::int64_t total) {
  if (PyErr_CheckSignals() == 0 && !progress_.is_none()) {
    PyObject* const result =
        PyObject_CallFunction(progress_.ptr(), "LL", static_cast<long long>(done), static_cast<long long>(total));
    Py_XDECREF(result);
  }
  if (PyErr_Occurred() == nullptr) return;
  exception_ = take_exception();
  InterruptibleScope::stop() = true;
}

void StepCallback::operator()(std::int64_t done, std::int64_t total) noexcept {
  const py::gil_scoped_acquire gil;
  if (!exception_) call(done, total);
}

py::object StepCallback::exception() {
  if (!exception_ && PyErr_CheckSignals() != 0) exception_ = take_exception();
  return exception_ ? exception_ : py::object(py::none());
}

}  // namespace holo::python
