#pragma once
// One time step of the block with twelve muscle segments, whose activations minimize a loss: a toy for derivatives and methods.

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "controlled_block.h"
#include "term_checks.h"

namespace holo::test {

constexpr double toy_time_step = 1.0 / 40;

// |c(v) - target|^2/(0.1 m/s)^2 of the center of mass, with v = (x - x_n)/dt, plus the fourth power of the distance of one
// vertex: what is not quadratic. A penalty of the activations is added.
class ToyLoss final : public PenalizedLoss {
 public:
  ToyLoss(const ElasticModel& model, const Eigen::Vector3d& velocity)
      : PenalizedLoss(1e-2, block_shear_modulus), model_(model), target_(velocity) {
    for (const double m : model.masses()) mass_ += m;
  }
  static constexpr double scale = 100;  // [s^2/m^2]
  double quartic_weight = 0;            // [1/m^4]
  void begin(const ElasticState& state) { start_ = state.positions; }
  void aim_at(const Eigen::Vector3d& velocity) { target_ = velocity; }
  const Eigen::Vector3d& target() const { return target_; }

  double value(const Eigen::VectorXd& x) override {
    const double r2 = offset(x).squaredNorm();
    return scale * (speed(x) - target_).squaredNorm() + quartic_weight * r2 * r2 + penalty();
  }
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override {
    add_shares(2 * scale * (speed(x) - target_), gradient);
    gradient.tail<3>() += 4 * quartic_weight * offset(x).squaredNorm() * offset(x);
  }
  void add_hessian_products(const Eigen::VectorXd& x, const Eigen::MatrixXd& directions, bool gauss_newton,
                            Eigen::MatrixXd& result) override {
    const Eigen::Vector3d r = offset(x);
    for (Eigen::Index j = 0; j < directions.cols(); ++j) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(x.size());
      add_shares(2 * scale * speed(start_ + directions.col(j)), column);
      const Eigen::Vector3d d = directions.col(j).tail<3>();
      if (!gauss_newton) column.tail<3>() += quartic_weight * (8 * r.dot(d) * r + 4 * r.squaredNorm() * d);
      result.col(j) += column;
    }
  }

 private:
  Eigen::Vector3d offset(const Eigen::VectorXd& x) const { return x.tail<3>() - model_.start_positions().tail<3>(); }
  Eigen::Vector3d speed(const Eigen::VectorXd& x) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int v = 0; v < model_.vertex_count(); ++v)
      sum += model_.masses()[std::size_t(v)] * (x.segment<3>(3 * v) - start_.segment<3>(3 * v));
    return sum / (mass_ * toy_time_step);
  }
  // The gradient of g . speed(x).
  void add_shares(const Eigen::Vector3d& g, Eigen::VectorXd& gradient) const {
    for (int v = 0; v < model_.vertex_count(); ++v)
      gradient.segment<3>(3 * v) += model_.masses()[std::size_t(v)] / (mass_ * toy_time_step) * g;
  }

  const ElasticModel& model_;
  Eigen::Vector3d target_;
  double mass_ = 0;
  Eigen::VectorXd start_;
};

// The block after some steps of its own, and its next step with activations as unknowns in units of the shear modulus.
class Toy {
 public:
  Toy(const GroundContact& ground, const Vector3d& velocity, int steps, const Eigen::Vector3d& target,
      double forward_tolerance = 1e-8, NewtonLinearSolver linear_solver = NewtonLinearSolver::factorize)
      : scene_(controlled_block(0, toy_time_step, ground, velocity)),
        integrator_(scene_),
        state_(initial_state(*scene_.model)),
        loss(*scene_.model, target),
        problem(integrator_, loss,
                {.unit = block_shear_modulus, .forward = {.tolerance = forward_tolerance, .linear_solver = linear_solver}}) {
    for (int n = 0; n < steps; ++n)
      if (integrator_.step(state_).newton.status != NewtonStatus::converged)
        throw std::runtime_error("the block does not settle");
    loss.begin(state_);
    if (!problem.begin(state_, Eigen::VectorXd::Zero(problem.dimension()))) throw std::runtime_error(problem.diagnosis());
  }
  // Vertices that the ground repels, whose friction is complete or not, and how far from the activation distance any vertex is,
  // over this distance.
  struct Contacts {
    int stick = 0, slip = 0;
    double margin = 1;
  };
  Contacts contacts(double stick_speed) const {
    Contacts found;
    for (int v = 0; v < scene_.model->vertex_count(); ++v) {
      const double gap = (problem.x()[3 * v + 2] + 1.2e-3) / 2e-3;  // over the activation distance
      found.margin = std::min(found.margin, std::abs(gap - 1));
      if (gap >= 1) continue;
      const double sliding = (problem.x() - state_.positions).segment<2>(3 * v).norm();
      (sliding < stick_speed * toy_time_step ? found.stick : found.slip) += 1;
    }
    return found;
  }
  DenseResult minimize_by(DenseMethod method, int iterations, Eigen::VectorXd& u) {
    DenseWorkspace workspace;
    return minimize(problem, {}, u, {.method = method, .tolerance = 1e-9, .max_iterations = iterations}, workspace);
  }
  // A step with the activations that give the center of mass this velocity; then the next one begins.
  void step_to(const Eigen::Vector3d& velocity) {
    loss.aim_at(velocity);
    Eigen::VectorXd u = problem.activations() / block_shear_modulus;
    minimize_by(DenseMethod::newton, 12, u);
    if (!problem.finish(u)) throw std::runtime_error(problem.diagnosis());
    Eigen::VectorXd x = problem.x();
    integrator_.advance(state_, x);
    loss.begin(state_);
    if (!problem.begin(state_, problem.activations())) throw std::runtime_error(problem.diagnosis());
  }

  const ElasticScene& scene() const { return scene_; }
  const ElasticState& state() const { return state_; }  // at the start of the step

  Toy(const Toy&) = delete;  // its parts refer to each other

 private:
  ElasticScene scene_;
  ImplicitEuler integrator_;
  ElasticState state_;

 public:
  ToyLoss loss;
  InverseStep problem;
};

inline Eigen::VectorXd activations_at_random(const InverseStep& problem) {
  return 0.3 * random_columns(problem.dimension(), 1, 17);
}

}  // namespace holo::test
