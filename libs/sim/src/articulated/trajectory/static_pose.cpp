#include "holo/sim/articulated/trajectory/static_pose.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "holo/sim/articulated/dynamics/step_jacobians.h"
#include "holo/sim/articulated/dynamics/step_memory.h"

namespace holo::articulated {

using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

class StaticEquilibrium {
 public:
  StaticEquilibrium(const CharacterModel& model, const StepConstants& step, const CharacterPose& nominal)
      : model_(model), step_(step), pose_(nominal), memory_(model), unactuated_(model.unactuated()) {
    const int n = model.dof_count();
    all_.resize(n);
    for (auto& D : jacobians_) D.resize(n, n);
    weight_ = model.total_mass() * norm(step.gravity);
  }

  double weight() const { return weight_; }                // [N]
  double scale() const { return std::max(weight_, 1.0); }  // of residuals [N or N m]
  Eigen::Index size() const { return Eigen::Index(unactuated_.size()); }
  const CharacterPose& pose() const { return pose_; }
  Eigen::Map<VectorXd> coordinates() { return {pose_.coordinates.data(), Eigen::Index(pose_.coordinates.size())}; }

  // FD of the unactuated degrees of freedom at rest in the pose.
  VectorXd residual() {
    memory_.newest.set(model_, pose_);
    memory_.current.set(model_, pose_);
    memory_.previous.set(model_, pose_);
    step_residual(model_.data(), step_, memory_.states(), memory_.workspace(), all_.data());
    VectorXd result(size());
    for (Eigen::Index k = 0; k < size(); ++k) result[k] = all_[unactuated_[std::size_t(k)]];
    return result;
  }
  // Its derivative by the pose, of the states of the last residual.
  MatrixXd jacobian() {
    step_jacobians(model_.data(), step_, memory_.states(), memory_.workspace(), jacobians_[0].data(), jacobians_[1].data(),
                   jacobians_[2].data());
    MatrixXd result(size(), model_.dof_count());
    for (Eigen::Index k = 0; k < size(); ++k) {
      const int dof = unactuated_[std::size_t(k)];
      result.row(k) = jacobians_[0].row(dof) + jacobians_[1].row(dof) + jacobians_[2].row(dof);
    }
    return result;
  }

  void move_base(const Vector3<double>& shift) {
    // The leading slides of the tree carry all of it.
    RigidFrame<double> frame = identity_frame<double>();
    for (int j = 0; j < model_.dof_count(); ++j) {
      const DegreeOfFreedom& dof = model_.dofs()[std::size_t(j)];
      if (dof.kind != DofKind::prismatic || dof.parent != j - 1) return;
      frame = frame * dof.placement;
      pose_.coordinates[std::size_t(j)] += dot(frame.rotation * dof.axis, shift);
    }
  }
  // Of contact, against gravity.
  double supporting_force() {
    residual();
    WrenchMatrix<double> sum{};
    std::vector<WrenchMatrix<double>> wrenches(std::size_t(model_.dof_count()), WrenchMatrix<double>{});
    add_contact_wrenches(model_.data(), step_, memory_.states(), wrenches.data());
    for (const WrenchMatrix<double>& wrench : wrenches) sum += wrench;
    // A contact force f enters the wrench as -f.
    return dot(Vector3<double>{sum(0, 3), sum(1, 3), sum(2, 3)}, step_.gravity) / norm(step_.gravity);
  }

