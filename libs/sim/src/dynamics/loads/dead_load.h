#pragma once
// Forces that keep their direction and size, -s(t) sum_v w_v f . (x_v - X_v) with the weights w_v of vertices: 1/count for a
// force f [N] that its vertices share, the areas of the surface at the start for a traction f [Pa]. Linear in x and f.

#include "dynamics/loads/loads.h"

namespace holo {

class DeadLoad final : public PotentialTerm {
 public:
  struct Weight {
    int vertex;
    double value;  // [1] of a force, [m^2] of a traction
  };
  // `vector`: the force [N] or traction [Pa]; `start`: X [3 * vertex] [m].
  DeadLoad(std::string name, std::vector<Weight> weights, const Vector3d& vector, const LoadDefinition& load,
           const Eigen::VectorXd& start)
      : name_(std::move(name)), weights_(std::move(weights)), vector_(vector), load_(load), start_(start) {}

  std::string name() const override { return name_; }
  void begin_step(const StepContext& context) override { share_ = load_.share_at(context.end_time); }
  double energy(const Eigen::VectorXd& x) override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  void add_hessian(const Eigen::VectorXd&, Curvature, BlockAssembler&) override {}
  // The three components of the force or traction.
  Eigen::Index parameter_count() const override { return 3; }
  Eigen::VectorXd parameters() const override;
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  // The residual is linear in the parameters and does not depend on x.
  void add_adjoint_hessian(const Eigen::VectorXd&, const Eigen::VectorXd&, const TermDirections&, Eigen::MatrixXd&) override {}

 private:
  std::string name_;
  std::vector<Weight> weights_;
  Vector3d vector_;
  LoadDefinition load_;
  Eigen::VectorXd start_;  // X [3 * vertex] [m]
  double share_ = 1;       // s
};

// Makers of loads with a force [N], which the vertices of the subset share equally, and with a traction [Pa] on its triangles.
LoadMaker force_load(const Vector3d& force);
LoadMaker traction_load(const Vector3d& traction);

}  // namespace holo
