#pragma once
// Contact of a scene: what its definition means for the bodies of a model.

#include <limits>
#include <memory>
#include <vector>

#include "holo/sim/contact/contact_definition.h"
#include "holo/sim/contact/contact_surface.h"

namespace holo {

struct SceneContact {
  std::shared_ptr<const ContactSurface> surface;  // null: there is no obstacle
  Barrier barrier;
  FrictionLaw friction_law = FrictionLaw::quintic;
  double stick_speed = 0;  // [m/s]
  int lag_updates = 0;
  std::vector<PlaneDefinition> planes;
};

// Without obstacles nothing is computed. Throws Error(input) at an obstacle's place for a body that begins in it or touches it,
// with the vertex, and for a stiffness that the rule cannot find.
SceneContact make_scene_contact(const ElasticModel& model, const ContactDefinition& definition, const Vector3d& gravity);

// The contacts at positions [3 * vertex] [m].
struct ContactSummary {
  double smallest_gap =
      std::numeric_limits<double>::infinity();  // between the surface and an obstacle [m]; without obstacles inf
  int touching_vertices = 0;                    // that an obstacle repels
  double normal_force = 0;                      // sum of the forces between surface and obstacles [N]
};
ContactSummary summarize_contact(const SceneContact& contact, const Eigen::VectorXd& positions);

// The stiffness k [Pa/m] at which a gap of half the activation distance D carries the larger of half the Young's modulus and
// three times the weight over the area that looks down: p/(1.2 D).
double contact_stiffness(const ElasticModel& model, const ContactSurface& surface, double activation_distance,
                         const Vector3d& gravity);

}  // namespace holo
