#pragma once
// A loss that a plugin offers, and its instances: entries of an experiment that apply it to named bodies, controls, ...

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/plugin.h"

namespace holo {

class LossPlugin : public Plugin<holo_loss, holo_loss_reference> {
 public:
  static constexpr const char *kind = "loss", *plural = "losses";
  using Plugin::Plugin;

  // The keys that `create` asks for, with units, ranges and defaults.
  std::vector<ParameterDescription> parameters() const;
};

using LossReference = LossPlugin::Reference;

// The names and observables of a simulation that losses may use. Each simulator implements it.
class SimulationNames {
 public:
  virtual ~SimulationNames() = default;
  virtual std::string kind() const = 0;  // for messages: "a mechanism"
  // Whether the simulation has this observable at the present step (0), or one or two steps before (-1, -2).
  virtual bool has(holo_observable_kind kind, int step) const = 0;
  // The names of all subjects of a class; the index of a name is the subject's number. None is called "all".
  virtual std::vector<std::string> names(holo_subject subject) const = 0;
  // Names of several subjects each, such as a muscle's for its segments, for use in place of a list.
  struct Group {
    std::string name;
    std::vector<int> members;  // numbers of subjects
  };
  virtual std::vector<Group> groups(holo_subject) const { return {}; }
};

// A loss's lower bound of a signal's values, such as 0 of a weight. The values may be unknown while the loss is read.
struct SignalBound {
  int signal = 0;
  double minimum = 0;
  std::string allowed, key;  // for the message: ">= 0", "losses.0.weight"
  Location where;            // in the experiment

  // Throws Error(input), with the place, where `least`, the least value of all, is below the minimum.
  void require(const std::string& name, double least) const;
};

// Values over time that losses may name: targets and weights.
class SignalNames {
 public:
  struct Signal {
    std::string name;
    std::size_t component_count;
    int number;  // by which the simulation knows it
  };

  virtual ~SignalNames() = default;
  virtual std::vector<Signal> signals() const = 0;
  // Keeps the bound until the values are known.
  virtual void add_bound(SignalBound bound) = 0;
  // The number of a new signal that has these values at all times.
  virtual int add_constant(const std::vector<double>& values) = 0;
};

// A loss, applied to subjects of a simulation. Several threads may run its operations at once.
class LossInstance {
 public:
  // Takes ownership of `instance`, which the plugin's `create` returned. Throws Error(input) if the plugin's description is
  // invalid: a null pointer, an unknown kind, a step that is not 0, -1 or -2.
  LossInstance(std::shared_ptr<const LossPlugin> plugin, holo_loss_instance* instance, std::string subject);

  const LossPlugin& plugin() const { return *plugin_; }
  // The name that distinguishes this instance from others made from the same list of names; "" without a list.
  const std::string& subject() const { return subject_; }
  const holo_loss_description& description() const { return description_; }
  std::size_t observable_size() const { return observable_size_; }  // nz: numbers of all observables
  std::size_t output_size(holo_loss_operation operation) const;     // entries at one knot
  // Throws Error(environment) with the plugin's reason when it fails.
  void run(holo_loss_operation operation, const holo_loss_batch& batch) const;

 private:
  std::shared_ptr<const LossPlugin> plugin_;
  std::shared_ptr<holo_loss_instance> instance_;
  std::string subject_;
  holo_loss_description description_;
  std::size_t observable_size_ = 0;
};

// Reads a loss's parameters. Returns one instance, or one for each name if a body, control, ... is given as a list or `all`.
// Problems are reported through the configuration file: an unknown name (with the list of names), two lists in one loss, a
// signal of another size, an observable that the simulation does not have, parameters that the plugin refuses. The result is
// then empty, as it is while a schema is recorded. Throws Error(input) if the plugin breaks its contract.
std::vector<LossInstance> create_losses(const std::shared_ptr<const LossPlugin>& plugin, Configuration& parameters,
                                        const SimulationNames& names, SignalNames& signals);

// A loss of values by the names of its parameters: a vector's entries as "from.0", "from.1", "from.2", things in the simulation
// and signals by their numbers. Parameters without a value take their defaults. Throws Error(input), with the plugin's name,
// for a value that is missing or outside its range, one that nothing asks for, and for parameters that the plugin refuses.
LossInstance create_loss(const std::shared_ptr<const LossPlugin>& plugin,
                         const std::vector<std::pair<std::string, double>>& values);

std::string to_string(holo_observable_kind kind);  // "control rate"
std::string to_string(holo_subject subject);       // "design parameter"
// The class of subjects (body, control, ...) that have observables of this kind.
holo_subject subject_of(holo_observable_kind kind);

}  // namespace holo
