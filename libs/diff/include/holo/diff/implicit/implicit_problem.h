#pragma once
// The interface of a simulator for derivatives through its equilibrium: the state x solves r(x, a) = 0 for parameters a, and
// phi(a) = L(x(a), a) is differentiated (holo/diff/implicit/implicit_derivatives.h).
//
//   n  entries of the state x       M  parameters a       ell = L + lambda' r, the Lagrangian, at a fixed lambda
//
// r need not be a gradient: J = dr/dx may be unsymmetric. J is the exact Jacobian: a projected, damped or lagged matrix in its
// place gives wrong derivatives. Lagged quantities that are iterated to a fixed point are functions of x and belong into r;
// those frozen from the previous step are constants.

#include <Eigen/Core>

namespace holo {

class ImplicitProblem {
 public:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  using MatrixIn = Eigen::Ref<const Matrix>;
  using MatrixOut = Eigen::Ref<Matrix>;

  virtual ~ImplicitProblem() = default;
  virtual Eigen::Index state_dimension() const = 0;
  virtual Eigen::Index parameter_dimension() const = 0;
  virtual Vector state() const = 0;  // [n]
  virtual void set_state(const Vector& x) = 0;

  virtual Vector residual() const = 0;     // r(x, a) [n]
  virtual double force_scale() const = 0;  // the size of the terms that balance in r; positive
  // Factors J(x, a). False where it is singular.
  virtual bool factorize() = 0;
  // columns = J^-1 columns, J^-T columns [n][any], with the factorization of the last factorize().
  virtual void solve(MatrixOut columns) const = 0;
  virtual void solve_transposed(MatrixOut columns) const = 0;

  virtual void residual_by_parameters(const MatrixIn& da, MatrixOut dr) const = 0;                // dr = r_a da [n][any]
  virtual void residual_by_parameters_transposed(const MatrixIn& v, MatrixOut result) const = 0;  // r_a' v [M][any]

  virtual double loss() const = 0;
  virtual Vector loss_by_state() const = 0;       // L_x [n]
  virtual Vector loss_by_parameters() const = 0;  // L_a [M]

  // Called once before second derivatives at this lambda: the place to assemble ell_xx (its part lambda' r_xx is one
  // directional assembly of the Jacobian).
  virtual void set_multipliers(const Vector& lambda) = 0;
  // Second derivatives of ell along columns (dx, da): by_state = ell_xx dx + ell_xa da [n][k], by_parameters = ell_ax dx +
  // ell_aa da [M][k].
  virtual void lagrangian_directional(const MatrixIn& dx, const MatrixIn& da, MatrixOut by_state,
                                      MatrixOut by_parameters) const = 0;

  // Whether the const members may be called from several threads at once; blocks of columns then run in parallel.
  virtual bool concurrent() const { return false; }
};

}  // namespace holo
