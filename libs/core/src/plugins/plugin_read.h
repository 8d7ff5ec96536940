#pragma once
// Runs a plugin's `read` and reports its failures with the plugin's name. The caller adds the place in the user's file.

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "configuration/parameter_bridge.h"
#include "holo/core/error.h"
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

// The `count` numbers that the plugin's `read` computes from the parameters. Problems are reported through the configuration
// file.
template <class Plugin, class Name>
std::vector<double> read_values(const Plugin& plugin, std::size_t count, Configuration& parameters, const Name& name) {
  std::vector<double> result(count, 0.0);
  named(plugin, [&] {
    ParametersBridge bridge(parameters);
    run_read(plugin.abi().read, bridge, result.data(), nullptr);
    // Stand-ins for wrong or missing values need not make sense together.
    if (!parameters.recording() && !parameters.has_problems()) require_finite(result, "a value", name);
  });
  return result;
}

// The same at given values of the parameters, of which each must be used; missing ones take their defaults.
template <class Plugin, class Name>
std::vector<double> values_at(const Plugin& plugin, std::size_t count,
                              const std::vector<std::pair<std::string, double>>& values, const Name& name) {
  std::vector<double> result(count, 0.0);
  named(plugin, [&] {
    ValuesBridge bridge(values);
    run_read(plugin.abi().read, bridge, result.data(), nullptr);
    bridge.require_all_used();
    require_finite(result, "a value", name);
  });
  return result;
}

}  // namespace holo
