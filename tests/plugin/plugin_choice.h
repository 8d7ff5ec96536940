#pragma once
// Which plugins the free tests run over: those of this build, of a folder, or one of them.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "holo/core/plugins/plugin_host.h"

namespace holo {

inline std::string plugin_path = HOLO_BINARY_DIR "/plugins";
inline std::string only_plugin;  // "": all

inline PluginHost& host() {
  static PluginHost host({plugin_path});
  return host;
}

// Of the names of one kind, those that are asked for. GoogleTest asks once for each test: the plugins are loaded the first time
// only.
template <class Kind>
const std::vector<std::string>& chosen_names() {
  static const std::vector<std::string> chosen = [] {
    const std::vector<std::string> names = host().names<Kind>();
    if (only_plugin.empty()) return names;
    return std::vector<std::string>(std::size_t(std::count(names.begin(), names.end(), only_plugin)), only_plugin);
  }();
  return chosen;
}

inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

// HOLO_TOLERANCE_SCALE tells how much room a test has.
inline double tolerance_scale() {
  const char* scale = std::getenv("HOLO_TOLERANCE_SCALE");
  return scale == nullptr ? 1.0 : std::atof(scale);
}

inline double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace holo
