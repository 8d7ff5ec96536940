#pragma once
// Losses of a neural network as a map from a state of a motion to the next one, with exact gradients by the weights: of single
// transitions (teacher forcing), and of the whole motion that the network repeats from its first state (rollout).
// docs/neural-network.md has the formulas.
//
//   RolloutLoss loss(shape, states);
//   Lbfgs(loss, {}).solve(weights);

#include <Eigen/Core>
#include <limits>

#include "holo/opt/network/neural_network.h"
#include "holo/opt/trajectory/smooth_function.h"

namespace holo {

// |targets - net(inputs)|^2 over all samples, in the unit of the normalized targets. The unknowns are the weights.
class TransitionLoss final : public SmoothFunction {
 public:
  // Inputs [input][sample] and targets [output][sample]; of a motion in normalized states its states but the last one and its
  // states but the first one. Throws Error(internal) for sizes that do not fit and for no samples.
  TransitionLoss(const NetworkShape& shape, const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets);

  int unknown_count() const override { return shape_.weight_count(); }
  double value(const Eigen::VectorXd& weights) override;
  void gradient(const Eigen::VectorXd& weights, Eigen::VectorXd& gradient) override;

 private:
  const NetworkShape shape_;
  const Eigen::MatrixXd targets_;
  NetworkBatch batch_;
};

// How a network makes a state of the last one: s_{k+1} = next(s_k, net(features(s_k))). By default features are the state and
// the next state is the output; others remove a position from the features, or add an increment to the state. Vectors have
// their sizes: a state has as many entries as the motion.
class NetworkRecurrence {
 public:
  virtual ~NetworkRecurrence() = default;
  using ConstVector = Eigen::Ref<const Eigen::VectorXd>;
  using Vector = Eigen::Ref<Eigen::VectorXd>;

  virtual void features(const ConstVector& state, Vector features) const { features = state; }
  virtual void next(const ConstVector& /*state*/, const ConstVector& output, Vector next) const { next = output; }
  // Adds the transposed derivative of the features times their adjoint.
  virtual void pull_features(const ConstVector& /*state*/, const ConstVector& adjoint, Vector state_adjoint) const {
    state_adjoint += adjoint;
  }
  // Sets the output's adjoint, and adds to the state's one, from that of the next state.
  virtual void pull_next(const ConstVector& /*state*/, const ConstVector& /*output*/, const ConstVector& adjoint,
                         Vector /*state_adjoint*/, Vector output_adjoint) const {
    output_adjoint = adjoint;
  }
};

// sum over k of |c_{k+1} - s_{k+1}|^2 with s_1 = c_1, for normalized states c [entry][time]. The gradient goes backward through
// time. The loss is infinite where an entry of a repeated state exceeds `largest_state`.
class RolloutLoss final : public SmoothFunction {
 public:
  // The recurrence must outlive the loss. Throws Error(internal) for less than two states, and for states that do not fit the
  // network's shape with the default recurrence.
  RolloutLoss(const NetworkShape& shape, const Eigen::MatrixXd& states, double largest_state = 10);
  RolloutLoss(const NetworkShape& shape, const Eigen::MatrixXd& states, const NetworkRecurrence& recurrence,
              double largest_state = 10);

  int unknown_count() const override { return shape_.weight_count(); }
  double value(const Eigen::VectorXd& weights) override;
  void gradient(const Eigen::VectorXd& weights, Eigen::VectorXd& gradient) override;
  // Of the last value [entry][time].
  const Eigen::MatrixXd& repeated_states() const { return repeated_; }

 private:
  const NetworkShape shape_;
  const Eigen::MatrixXd states_;
  const NetworkRecurrence& recurrence_;
  const double largest_state_;
  NetworkBatch batch_;                         // a sample for each transition
  Eigen::MatrixXd repeated_;                   // s [entry][time]
  Eigen::VectorXd adjoint_, earlier_adjoint_;  // of s_{k+1} and of s_k
};

}  // namespace holo
