#pragma once
// A loss of the positions at the end of one time step, which a control minimizes.

#include <Eigen/Core>
#include <cstdint>
#include <memory>

#include "holo/sim/elastic/elastic_state.h"
#include "holo/sim/elastic/observables/elastic_observables.h"

namespace holo {

class StepLoss {
 public:
  virtual ~StepLoss() = default;
  // At positions x [3 * vertex] [m]; +infinity where it has no value.
  virtual double value(const Eigen::VectorXd& x) = 0;
  virtual void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) = 0;
  // result [3 * vertex][column] += d2L/dx2 directions, or of its Gauss-Newton model.
  virtual void add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                                    Eigen::MatrixXd& result) = 0;
};

// Losses of observables (losses/loss_sum.h) of the state at the step's end, whose velocities are (x - x_n)/dt.
class ObservedStepLoss final : public StepLoss {
 public:
  ObservedStepLoss(std::shared_ptr<const LossSum<ElasticObservables>> losses, LossData data)
      : losses_(std::move(losses)), data_(std::move(data)) {}
  // At the end of step n of the motion, signals have their values of step n - first_step; from the next `begin` on.
  void count_from(std::int64_t first_step) { first_step_ = first_step; }
  // The state at the step's start, and the one before it or null. Both are copied.
  void begin(const ElasticState& start, const ElasticState* before);

  double value(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                            Eigen::MatrixXd& result) override;

 private:
  ElasticSteps at(const Eigen::VectorXd& x);

  std::shared_ptr<const LossSum<ElasticObservables>> losses_;
  LossData data_;  // with the time step
  ElasticState end_, start_, before_;
  bool has_before_ = false;
  std::int64_t first_step_ = 0;
};

}  // namespace holo
