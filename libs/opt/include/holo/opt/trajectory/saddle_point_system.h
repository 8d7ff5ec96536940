#pragma once
// Linear algebra of an equality-constrained problem behind one interface: products with the model Hessian H and the Jacobian A
// of the constraints, and solutions of two systems with saddle-point matrices,
//
//   K2 = [W   A^T]         K1 = [H + dw W   A^T]
//        [A  -Dc ]              [A         -Dc ]
//
// with a diagonal metric W > 0, a shift dw > 0 and a diagonal Dc > 0. Both are regular, also where A has dependent rows, and
// where H >= 0 they are quasi-definite: pivots exist in every order [Vanderbei1995].

#include <Eigen/Core>

namespace holo {

enum class SaddlePointMatrix { metric, model };           // K2, K1
enum class SaddlePointSelection { metric, model, both };  // what to factorize
enum class SaddlePointOutcome { factorized, not_finite, singular };

// H [unknown][unknown], A [constraint][unknown]. Vectors of a system are the unknowns and then the multipliers.
class SaddlePointSystem {
 public:
  static constexpr int largest_columns = 2;  // of a solution

  virtual ~SaddlePointSystem() = default;
  virtual int unknown_count() const = 0;     // n
  virtual int constraint_count() const = 0;  // m

  // Products have their sizes and are other memory than the vector.
  virtual void multiply_hessian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const = 0;              // H p
  virtual void multiply_jacobian(const Eigen::VectorXd& p, Eigen::VectorXd& product) const = 0;             // A p
  virtual void multiply_jacobian_transposed(const Eigen::VectorXd& y, Eigen::VectorXd& product) const = 0;  // A^T y
  virtual void hessian_diagonal(Eigen::VectorXd& diagonal) const = 0;
  virtual void jacobian_row_norms(Eigen::VectorXd& norms) const = 0;  // Euclidean

  // Factorizes; `not_finite` where an entry of H or A is not finite. H and A must stay as they are until the next call. An
  // implementation may shift more than asked. Allocates nothing after the first call, unless it pivots in a sparse matrix.
  // `metric` is W [unknown], `unknown_shift` dw, `constraint_shift` the diagonal of Dc [constraint].
  virtual SaddlePointOutcome factor(SaddlePointSelection selection, const Eigen::VectorXd& metric, double unknown_shift,
                                    const Eigen::VectorXd& constraint_shift) = 0;

  // x = K^-1 b for up to largest_columns columns [unknown, then constraint][column]; x is not b. False where the backward
  // error |b - K x| / (|K| |x| + |b|) exceeds 1e-9, in the largest norm of K as it is or equilibrated: x is undefined then.
  virtual bool solve(SaddlePointMatrix matrix, const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) = 0;
};

}  // namespace holo
