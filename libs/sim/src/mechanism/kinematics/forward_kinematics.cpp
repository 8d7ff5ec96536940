#include "holo/sim/mechanism/kinematics/forward_kinematics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "holo/core/plugins/joint_plugin.h"
#include "mechanism/constraints/smallest_singular_value.h"
#include "path_follower.h"

namespace holo {

std::string to_string(KinematicsStatus status) {
  switch (status) {
    case KinematicsStatus::done:
      return "done";
    case KinematicsStatus::unreachable:
      return "unreachable";
    case KinematicsStatus::singular:
      return "singular";
    default:
      return "other branch";
  }
}

bool ChangePoint::is_on_knot() const { return std::abs(at - std::round(at)) < 1e-3; }

std::string when(double at, double time_step) {
  if (at <= -1e-3) return "on the way from rest to the first knot";
  const bool is_on_knot = ChangePoint{at}.is_on_knot();
  const long before = is_on_knot ? std::lround(at) : long(std::floor(at));
  std::string text = is_on_knot ? "at knot " + std::to_string(before)
                                : "between knots " + std::to_string(before) + " and " + std::to_string(before + 1);
  if (time_step > 0) {
    char time[40];
    std::snprintf(time, sizeof time, " (t = %.6g s)", time_step * (is_on_knot ? double(before) : at));
    text += time;
  }
  return text;
}

namespace {

// Follows the controls knot after knot with a PathFollower. The first knot is found by Newton's method from the start; each
// further one by following the path from the knot before. A failure is diagnosed at the knot that was not reached.
class Simulation {
 public:
  Simulation(const ConstraintEquations& equations, const Eigen::MatrixXd& controls, const Eigen::VectorXd& parameters,
             const Eigen::MatrixXd& prescribed, const KinematicsOptions& options)
      : equations_(equations),
        controls_(controls),
        prescribed_(prescribed),
        options_(options),
        follower_(equations, parameters, options) {}

  Kinematics run(const Eigen::VectorXd& start) {
    state_ = start;
    result_.states.resize(start.size(), controls_.cols());
    for (Eigen::Index k = 0; k < controls_.cols(); ++k) {
      PathFollower::Progress progress;
      if (!(k == 0 ? follower_.begin(drive(0), state_, progress.iterations) : follow(k, progress))) {
        diagnose(k, progress.part);
        result_.states.conservativeResize(Eigen::NoChange, k);
        return std::move(result_);
      }
      result_.states.col(k) = state_;
      result_.iterations.push_back(progress.iterations);
      result_.parts.push_back(std::max(progress.parts, 1));
    }
    return std::move(result_);
  }

 private:
  Drive drive(Eigen::Index knot) const { return {controls_.col(knot), prescribed_.col(knot)}; }
  double counted(double knot) const { return options_.first_knot + knot; }

  bool follow(Eigen::Index knot, PathFollower::Progress& progress) {
    Drive from = drive(knot - 1);
    if (sides_.distance > 0) from = leave_change_point(from, drive(knot));
    const DrivePath path(std::move(from), drive(knot), equations_.layout());
    const bool is_done = follower_.follow(path, state_, progress, sides_);
    for (const double part : progress.change_points) add_change_point(double(knot) - 1 + part);
    last_ = path;
    return is_done;
  }

  // If a knot lies on a change point, the next path begins beside it, where the motion has only one tangent: on the side to
  // which the controls continue.
  Drive leave_change_point(const Drive& from, const Drive& to) {
    const double ahead = (to.controls - from.controls).dot(last_->to().controls - last_->from().controls) +
                         (to.prescribed - from.prescribed).dot(last_->to().prescribed - last_->from().prescribed);
    state_ = ahead < 0 ? sides_.before : sides_.after;
    return last_->at(ahead < 0 ? 1 - sides_.distance : 1 + sides_.distance);
  }

  // A change point on a knot may be found twice, on the paths to and from the knot.
  void add_change_point(double at) {
    std::vector<ChangePoint>& known = result_.change_points;
    if (known.empty() || std::abs(known.back().at - counted(at)) > 1e-3) known.push_back({counted(at)});
  }

