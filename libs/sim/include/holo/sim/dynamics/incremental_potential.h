#pragma once
// A function of positions x that a step minimizes: a sum of terms (potential_term.h) with Dirichlet conditions. With those of
// implicit_euler_terms (potential_terms.h) its minimum is a time step from (x_n, v_n),
//
//   E(x) = sum_e V_e Psi(F_e(x))                     elasticity            elastic_term.h
//        + beta/(2 h) sum_e V_e |F_e - F_e(y)|_H^2   damping, stiffness    stiffness_damping.h
//        + 1/(2 h^2) |x - y - h w|_M^2               inertia               inertia.h
//        + alpha/(2 h) |x - y|_M^2                   damping, mass         mass_damping.h
//        - sum_v m_v g . (x_v - x_n,v)               gravity               gravity.h
//
// with v_{n+1} = (x - y)/h; implicit Euler has y = x_n, w = v_n, h = dt [Martin2011], and time_integration.h has the others.
// With static_terms the minimum is an equilibrium.
//
// Prescribed coordinates keep their value: their gradient is 0 and their rows of the Hessian are those of a diagonal matrix, so
// that the pattern of the matrix, and with it the symbolic factorization, does not depend on them.

#include <cstdint>
#include <memory>
#include <vector>

#include "holo/opt/newton.h"
#include "holo/sim/dynamics/elastic_term.h"
#include "holo/sim/dynamics/potential_terms.h"

namespace holo {

// Positions, gradients and directions are [3 * vertex]; begin_step comes first, since the terms
// take x_n, v_n and dt from it.
class IncrementalPotential final : public NewtonProblem {
 public:
  // Sums are made in the order of the terms. Exactly one of them is an ElasticTerm of the model: Error(internal) otherwise.
  IncrementalPotential(std::shared_ptr<const ElasticModel> model, PotentialTerms terms);

  const PotentialTerms& potential_terms() const { return terms_; }
  const ElasticTerm& elasticity() const { return *elasticity_; }
  ElasticTerm& elasticity() { return *elasticity_; }

  // The step of `context`, with everything lagged taken from the positions at its start. Vertices of handles that hold at the
  // step's end are prescribed.
  void begin_step(const StepContext& context, const DirichletSchedule& schedule);
  // Obstacles that move by script are at their places at the end of the step, if this does not put them to another share of
  // their way; and what its rest adds to the gradient (obstacle_term.h).
  void place_obstacles(double progress);
  void add_obstacle_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);
  // Takes everything that is lagged from x.
  void update_lag(const Eigen::VectorXd& x);
  // The same for terms that lag values of the step's end (PotentialTerm::lags_its_end); false if there is none.
  bool update_lag_of_end(const Eigen::VectorXd& x);
  // Writes the prescribed vertices' targets into x.
  void apply_targets(Eigen::VectorXd& x) const;
  // Whether the vertex is prescribed in this step, along all axes.
  bool prescribed(int vertex) const { return held_[std::size_t(vertex)] != 0; }
  // Sets the rows [3 * vertex] of prescribed coordinates to 0.
  void clear_prescribed(Eigen::Ref<Eigen::MatrixXd> columns) const;

