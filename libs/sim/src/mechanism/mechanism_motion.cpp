#include "holo/sim/mechanism/mechanism_motion.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "holo/core/error.h"

namespace holo {

namespace {

void require_size(const std::string& what, Eigen::Index found, Eigen::Index wanted) {
  if (found != wanted)
    throw Error(Failure::input, what + ": " + std::to_string(found) + " given, the mechanism has " + std::to_string(wanted));
}

// From rest to the first instant in as many parts, so that no step of it is large; and then the motion.
constexpr int approach_steps = 8;

Eigen::MatrixXd with_approach(const Eigen::VectorXd& rest, const Eigen::MatrixXd& motion) {
  Eigen::MatrixXd all(motion.rows(), motion.cols() + approach_steps);
  for (int k = 0; k < approach_steps; ++k)
    all.col(k) = rest + double(k) / approach_steps * (motion.col(0) - rest);
  all.rightCols(motion.cols()) = motion;
  return all;
}

Eigen::MatrixXd simulate(const MechanismRows& rows, const MechanismMotion& motion, const MechanismMotionOptions& options) {
  const MechanismLayout& layout = rows.layout();
  const Eigen::MatrixXd controls = with_approach(layout.rest_controls(), motion.controls);
  const Eigen::MatrixXd prescribed = with_approach(Eigen::VectorXd::Zero(motion.prescribed.rows()), motion.prescribed);
  const Kinematics result =
      forward_kinematics(rows, layout.rest_state(), controls, motion.parameters, prescribed, options.kinematics);
  if (result.status != KinematicsStatus::done) {
    // What moves without being driven may go anywhere, and then jump: that is the reason to tell.
    const Eigen::MatrixXd rest = layout.rest_state(), rest_controls = layout.rest_controls(), played = prescribed.leftCols(1);
    select_rows(rows, {rest, rest_controls, layout.rest_parameters(), played}, options.selection);
    throw Error(Failure::input, "the initial motion (its first " + std::to_string(approach_steps) +
                                    " instants here lead from rest to its beginning) is " + to_string(result.status) + ": " +
                                    result.diagnosis);
  }
  return result.states.rightCols(motion.controls.cols());
}

}  // namespace

MechanismMotion make_motion(std::shared_ptr<const MechanismModel> model, const Eigen::MatrixXd& controls,
                            const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                            const MechanismMotionOptions& options) {
  MechanismMotion motion;
  const auto all = std::make_shared<const MechanismLayout>(model);
  require_size("controls", controls.rows(), all->control_count());
  require_size("design parameters", parameters.size(), all->parameter_count());
  require_size("prescribed coordinates", prescribed.rows(), all->prescribed_count());
  require_size("instants of prescribed coordinates", prescribed.cols(), controls.cols());
  motion.controls = controls;
  motion.parameters = parameters;
  motion.prescribed = prescribed;
  for (int i = 0; i < all->control_count(); ++i) motion.controls.row(i) /= all->control_scale(i);
  for (int i = 0; i < all->parameter_count(); ++i) motion.parameters[i] /= all->parameter_scale(i);

  const MechanismRows every(all);
  motion.states = simulate(every, motion, options);
  const Eigen::Index count = controls.cols(), poses = std::min<Eigen::Index>(count, std::max(options.pose_count, 1));
  Eigen::MatrixXd states(motion.states.rows(), poses), sampled(motion.controls.rows(), poses), played(prescribed.rows(), poses);
  for (Eigen::Index i = 0; i < poses; ++i) {
    const Eigen::Index k = poses == 1 ? 0 : i * (count - 1) / (poses - 1);
    states.col(i) = motion.states.col(k);
    sampled.col(i) = motion.controls.col(k);
    played.col(i) = prescribed.col(k);
  }
  motion.selection = select_rows(every, {states, sampled, motion.parameters, played}, options.selection);
  motion.layout = std::make_shared<const MechanismLayout>(std::move(model), motion.selection.selection);
  motion.rows = std::make_shared<const MechanismRows>(motion.layout);
  return motion;
}

Eigen::Vector3d point_of(const MechanismModel& model, const Eigen::Ref<const Eigen::VectorXd>& state, int body,
                         const Eigen::Vector3d& point) {
  const auto pose = state.segment<HOLO_POSE_SIZE>(HOLO_POSE_SIZE * body);
  const double w = pose[3];
  const Eigen::Vector3d v = pose.segment<3>(4);
  return model.length() * pose.head<3>() + (w * w - v.squaredNorm()) * point + 2 * v.dot(point) * v + 2 * w * v.cross(point);
}

}  // namespace holo