  // Distinguishes three causes by the pose of the smallest residual: its residual is large (no pose satisfies the equations),
  // its Jacobian is singular, or it belongs to another branch.
  void diagnose(Eigen::Index knot, double part) {
    const MechanismLayout& layout = equations_.layout();
    const Drive target = drive(knot);
    Eigen::VectorXd nearest = state_;
    // The smallest residual may hide in quaternions that are not of unit length; the message names the worst joint instead.
    Eigen::VectorXd misses = follower_.approach(target, nearest).col(0).cwiseAbs();
    const double largest = misses.maxCoeff();
    for (std::size_t i = 0; i < layout.independent_equations().size(); ++i)
      if (layout.equations()[std::size_t(layout.independent_equations()[i])].joint < 0) misses[Eigen::Index(i)] = 0;
    Eigen::Index worst = 0;
    const double largest_of_joints = misses.maxCoeff(&worst);
    result_.failed_knot = int(knot);
    const std::string target_name = when(counted(double(knot)), options_.time_step);
    if (largest > 1e-6) {
      result_.status = KinematicsStatus::unreachable;
      result_.diagnosis = target_name + ": no pose satisfies all joints; in the nearest pose the most violated equation '" +
                          layout.equation_name(layout.independent_equations()[std::size_t(worst)]) + "' has the residual " +
                          std::to_string(largest_of_joints) + ended(knot, part) + ". Change the controls, or the design";
      return;
    }
    const Weakest weakest = weakest_at(target, nearest);
    if (weakest.value < options_.singular_below) {
      result_.status = KinematicsStatus::singular;
      result_.diagnosis = target_name + ": the motion runs through a singular pose (smallest singular value " +
                          std::to_string(weakest.value) + "), at which the drives do not determine the motion of '" +
                          most_moved(weakest.direction) + "'" + ended(knot, part);
      return;
    }
    result_.status = KinematicsStatus::other_branch;
    int joint = -1;
    const bool flipped = !equations_.is_unflipped(follower_.at(target, nearest), 0, &joint);
    result_.diagnosis = target_name + ": " +
                        (flipped ? "only poses with the joint '" + layout.model().joints()[std::size_t(joint)].name +
                                       "' flipped (by half a turn) satisfy the joints"
                                 : "the poses that satisfy the joints belong to another assembly mode") +
                        ended(knot, part) + ". Change the controls so that they avoid these poses, or the design";
  }

  // The position at which the motion ended before the knot, and the body that moves most in the direction that is determined
  // least.
  std::string ended(Eigen::Index knot, double part) const {
    if (knot == 0 || !last_) return "";
    return "; the motion reaches a dead point " + when(counted(double(knot) - 1 + part), options_.time_step) +
           ", where its drives determine least the motion of '" + most_moved(weakest_at(last_->at(part), state_).direction) +
           "'";
  }

  // The smallest singular value of the independent equations, each of length 1, and what moves by it. Fewer equations than
  // states leave a motion free: its value is 0 to rounding.
  struct Weakest {
    double value;
    Eigen::VectorXd direction;
  };
  Weakest weakest_at(const Drive& drive, const Eigen::VectorXd& state) const {
    const EquationPatterns& patterns = equations_.patterns();
    Eigen::MatrixXd states(patterns.states.nonZeros(), 1), controls(patterns.controls.nonZeros(), 1),
        parameters(patterns.parameters.nonZeros(), 1);
    equations_.jacobians(follower_.at(drive, state), {states, controls, parameters});
    SmallestSingularValue solver(patterns.states);
    const double value = solver.find(states.col(0), 1e-6);
    return {value, solver.right()};
  }

  std::string most_moved(const Eigen::VectorXd& direction) const {
    const auto& bodies = equations_.layout().model().bodies();
    std::size_t most = 0;
    const auto moved = [&](std::size_t b) {
      return direction.segment<HOLO_POSE_SIZE>(Eigen::Index(b * HOLO_POSE_SIZE)).norm();
    };
    for (std::size_t b = 1; b < bodies.size(); ++b)
      if (moved(b) > moved(most)) most = b;
    return bodies[most].name;
  }

  const ConstraintEquations& equations_;
  const Eigen::MatrixXd& controls_;
  const Eigen::MatrixXd& prescribed_;
  const KinematicsOptions& options_;
  PathFollower follower_;
  PathFollower::Sides sides_;
  std::optional<DrivePath> last_;
  Eigen::VectorXd state_;
  Kinematics result_;
};

}  // namespace

Kinematics forward_kinematics(const ConstraintEquations& equations, const Eigen::VectorXd& start,
                              const Eigen::MatrixXd& controls, const Eigen::VectorXd& parameters,
                              const Eigen::MatrixXd& prescribed, const KinematicsOptions& options) {
  return Simulation(equations, controls, parameters, prescribed, options).run(start);
}

}  // namespace holo
