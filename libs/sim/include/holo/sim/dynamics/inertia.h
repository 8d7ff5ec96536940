#pragma once
// The term of inertia in a time step, 1/(2 h^2) |x - y - h w|_M^2: of implicit Euler 1/(2 dt^2) |x - x_n - dt v_n|_M^2
// [Martin2011].

#include <memory>

#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

class Inertia final : public PotentialTerm {
 public:
  explicit Inertia(std::shared_ptr<const ElasticModel> model)
      : model_(std::move(model)), predicted_(model_->start_positions()) {}
  std::string name() const override { return "inertia"; }
  void begin_step(const StepContext& context) override;
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // Quadratic in x, x_n and v_n.
  void add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd&, const TermDirections&, Eigen::MatrixXd&) override {}
  void add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                          const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns) override;

 private:
  std::shared_ptr<const ElasticModel> model_;
  double time_step_ = 1;       // h [s]
  Eigen::VectorXd predicted_;  // y + h w [3 * vertex] [m]
};

}  // namespace holo
