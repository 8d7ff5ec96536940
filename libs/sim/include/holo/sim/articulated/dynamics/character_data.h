#pragma once
// A character's constants as plain arrays, which kernels read and a device could hold: degrees of freedom, masses, charts of
// rotations, plugin joints, contact points, pairs of self-collision. CharacterModel (character_model.h) owns them.

#include <limits>

#include "holo/sim/articulated/dynamics/rigid_frame.h"

namespace holo::articulated {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

enum class DofKind : int {
  prismatic,        // moves along the axis by q [m]
  revolute,         // turns about the axis by q [rad]
  rotation_vector,  // one of three consecutive ones: turns by R_ref exp([w]), w [rad]
  plugin,           // one of the consecutive coordinates of a plugin joint [rad or m]
};

// A degree of freedom with the frame T = T_parent X L(q) that it moves. Of a chart of rotations or a plugin joint the degrees
// of freedom are each other's parents and have the same frame; X is that of the first.
struct DegreeOfFreedom {
  int parent = -1;  // a number below its own; -1: the world
  DofKind kind = DofKind::revolute;
  int chart = -1;                                           // of a rotation vector: number of its chart
  int plugin_joint = -1;                                    // of a plugin joint's coordinate: number of the joint
  int component = 0;                                        // number in the chart or plugin joint, from 0
  bool is_length = false;                                   // of q: in m, else in rad
  RigidFrame<double> placement = identity_frame<double>();  // X
  Vector3<double> axis = {0, 0, 1};                         // of length 1, in the frame T_parent X
  bool has_mass = false;                                    // whether its frame carries mass
  double lower = -unlimited, upper = unlimited;             // limits of q [rad or m]
  double limit_weight = 0;                                  // w of w (excess)^3 [J/rad^3 or J/m^3]
  double armature = 0;                                      // a rotor's inertia [kg m^2 or kg]
  double damping = 0;                                       // [N m s/rad or N s/m]
  double stiffness = 0, spring_reference = 0;               // [N m/rad or N/m], [rad or m]
};

// A chart R = R_ref exp([w]) of three degrees of freedom. R_ref is a number of the state.
struct RotationChart {
  int first = 0;            // its first degree of freedom
  double cone = unlimited;  // |w| without torque, at most [rad]; R_ref of a chart with a cone must be the identity
  double cone_weight = 0;   // w of w (|w| - cone)^3 [J/rad^3]
};

// A joint whose motion is a plugin's: X_AB(q) behind the placement X of its first degree of freedom, so that L = X_AB X_B.
struct PluginJointData {
  int first = 0, coordinate_count = 1;                   // its degrees of freedom
  int first_twist = 0;                                   // of its coordinates, in PluginMotions
  int first_derivative = 0;                              // of its pairs of coordinates, in PluginMotions
  RigidFrame<double> behind = identity_frame<double>();  // X_B: the degrees of freedom's frame in frame B
};

// The second moments E = integral of density [p; 1][p; 1]^T dp of a degree of freedom's frame [kg m^2, kg m, kg].
using SecondMoments = Matrix<double, 4, 4>;

// A sphere that touches obstacles, or a vertex if the radius is 0.
struct ContactPoint {
  int dof = -1;                        // whose frame carries it
  Vector3<double> center = {0, 0, 0};  // in the frame [m]
  double radius = 0;                   // [m]
  double lever = 0;  // distance of the point that the force acts on from the center, against the normal [m]: the radius, or 0
};

// Two spheres of contact points that push each other apart where they overlap.
struct SpherePair {
  int first = 0, second = 0;              // numbers of contact points
  Vector3<double> direction = {0, 0, 1};  // from the second to the first where their centers coincide, of length 1
};

// All arrays are the owner's.
struct CharacterData {
  int dof_count = 0, chart_count = 0, plugin_joint_count = 0, contact_point_count = 0, sphere_pair_count = 0;
  const DegreeOfFreedom* dofs = nullptr;   // parents first
  const SecondMoments* moments = nullptr;  // of each degree of freedom
  const RotationChart* charts = nullptr;
  const PluginJointData* plugin_joints = nullptr;
  const ContactPoint* contact_points = nullptr;
  const SpherePair* sphere_pairs = nullptr;
};

// The motions of plugin joints at a state. Plugins run on the host, before the kernels (plugin_motions.h).
template <class S>
struct PluginMotions {
  const RigidFrame<S>* frames = nullptr;  // X_AB of each joint
  const Twist<S>* twists = nullptr;       // xi_k of each coordinate in frame A: dX_AB/dq_k = xi_k X_AB
  // dxi_k/dq_l of a joint's coordinates k <= l, at l (l + 1) / 2 + k behind its first one; used by Jacobians only.
  const Twist<S>* derivatives = nullptr;
};

// Coordinates q [m or rad], reference rotations R_ref of the charts, and the motions of plugin joints at q.
template <class S>
struct CharacterState {
  const S* coordinates = nullptr;               // dof_count
  const Matrix3<double>* references = nullptr;  // chart_count
  PluginMotions<S> motions = {};                // of a character without plugin joints: none
};

// What character_kinematics() finds of a state.
template <class S>
struct CharacterKinematics {
  RigidFrame<S>* frames = nullptr;  // T of each degree of freedom, in the world
  Twist<S>* twists = nullptr;       // xi of each: dT/dq = xi T for the frames of it and below it
};

}  // namespace holo::articulated
