#include "holo/sim/dynamics/potential_terms.h"

#include <algorithm>

#include "dynamics/contact/embedded_term.h"
#include "dynamics/contact/mesh_barrier.h"
#include "dynamics/contact/mesh_friction.h"
#include "dynamics/contact/plane_bristles.h"
#include "dynamics/contact/plane_contact.h"
#include "dynamics/muscle/fiber_energy.h"
#include "dynamics/muscle/lagged_muscle_force.h"
#include "holo/sim/dynamics/body_energy_term.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/dynamics/gravity.h"
#include "holo/sim/dynamics/inertia.h"
#include "holo/sim/dynamics/mass_damping.h"
#include "holo/sim/dynamics/stiffness_damping.h"

namespace holo {
namespace {

PotentialTerms barriers(const ElasticScene& scene) {
  const SceneContact& contact = scene.contact;
  PotentialTerms terms;
  for (const PlaneDefinition& plane : contact.planes)
    terms.push_back(std::make_unique<PlaneBarrier>(plane, contact.surface, contact.barrier));
  if (contact.mesh) terms.push_back(std::make_unique<MeshBarrier>(contact.mesh, contact.barrier));
  return terms;
}

// The vertices of surfaces without bristles, with what friction on planes needs of them; all of them where there are none.
std::shared_ptr<const ContactSurface> without_bristles(const SceneContact& contact) {
  const ContactSurface& surface = *contact.surface;
  if (!surface.bristles) return contact.surface;
  auto smooth = std::make_shared<ContactSurface>();
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
    if (surface.bristles->covers(surface.vertices[i])) continue;
    smooth->vertices.push_back(surface.vertices[i]);
    smooth->areas.push_back(surface.areas[i]);
    smooth->bodies.push_back(surface.bodies[i]);
  }
  return smooth;
}

PotentialTerms frictions(const ElasticScene& scene) {
  const SceneContact& contact = scene.contact;
  PotentialTerms terms;
  for (const PlaneDefinition& plane : contact.planes) {
    if (plane.friction == 0) continue;
    if (const auto smooth = without_bristles(contact); !smooth->vertices.empty())
      terms.push_back(
          std::make_unique<PlaneFriction>(plane, smooth, contact.barrier, contact.friction_law, contact.stick_speed));
    if (contact.surface->bristles)
      terms.push_back(
          std::make_unique<PlaneBristles>(plane, contact.surface, contact.barrier, contact.friction_law, contact.stick_speed));
  }
  if (contact.mesh && MeshFriction::acts_on(*contact.mesh))
    terms.push_back(std::make_unique<MeshFriction>(contact.mesh, contact.barrier, contact.friction_law, contact.stick_speed,
                                                   contact.surface->bristles));
  return terms;
}

// Terms of contact act on the points of affine bodies by the model's embedding.
void add_contact(const ElasticScene& scene, PotentialTerms contact, PotentialTerms& terms) {
  for (std::unique_ptr<PotentialTerm>& term : contact) {
    if (const auto& embedding = scene.model->embedding()) term = std::make_unique<EmbeddedTerm>(std::move(term), embedding);
    terms.push_back(std::move(term));
  }
}

void add_forces(const ElasticScene& scene, Gravity::On weighed, PotentialTerms& terms) {
  for (std::unique_ptr<PotentialTerm>& energy : body_energy_terms(scene.model)) terms.push_back(std::move(energy));
  terms.push_back(std::make_unique<Gravity>(scene.model, scene.gravity, weighed));
  for (const ElasticBody& body : scene.model->bodies())
    for (const LoadDefinition& load : body.loads) terms.push_back(load.make(*scene.model, body, load));
  add_contact(scene, barriers(scene), terms);
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
  add_forces(scene, Gravity::On::masses, terms);
  add_contact(scene, frictions(scene), terms);
  return terms;
}

PotentialTerms contact_terms(const ElasticScene& scene) {
  PotentialTerms terms = barriers(scene);
  for (std::unique_ptr<PotentialTerm>& term : frictions(scene)) terms.push_back(std::move(term));
  return terms;
}

PotentialTerms static_terms(const ElasticScene& scene) {
  PotentialTerms terms;
  terms.push_back(elasticity_with_muscles(scene));
  add_forces(scene, Gravity::On::shape_masses, terms);
  return terms;
}

}  // namespace holo
