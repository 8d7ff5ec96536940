#include <pybind11/pybind11.h>

#include "holo/core/runs/run_folder.h"
#include "holo/study/provenance.h"
#include "parts.h"

PYBIND11_MODULE(_native, module) {
  namespace py = pybind11;
  module.doc() = "The C++ libraries of Holomorph, for the package `holomorph`, whose functions are the public ones.";
  holo::python::add_errors(module);
  holo::python::add_runs(module);
  holo::python::add_study(module);
  holo::python::add_plugins(module);
  module.def("version_text", &holo::version_text);
  module.def(
      "checksum",
      [](const py::buffer& bytes) {
        const py::buffer_info info = bytes.request();
        return holo::content_hash({static_cast<const char*>(info.ptr), static_cast<std::size_t>(info.size * info.itemsize)});
      },
      py::arg("bytes"), "64-bit FNV-1a of the bytes, as 16 hexadecimal digits");
}
