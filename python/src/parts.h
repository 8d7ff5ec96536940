#pragma once
// The parts of the module holomorph._native. Each function adds its part's classes and functions; the public package in
// python/holomorph checks arguments, documents shapes and units, and wraps them.

#include <pybind11/pybind11.h>

namespace holo::python {

void add_errors(pybind11::module_& module);   // holo::Error as exceptions of holomorph.errors
void add_runs(pybind11::module_& module);     // check, run, resume
void add_study(pybind11::module_& module);    // a study, step by step
void add_plugins(pybind11::module_& module);  // batches of materials, joints and losses

}  // namespace holo::python
