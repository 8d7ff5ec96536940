#include "holo/sim/mechanism/kinematics/motion_passages.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "holo/sim/motion/motion_tasks.h"
#include "mechanism/constraints/equation_solver.h"

namespace holo {

namespace {

// A layout with the redundant equations of loops: independent equations alone may lose their rank where the mechanism does not.
std::shared_ptr<const MechanismLayout> with_redundant_equations(const MechanismLayout& of) {
  Elimination elimination = of.elimination();
  auto& redundant = elimination.redundant;
  redundant.erase(std::remove_if(redundant.begin(), redundant.end(), [&](int equation) { return !of.is_actuation(equation); }),
                  redundant.end());
  return std::make_shared<const MechanismLayout>(of.shared_model(), elimination);
}

// The largest difference of two states, up to the signs of quaternions, which stand for the same orientation.
double distance(const MechanismLayout& layout, Eigen::VectorXd a, const Eigen::VectorXd& b) {
  for (const int first : layout.state_quaternions())
    if (a.segment<4>(first).dot(b.segment<4>(first)) < 0) a.segment<4>(first) *= -1;
  return (a - b).cwiseAbs().maxCoeff();
}

class Passages {
 public:
  Passages(const MechanismMotion& motion, double time_step)
      : motion_(motion),
        equations_(with_redundant_equations(*motion.layout)),
        before_(equations_.patterns().states),
        after_(equations_.patterns().states),
        comparison_(equations_.patterns().states),
        control_values_(equations_.patterns().controls.nonZeros(), 1),
        parameter_values_(equations_.patterns().parameters.nonZeros(), 1) {
    options_.time_step = time_step;
  }

  // Most neighboring knots have close Jacobians, which excludes a singular pose between them. Only between the others the
  // motion is followed.
  void look_at(const MotionTask& task) {
    for (int k = task.first; k + 1 < task.end(); ++k)
      if (!differentiate(k, before_) || !differentiate(k + 1, after_) || !comparison_.is_regular_between(before_, after_))
        follow(k);
  }

  std::vector<MotionPassage> found;

 private:
  MechanismUnknowns at(int knot, int count = 1) const {
    return {motion_.states.middleCols(knot, count), motion_.controls.middleCols(knot, count), motion_.parameters,
            motion_.prescribed.middleCols(knot, count)};
  }

  bool differentiate(int knot, EquationSolver& solver) {
    Eigen::Map<Eigen::MatrixXd> values(solver.jacobian().valuePtr(), solver.jacobian().nonZeros(), 1);
    equations_.jacobians(at(knot), {values, control_values_, parameter_values_});
    return solver.factorize();
  }

  // A path from a knot on a change point has no unique tangent, but the path to it has: so both directions are tried.
  void follow(int before) {
    Kinematics way = follow(before, before + 1);
    if (way.status != KinematicsStatus::done || !arrives(way, before + 1)) {
      Kinematics back = follow(before + 1, before);
      if (back.status == KinematicsStatus::done && arrives(back, before)) {
        for (ChangePoint& point : back.change_points) point.at = before + 1 - point.at;
        return tell(back.change_points);
      }
    }
    for (ChangePoint& point : way.change_points) point.at += before;
    tell(way.change_points);
    if (way.status == KinematicsStatus::done && arrives(way, before + 1)) return;
    found.push_back({before + 0.5, "the poses before and after belong to different assembly modes " +
                                       when(before + 0.5, options_.time_step) +
                                       ": between them the robot would have to pass a dead point, which its actuators cannot "
                                       "do. Take more knots, larger weights of `keep_control`, or the penalty `singularity`"});
  }

  Kinematics follow(int from, int to) const {
    const std::array<int, 2> both = {from, to};
    const Eigen::MatrixXd states = motion_.states(Eigen::all, both), controls = motion_.controls(Eigen::all, both),
                          prescribed = motion_.prescribed(Eigen::all, both);
    Eigen::MatrixXd residual(equations_.patterns().states.rows(), 2);
    equations_.residual({states, controls, motion_.parameters, prescribed}, residual);
    KinematicsOptions options = options_;
    options.time_step = 0;                                                                 // the knots are these two
    options.tolerance = std::max(options.tolerance, 10 * residual.cwiseAbs().maxCoeff());  // what the optimizer left
    return forward_kinematics(equations_, states.col(0), controls, motion_.parameters, prescribed, options);
  }

  bool arrives(const Kinematics& way, int knot) const {
    return distance(equations_.layout(), way.states.col(1), motion_.states.col(knot)) < 1e-6;
  }

  void tell(const std::vector<ChangePoint>& change_points) {
    for (const ChangePoint& point : change_points)
      if (found.empty() || std::abs(found.back().at - point.at) > 1e-2)
        found.push_back(
            {point.at, "the motion passes a change point " + when(point.at, options_.time_step) +
                           ": motions of the mechanism cross there, and its actuators do not determine which one it follows"});
  }

  const MechanismMotion& motion_;
  ConstraintEquations equations_;
  EquationSolver before_, after_;
  PoseComparison comparison_;
  Eigen::MatrixXd control_values_, parameter_values_;
  KinematicsOptions options_;
};

}  // namespace

std::vector<MotionPassage> motion_passages(const MechanismMotion& motion, const std::vector<int>& task_beginnings,
                                           double time_step) {
  Passages passages(motion, time_step);
  for (const MotionTask& task : motion_tasks(task_beginnings, int(motion.states.cols()))) passages.look_at(task);
  return std::move(passages.found);
}

}  // namespace holo
