#pragma once
// A term of the points of a model's embedding as one of the model's vertices: contact of affine bodies.

#include <array>
#include <map>
#include <memory>
#include <string>

#include "holo/sim/dynamics/obstacle_term.h"
#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/embedding.h"

namespace holo {

// E(q) = E_c(W q) of a contact term E_c, whose vertices are points x_c = W q (elastic/embedding.h). W is constant, so that
// every derivative is that of E_c in the directions W d, pulled back by W^T. Parameters and lag are those of E_c.
class EmbeddedTerm final : public PotentialTerm, public ObstacleTerm {
 public:
  // `of_points` is an ObstacleTerm, too; otherwise Error(internal).
  EmbeddedTerm(std::unique_ptr<PotentialTerm> of_points, std::shared_ptr<const Embedding> embedding);

  const PotentialTerm& of_points() const { return *term_; }

  std::string name() const override { return term_->name(); }
  void begin_step(const StepContext& context) override;
  void update_lag(const Eigen::VectorXd& x) override { term_->update_lag(points(x)); }
  bool lags_its_end() const override { return term_->lags_its_end(); }
  void place_obstacles(double progress) override { obstacles_->place_obstacles(progress); }
  void add_obstacle_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  double energy(const Eigen::VectorXd& x) override { return term_->energy(points(x)); }
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) override;
  // Blocks of points become those of the points' vertices: a positive semidefinite matrix stays one.
  void add_hessian(const Eigen::VectorXd& x, Curvature curvature, BlockAssembler& assembler) override;
  double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) override;
  double energy_scale() const override { return term_->energy_scale(); }

  Eigen::Index parameter_count() const override { return term_->parameter_count(); }
  Eigen::VectorXd parameters() const override { return term_->parameters(); }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override { term_->set_parameters(values); }
  void add_parameter_gradient(const Eigen::VectorXd& x, Eigen::Ref<Eigen::MatrixXd> columns) override;
  void add_adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions,
                           Eigen::MatrixXd& result) override;
  Eigen::Index lag_count() const override { return term_->lag_count(); }
  void add_lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag,
                        Eigen::Ref<Eigen::MatrixXd> columns) override;
  Eigen::MatrixXd lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& parameters) override;
  void add_lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                         const Eigen::Ref<const Eigen::MatrixXd>& parameters, Eigen::MatrixXd& result) override;
  void add_start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                          const Eigen::Ref<const Eigen::MatrixXd>& velocities, Eigen::Ref<Eigen::MatrixXd> columns) override;

 private:
  const Eigen::VectorXd& points(const Eigen::VectorXd& x);
  void add_embedded_block(int row, int column, const std::array<double, 9>& block, BlockAssembler& assembler);

  std::unique_ptr<PotentialTerm> term_;
  ObstacleTerm* obstacles_;  // the same
  std::shared_ptr<const Embedding> embedding_;
  BlockAssembler blocks_;  // of the points
  // [affine bodies, first nodes, the larger one first] sums of their blocks; zero between assemblies
  std::map<std::array<int, 2>, Eigen::Matrix<double, 12, 12>> sums_;
  Eigen::VectorXd points_, direction_, gradient_;  // [3 * point]
};

}  // namespace holo
