#pragma once
// Losses of a mechanism as an experiment would make them.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/losses/signal_store.h"
#include "holo/sim/mechanism/losses/mechanism_losses.h"
#include "oracle_mechanisms.h"

namespace holo::oracle {

// What losses may name: the mechanism's own, and signals over `knot_count` knots.
struct LossContext : SignalStore {
  LossContext(std::shared_ptr<const MechanismLayout> layout, int knot_count)
      : SignalStore(knot_count), observables(std::move(layout)) {}
  MechanismObservables observables;
};

// `yaml` holds the loss' parameters; one that stands for several names makes several losses.
inline void add_loss(std::vector<NamedLoss>& losses, LossContext& names, const std::string& type, const std::string& yaml) {
  ConfigurationFile file = ConfigurationFile::parse(yaml, type + ".yaml");
  Configuration root = file.root();
  auto made = create_losses(plugins().get<LossPlugin>(type), root, names.observables, names);
  file.finish();
  for (LossInstance& instance : made) losses.push_back({type, std::make_shared<const LossInstance>(std::move(instance))});
}

}  // namespace holo::oracle
