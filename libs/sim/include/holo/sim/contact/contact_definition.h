#pragma once
// The sections `contact:` and `obstacles:` of a scene, as plain data.
//
//   contact:
//     activation_distance: 0.001          # m; default: 1/1000 of the scene's length
//     stiffness: 4.2e7                    # Pa/m; default: by a rule of weight and elasticity (contact_stiffness)
//     barrier: logarithmic                # or smooth, squared (contact/gap_energy.h)
//     friction: {law: quintic, stick_speed: 0.01, lag_updates: 1}    # m/s
//   obstacles:
//     - {name: ground, type: plane, point: [0, 0, 0], normal: [0, 0, 1], friction: 0.5}

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/contact/gap_energy.h"

namespace holo {

using Vector3d = std::array<double, 3>;

// The half space below a plane.
struct PlaneDefinition {
  std::string name;
  Vector3d point = {};          // in the plane [m]
  Vector3d normal = {0, 0, 1};  // outwards, unit
  double friction = 0;          // coefficient, >= 0
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
  Location location;
};

// Reads both sections of a scene. Problems are reported through the configuration file.
ContactDefinition read_contact(Configuration& scene);

}  // namespace holo
