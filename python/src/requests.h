#pragma once
// Arguments from Python of functions that read an experiment.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "holo/study/runner.h"

namespace holo::python {

using Overrides = std::vector<std::pair<std::string, std::string>>;  // path and value in YAML

// What an experiment is read from.
struct Source {
  std::string path, variant;
  Overrides overrides;
  std::vector<std::string> plugin_path;
  int threads = 0;
};

inline RunOptions options_of(const std::vector<std::string>& plugin_path, int threads) {
  RunOptions options;
  options.plugin_path.assign(plugin_path.begin(), plugin_path.end());
  options.threads = threads;
  options.command = {"python"};
  options.quiet = true;
  return options;
}

inline RunRequest request_of(const Source& source, const std::string& out = {}) {
  return {source.path, source.variant, source.overrides, out, options_of(source.plugin_path, source.threads)};
}

}  // namespace holo::python
