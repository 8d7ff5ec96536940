#pragma once
// Contact of a scene: what its definition means for the bodies of a model.

#include <limits>
#include <memory>
#include <vector>

#include "holo/sim/contact/contact_surface.h"
#include "holo/sim/contact/mesh_contact.h"

namespace holo {

struct SceneContact {
  std::shared_ptr<const ContactSurface> surface;  // null: nothing collides
  Barrier barrier;
  FrictionLaw friction_law = FrictionLaw::quintic;
  double stick_speed = 0;  // [m/s]
  int lag_updates = 0;
  std::vector<PlaneDefinition> planes;
  std::shared_ptr<const MeshContact> mesh;  // null: no bodies collide with each other or with meshes

  bool obstacles_move() const;  // of any kind
};

// Where nothing collides, nothing is computed. Throws Error(input) at an obstacle's place for a body that begins in it or
// touches it, with the vertex; for what make_mesh_contact() refuses; for surfaces that begin intersecting, touching, or, of one
// body, within the activation distance of each other; and for a stiffness that the rule cannot find.
SceneContact make_scene_contact(const ElasticModel& model, const ElasticSceneDefinition& definition);

// The contacts at positions [3 * vertex] [m], with the obstacles at their places at `time` [s].
struct ContactSummary {
  // Between a surface and an obstacle or another surface [m]. Gaps between meshes count up to the activation distance, which
  // stands for larger ones; where nothing collides inf.
  double smallest_gap = std::numeric_limits<double>::infinity();
  int touching_vertices = 0;  // of bodies that are repelled: by planes, or as nodes of the closest features of a pair
  double normal_force = 0;    // sum of the forces between surface and planes, and of all pairs [N]
};
ContactSummary summarize_contact(const SceneContact& contact, const Eigen::VectorXd& positions, double time);

// The stiffness k [Pa/m] at which a gap of half the activation distance D carries the larger of half the Young's modulus (of
// bodies that are not affine: theirs only makes them nearly rigid) and three times the weight over the area that looks down:
// p/(1.2 D).
double contact_stiffness(const ElasticModel& model, const ContactSurface& surface, double activation_distance,
                         const Vector3d& gravity);

}  // namespace holo
