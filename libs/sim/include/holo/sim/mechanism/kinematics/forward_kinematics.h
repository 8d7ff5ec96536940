#pragma once
// Forward kinematics: the states under given controls and design parameters, knot after knot, on one assembly mode. Between two
// knots the controls vary linearly. A predictor along the tangent and Newton's corrector follow them in steps so short that no
// singular pose can lie between two of them. At a change point, where motions cross, the mechanism continues along its tangent,
// and the result lists the point. A dead point ends the motion, and the diagnosis states its time.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

struct KinematicsOptions {
  double tolerance = 1e-12;      // largest residual of an equation, in the layout's units
  int max_iterations = 50;       // of Newton's method at the first knot
  double smallest_way = 1e-4;    // shortest step of the states, in the layout's units: a need for shorter steps indicates a
                                 // change point or a dead point
  int most_parts = 20'000;       // most steps between two knots
  double singular_below = 1e-6;  // singular values of the Jacobian in the states, rows scaled to length 1
  double change_point_tolerance = 1e-9;  // largest residual of an equation at a knot on a change point
  // For messages: the number of the first knot, which is negative if the first knots only lead to knot 0; and the time between
  // two knots [s], 0: unknown.
  int first_knot = 0;
  double time_step = 0;
};

enum class KinematicsStatus {
  done,
  unreachable,  // no state satisfies the equations
  singular,     // the equations do not determine the state there
  other_branch  // only states with a flipped joint, or of another assembly mode, satisfy them
};

std::string to_string(KinematicsStatus status);

// A pose at which two or more motions of the mechanism cross; the controls do not determine which one it follows.
struct ChangePoint {
  double at = 0;  // position in knots, counted as in messages: 2.25 is a quarter of the way from knot 2 to knot 3
  bool is_on_knot() const;
};

// The text of a position in knots: "at knot 3 (t = 0.3 s)", "between knots 2 and 3 (t = 0.21 s)", "on the way from rest to the
// first knot". Without a time step [s] there is no time.
std::string when(double at, double time_step);

struct Kinematics {
  KinematicsStatus status = KinematicsStatus::done;
  std::string diagnosis;  // empty if done; else the knot, the joint or bodies, a remedy
  int failed_knot = -1;
  Eigen::MatrixXd states;                  // [state_count][knot], in the layout's units; up to the failed knot
  std::vector<int> iterations;             // [knot] of Newton's method
  std::vector<int> parts;                  // [knot] number of steps from the knot before
  std::vector<ChangePoint> change_points;  // that the motion passes
};

// The motion from `start` [state_count], a state near that of the first knot. `controls` [control_count][knot] and `parameters`
// [parameter_count] are in the layout's units, `prescribed` [prescribed_count][knot] in SI units. With more equations than
// states, all equations are satisfied, by least squares during the iterations. Never throws for a numerical reason.
Kinematics forward_kinematics(const ConstraintEquations& equations, const Eigen::VectorXd& start,
                              const Eigen::MatrixXd& controls, const Eigen::VectorXd& parameters,
                              const Eigen::MatrixXd& prescribed, const KinematicsOptions& options = {});

}  // namespace holo
