#include "holo/sim/dynamics/potential_terms.h"

#include <algorithm>

#include "dynamics/contact/embedded_term.h"
#include "dynamics/contact/mesh_barrier.h"
#include "dynamics/contact/mesh_friction.h"
#include "dynamics/contact/plane_contact.h"
#include "dynamics/muscle/fiber_energy.h"
#include "dynamics/muscle/lagged_muscle_force.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/dynamics/gravity.h"
#include "holo/sim/dynamics/inertia.h"
#include "holo/sim/dynamics/mass_damping.h"
#include "holo/sim/dynamics/stiffness_damping.h"

namespace holo {
namespace {

// A contact term acts on the points of affine bodies by the model's embedding.
void add_contact(const ElasticScene& scene, std::unique_ptr<PotentialTerm> term, PotentialTerms& terms) {
  if (const auto& embedding = scene.model->embedding()) term = std::make_unique<EmbeddedTerm>(std::move(term), embedding);
  terms.push_back(std::move(term));
}

void add_forces(const ElasticScene& scene, PotentialTerms& terms) {
  terms.push_back(std::make_unique<Gravity>(scene.model, scene.gravity));
  for (const ElasticBody& body : scene.model->bodies())
    for (const LoadDefinition& load : body.loads) terms.push_back(load.make(*scene.model, body, load));
  for (const PlaneDefinition& plane : scene.contact.planes)
    add_contact(scene, std::make_unique<PlaneBarrier>(plane, scene.contact.surface, scene.contact.barrier), terms);
  if (scene.contact.mesh) add_contact(scene, std::make_unique<MeshBarrier>(scene.contact.mesh, scene.contact.barrier), terms);
}

void add_friction(const ElasticScene& scene, PotentialTerms& terms) {
  const SceneContact& contact = scene.contact;
  for (const PlaneDefinition& plane : contact.planes)
    if (plane.friction > 0)
      add_contact(
          scene,
          std::make_unique<PlaneFriction>(plane, contact.surface, contact.barrier, contact.friction_law, contact.stick_speed),
          terms);
  if (contact.mesh && MeshFriction::acts_on(*contact.mesh))
    add_contact(scene, std::make_unique<MeshFriction>(contact.mesh, contact.barrier, contact.friction_law, contact.stick_speed),
                terms);
}

bool has_muscles(const ElasticModel& model, bool (*chosen)(MuscleLaw)) {
  return std::any_of(model.bodies().begin(), model.bodies().end(),
                     [&](const ElasticBody& body) { return body.muscles && chosen(body.muscles->law); });
}

std::unique_ptr<ElasticTerm> elasticity_with_muscles(const ElasticScene& scene) {
  auto elasticity = std::make_unique<ElasticTerm>(scene.model);
  if (has_muscles(*scene.model, FiberEnergy::has_energy)) elasticity->add(std::make_unique<FiberEnergy>(scene.model));
  if (has_muscles(*scene.model, LaggedMuscleForce::has_no_energy))
    elasticity->add(std::make_unique<LaggedMuscleForce>(scene.model));
  return elasticity;
}

}  // namespace

PotentialTerms implicit_euler_terms(const ElasticScene& scene) {
  PotentialTerms terms;
  auto elasticity = elasticity_with_muscles(scene);
  if (StiffnessDamping::acts_on(*scene.model)) elasticity->add(std::make_unique<StiffnessDamping>(scene.model));
  terms.push_back(std::move(elasticity));
  terms.push_back(std::make_unique<Inertia>(scene.model));
  if (MassDamping::acts_on(*scene.model)) terms.push_back(std::make_unique<MassDamping>(*scene.model));
  add_forces(scene, terms);
  add_friction(scene, terms);
  return terms;
}

PotentialTerms static_terms(const ElasticScene& scene) {
  PotentialTerms terms;
  terms.push_back(elasticity_with_muscles(scene));
  add_forces(scene, terms);
  return terms;
}

}  // namespace holo
