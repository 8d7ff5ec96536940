#pragma once
// The values of a material's parameters, by name, for hosts that compute coefficients for many sets of values.

#include <string>
#include <utility>
#include <vector>

#include "holo/core/plugins/material_plugin.h"

namespace holo {

using MaterialValues = std::vector<std::pair<std::string, double>>;

// Reads the parameters of a material. The numbers and vectors named in `left_out` are not read and get a stand-in inside their
// range. Returns all parameters, as MaterialPlugin::coefficients() takes them. Problems are reported through the configuration
// file. While a schema is recorded, each number and vector is recorded as one that may be given per element. Throws
// Error(input) with the plugin's name if its `read` fails.
MaterialValues read_material_values(const MaterialPlugin& plugin, Configuration& parameters,
                                    const std::vector<std::string>& left_out);

}  // namespace holo
