#pragma once
// The sections `contact:` and `obstacles:` of a scene, as plain data.
//
//   contact:
//     activation_distance: 0.001          # m; default: 1/1000 of the scene's length
//     stiffness: 4.2e7                    # Pa/m; default: by a rule of weight and elasticity (contact_stiffness)
//     barrier: logarithmic                # or smooth, squared (contact/gap_energy.h)
//     between_bodies: true                # default: bodies collide with each other once there is this section
//     check_paths: false                  # whether a second method checks each step between surfaces (mesh_contact.h)
//     friction:
//       law: quintic
//       stick_speed: 0.01                 # m/s
//       lag_updates: 1
//       pairs: [{between: [book, seat], coefficient: 0.4}]           # instead of the rule for two surfaces
//   obstacles:
//     - {name: ground, type: plane, point: [0, 0, 0], normal: [0, 0, 1], friction: 0.5}
//     - name: stool
//       type: mesh
//       mesh: {shape: box, size: [0.6, 0.6, 0.3], elements: 48}      # or a file, as of bodies
//       placement: {translate: [0.4, -0.3, 0]}                       # m
//       friction: 0.5
//       motion: {type: rotation, angle: 3.14, duration: 2}           # of all types (elastic/handles/handle_motion.h)
//     - {name: ball, type: sphere, center: [0, 0, 1], radius: 0.1}   # and others (obstacle_shape.h)

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/contact/gap_energy.h"
#include "holo/sim/contact/obstacle_shape.h"
#include "holo/sim/elastic/handles/handle_motion.h"
#include "holo/sim/mesh/shapes.h"

namespace holo {

// The half space below a plane.
struct PlaneDefinition {
  std::string name;
  Vector3d point = {};          // in the plane [m]
  Vector3d normal = {0, 0, 1};  // outwards, unit
  double friction = 0;          // coefficient, >= 0
  Location location;
  MotionDefinition motion = {};

  PlaneDefinition at(double time) const;  // [s]: with the point and the normal that the motion gives it
};

// The boundary of a mesh of tetrahedra, or another shape.
struct MeshObstacleDefinition {
  std::string name;
  MeshSource mesh;                     // in its own coordinates; null: `shape`
  Vector3d rotation_axis = {0, 0, 1};  // placement x = R X + translation; unit
  double rotation_angle = 0;           // [rad]
  Vector3d translation = {};           // [m]
  double friction = 0;                 // coefficient, >= 0
  Location location;
  MotionDefinition motion = {};    // of the placed mesh
  ObstacleShapeSource shape = {};  // in its own coordinates
};

// The coefficient of friction between two surfaces, or of one with itself, in place of that of the rule (mesh_contact.h).
struct PairFriction {
  std::array<std::string, 2> names;  // of bodies or obstacles of type mesh
  double coefficient = 0;            // >= 0
  Location location;
};

struct ContactDefinition {
  BarrierShape shape = BarrierShape::logarithmic;
  std::optional<double> activation_distance;  // [m]
  std::optional<double> stiffness;            // [Pa/m]
  FrictionLaw friction_law = FrictionLaw::quintic;
  std::optional<double> stick_speed;  // [m/s] below which friction is not complete; none: 1/1000 of the length per second
  int lag_updates = 0;                // how often a step is solved again with its own normal forces
  std::vector<PlaneDefinition> planes;
  bool between_bodies = false;  // each two bodies collide with each other
  bool check_paths = false;     // MeshContact::check_paths
  std::vector<MeshObstacleDefinition> meshes;
  std::vector<PairFriction> pair_friction;
  Location location;
};

// Reads both sections of a scene. Problems are reported through the configuration file.
ContactDefinition read_contact(Configuration& scene);

}  // namespace holo
