#include "holo/sim/mechanism/kinematics/inverse_kinematics.h"

#include <algorithm>
#include <cmath>

#include "holo/core/error.h"
#include "holo/core/plugins/joint_plugin.h"
#include "holo/core/plugins/loss_plugin.h"
#include "holo/sim/mechanism/kinematics/measured_controls.h"
#include "holo/sim/motion/motion_tasks.h"
#include "passive_poses.h"

namespace holo {

namespace {

std::vector<NamedLoss> of_bodies_only(const std::vector<NamedLoss>& losses) {
  std::vector<NamedLoss> result;
  for (const NamedLoss& loss : losses) {
    const holo_loss_description& d = loss.instance->description();
    const bool bodies = std::all_of(d.observables, d.observables + d.observable_count, [](const holo_observable& o) {
      return o.kind == HOLO_OBSERVABLE_POINT || o.kind == HOLO_OBSERVABLE_POSE;
    });
    if (bodies && d.observable_count > 0) result.push_back(loss);
  }
  if (result.empty())
    throw Error(Failure::input,
                "inverse kinematics needs an objective that observes only bodies, such as track_position; there is none");
  return result;
}

std::shared_ptr<const MechanismLayout> without_actuation(std::shared_ptr<const MechanismModel> model) {
  const MechanismLayout all(model);
  Elimination elimination;
  for (int equation = 0; equation < int(all.equations().size()); ++equation)
    if (all.is_actuation(equation)) elimination.redundant.push_back(equation);
  return std::make_shared<const MechanismLayout>(std::move(model), elimination);
}

// Sequential inverse kinematics with limits of the controls' rates. At each knot all actuators are passive first. Controls that
// are too fast are then fixed at the nearest value that they can reach, and the pose is found again, until no control is too
// fast.
class RateLimitedPoses {
 public:
  RateLimitedPoses(const std::shared_ptr<const MechanismLayout>& layout, const std::vector<NamedLoss>& losses,
                   const LossData& data, const Eigen::VectorXd& parameters, const InverseKinematicsOptions& options)
      : layout_(layout),
        parameters_(parameters),
        poses_(layout, losses, data, parameters, options),
        equations_(std::size_t(layout->control_count()), -1) {
    for (int i = 0; i < layout->control_count(); ++i)
      reach_.push_back(options.rate_limit * data.time_step / layout->control_scale(i));
    for (int equation = 0; equation < int(layout->equations().size()); ++equation)
      if (layout->is_actuation(equation)) assign(equation);
  }

  // Starts another task, whose first knot has no limits.
  void begin() {
    poses_.begin();
    is_first_ = true;
  }

  int solve(int knot, const Eigen::VectorXd& prescribed, Eigen::VectorXd& state) {
    for (const int equation : equations_) poses_.release(equation);
    const Eigen::VectorXd before = state;
    int iterations = poses_.solve(knot, prescribed, state);
    Eigen::MatrixXd both(before.size(), 2);
    both << before, state;
    Eigen::MatrixXd controls = measured_controls(*layout_, both, parameters_);
    if (!is_first_) {
      std::vector<bool> is_fixed(equations_.size(), false);
      while (fix_fast_controls(controls, is_fixed)) {
        state = before;
        iterations += poses_.solve(knot, prescribed, state);
        both.col(1) = state;
        controls = measured_controls(*layout_, both, parameters_);
      }
    }
    is_first_ = false;
    return iterations;
  }

 private:
  void assign(int equation) {
    const ConstraintEquation& of = layout_->equations()[std::size_t(equation)];
    const MechanismJoint& joint = layout_->model().joints()[std::size_t(of.joint)];
    if (joint.coordinate_count() != 1)
      throw Error(Failure::input, "a rate limit of inverse kinematics needs actuators of one coordinate each; the joint '" +
                                      joint.name + "' of type '" + joint.type->name() + "' has " +
                                      std::to_string(joint.coordinate_count()));
    equations_[std::size_t(layout_->drive(of.joint, 0).index)] = equation;
  }

  // Fixes controls that are too fast; whether there are new ones.
  bool fix_fast_controls(const Eigen::MatrixXd& controls, std::vector<bool>& is_fixed) {
    bool any = false;
    for (std::size_t i = 0; i < equations_.size(); ++i) {
      const double from = controls(Eigen::Index(i), 0), way = controls(Eigen::Index(i), 1) - from;
      if (is_fixed[i] || std::abs(way) <= reach_[i] * (1 + 1e-9)) continue;
      poses_.fix(equations_[i], int(i), from + std::copysign(reach_[i], way));
      any = is_fixed[i] = true;
    }
    return any;
  }

  std::shared_ptr<const MechanismLayout> layout_;
  Eigen::VectorXd parameters_;
  PassivePoses poses_;
  bool is_first_ = true;        // of its task
  std::vector<int> equations_;  // of each control
  std::vector<double> reach_;   // of each control from one knot to the next, in the layout's units
};

// All knots, each from the one before.
template <class Poses>
InverseKinematics follow(Poses& poses, const MechanismLayout& layout, const LossData& data, const Eigen::MatrixXd& prescribed) {
  InverseKinematics result;
  result.states.resize(layout.state_count(), prescribed.cols());
  for (const MotionTask& task : motion_tasks(data.task_beginnings, int(prescribed.cols()))) {
    Eigen::VectorXd state = layout.rest_state();
    poses.begin();
    for (int k = task.first; k < task.end(); ++k) {
      result.iterations.push_back(poses.solve(k, prescribed.col(k), state));
      result.states.col(k) = state;
    }
  }
  return result;
}

}  // namespace

InverseKinematics inverse_kinematics(std::shared_ptr<const MechanismModel> model, const std::vector<NamedLoss>& losses,
                                     const LossData& data, const Eigen::VectorXd& parameters, const Eigen::MatrixXd& prescribed,
                                     const InverseKinematicsOptions& options) {
  const auto all = std::make_shared<const MechanismLayout>(model), passive = without_actuation(std::move(model));
  Eigen::VectorXd scaled = parameters;
  for (int i = 0; i < all->parameter_count(); ++i) scaled[i] /= all->parameter_scale(i);
  if (std::isfinite(options.rate_limit)) {
    RateLimitedPoses poses(all, of_bodies_only(losses), data, scaled, options);
    return follow(poses, *all, data, prescribed);
  }
  PassivePoses poses(passive, of_bodies_only(losses), data, scaled, options);
  return follow(poses, *passive, data, prescribed);
}

}  // namespace holo
