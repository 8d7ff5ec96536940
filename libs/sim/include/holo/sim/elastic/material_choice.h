#pragma once
// The section `material:` of an experiment: {type: PLUGIN, and the parameters that the plugin reads}.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/elastic/material_fields.h"

namespace holo {

struct MaterialChoice {
  std::shared_ptr<const MaterialPlugin> plugin;
  std::vector<double> coefficients;        // [coefficient_count], as the plugin's operations take them; empty with `fields`
  std::shared_ptr<MaterialFields> fields;  // null: the coefficients are uniform
  Location location;                       // of the plugin's name
};

// Whether numbers of a material may be given per element: by a field or the groups of a mesh, or by a formula.
enum class MaterialValuesPer { body, element };

// Reads the section of `parent`. An unknown plugin is a problem with the nearest name and the search path, and so is what
// `check` throws (Error): a material that the caller cannot use. After a problem the choice is empty.
MaterialChoice read_material_choice(Configuration& parent, const PluginHost& host,
                                    const std::function<void(const MaterialPlugin&)>& check = {},
                                    MaterialValuesPer per = MaterialValuesPer::body);

}  // namespace holo
