#pragma once
// The states of a mechanism along a path of its controls: a predictor along the tangent of the motion and Newton's corrector,
// in steps so short that no pose between two neighbors can be singular. So the motion stays on its assembly mode. Where it
// comes to a change point, at which motions cross, it goes on along its tangent; where it comes to a dead point, it ends.

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "holo/sim/mechanism/kinematics/forward_kinematics.h"
#include "mechanism/constraints/equation_solver.h"
#include "mechanism/model/drive_path.h"

namespace holo {

class PathFollower {
 public:
  PathFollower(const ConstraintEquations& equations, const Eigen::VectorXd& parameters, const KinematicsOptions& options);

  // Progress along a path: iterations, steps, position.
  struct Progress {
    int iterations = 0, parts = 0;
    double part = 0;                    // reached position on the path, from 0 to 1
    std::vector<double> change_points;  // positions of change points on the path
  };

  // Poses on both sides of a change point at the end of a path, at the parts 1 - distance and 1 + distance.
  struct Sides {
    double distance = 0;  // 0: no change point
    Eigen::VectorXd before, after;
  };

  // Newton's method from a nearby state, for the first knot, with Armijo's rule on the squared residual. False if it does not
  // converge, or converges to a flipped joint or another assembly mode.
  bool begin(const Drive& drive, Eigen::VectorXd& state, int& iterations);

  // Follows a path from `state` at position 0 to position 1. False if the path ends before.
  bool follow(const DrivePath& path, Eigen::VectorXd& state, Progress& progress, Sides& sides);

  // Moves `state` to the smallest residual by Levenberg-Marquardt, for a diagnosis, and returns the residual.
  const Eigen::MatrixXd& approach(const Drive& drive, Eigen::VectorXd& state);

  MechanismUnknowns at(const Drive& drive, const Eigen::VectorXd& state) const {
    return {state, drive.controls, parameters_, drive.prescribed};
  }

 private:
  bool advance(const DrivePath& path, double to, double smallest_way, Eigen::VectorXd& state, Progress& progress);
  bool correct(const Drive& drive, double largest_first_step, Eigen::VectorXd& state, int& iterations);
  void polish(const Drive& drive, Eigen::VectorXd& state);
  void find_tangent(const DrivePath& path, double part, const Eigen::VectorXd& state);
  bool cross(const DrivePath& path, Eigen::VectorXd& state, Progress& progress);
  bool interpolate(const DrivePath& path, double before_part, const Eigen::VectorXd& before, Eigen::VectorXd& state,
                   Progress& progress, Sides& sides);
  bool descend(const Drive& drive, Eigen::VectorXd& state);
  double evaluate(const Drive& drive, const Eigen::VectorXd& state);
  bool differentiate(const Drive& drive, const Eigen::VectorXd& state, EquationSolver& solver, double damping = 0);

  const ConstraintEquations& equations_;
  const Eigen::VectorXd& parameters_;
  const KinematicsOptions& options_;
  std::unique_ptr<EquationSolver> here_, there_;  // factors at the last accepted pose, and at the trial pose
  PoseComparison comparison_;
  Eigen::MatrixXd residual_, controls_values_, parameters_values_;
  Eigen::VectorXd step_, tangent_, rate_;
};

}  // namespace holo
