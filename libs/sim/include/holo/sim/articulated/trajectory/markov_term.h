#pragma once
// The Markovian regularization of a trajectory: each point of its spline is to follow from the point before by a network
// [Pan2019, Eq 14], whose weights are fixed.

#include <vector>

#include "holo/sim/articulated/trajectory/point_recurrence.h"
#include "holo/sim/articulated/trajectory/transition_term.h"

namespace holo::articulated {

// weight times the sum over z = 1 ... Z - 1 of |c_z+1 - next(c_z, net(features(c_z)))|^2 of normalized points.
class MarkovTerm final : public TransitionTerm {
 public:
  // The recurrence must outlive it. `points` is Z. Throws Error(internal) for a shape of other numbers of inputs and outputs.
  MarkovTerm(const PointRecurrence& recurrence, const NetworkShape& shape, int points, double weight);

  void set_network(const Eigen::VectorXd& weights) { network_ = weights; }
  double weight() const { return weight_; }

  int residual_size() const override { return recurrence_.state_size(); }
  double value(const Eigen::MatrixXd& points) override;
  void differentiate(int earlier, Eigen::VectorXd& residual, Eigen::MatrixXd& by_earlier, Eigen::MatrixXd& by_later) override;

 private:
  const PointRecurrence& recurrence_;
  NetworkShape shape_;
  double weight_;
  Eigen::VectorXd network_;
  NetworkBatch batch_;  // a sample for each transition
  NetworkJacobian network_jacobian_;
  Eigen::MatrixXd states_, residuals_;  // [2 dof][point], [2 dof][transition]
  Eigen::VectorXd normalization_, unit_, row_, output_adjoint_, feature_adjoint_;
};

}  // namespace holo::articulated
