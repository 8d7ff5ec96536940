#pragma once
// The function of the new positions x whose minimum is a step of implicit Euler from (x_n, v_n): a sum of terms
// (potential_term.h), by default those that a model asks for,
//
//   E(x) = sum_e V_e Psi(F_e(x))                     elasticity            elastic_term.h
//        + beta/(2 dt) sum_e V_e |F_e - F_n,e|_H^2   damping, stiffness    stiffness_damping.h
//        + 1/(2 dt^2) |x - x_n - dt v_n|_M^2         inertia               inertia.h
//        + alpha/(2 dt) |x - x_n|_M^2                damping, mass         mass_damping.h
//        - sum_v m_v g . (x_v - x_n,v)               gravity               gravity.h
//
// with v_{n+1} = (x - x_n)/dt [Martin2011].
//
// Prescribed vertices keep their value: their gradient is 0 and their rows of the Hessian are those of a diagonal matrix, so
// that the pattern of the matrix, and with it the symbolic factorization, does not depend on them.

#include <cstdint>
#include <memory>
#include <vector>

#include "holo/opt/newton.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/dynamics/potential_term.h"
#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/elastic_state.h"

namespace holo {

// Positions, gradients and directions are [3 * vertex]; begin_step comes first, since the terms
// take x_n, v_n and dt from it.
class IncrementalPotential final : public NewtonProblem {
 public:
  explicit IncrementalPotential(std::shared_ptr<const ElasticModel> model);

  // Adds a term, before begin_step. Terms are summed in the order of the calls, after those of the model.
  PotentialTerm& add(std::unique_ptr<PotentialTerm> term);
  const std::vector<std::unique_ptr<PotentialTerm>>& potential_terms() const { return terms_; }
  const ElasticTerm& elasticity() const { return *elasticity_; }

  // The step from `state` to state.time + dt, with everything lagged taken from the state. Vertices of handles that hold at the
  // step's end are prescribed.
  void begin_step(const ElasticState& state);
  // Takes everything that is lagged from x.
  void update_lag(const Eigen::VectorXd& x);
  // Writes the prescribed vertices' targets into x.
  void apply_targets(Eigen::VectorXd& x) const;
  // Whether the vertex is prescribed in this step.
  bool prescribed(int vertex) const { return prescribed_[vertex] != 0; }

  int dimension() const override { return 3 * model_->vertex_count(); }
  double energy(const Eigen::VectorXd& x) override;
  PatternChange derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                            SparseMatrix& hessian) override;
  bool has_exact_hessian() const override { return true; }
  // Derivatives at all vertices, without prescribed ones.
  PatternChange free_derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                 SparseMatrix& hessian);
  // Converts the result of free_derivatives into that of derivatives.
  void eliminate_prescribed(Eigen::VectorXd& gradient, SparseMatrix& hessian) const;
  double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) override;
  double step_size(const Eigen::VectorXd& direction) const override;  // largest displacement over the scene's length
  double energy_resolution(double energy) const override;
  std::vector<Term> terms(const Eigen::VectorXd& x) override;
  std::string advice(NewtonStatus status, const Eigen::VectorXd& x) const override;

  // ---- parameters of all terms, one term after another, and second order; rows of prescribed vertices are 0.
  Eigen::Index parameter_count() const;
  Eigen::MatrixXd parameter_gradient(const Eigen::VectorXd& x);  // d2E/(dx da) [3 * vertex][parameter]
  // y . d2r[d_i, d_j] with r = dE/dx [column][column]; y of prescribed vertices counts as 0.
  Eigen::MatrixXd adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions);

 private:
  PatternChange assemble(const Eigen::VectorXd& x, Curvature curvature, const std::vector<std::uint8_t>* eliminated,
                         Eigen::VectorXd& gradient, SparseMatrix& hessian);

  std::shared_ptr<const ElasticModel> model_;
  std::vector<std::unique_ptr<PotentialTerm>> terms_;
  ElasticTerm* elasticity_ = nullptr;  // one of terms_
  BlockAssembler assembler_;
  std::vector<std::uint8_t> prescribed_;  // [vertex]
  Eigen::VectorXd targets_;               // [3 * vertex], only prescribed ones mean anything [m]
};

}  // namespace holo
