#pragma once
// A loss that a plugin brought, and its instances: what an experiment asks for, on named things of a simulation.

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

  // What `create` asks for.
  std::vector<ParameterDescription> parameters() const;
};

using LossReference = LossPlugin::Reference;

// What a simulation has that losses may name and observe. Each simulator implements it.
class SimulationNames {
 public:
  virtual ~SimulationNames() = default;
  virtual std::string kind() const = 0;  // for messages: "a mechanism"
  // Whether it has this observable at the step 0, -1 or -2.
  virtual bool has(holo_observable_kind kind, int step) const = 0;
  // Of the class's members, each at the place of its number. None is called "all".
  virtual std::vector<std::string> names(holo_subject subject) const = 0;
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

// A loss on named things of a simulation. Its operations may run on several threads at once.
class LossInstance {
 public:
  // `instance` is what the plugin's `create` gave; it becomes this object's. Throws Error(input) when the plugin describes what
  // cannot be: a null pointer, an unknown kind, a step that is not 0, -1 or -2.
  LossInstance(std::shared_ptr<const LossPlugin> plugin, holo_loss_instance* instance, std::string subject);

  const LossPlugin& plugin() const { return *plugin_; }
  // What tells it from its siblings, made from the same list of names; "" where there was none.
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

// Reads a loss's parameters: one instance, or one for each name where a body, control, ... is given as a list or `all`.
// Problems go to the file's account, and the result is then empty, as it is while a schema is recorded: an unknown name (with
// those there are), two lists in one loss, a signal of another size, an observable that the simulation does not have,
// parameters that the plugin refuses. Throws Error(input) when the plugin breaks its contract.
std::vector<LossInstance> create_losses(const std::shared_ptr<const LossPlugin>& plugin, Configuration& parameters,
                                        const SimulationNames& names, SignalNames& signals);

// A loss of values by the names of its parameters: a vector's entries as "from.0", "from.1", "from.2", things in the simulation
// and signals by their numbers. Parameters without a value take their defaults. Throws Error(input), with the plugin's name,
// for a value that is missing or outside its range, one that nothing asks for, and for parameters that the plugin refuses.
LossInstance create_loss(const std::shared_ptr<const LossPlugin>& plugin,
                         const std::vector<std::pair<std::string, double>>& values);

std::string to_string(holo_observable_kind kind);  // "control rate"
std::string to_string(holo_subject subject);       // "design parameter"
// The class of what an observable of this kind is of.
holo_subject subject_of(holo_observable_kind kind);

}  // namespace holo
