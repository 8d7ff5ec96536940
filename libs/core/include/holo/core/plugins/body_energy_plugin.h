#pragma once
// A body energy that a plugin offers (core/abi/body_energy.h), and its instances: entries of an experiment that apply it to a
// body.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin.h"

namespace holo {

class BodyEnergyPlugin : public Plugin<holo_body_energy, holo_body_energy_reference> {
 public:
  static constexpr const char *kind = "body energy", *plural = "body energies";
  using Plugin::Plugin;

  // The keys that `create` asks for, with units, ranges and defaults.
  std::vector<ParameterDescription> parameters() const;
};

using BodyEnergyReference = BodyEnergyPlugin::Reference;

// What the parameters of a body energy may name; the index of a name is its number.
struct BodyEnergyNames {
  std::vector<std::string> subsets;  // of the body's vertices
  std::vector<std::string> targets;  // target strains
};

// A body energy with its parameters. Several threads may run its operations at once.
class BodyEnergyInstance {
 public:
  // Takes ownership of `instance`, which the plugin's `create` returned. Throws Error(input) if the plugin's description is
  // invalid, such as one with too many quantities, or observables that are not linear in the positions.
  BodyEnergyInstance(std::shared_ptr<const BodyEnergyPlugin> plugin, holo_body_energy_instance* instance);

  const BodyEnergyPlugin& plugin() const { return *plugin_; }
  const holo_body_energy_description& description() const { return description_; }
  std::size_t quantity_count() const { return description_.quantity_count; }  // no
  std::size_t observable_size() const { return observable_size_; }            // nz: numbers of all observables
  std::size_t output_size(holo_body_energy_operation operation) const;        // entries of one element
  // o [no] at z [nz], which was `start` as the scene started. `jacobian` [no][nz] and `hessian` [nz][nz], of w . o, may be
  // null. Throws Error(environment) with the plugin's reason when it fails, as does run().
  void quantities(const double* z, const double* start, const double* w, double* o, double* jacobian, double* hessian) const;
  void run(holo_body_energy_operation operation, const holo_body_energy_batch& batch) const;

 private:
  template <class Call>
  void call(const char* what, const Call& call) const;

  std::shared_ptr<const BodyEnergyPlugin> plugin_;
  std::shared_ptr<holo_body_energy_instance> instance_;
  holo_body_energy_description description_;
  std::size_t observable_size_ = 0;
};

// Reads a body energy's parameters. Problems are reported through the configuration file: an unknown name (with the list of
// names), parameters that the plugin refuses. The result is then null, as it is while a schema is recorded. Throws
// Error(input) if the plugin breaks its contract.
std::shared_ptr<const BodyEnergyInstance> create_body_energy(const std::shared_ptr<const BodyEnergyPlugin>& plugin,
                                                             Configuration& parameters, const BodyEnergyNames& names);

}  // namespace holo
