#include "holo/sim/control/step_loss.h"

namespace holo {

void ObservedStepLoss::begin(const ElasticState& start, const ElasticState* before) {
  start_ = start;
  has_before_ = before != nullptr;
  if (before) before_ = *before;
  end_ = start;
  end_.step = start.step + 1;
  end_.time = start.time + data_.time_step;
}

ElasticSteps ObservedStepLoss::at(const Eigen::VectorXd& x) {
  end_.positions = x;
  end_.velocities = (x - start_.positions) / data_.time_step;
  return {{&end_, &start_, has_before_ ? &before_ : nullptr}};
}

// Signals and observables are asked for at the same knot, which is the state's own step: it is that of the group's clock.
template <class Visit>
void ObservedStepLoss::each_group(const Eigen::VectorXd& x, const Visit& visit) {
  const ElasticSteps steps = at(x);
  const std::int64_t step = end_.step;
  for (const Group& group : groups_) {
    end_.step = step - group.first_step;
    visit(*group.losses, steps, int(end_.step));
  }
  end_.step = step;
}

double ObservedStepLoss::value(const Eigen::VectorXd& x) {
  double sum = 0;
  each_group(x, [&](const LossSum<ElasticObservables>& losses, const ElasticSteps& steps, int knot) {
    double value = 0;
    losses.evaluate(steps, data_, knot, knot + 1, &value);
    sum += value;
  });
  return sum;
}

// Of the unknowns of a step, positions and velocities of the end depend on x.
void ObservedStepLoss::add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
  each_group(x, [&](const LossSum<ElasticObservables>& losses, const ElasticSteps& steps, int knot) {
    Eigen::VectorXd of_unknowns = Eigen::VectorXd::Zero(losses.observables().unknown_count(steps));
    losses.add_gradient(steps, data_, knot, of_unknowns);
    gradient += of_unknowns.head(x.size()) + of_unknowns.segment(x.size(), x.size()) / data_.time_step;
  });
}

void ObservedStepLoss::add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                                            Eigen::MatrixXd& result) {
  const Eigen::Index size = x.size();
  each_group(x, [&](const LossSum<ElasticObservables>& losses, const ElasticSteps& steps, int knot) {
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(losses.observables().unknown_count(steps)), product(direction.size());
    for (Eigen::Index j = 0; j < directions.cols(); ++j) {
      direction.head(size) = directions.col(j);
      direction.segment(size, size) = directions.col(j) / data_.time_step;
      product.setZero();
      losses.add_hessian_product(steps, data_, gauss_newton, knot, direction, product);
      result.col(j) += product.head(size) + product.segment(size, size) / data_.time_step;
    }
  });
}

}  // namespace holo
