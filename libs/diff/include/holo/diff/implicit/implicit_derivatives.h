#pragma once
// Exact first and second derivatives of phi(a) = L(x(a), a), where x(a) solves r(x, a) = 0, from one factorization of J = r_x:
//
//   gradient                phi_a = L_a + lambda' r_a,   J' lambda = -L_x'                                  1 solve
//   Hessian, Lagrangian     H = X' ell_xx X + X' ell_xa + ell_ax X + ell_aa,   J X = -r_a                   1 + M solves
//   Hessian, adjoint        J' lambda'_k = -(ell_xx x'_k + ell_x a_k),
//                           H e_k = ell_aa e_k + ell_ax x'_k + r_a' lambda'_k                               1 + 2 M solves
//   product H v             the adjoint form along v, without X                                             1 + 2 solves
//
// The adjoint form is the literal differentiation of the adjoint gradient [Shen2024]; the Lagrangian form is symmetric by
// construction and the one to use.
//
//   ImplicitDerivatives derivatives(problem);       // checks the residual, polishes the state, factors J
//   auto g = derivatives.gradient();
//   auto h = derivatives.hessian();                 // h.hessian [M][M]; derivatives.counts()
//   auto p = derivatives.hessian_product(v);
//
// Columns are computed in blocks of 32, in parallel if the problem allows it; results have the same bits for any number of
// threads.

#include <mutex>

#include "holo/core/error.h"
#include "holo/diff/implicit/implicit_problem.h"

namespace holo {

class ImplicitError : public Error {
 public:
  enum class Kind { dimension_mismatch, not_finite, not_converged, singular };
  ImplicitError(Kind kind, const std::string& text) : Error(Failure::input, text), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

enum class ImplicitForm { lagrangian, adjoint };

struct ImplicitOptions {
  // Largest allowed |r|_inf of the given state, relative to ImplicitProblem::force_scale(); > 0.
  double residual_tolerance = 1e-10;
  // The state is improved by one Newton step. If the step's largest entry exceeds step_tolerance times max(1, |x|_inf), J is
  // factorized again at the improved state; >= 0.
  double step_tolerance = 1e-14;
};

// The work since the construction of an ImplicitDerivatives.
struct ImplicitCounts {
  int factorizations = 0;       // of J
  int solves = 0;               // columns solved with J or its transpose, without those of Newton steps
  int newton_steps = 0;         // improvements of the state
  int directional_columns = 0;  // columns of second derivatives of the Lagrangian
  int residual_columns = 0;     // columns of products with r_a or its transpose
};

// Derivatives by the parameters a [M]. Entry k has the unit of the loss over that of a_k.
struct ImplicitGradient {
  double loss = 0;           // L(x(a), a)
  Eigen::VectorXd gradient;  // d phi / da [M]
};
struct ImplicitHessian {
  double loss = 0;           // L(x(a), a)
  Eigen::VectorXd gradient;  // d phi / da [M]
  Eigen::MatrixXd hessian;   // d2 phi / da2 [M][M], symmetric: mirrored entries are averaged
  double asymmetry = 0;      // largest difference of mirrored entries before the averaging, over the largest entry; >= 0
};
struct ImplicitProduct {
  Eigen::VectorXd product;  // H v [M]
};

class ImplicitDerivatives {
 public:
  static constexpr Eigen::Index block = 32;

  // Improves the problem's state by one Newton step with J, and stores the multipliers and the gradient. `problem` must outlive
  // this object and keep its state and factorization. Throws ImplicitError: dimension_mismatch for vectors of other sizes than
  // n and M, not_finite for a residual or derivative that is not finite, not_converged (with residual and bound) if the state
  // is no solution, singular if J has no factorization.
  explicit ImplicitDerivatives(ImplicitProblem& problem, ImplicitOptions options = {});

  const Eigen::VectorXd& multipliers() const { return lambda_; }  // lambda [n]
  const Eigen::MatrixXd& sensitivities();                         // X = dx/da [n][M]; M solves at the first call
  ImplicitGradient gradient() const { return {loss_, gradient_}; }
  ImplicitHessian hessian(ImplicitForm form = ImplicitForm::lagrangian);
  // v: [M], finite. Throws ImplicitError dimension_mismatch for another size.
  ImplicitProduct hessian_product(const Eigen::VectorXd& v);
  const ImplicitCounts& counts() const { return counts_; }

 private:
  void improve_state(const ImplicitOptions& options);
  void factorize();
  void prepare_multipliers();
  template <class Body>
  void for_blocks(const Body& body) const;
  void adjoint_columns(const Eigen::Ref<const Eigen::MatrixXd>& dx, const Eigen::Ref<const Eigen::MatrixXd>& da,
                       Eigen::Ref<Eigen::MatrixXd> result) const;

  ImplicitProblem& problem_;
  Eigen::Index n_, m_;
  double loss_ = 0;
  Eigen::VectorXd lambda_, gradient_;
  Eigen::MatrixXd sensitivities_;
  bool multipliers_set_ = false;
  ImplicitCounts counts_;
};

}  // namespace holo
