#include <Eigen/SparseCholesky>
#include <cmath>

#include "holo/core/numerics/workspace_pool.h"
#include "numerics/sparse_solvers.h"

namespace holo {

namespace {

// Access to Eigen's protected factors; the public accessors copy the diagonal at each call.
class SimplicialLdlt : public Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::AMDOrdering<int>> {
 public:
  const SparseMatrix& unit_lower() const { return m_matrix; }
  const Eigen::VectorXd& diagonal() const { return m_diag; }
  const auto& permutation() const { return m_P; }
};

class EigenLdltSolver final : public SparseSolver {
 public:
  explicit EigenLdltSolver(const SparseSolverOptions& options) : SparseSolver(options) {}

  std::string name() const override { return "Eigen simplicial LDL^T (AMD ordering, 1 thread)"; }
  std::size_t factor_nonzeros() const override {  // with the diagonal, which Eigen keeps apart
    return size() > 0 ? static_cast<std::size_t>(ldlt_.unit_lower().nonZeros() + size()) : 0;
  }
  double factorization_flops() const override {  // an outer product of each column of L, of its lower triangle
    double flops = 0;
    for (Eigen::Index column = 0; column < (size() > 0 ? ldlt_.unit_lower().cols() : 0); ++column) {
      const double entries = 1 + ldlt_.unit_lower().col(column).nonZeros();
      flops += entries * entries;
    }
    return flops;
  }

 protected:
  void analyze_pattern(const SparseMatrix& lower) override { ldlt_.analyzePattern(lower); }

  Outcome factorize_values(const SparseMatrix& lower) override {
    ldlt_.factorize(lower);
    if (ldlt_.info() != Eigen::Success) return Outcome::not_positive_definite;
    // LDL^T without pivoting also succeeds for indefinite matrices, whose D has negative entries.
    for (double d : ldlt_.diagonal())
      if (!(d > 0) || !std::isfinite(d)) return Outcome::not_positive_definite;
    return Outcome::factorized;
  }

  void solve_factorized(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x, bool) const override {
    WorkspacePool<Eigen::VectorXd>::Lease lease(workspaces_);
    Eigen::VectorXd& work = *lease;
    work.resize(size());
    const Eigen::VectorXi& permutation = ldlt_.permutation().indices();
    const bool permuted = permutation.size() > 0;
    // P^T L D L^T P x = b: permute, substitute forward, divide, substitute back, permute back.
    for (Eigen::Index column = 0; column < b.cols(); ++column) {
      for (Eigen::Index i = 0; i < size(); ++i) work[permuted ? permutation[i] : i] = b(i, column);
      ldlt_.unit_lower().triangularView<Eigen::UnitLower>().solveInPlace(work);
      work.array() /= ldlt_.diagonal().array();
      ldlt_.unit_lower().transpose().triangularView<Eigen::UnitUpper>().solveInPlace(work);
      for (Eigen::Index i = 0; i < size(); ++i) x(i, column) = work[permuted ? permutation[i] : i];
    }
  }

 private:
  SimplicialLdlt ldlt_;
  mutable WorkspacePool<Eigen::VectorXd> workspaces_;
};

}  // namespace

std::unique_ptr<SparseSolver> make_eigen_ldlt_solver(const SparseSolverOptions& options) {
  return std::make_unique<EigenLdltSolver>(options);
}

}  // namespace holo
