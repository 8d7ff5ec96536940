#pragma once
// Runs a plugin's `read`, and tells its failures with the plugin's name. Whoever reads the plugin adds the place in the user's
// file.

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "holo/core/error.h"
#include "parameters/parameter_bridge.h"
#include "plugins/plugin_registration.h"
#include "plugins/plugin_scope.h"

namespace holo {

using ReadFunction = int (*)(const holo_parameter_reader* reader, double* values, double* tangents, holo_error* error);

// Throws PluginRefusal with the plugin's reason, or what the bridge kept.
inline void run_read(ReadFunction read, ParameterBridge& bridge, double* values, double* tangents) {
  const holo_parameter_reader reader = bridge.reader();
  holo_error error{};
  error.size = sizeof error;
  const int status = guarded("'read'", [&] { return read(&reader, values, tangents, &error); });
  bridge.rethrow();
  if (status == 0) return;
  const std::string text = to_text(error);
  throw PluginRefusal{"its 'read' failed: " + (text.empty() ? "no reason given" : text)};
}

// Name(i) says which value it is.
template <class Name>
void require_finite(const std::vector<double>& values, const char* what, const Name& name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw PluginRefusal{"its 'read' makes " + std::string(what) + " of the " + name(i) + " that is not finite (" +
                          std::to_string(values[i]) + ")"};
}

// Any failure in `call` as one Error, with the plugin's name.
template <class Plugin, class Call>
void named(const Plugin& plugin, const Call& call) {
  const std::string head = "the plugin '" + plugin.name() + "' (" + plugin.path().string() + "): ";
  const PluginScope scope(plugin.name(), plugin.path().string(), "read");
  try {
    call();
  } catch (const PluginRefusal& refusal) {
    throw Error(Failure::input, head + refusal.reason);
  } catch (const Error& error) {
    throw Error(error.failure(), head + error.what());
  }
}

}  // namespace holo
