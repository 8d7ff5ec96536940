#include <Eigen/SparseLU>
#include <new>

#include "numerics/sparse_solvers.h"

namespace holo {

namespace {

// Eigen's supernodal LU, whose analysis orders the columns by COLAMD.
class EigenLuSolver final : public SparseSolver {
 public:
  explicit EigenLuSolver(const SparseSolverOptions& options) : SparseSolver(options) {}

  std::string name() const override { return "Eigen supernodal LU (COLAMD ordering, 1 thread)"; }
  std::size_t factor_nonzeros() const override {
    return outcome() == Outcome::factorized && size() > 0 ? static_cast<std::size_t>(lu_.nnzL() + lu_.nnzU()) : 0;
  }

 protected:
  void analyze_pattern(const SparseMatrix& matrix) override { lu_.analyzePattern(matrix); }

  Outcome factorize_values(const SparseMatrix& matrix) override {
    lu_.factorize(matrix);
    if (lu_.info() == Eigen::Success) return Outcome::factorized;
    if (lu_.lastErrorMessage().find("MEMORY") != std::string::npos) throw std::bad_alloc();
    return Outcome::singular;
  }

  // Eigen has different code for a vector and for a matrix of one column, with different rounding: one right-hand side is
  // always solved as a vector.
  void solve_factorized(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x,
                        bool transposed) const override {
    if (b.cols() == 1) {
      const Eigen::VectorXd right = b;
      const Eigen::VectorXd solution = transposed ? solved_transposed(right) : Eigen::VectorXd(lu_.solve(right));
      x = solution;
    } else {
      const Eigen::MatrixXd right = b;
      const Eigen::MatrixXd solution = transposed ? solved_transposed(right) : Eigen::MatrixXd(lu_.solve(right));
      x = solution;
    }
  }

 private:
  using Lu = Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<int>>;

  template <class Matrix>
  Matrix solved_transposed(const Matrix& right) const {
    return const_cast<Lu&>(lu_).transpose().solve(right);  // Eigen's transpose() changes nothing, but is not declared const
  }

  Lu lu_;
};

}  // namespace

std::unique_ptr<SparseSolver> make_eigen_lu_solver(const SparseSolverOptions& options) {
  return std::make_unique<EigenLuSolver>(options);
}

}  // namespace holo
