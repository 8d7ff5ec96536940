#pragma once
// A material that a plugin offers.

#include <string>
#include <utility>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin.h"

namespace holo {

class MaterialPlugin : public Plugin<holo_material, holo_material_reference> {
 public:
  static constexpr const char *kind = "material", *plural = "materials";
  using Plugin::Plugin;

  std::string formula() const;

  // Reads the material's parameters; reports problems to the file. Returns the coefficients [coefficient_count].
  // Throws Error(input) with the plugin's name when its `read` fails.
  std::vector<double> read_coefficients(Configuration& parameters) const;
  // Coefficients at given parameter values (missing ones take their defaults), and their Jacobian [coefficient][parameter].
  std::vector<double> coefficients(const std::vector<std::pair<std::string, double>>& values) const;
  std::vector<double> coefficient_jacobian(const std::vector<std::pair<std::string, double>>& values) const;
  // What `read` asks for.
  std::vector<ParameterDescription> parameters() const;
};

using MaterialReference = MaterialPlugin::Reference;

}  // namespace holo