  int dimension() const override { return 3 * model_->vertex_count(); }
  double energy(const Eigen::VectorXd& x) override;
  PatternChange derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                            SparseMatrix& hessian) override;
  // That of body energies (body_energy_term.h).
  const LowRankMatrix* low_rank() const override { return assembler_.low_rank(); }
  void gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient);  // alone; of prescribed vertices 0
  bool has_exact_hessian() const override { return true; }
  // Derivatives at all vertices, without prescribed ones. What is of low rank is not in the matrix (low_rank()).
  PatternChange free_derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                 SparseMatrix& hessian);
  // Converts the result of free_derivatives into that of derivatives.
  void eliminate_prescribed(Eigen::VectorXd& gradient, SparseMatrix& hessian) const;
  double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) override;
  // Whether feasible steps invert no element of any material from now on (ElasticTerm::prevent_inversion).
  void prevent_inversion(bool prevented) { elasticity_->prevent_inversion(prevented); }
  double step_size(const Eigen::VectorXd& direction) const override;  // largest displacement over the scene's length
  double energy_resolution(double energy) const override;
  std::vector<Term> terms(const Eigen::VectorXd& x) override;
  std::string advice(NewtonStatus status, const Eigen::VectorXd& x) const override;

  // ---- parameters, lag and start of all terms, one term after another, and second order; rows of prescribed vertices are 0.
  //
  // A step solves r(x, a, lag(x_n, a), x_n, v_n) = 0 for x, with r = dE/dx. Directions of a, x_n and v_n therefore move x by
  //   H dx = -(parameter_gradient da + start_gradient(dx_n, dv_n) + lag_gradient(lag_derivative(dx_n, da)))
  // where H is the exact Hessian, and y . r = const along a motion has the second derivative adjoint_hessian of all directions,
  // plus lag_curvature of (dx_n, da), plus y . H d2x and the like.
  Eigen::Index parameter_count() const;
  Eigen::VectorXd parameters() const;
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values);
  Eigen::MatrixXd parameter_gradient(const Eigen::VectorXd& x);  // d2E/(dx da) [3 * vertex][parameter]
  // Those of the parameters that are activations of muscles, and their columns alone.
  ParameterRange activations() const;
  Eigen::MatrixXd activation_gradient(const Eigen::VectorXd& x);
  // d2E/(dx dx_n) positions + d2E/(dx dv_n) velocities [3 * vertex][column]. This and adjoint_hessian with directions of the
  // start are those of implicit Euler: Error(input) in a step whose formula uses the step before, too.
  Eigen::MatrixXd start_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& velocities);
  Eigen::Index lag_count() const;
  // dLag/dx positions + dLag/da parameters [lag_count()][column], at the positions of the last update_lag
  Eigen::MatrixXd lag_derivative(const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                 const Eigen::Ref<const Eigen::MatrixXd>& parameters);
  Eigen::MatrixXd lag_gradient(const Eigen::VectorXd& x, const Eigen::Ref<const Eigen::MatrixXd>& lag);  // d2E/(dx dLag) lag
  // y . d2r[d_i, d_j] [column][column]; y of prescribed vertices counts as 0.
  Eigen::MatrixXd adjoint_hessian(const Eigen::VectorXd& x, const Eigen::VectorXd& y, const TermDirections& directions);
  // (y . dr/dLag) . d2Lag[d_i, d_j] [column][column] for directions of the positions of the last update_lag and of parameters;
  // y of prescribed vertices counts as 0.
  Eigen::MatrixXd lag_curvature(const Eigen::VectorXd& x, const Eigen::VectorXd& y,
                                const Eigen::Ref<const Eigen::MatrixXd>& positions,
                                const Eigen::Ref<const Eigen::MatrixXd>& parameters);

 private:
  void require_implicit_euler() const;
  void find_held();
  PatternChange assemble(const Eigen::VectorXd& x, Curvature curvature, const std::vector<std::uint8_t>* eliminated,
                         Eigen::VectorXd& gradient, SparseMatrix& hessian);

  std::shared_ptr<const ElasticModel> model_;
  PotentialTerms terms_;
  ElasticTerm* elasticity_ = nullptr;  // one of terms_
  BlockAssembler assembler_;
  StepFormula formula_;                   // of the step
  std::vector<std::uint8_t> prescribed_;  // [3 * vertex]
  std::vector<std::uint8_t> held_;        // [vertex] all three are
  bool has_sliding_ = false;              // one or two of a vertex are
  Eigen::VectorXd targets_;               // [3 * vertex], only prescribed ones mean anything [m]
};

}  // namespace holo
