#pragma once
// Refusal and provenance of the body energies of a scene, for the studies of elastic bodies.

#include <string>
#include <vector>

#include "holo/sim/elastic/elastic_scene_definition.h"
#include "holo/study/study.h"

namespace holo {

// For a study that cannot use body energies: each one in the scene is a problem of the experiment, at its place, with the
// `reason`, such as "needs third derivatives".
inline void refuse_body_energies(Configuration& experiment, const ElasticSceneDefinition& scene, const std::string& reason) {
  for (const ElasticBodyDefinition& body : scene.bodies)
    if (!body.energies.empty())
      experiment.problem(body.energies.front().location, "this study takes no `body_energies`: it " + reason +
                                                             ". The studies elastic_dynamics and quasi_statics take them.");
}

// The plugins of all bodies of a scene.
inline void add_scene_plugins(const ElasticSceneDefinition& scene, std::vector<UsedPlugin>& plugins) {
  for (const ElasticBodyDefinition& body : scene.bodies) {
    if (body.plugin) plugins.emplace_back(body.plugin);
    for (const BodyEnergyDefinition& energy : body.energies)
      if (energy.instance)
        plugins.emplace_back(std::shared_ptr<const BodyEnergyPlugin>(energy.instance, &energy.instance->plugin()));
  }
}

}  // namespace holo
