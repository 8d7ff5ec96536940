#pragma once
// A loss of the positions at the end of one time step and of the activations in it, which a control minimizes.

#include <Eigen/Core>
#include <cstdint>
#include <memory>

#include "holo/sim/dynamics/time_integration.h"
#include "holo/sim/elastic/elastic_state.h"
#include "holo/sim/elastic/observables/elastic_observables.h"

namespace holo {

// Positions x [3 * vertex][column] [m] and activations a [activation][column] [Pa]: directions, or products with them.
struct StepColumns {
  Eigen::MatrixXd positions, activations;
};

class StepLoss {
 public:
  virtual ~StepLoss() = default;
  // At positions x [3 * vertex] [m]; +infinity where it has no value.
  virtual double value(const Eigen::VectorXd& x) = 0;
  virtual void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) = 0;
  // result [3 * vertex][column] += d2L/dx2 directions, or of its Gauss-Newton model.
  virtual void add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                                    Eigen::MatrixXd& result) = 0;

  // ---- dependence on the activations; by default there is none

  // Sets the activations [activation] [Pa] at which all functions are taken from now on.
  virtual void set_activations(const Eigen::VectorXd&) {}
  // gradient [activation] += dL/da [1/Pa]
  virtual void add_activation_gradient(const Eigen::VectorXd& /*x*/, Eigen::VectorXd& /*gradient*/) {}
  // result += d2L/d(x, a)2 directions, or of its Gauss-Newton model.
  virtual void add_joint_hessian_products(const Eigen::VectorXd& x, const StepColumns& directions, bool gauss_newton,
                                          StepColumns& result) {
    add_hessian_products(x, directions.positions, gauss_newton, result.positions);
  }
};

// Losses of observables (losses/loss_sum.h) of the state at the step's end, whose velocities are those of the scheme of
// time integration: (x - x_n)/dt for implicit Euler. A loss of activations has a term once they are known: those of this step
// by `set_activations`, those of earlier ones by `begin`.
class ObservedStepLoss final : public StepLoss {
 public:
  ObservedStepLoss(std::shared_ptr<const LossSum<ElasticObservables>> losses, LossData data,
                   IntegrationScheme scheme = IntegrationScheme::implicit_euler)
      : losses_(std::move(losses)), data_(std::move(data)), scheme_(scheme) {}
  // At the end of step n of the motion, signals have their values of step n - first_step; from the next `begin` on.
  void count_from(std::int64_t first_step) { first_step_ = first_step; }
  // The state at the step's start, and the one before it or null; the activations [activation] [Pa] in the step that ended at
  // each of them, empty where they are not known. All are copied.
  void begin(const ElasticState& start, const ElasticState* before, const Eigen::VectorXd& start_activations = {},
             const Eigen::VectorXd& activations_before = {});

  double value(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                            Eigen::MatrixXd& result) override;
  void set_activations(const Eigen::VectorXd& activations) override { activations_[0] = activations; }
  void add_activation_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_joint_hessian_products(const Eigen::VectorXd& x, const StepColumns& directions, bool gauss_newton,
                                  StepColumns& result) override;

 private:
  ElasticSteps at(const Eigen::VectorXd& x);
  Eigen::VectorXd gradient_of_unknowns(const ElasticSteps& steps) const;

  std::shared_ptr<const LossSum<ElasticObservables>> losses_;
  LossData data_;  // with the time step
  IntegrationScheme scheme_;
  Eigen::VectorXd reference_;  // y [3 * vertex] [m]: the velocities of the end are (x - y)/h
  double effective_step_ = 0;  // h [s]
  ElasticState end_, start_, before_;
  bool has_before_ = false;
  std::array<Eigen::VectorXd, 3> activations_;  // of this step, one and two before; empty: not known
  std::int64_t first_step_ = 0;
};

}  // namespace holo
