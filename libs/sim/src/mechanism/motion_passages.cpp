#include "holo/sim/mechanism/motion_passages.h"

#include <algorithm>

#include "holo/sim/mechanism/motion_tasks.h"
#include "row_solver.h"

namespace holo {

namespace {

// Redundant rows of loops are kept here: a selection of rows may lose its rank where the mechanism does not.
std::shared_ptr<const MechanismLayout> with_redundant_rows(const MechanismLayout& of) {
  RowSelection selection = of.selection();
  auto& dropped = selection.dropped;
  dropped.erase(std::remove_if(dropped.begin(), dropped.end(), [&](int row) { return !of.is_actuation(row); }), dropped.end());
  return std::make_shared<const MechanismLayout>(of.shared_model(), selection);
}

// Up to the signs of quaternions, which stand for the same orientation.
double distance(const MechanismLayout& layout, Eigen::VectorXd a, const Eigen::VectorXd& b) {
  for (const int first : layout.state_quaternions())
    if (a.segment<4>(first).dot(b.segment<4>(first)) < 0) a.segment<4>(first) *= -1;
  return (a - b).cwiseAbs().maxCoeff();
}

class Passages {
 public:
  Passages(const MechanismMotion& motion, double time_step)
      : motion_(motion),
        rows_(with_redundant_rows(*motion.layout)),
        before_(rows_.patterns().states),
        after_(rows_.patterns().states),
        comparison_(rows_.patterns().states),
        control_values_(rows_.patterns().controls.nonZeros(), 1),
        parameter_values_(rows_.patterns().parameters.nonZeros(), 1) {
    options_.time_step = time_step;
  }

  void look_at(const MotionTask& task) {
    for (int k = task.first; k + 1 < task.end(); ++k)
      if (!differentiate(k, before_) || !differentiate(k + 1, after_) || !comparison_.is_regular_between(before_, after_))
        follow(k);
  }

  std::vector<MotionPassage> found;

 private:
  MechanismInstants at(int instant, int count = 1) const {
    return {motion_.states.middleCols(instant, count), motion_.controls.middleCols(instant, count), motion_.parameters,
            motion_.prescribed.middleCols(instant, count)};
  }

  bool differentiate(int instant, RowSolver& solver) {
    Eigen::Map<Eigen::MatrixXd> values(solver.jacobian().valuePtr(), solver.jacobian().nonZeros(), 1);
    rows_.jacobians(at(instant), {values, control_values_, parameter_values_});
    return solver.factorize();
  }

  void follow(int before) {
    Eigen::MatrixXd residual(rows_.patterns().states.rows(), 2);
    rows_.residual(at(before, 2), residual);
    const double violation = residual.cwiseAbs().maxCoeff();
    KinematicsOptions options = options_;
    options.tolerance = std::max(options.tolerance, 10 * violation);  // of rows that the optimizer satisfied so far only
    options.first_instant = before;
    const Kinematics way = forward_kinematics(rows_, motion_.states.col(before), motion_.controls.middleCols(before, 2),
                                              motion_.parameters, motion_.prescribed.middleCols(before, 2), options);
    for (const ChangePoint& point : way.change_points)
      found.push_back({point.at, "the motion goes through a change point " + when(point.at, options.time_step) +
                                     ": motions of the mechanism cross there, and its actuators do not decide which it takes"});
    if (way.status != KinematicsStatus::done)
      found.push_back(
          {before + 0.5, "the motion cannot go on " + when(before + 0.5, options.time_step) + ": " + way.diagnosis});
    else if (distance(rows_.layout(), way.states.col(1), motion_.states.col(before + 1)) > 1e-6)
      found.push_back({before + 0.5, "the poses before and after are of different assembly modes " +
                                         when(before + 0.5, options.time_step) +
                                         ": between them the robot would have to pass a dead point, which its actuators cannot "
                                         "do. Take more instants, larger weights of `keep_control`, or the "
                                         "penalty `singularity`"});
  }

  const MechanismMotion& motion_;
  MechanismRows rows_;
  RowSolver before_, after_;
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
