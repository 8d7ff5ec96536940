#include <Eigen/SparseCholesky>
#include <cmath>

#include "numerics/sparse_factorizations.h"

namespace holo {

namespace {

// Opens what Eigen keeps protected; its public accessors copy the diagonal at each call.
class SimplicialLdlt : public Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::AMDOrdering<int>> {
 public:
  const SparseMatrix& unit_lower() const { return m_matrix; }
  const Eigen::VectorXd& diagonal() const { return m_diag; }
  const auto& permutation() const { return m_P; }
};

class EigenFactorization : public SparseFactorization {
 public:
  std::string name() const override { return "Eigen simplicial LDL^T (AMD ordering, 1 thread)"; }

  void analyze(const SparseMatrix& lower) override {
    factorized_ = false;
    pattern_.set(lower);
    size_ = lower.rows();
    if (size_ > 0) ldlt_.analyzePattern(lower);
  }

  bool factorize(const SparseMatrix& lower) override {
    factorized_ = false;
    pattern_.require(lower);
    ++factorizations_;
    if (!all_finite(lower)) return false;
    if (size_ > 0) {
      ldlt_.factorize(lower);
      if (ldlt_.info() != Eigen::Success) return false;
      // LDL^T goes through an indefinite matrix without complaint: the signs of D tell.
      for (double d : ldlt_.diagonal())
        if (!(d > 0) || !std::isfinite(d)) return false;
    }
    return factorized_ = true;
  }

  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) override {
    require_solvable(factorized_, size_, b, x);
    if (size_ == 0) return;
    work_.resize(size_);
    const Eigen::VectorXi& permutation = ldlt_.permutation().indices();
    const bool permuted = permutation.size() > 0;
    for (Eigen::Index column = 0; column < b.cols(); ++column) {
      for (Eigen::Index i = 0; i < size_; ++i) work_[permuted ? permutation[i] : i] = b(i, column);
      ldlt_.unit_lower().triangularView<Eigen::UnitLower>().solveInPlace(work_);
      work_.array() /= ldlt_.diagonal().array();
      ldlt_.unit_lower().transpose().triangularView<Eigen::UnitUpper>().solveInPlace(work_);
      for (Eigen::Index i = 0; i < size_; ++i) x(i, column) = work_[permuted ? permutation[i] : i];
    }
  }

  std::size_t factor_nonzeros() const override {  // with the diagonal, which Eigen keeps apart
    return size_ > 0 ? static_cast<std::size_t>(ldlt_.unit_lower().nonZeros() + size_) : 0;
  }

 private:
  SimplicialLdlt ldlt_;
  AnalysedPattern pattern_;
  Eigen::VectorXd work_;
  Eigen::Index size_ = 0;
  bool factorized_ = false;
};

}  // namespace

std::unique_ptr<SparseFactorization> make_eigen_factorization() { return std::make_unique<EigenFactorization>(); }

}  // namespace holo
