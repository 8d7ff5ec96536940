#pragma once
// Ctrl-C while the libraries compute: they end at a checkpoint, and Python raises what its handler of the signal raises.

#include <pybind11/pybind11.h>
#include <signal.h>

#include <atomic>
#include <cstdint>

namespace holo::python {

// The exception that Python has now, as an object with its traceback; it is no longer set. None if there is none.
pybind11::object take_exception();

// While an object of this class lives, SIGINT also sets `stop()`, so that a computation ends within a step. This holds in the
// main thread and where SIGINT raises KeyboardInterrupt, its default; a handler of the user's own is left alone. At most one
// object exists: a second one throws RuntimeError, since runs of one process come one after another. Needs the GIL.
class InterruptibleScope {
 public:
  InterruptibleScope();
  ~InterruptibleScope();
  InterruptibleScope(const InterruptibleScope&) = delete;
  InterruptibleScope& operator=(const InterruptibleScope&) = delete;

  static std::atomic<bool>& stop();

 private:
  bool is_handling_ = false;
};

// Called after each step without the GIL: takes it, lets Python handle signals, calls `progress` (or None) with the steps done
// and all steps, and keeps the first exception. Then it sets `stop`.
class StepCallback {
 public:
  explicit StepCallback(pybind11::object progress) : progress_(std::move(progress)) {}
  void operator()(std::int64_t done, std::int64_t total) noexcept;
  // The exception that ended the run, or None. Handles signals once more. Needs the GIL.
  pybind11::object exception();

 private:
  void call(std::int64_t done, std::int64_t total);

  pybind11::object progress_, exception_;
};

}  // namespace holo::python
