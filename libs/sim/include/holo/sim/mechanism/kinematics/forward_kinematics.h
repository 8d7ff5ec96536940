#pragma once
// The states that given controls and design parameters lead to, one knot after the other, on one assembly mode: between two
// knots the controls move straight, and a predictor along the tangent and Newton's corrector follow in steps so short that
// no pose between two of them can be singular. Where motions cross (a change point) the mechanism goes on along its tangent,
// and the result tells; where the motion ends (a dead point) the diagnosis says when.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/sim/mechanism/constraints/constraint_equations.h"

namespace holo {

struct KinematicsOptions {
  double tolerance = 1e-12;      // of the largest equation, in the layout's units
  int max_iterations = 50;       // of Newton's method at the first knot
  double smallest_way = 1e-4;    // of the states in one step, in the layout's units: where shorter ones were needed there is
                                 // a change point or a dead point
  int most_parts = 20'000;       // steps between two knots
  double singular_below = 1e-6;  // singular values of the equations, each scaled to length 1
  double change_point_tolerance = 1e-9;  // of the largest equation, at a knot on a change point
  // How messages count: the number of the first knot, where knots that lead to it are below 0; and the time between two
  // knots [s], 0: unknown.
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

// Where two or more motions of a mechanism cross: which one it takes is not up to the controls.
struct ChangePoint {
  double at = 0;  // between knots: 2.25 is a quarter of the way from the third to the fourth; counted as messages count
  bool is_on_knot() const;
};

// "at knot 3 (t = 0.3 s)", "between knots 2 and 3 (t = 0.21 s)", "on the way from rest to the first knot".
std::string when(double at, double time_step);

struct Kinematics {
  KinematicsStatus status = KinematicsStatus::done;
  std::string diagnosis;  // empty when done: the knot, the joint or bodies, what to do
  int failed_knot = -1;
  Eigen::MatrixXd states;                  // [state_count][knot]; up to the failed one
  std::vector<int> iterations;             // Newton's, of each knot
  std::vector<int> parts;                  // into how many steps the controls were cut
  std::vector<ChangePoint> change_points;  // that the motion goes through
};

// From `start`, near the first knot's state. Where the layout keeps more equations than states all of them are satisfied, in
// the sense of least squares on the way. `controls` [control_count][knot], `prescribed` [prescribed_count][knot].
Kinematics forward_kinematics(const ConstraintEquations& equations, const Eigen::VectorXd& start,
                              const Eigen::MatrixXd& controls, const Eigen::VectorXd& parameters,
                              const Eigen::MatrixXd& prescribed, const KinematicsOptions& options = {});

}  // namespace holo
