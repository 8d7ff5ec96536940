#pragma once
// Direct factorization of a sparse symmetric positive definite matrix, with its analysis kept for as long as the pattern stays.

#include <Eigen/SparseCore>
#include <memory>
#include <string>

namespace holo {

// Lower triangle, compressed columns, sorted rows.
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

class SparseFactorization {
 public:
  virtual ~SparseFactorization() = default;
  virtual std::string name() const = 0;  // for the log: "CHOLMOD supernodal (OpenBLAS, 1 thread)"
  // Orders and analyses the pattern. Deterministic: the same pattern gives the same ordering.
  virtual void analyze(const SparseMatrix& lower) = 0;
  // Factors values of the analysed pattern. False when the matrix is not positive definite (or not finite): no solve then.
  virtual bool factorize(const SparseMatrix& lower) = 0;
  // x = A^-1 b for one or more columns. Needs a factorization.
  virtual void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) = 0;
  virtual std::size_t factor_nonzeros() const = 0;
  int factorizations() const { return factorizations_; }  // counted, for logs and tests

 protected:
  int factorizations_ = 0;
};

enum class FactorizationKind { automatic, cholmod_supernodal, eigen_ldlt };

// `automatic`: CHOLMOD where the build has it (HOLO_ENABLE_GPL), else Eigen's LDLT. Throws Error(input) for one that the
// build lacks.
std::unique_ptr<SparseFactorization> make_sparse_factorization(FactorizationKind kind = FactorizationKind::automatic);

}  // namespace holo
