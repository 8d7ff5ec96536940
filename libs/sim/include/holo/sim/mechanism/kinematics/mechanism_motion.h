#pragma once
// A mechanism made ready for optimization: the motion that its initial controls and design lead to, and the independent
// equations along it.

#include <Eigen/Core>
#include <memory>

#include "holo/sim/mechanism/constraints/redundant_equations.h"
#include "holo/sim/mechanism/kinematics/forward_kinematics.h"

namespace holo {

enum class RedundantActuation {
  dependent,  // controls whose equations the others imply become states: their limits and regularizers act on what they do
  free        // as the paper: nothing ties them to the motion
};

struct MechanismMotionOptions {
  RedundantActuation redundant_actuation = RedundantActuation::dependent;
  EliminationOptions elimination;
  KinematicsOptions kinematics;
  int pose_count = 16;                    // at which redundant equations are found, evenly over the motion; at least 1
  std::vector<int> task_beginnings = {};  // motion_tasks.h
};

// All in the layout's units, but `prescribed`.
struct MechanismMotion {
  std::shared_ptr<const MechanismLayout> layout;         // with its elimination
  std::shared_ptr<const ConstraintEquations> equations;  // as many as there are states
  EliminationResult elimination;
  Eigen::MatrixXd states, controls;  // [.][knot]
  Eigen::VectorXd parameters;
  Eigen::MatrixXd prescribed;         // [prescribed_count][knot], SI
  std::vector<std::string> warnings;  // for the user: change points that it goes through
  int nullity() const { return elimination.passive_equations - elimination.passive_rank; }
};

// From states of the layout without an elimination, such as inverse kinematics finds them: the controls are what the actuators
// measure. `parameters` and `prescribed` in SI units. Throws Error(input) where an equation does not hold to 1e-9, or as below.
MechanismMotion make_motion_of_states(std::shared_ptr<const MechanismModel> model, const Eigen::MatrixXd& states,
                                      const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                                      const MechanismMotionOptions& options = {});

// The same motion with redundant equations eliminated at its own poses, that of `knot` among them. Throws Error(input) where
// they do not determine it.
MechanismMotion with_new_elimination(const MechanismMotion& motion, int knot, const MechanismMotionOptions& options);

// States and controls [.][knot] of one layout as those of another of the same model, where other controls may depend on
// others.
void rearrange(const MechanismLayout& from, const MechanismLayout& to, Eigen::MatrixXd& states, Eigen::MatrixXd& controls);

// All controls of the layout without an elimination, dependent ones too, in SI units: [control][knot].
Eigen::MatrixXd all_controls(const MechanismLayout& layout, const Eigen::MatrixXd& states, const Eigen::MatrixXd& controls);

// `controls` [control_count][knot] and `parameters` in SI units, `prescribed` [prescribed_count][knot]. From rest the
// controls of each task's first knot are approached in steps. Throws Error(input) with the diagnosis where the mechanism
// cannot do the motion, or where its equations do not determine it.
MechanismMotion make_motion(std::shared_ptr<const MechanismModel> model, const Eigen::MatrixXd& controls,
                            const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                            const MechanismMotionOptions& options = {});

// Where a point of a body or part (in its coordinates, [m]) is in a state of the layout [m]; and the quaternion (w, x, y, z).
Eigen::Vector3d point_of(const MechanismModel& model, const Eigen::Ref<const Eigen::VectorXd>& state, int body,
                         const Eigen::Vector3d& point);
Eigen::Vector4d orientation_of(const MechanismModel& model, const Eigen::Ref<const Eigen::VectorXd>& state, int body);

}  // namespace holo
