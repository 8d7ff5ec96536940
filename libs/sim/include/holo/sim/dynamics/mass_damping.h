#pragma once
// Damping proportional to the mass, alpha/(2 h) |x - y|_M^2: the Rayleigh force -alpha M v_{n+1} of a time step
// (time_integration.h), with y = x_n and h = dt of implicit Euler.

#include <memory>
#include <vector>

#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

class MassDamping final : public PotentialTerm {
 public:
  // Each body's own `mass_damping`.
  explicit MassDamping(const ElasticModel& model);
  // Whether any body is damped.
  static bool acts_on(const ElasticModel& model);

  std::string name() const override { return "damping proportional to the mass"; }
  void begin_step(const StepContext& context) override;
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  // The coefficient alpha of each body that is damped, in the order of the bodies [1/s].
  Eigen::Index parameter_count() const override { return static_cast<Eigen::Index>(damped_bodies_.size()); }
  Eigen::VectorXd parameters() const override;
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;
  void add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                          const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns) override;

 private:
  struct DampedBody {
    Eigen::Index first_vertex, vertex_count;
    double coefficient;  // alpha [1/s]
  };
  void weigh();

  std::vector<DampedBody> damped_bodies_;
  std::vector<double> masses_;         // [vertex] [kg]
  std::vector<double> damped_masses_;  // [vertex] m alpha [kg/s]
  double time_step_ = 1;               // h [s]
  Eigen::VectorXd start_;              // y [3 * vertex] [m]
};

}  // namespace holo
