#pragma once
// A transition term in the unknowns of a trajectory's spline: its value, gradient and Gauss-Newton matrix.

#include "articulated/trajectory/point_columns.h"
#include "holo/sim/articulated/trajectory/transition_term.h"

namespace holo::articulated {

// The points 1 ... Z of a spline [2 dof][point] of coefficients [dof][column].
void collect_points(const Eigen::MatrixXd& coefficients, Eigen::MatrixXd& points);

class TransitionBlocks {
 public:
  // The term must outlive this.
  TransitionBlocks(TransitionTerm& term, const TrajectoryBasis& basis, int dofs);

  // Of coefficients [dof][column].
  double value(const Eigen::MatrixXd& coefficients);
  // Adds the derivatives at the coefficients.
  void add(const Eigen::MatrixXd& coefficients, const PointColumns& columns, Eigen::VectorXd& gradient);

 private:
  void add_pair(int earlier, const PointColumns& columns, Eigen::VectorXd& gradient);

  TransitionTerm& term_;
  const TrajectoryBasis& basis_;
  Eigen::MatrixXd points_;
  Eigen::VectorXd residual_;     // of two successive points,
  Eigen::MatrixXd by_point_[2];  // and by these
};

}  // namespace holo::articulated
