#pragma once
// A block with twelve muscle segments on the ground, for tests of its control.

#include <optional>

#include "activation_penalty.h"
#include "holo/sim/control/inverse_step.h"
#include "soft_block.h"

namespace holo::test {

constexpr double block_shear_modulus = 1e5 / 2.8;  // Young's modulus 1e5, Poisson's ratio 0.4 [Pa]

struct GroundContact {
  double friction = 0.5, stick_speed = 0.01;  // coefficient; [m/s]
  std::optional<BristlesDefinition> bristles = {};
  BarrierShape barrier = BarrierShape::logarithmic;
  FrictionLaw law = FrictionLaw::quintic;
};

// 0.3 x 0.3 x 0.8 m with four vertical muscles of three segments each, with the same activation at the start.
inline ElasticScene controlled_block(double activation = 0, double time_step = 1.0 / 40, const GroundContact& ground = {},
                                     const Vector3d& velocity = {}) {
  ElasticBodyDefinition body = soft_block("block", {0.3, 0.3, 0.8}, 96, 1e5);
  std::vector<Polyline> lines;
  for (const double x : {0.07, 0.23})
    for (const double y : {0.07, 0.23}) lines.push_back({{x, y, 0.02}, {x, y, 0.28}, {x, y, 0.52}, {x, y, 0.78}});
  body.muscles = line_muscles(MuscleLaw::fiber, 0.1, lines, std::vector<double>(4, activation));
  body.mass_damping = 0.1;
  body.velocity = velocity;
  body.bristles = ground.bristles;
  ElasticSceneDefinition definition;
  definition.time_step = time_step;
  definition.bodies = {body};
  definition.contact.activation_distance = 2e-3;
  definition.contact.stick_speed = ground.stick_speed;
  definition.contact.shape = ground.barrier;
  definition.contact.friction_law = ground.law;
  definition.contact.planes.push_back({"ground", {0, 0, -1.2e-3}, {0, 0, 1}, ground.friction, {}});
  return ElasticScene(definition);
}

// 50 |v - target|^2 [m/s] of the center of mass, with v = (x - x_n)/dt, and a small penalty of the activations. What
// derivatives say can be made wrong.
class BlockVelocityLoss : public PenalizedLoss {
 public:
  BlockVelocityLoss(const ElasticScene& scene, const Eigen::Vector3d& target)
      : PenalizedLoss(1e-3, block_shear_modulus), scene_(scene), target_(target) {
    for (const double m : scene.model->masses()) mass_ += m;
  }
  void begin(const ElasticState& state) { start_ = state.positions; }
  Eigen::Vector3d velocity(const Eigen::VectorXd& x) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int v = 0; v < scene_.model->vertex_count(); ++v)
      sum += scene_.model->masses()[std::size_t(v)] * (x - start_).segment<3>(3 * v);
    return sum / (mass_ * scene_.integration.time_step);
  }
  double value(const Eigen::VectorXd& x) override { return 50 * (velocity(x) - target_).squaredNorm() + penalty(); }
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override {
    add_shares(gradient_factor * 100 * (velocity(x) - target_), gradient);
  }
  void add_hessian_products(const Eigen::VectorXd&, const Eigen::MatrixXd& directions, bool, Eigen::MatrixXd& result) override {
    for (Eigen::Index j = 0; j < directions.cols(); ++j) {
      Eigen::VectorXd column = Eigen::VectorXd::Zero(directions.rows());
      add_shares(hessian_factor * 100 * velocity(start_ + directions.col(j)), column);
      result.col(j) += column;
    }
  }
  double gradient_factor = 1, hessian_factor = 1;

 private:
  void add_shares(const Eigen::Vector3d& g, Eigen::VectorXd& gradient) const {
    for (int v = 0; v < scene_.model->vertex_count(); ++v)
      gradient.segment<3>(3 * v) += scene_.model->masses()[std::size_t(v)] / (mass_ * scene_.integration.time_step) * g;
  }

  const ElasticScene& scene_;
  Eigen::Vector3d target_;
  double mass_ = 0;
  Eigen::VectorXd start_;
};

// The block at rest on the ground, after 0.75 s.
inline ElasticState settled_block(const ElasticScene& scene) {
  ImplicitEuler integrator(scene);
  ElasticState state = initial_state(*scene.model);
  for (int n = 0; n < 30; ++n) integrator.step(state);
  return state;
}

}  // namespace holo::test
