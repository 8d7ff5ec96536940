#pragma once
// Initial motion of a mechanism for an optimization: states, controls and design, with the redundant equations eliminated along
// the motion.

#include <Eigen/Core>
#include <memory>

#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "holo/sim/mechanism/kinematics/forward_kinematics.h"

namespace holo {

enum class RedundantActuation {
  dependent,  // controls with redundant equations become states: their limits and regularizers act on their actual values
  free        // controls with redundant equations are free, as in the paper: no equation connects them with the motion
};

struct MechanismMotionOptions {
  RedundantActuation redundant_actuation = RedundantActuation::dependent;
  EliminationOptions elimination;
  KinematicsOptions kinematics;
  int pose_count = 16;                    // number of poses, evenly over the motion, for the elimination; at least 1
  std::vector<int> task_beginnings = {};  // first knots of the tasks but the first (motion_tasks.h)
};

// A motion. States, controls and parameters are in the layout's units, `prescribed` in SI units.
struct MechanismMotion {
  std::shared_ptr<const MechanismLayout> layout;         // with its elimination
  std::shared_ptr<const ConstraintEquations> equations;  // as many as there are states
  EliminationResult elimination;
  Eigen::MatrixXd states, controls;   // [state_count][knot], [control_count][knot]
  Eigen::VectorXd parameters;         // [parameter_count]
  Eigen::MatrixXd prescribed;         // [prescribed_count][knot], SI
  std::vector<std::string> warnings;  // for the user: change points that the motion passes
  int nullity() const { return elimination.passive_equations - elimination.passive_rank; }
};

// The motion with given states [state_count][knot] of the layout without an elimination, in its units, such as those of inverse
// kinematics. The controls are computed from the poses. `parameters` [parameter_count] and `prescribed`
// [prescribed_count][knot] are in SI units. Throws Error(input) if a residual exceeds 1e-9, or if the equations do not
// determine the motion.
MechanismMotion make_motion_of_states(const std::shared_ptr<const MechanismModel>& model, const Eigen::MatrixXd& states,
                                      const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                                      const MechanismMotionOptions& options = {});

// The same motion with redundant equations eliminated again, at its own poses including that of `knot`. Throws Error(input) if
// the equations do not determine the motion.
MechanismMotion with_new_elimination(const MechanismMotion& motion, int knot, const MechanismMotionOptions& options);

// Converts states [state_count][knot] and controls [control_count][knot], in place, from one layout to another of the same
// model, which may have other dependent controls. Both are in the layouts' units.
void rearrange(const MechanismLayout& from, const MechanismLayout& to, Eigen::MatrixXd& states, Eigen::MatrixXd& controls);

// All controls, dependent ones too, in SI units: [control of the layout without an elimination][knot]. `states` and `controls`
// are in the layout's units.
Eigen::MatrixXd all_controls(const MechanismLayout& layout, const Eigen::MatrixXd& states, const Eigen::MatrixXd& controls);

// The motion under given controls [control_count][knot] and parameters [parameter_count], with prescribed coordinates
// [prescribed_count][knot], all in SI units. The first knot of each task is approached from rest in steps. Throws Error(input)
// with a diagnosis if the mechanism cannot follow the controls, or if its equations do not determine the motion.
MechanismMotion make_motion(const std::shared_ptr<const MechanismModel>& model, const Eigen::MatrixXd& controls,
                            const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                            const MechanismMotionOptions& options = {});

// For a body or merged body B in a state [state_count] in the layout's units: p_WP [m] of the point P, given as p_BP [m]; and
// the quaternion (w, x, y, z) of R_WB.
Eigen::Vector3d point_of(const MechanismModel& model, const Eigen::Ref<const Eigen::VectorXd>& state, int body,
                         const Eigen::Vector3d& point);
Eigen::Vector4d orientation_of(const MechanismModel& model, const Eigen::Ref<const Eigen::VectorXd>& state, int body);

}  // namespace holo
