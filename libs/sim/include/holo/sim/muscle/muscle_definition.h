#pragma once
// The `muscles:` of a body, as an experiment gives them, and what a model makes of them.
//
//   muscles:
//     law: fiber                        # default; fiber_squared, paper (muscle_fibers.h)
//     width: 0.07                       # m, > 0: c of the weights exp(-g^2/c^2), g the distance within the body; without it
//                                       # 0.6 of the mean spacing of the parallel fibers of `longitudinal` muscles
//     normalize: false                  # scales all weights so that the largest sum of an element is 1
//     activation_limit: 3               # of |activation|, in multiples of the shear modulus at rest
//     list:                             # at least one; coordinates are the mesh's own [m], before the placement
//       - {name: spine, type: line, points: [{at: [0, 0, 0]}, {at: [1, 0, 0]}], segments: 4, activation: 1.0e4}    # Pa
//       - {name: belly, type: longitudinal, points: [...], count: 4, offset: 0.08, start_angle: 0.785, segments: 5}
//       - {name: waist, type: ring, center: [0, 0, 0], axis: [1, 0, 0], radius: 0.08, segments: 6}
//       - {name: foot, type: radial, center: [0, 0, 0], axis: [0, 0, 1], inner_radius: 0.04, outer_radius: 0.18, count: 8}
//       - {name: twist, type: helix, center: [0, 0, 0], axis: [0, 0, 1], radius: 0.07, start_height: 0.1, end_height: 0.8,
//          turns: -1, segments: 6, activation: NAME}                                                # of a signal

#include <Eigen/Geometry>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"
#include "holo/sim/muscle/muscle_fibers.h"

namespace holo {

using Polyline = std::vector<Eigen::Vector3d>;  // corners [m], at least two

// What a type of muscle makes: polylines, each straight piece of which is a segment.
struct MuscleCurves {
  std::vector<Polyline> fibers;
  bool numbered = false;                                      // several fibers: NAME_1, NAME_2, ...; else NAME
  double spacing = std::numeric_limits<double>::quiet_NaN();  // of neighboring parallel fibers [m]; NaN: there are none
};

struct MuscleDefinition {
  std::string name;
  MuscleCurves curves;  // in the mesh's own coordinates
  MuscleActivation activation;
  Location location;
};

// Of the fiber with this number, from 0, of a muscle.
std::string fiber_name(const MuscleDefinition& muscle, std::size_t number);

struct MusclesDefinition {
  MuscleLaw law = MuscleLaw::fiber;
  double width = 0;  // [m], > 0
  bool normalize = false;
  double activation_limit = 3;
  std::vector<MuscleDefinition> list;
};

// Reads `muscles` of a body; null where there are none. Problems are reported through the configuration file.
std::shared_ptr<const MusclesDefinition> read_muscles(Configuration& body);

// The body to which muscles belong.
struct MuscleBody {
  std::string name;
  int first_element = 0;                                            // in the model
  double shear_modulus = std::numeric_limits<double>::quiet_NaN();  // at rest, the smallest [Pa]; NaN: unknown
  Eigen::Isometry3d placement = Eigen::Isometry3d::Identity();      // from the mesh's coordinates to the model's
};

// The segments with their weights, for a mesh at rest in its own coordinates. Throws Error(input) at the muscle's place in the
// experiment for a segment whose largest weight is 0.1 or less (muscle, piece, nearest element and its distance), and for a
// constant activation at which the law fiber_squared has no equilibrium (below -0.8 of the shear modulus).
MuscleFibers make_muscle_fibers(const MusclesDefinition& definition, const TetrahedralMesh& rest, const MuscleBody& body);

}  // namespace holo