 private:
  const CharacterModel& model_;
  StepConstants step_;
  CharacterPose pose_;
  StepMemory<double> memory_;
  std::vector<int> unactuated_;
  VectorXd all_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> jacobians_[3];
  double weight_ = 0;
};

// Moves the base along gravity until contact carries the weight: bisection between no contact and too much of it.
void sink(StaticEquilibrium& equilibrium, const StepConstants& step) {
  const double gravity = norm(step.gravity);
  if (!(gravity > 0)) return;
  const Vector3<double> down = (1 / gravity) * step.gravity;
  const auto excess = [&](double depth) {
    equilibrium.move_base(depth * down);
    const double result = equilibrium.supporting_force() - equilibrium.weight();
    equilibrium.move_base(-depth * down);
    return result;
  };
  double low = -1, high = 1;  // [m]
  for (; excess(low) > 0 && low > -1e3; low *= 2) {
  }
  for (; excess(high) < 0 && high < 1e3; high *= 2) {
  }
  if (excess(high) < 0 || excess(low) > 0) return;  // no obstacle below
  for (int k = 0; k < 60; ++k) (excess(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
  equilibrium.move_base(high * down);
}

// Least |FD|^2 + |w (q - nominal)|^2 with a small w by the method of Levenberg and Marquardt.
void settle(StaticEquilibrium& equilibrium, const VectorXd& nominal, const StaticPoseOptions& options) {
  const double pull = 1e-5 * equilibrium.scale();
  const Eigen::Index n = nominal.size();
  const auto cost = [&](const VectorXd& residual) {
    return residual.squaredNorm() + pull * pull * (equilibrium.coordinates() - nominal).squaredNorm();
  };
  VectorXd residual = equilibrium.residual();
  double value = cost(residual), damping = 1e-3;
  for (int iteration = 0; iteration < options.max_iterations && damping < 1e12; ++iteration) {
    equilibrium.residual();
    const MatrixXd J = equilibrium.jacobian();
    const VectorXd q = equilibrium.coordinates(), gradient = J.transpose() * residual + pull * pull * (q - nominal);
    MatrixXd normal = J.transpose() * J + pull * pull * MatrixXd::Identity(n, n);
    const double mean = normal.trace() / double(n);
    bool is_smaller = false;
    for (; !is_smaller && damping < 1e12; damping *= 4) {
      MatrixXd damped = normal;
      damped.diagonal().array() += damping * mean;
      equilibrium.coordinates() = q - damped.ldlt().solve(gradient);
      residual = equilibrium.residual();
      const double after = cost(residual);
      is_smaller = after < value;
      if (!is_smaller) continue;
      const double decrease = value - after;
      value = after;
      damping /= 40;  // less the factor of the loop
      if (decrease < 1e-12 * value) return;
    }
    if (!is_smaller) equilibrium.coordinates() = q;
  }
}

// Newton steps of least norm; stops where they do not reduce the residual.
void finish(StaticEquilibrium& equilibrium, const StaticPoseOptions& options) {
  VectorXd residual = equilibrium.residual();
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    const VectorXd q = equilibrium.coordinates();
    equilibrium.coordinates() = q - equilibrium.jacobian().completeOrthogonalDecomposition().solve(residual);
    const VectorXd after = equilibrium.residual();
    if (!(after.norm() < residual.norm())) {
      equilibrium.coordinates() = q;
      return;
    }
    residual = after;
  }
}

}  // namespace

StaticPose find_static_pose(const CharacterModel& model, const StepConstants& step, const CharacterPose& nominal,
                            const StaticPoseOptions& options) {
  StaticEquilibrium equilibrium(model, step, nominal);
  StaticPose result;
  if (equilibrium.size() > 0) {
    sink(equilibrium, step);
    const VectorXd start = equilibrium.coordinates();
    settle(equilibrium, start, options);
    finish(equilibrium, options);
    Eigen::Index worst = 0;
    const VectorXd residual = equilibrium.residual();
    result.residual = residual.cwiseAbs().maxCoeff(&worst);
    if (!residual.allFinite()) result.residual = std::numeric_limits<double>::quiet_NaN();
    result.dof = model.unactuated()[std::size_t(worst)];
  }
  result.pose = equilibrium.pose();
  result.is_found = result.residual <= options.tolerance * equilibrium.scale();
  if (!result.is_found)
    result.diagnosis = fmt::format(
        "no pose at rest was found near the given one: the equation of motion of '{}' is violated by {:.3g} N or N m, the "
        "weight is {:.3g} N{}",
        model.dof_name(result.dof), result.residual, equilibrium.weight(),
        step.obstacle_count == 0 ? "; there are no obstacles to stand on"
                                 : "; let more contact points touch the obstacles, with the center of mass between them");
  return result;
}

}  // namespace holo::articulated
