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

  std::string formula() const;  // the energy density as text, as its code was traced

  // Runs the plugin's `read` on a mapping of the experiment file. Returns the coefficients [coefficient_count], whose meaning
  // and units are the plugin's. Problems are reported through the configuration file. Throws Error(input) with the plugin's
  // name if its `read` fails.
  std::vector<double> read_coefficients(Configuration& parameters) const;
  // Runs `read` on parameters given by name, in the units that `read` states; missing ones have their defaults. Returns the
  // coefficients [coefficient_count]. Throws Error(input) if a required parameter is missing or a value is refused.
  std::vector<double> coefficients(const std::vector<std::pair<std::string, double>>& values) const;
  // The derivatives of these coefficients by the parameters in `values`, [coefficient_count][values.size()], by rows. Throws as
  // coefficients().
  std::vector<double> coefficient_jacobian(const std::vector<std::pair<std::string, double>>& values) const;
  // The keys that `read` asks for, with units, ranges and defaults.
  std::vector<ParameterDescription> parameters() const;
};

using MaterialReference = MaterialPlugin::Reference;

}  // namespace holo
