#pragma once
// A mechanism made ready for optimization: the motion that its initial controls and design lead to, and the rows that are kept
// along it.

#include <Eigen/Core>
#include <memory>

#include "holo/sim/mechanism/forward_kinematics.h"
#include "holo/sim/mechanism/row_selection.h"

namespace holo {

struct MechanismMotionOptions {
  RowSelectionOptions selection;
  KinematicsOptions kinematics;
  int pose_count = 16;  // at which the rows are selected, evenly over the motion; at least 1
};

// All in the layout's units, but `prescribed`.
struct MechanismMotion {
  std::shared_ptr<const MechanismLayout> layout;  // with its selection
  std::shared_ptr<const MechanismRows> rows;      // as many kept as there are states
  RowSelectionResult selection;
  Eigen::MatrixXd states, controls;  // [.][instant]
  Eigen::VectorXd parameters;
  Eigen::MatrixXd prescribed;        // [prescribed_count][instant], SI
  int nullity() const { return selection.passive_rows - selection.passive_rank; }
};

// `controls` [control_count][instant] and `parameters` in SI units, `prescribed` likewise. From rest the first instant's controls are
// approached in steps. Throws Error(input) with the diagnosis where the mechanism cannot do the motion, or where its rows do not
// determine it.
MechanismMotion make_motion(std::shared_ptr<const MechanismModel> model, const Eigen::MatrixXd& controls,
                            const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                            const MechanismMotionOptions& options = {});

// Where a body's point (in the body's coordinates, [m]) is in a state of the layout [m].
Eigen::Vector3d point_of(const MechanismModel& model, const Eigen::Ref<const Eigen::VectorXd>& state, int body,
                         const Eigen::Vector3d& point);

}  // namespace holo
