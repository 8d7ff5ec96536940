#pragma once
// A part of a trajectory's objective that couples successive points of its spline, such as one that asks for a motion whose
// next point follows from the last one.

#include <Eigen/Core>

namespace holo::articulated {

// sum over z = 1 ... Z - 1 of |r_z|^2, r_z = r(c_z, c_z+1), of the points c_z = (x_z, tau_z) of a spline [2 dof]. Point 0, the
// start, has no part in it.
class TransitionTerm {
 public:
  virtual ~TransitionTerm() = default;
  virtual int residual_size() const = 0;  // of each r_z

  // The sum for the points 1 ... Z [2 dof][point]: all x, then all tau.
  virtual double value(const Eigen::MatrixXd& points) = 0;
  // Of the points of the last value: r from the column `earlier` to the next one, and its derivatives by both
  // [residual][2 dof].
  virtual void differentiate(int earlier, Eigen::VectorXd& residual, Eigen::MatrixXd& by_earlier,
                             Eigen::MatrixXd& by_later) = 0;
};

}  // namespace holo::articulated
