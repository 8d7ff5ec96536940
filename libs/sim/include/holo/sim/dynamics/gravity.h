#pragma once
// The term of gravity, -sum_v m_v g . (x_v - x_n,v): the work against it since the step's start, which loses no digits to the
// distance from the origin.

#include <memory>

#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

class Gravity final : public PotentialTerm {
 public:
  // What it acts on: the masses that have the inertia, so that all fall alike, or in statics the integrals of the shape
  // functions, with which quadratic elements have their full order. They differ for these alone.
  enum class On { masses, shape_masses };

  // `acceleration` [m/s^2]
  Gravity(std::shared_ptr<const ElasticModel> model, const Vector3d& acceleration, On what = On::masses)
      : model_(std::move(model)),
        masses_(what == On::masses ? model_->masses() : model_->shape_masses()),
        acceleration_(acceleration),
        start_(model_->start_positions()) {}
  std::string name() const override { return "gravity"; }
  void begin_step(const StepContext& context) override { start_ = context.positions; }
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd&, Curvature, BlockAssembler&) override {}
  // The three components of the acceleration.
  Eigen::Index parameter_count() const override { return 3; }
  Eigen::VectorXd parameters() const override;
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  // The residual is linear in the parameters and does not depend on x.
  void add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd&, const TermDirections&, Eigen::MatrixXd&) override {}

 private:
  std::shared_ptr<const ElasticModel> model_;
  const std::vector<double>& masses_;  // [vertex], the model's [kg]
  Vector3d acceleration_;
  Eigen::VectorXd start_;  // x_n [3 * vertex] [m]
};

}  // namespace holo
