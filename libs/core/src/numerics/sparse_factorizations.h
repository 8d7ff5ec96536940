#pragma once
// The implementations behind make_sparse_factorization, and what they share.

#include <memory>
#include <vector>

#include "holo/core/numerics/sparse_factorization.h"

namespace holo {

std::unique_ptr<SparseFactorization> make_eigen_factorization();
std::unique_ptr<SparseFactorization> make_cholmod_factorization();  // only where HOLO_ENABLE_GPL is defined

// The pattern that was analysed, to refuse the values of another one: they would be read past their end.
class AnalysedPattern {
 public:
  void set(const SparseMatrix& lower);
  // Throws Error(internal) unless `lower` has this pattern.
  void require(const SparseMatrix& lower) const;

 private:
  bool analysed_ = false;
  std::vector<int> column_starts_, rows_;
};

bool all_finite(const SparseMatrix& matrix);
// Throws Error(internal) unless there is a factorization of `size` rows and b and x fit it.
void require_solvable(bool factorized, Eigen::Index size, const Eigen::Ref<const Eigen::MatrixXd>& b,
                      const Eigen::Ref<const Eigen::MatrixXd>& x);

}  // namespace holo
