// Experiments that are found, checked and run.

#include <pybind11/stl.h>

#include <filesystem>
#include <optional>

#include "holo/core/runs/interruption.h"
#include "holo/study/reproduce.h"
#include "interruption.h"
#include "parts.h"
#include "requests.h"

namespace holo::python {

namespace py = pybind11;

namespace {

py::tuple resolve(const Source& source) {
  const ConfigurationFile file = ConfigurationFile::load(source.path, {source.variant, source.overrides});
  return py::make_tuple(file.resolved(), file.variants());
}

std::string check(const Source& source) {
  const py::gil_scoped_release released;
  return check_experiment(request_of(source));
}

// Runs `compute` without the GIL. Returns the folder, the status, the message, and the exception that Python raised during the
// run or None; without a folder where nothing was begun.
template <class Compute>
py::tuple drive(RunOptions options, const py::object& progress, const Compute& compute) {
  const InterruptibleScope scope;
  StepCallback callback(progress);
  options.stop = &InterruptibleScope::stop();
  options.on_step = [&callback](std::int64_t done, std::int64_t total) { callback(done, total); };
  std::optional<RunOutcome> outcome;
  try {
    const py::gil_scoped_release released;
    outcome = compute(options);
  } catch (const Interrupted&) {  // before the first step
  }
  const py::object exception = callback.exception();
  if (!outcome) return py::make_tuple("", "interrupted", "stopped by a signal before its first step", exception);
  return py::make_tuple(outcome->folder.string(), to_string(outcome->result.status), outcome->result.message, exception);
}

py::tuple run(const Source& source, const std::string& out, const py::object& progress) {
  RunRequest request = request_of(source, out);
  return drive(request.options, progress, [&](const RunOptions& options) {
    request.options = options;
    return run_experiment(request);
  });
}

py::tuple resume(const std::string& folder, const std::vector<std::string>& plugin_path, int threads,
                 const py::object& progress) {
  return drive(options_of(plugin_path, threads), progress,
               [&](const RunOptions& options) { return resume_run(folder, options); });
}

}  // namespace

void add_runs(py::module_& module) {
  py::class_<Source>(module, "Source", "What an experiment is read from: file, variant, overrides, plugins")
      .def(py::init([](std::string path, std::string variant, Overrides overrides, std::vector<std::string> plugin_path,
                       int threads) {
             return Source{std::move(path), std::move(variant), std::move(overrides), std::move(plugin_path), threads};
           }),
           py::arg("path"), py::arg("variant"), py::arg("overrides"), py::arg("plugin_path"), py::arg("threads"));
  module.def(
      "find_experiment", [](const std::string& name) { return find_experiment(name).string(); }, py::arg("name"));
  module.def("experiment_names", &experiment_names);
  module.def("resolve", &resolve, py::arg("source"));
  module.def("check", &check, py::arg("source"));
  module.def("run", &run, py::arg("source"), py::arg("out"), py::arg("progress"));
  module.def("resume", &resume, py::arg("folder"), py::arg("plugin_path"), py::arg("threads"), py::arg("progress"));
}

}  // namespace holo::python
