#pragma once
// Direct solution of sparse linear systems A x = b: analyze a pattern once, factorize matrices of it, solve as often as wanted.
//
//   const auto solver = make_sparse_solver({.matrix = MatrixKind::indefinite});
//   solver->analyze(lower);
//   if (!solver->factorize(lower)) throw ...(to_string(solver->outcome()));
//   solver->solve(b, x);

#include <Eigen/SparseCore>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holo {

// Compressed columns, sorted rows, no entry twice.
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

// The kind of the matrix. Of symmetric matrices (the first two kinds) only the lower triangle is read.
enum class MatrixKind { positive_definite, indefinite, general };

// The library that factorizes. positive_definite: cholmod or eigen (LDL^T without pivoting). indefinite: bunch_kaufman.
// general: umfpack, klu or eigen (SparseLU). cholmod and umfpack are under the GPL and absent where HOLO_ENABLE_GPL is off.
// `automatic`: the first of the kind that the build has.
enum class SparseLibrary { automatic, cholmod, eigen, klu, umfpack, bunch_kaufman };
std::string to_string(SparseLibrary library);
bool is_available(SparseLibrary library);  // in this build

// umfpack alone: its own choice of strategy and ordering, or the unsymmetric strategy with METIS.
enum class SparseOrdering { automatic, metis };

struct SparseSolverOptions {
  MatrixKind matrix = MatrixKind::positive_definite;
  SparseLibrary library = SparseLibrary::automatic;
  SparseOrdering ordering = SparseOrdering::automatic;
  // Steps x += A^-1 (b - A x) in each solve, each at the cost of a further solve; UMFPACK stops where they do not help.
  int refinement_steps = 0;
};

// Numbers of positive, negative and zero eigenvalues of a symmetric matrix.
struct MatrixInertia {
  Eigen::Index positive = 0, negative = 0, zero = 0;
  bool operator==(const MatrixInertia&) const = default;
};

class SparseSolver {
 public:
  enum class Outcome {
    none,        // nothing is factorized: not analyzed, or another matrix was analyzed since
    factorized,  // solves are possible
    not_finite,  // an entry, or a number of the factor
    not_positive_definite,
    singular  // structurally, or to rounding
  };

  virtual ~SparseSolver() = default;
  SparseSolver(const SparseSolver&) = delete;
  SparseSolver& operator=(const SparseSolver&) = delete;

  virtual std::string name() const = 0;  // for the log: "CHOLMOD supernodal LL^T (..., 1 thread)"
  const SparseSolverOptions& options() const { return options_; }

  // Orders and analyzes the pattern. Deterministic: the same pattern gives the same order (UMFPACK looks at the values, too).
  // Throws Error(internal) for a matrix that is not square or not compressed.
  void analyze(const SparseMatrix& matrix);
  // Whether `matrix` has the analyzed pattern, so that `factorize` takes it.
  bool has_pattern_of(const SparseMatrix& matrix) const;

  // Factorizes values of the analyzed pattern; false, with `outcome` as the reason, when there is no factor: no solve then.
  // Throws Error(internal) for another pattern: it would be read past its end.
  bool factorize(const SparseMatrix& matrix);
  Outcome outcome() const { return outcome_; }
  int factorizations() const { return factorizations_; }  // calls, counted for logs and tests
  virtual std::size_t factor_nonzeros() const = 0;        // of the last factor; L alone where the matrix is symmetric
  // Additions and multiplications of a factorization of the analyzed pattern; 0 where the library does not state them, and of
  // Eigen's LDL^T before the first factorization.
  virtual double factorization_flops() const { return 0; }

  // x = A^-1 b or A^-T b, for one or more columns; x may be b. Several threads may solve at once. Throws Error(internal)
  // without a factor and for other sizes. Of several columns at once a library may round otherwise than of each alone.
  void solve(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const;
  void solve_transposed(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x) const;

  // The inertia of the last matrix, also of a singular one, if the library pivots for stability and the matrix is symmetric:
  // positive_definite (all positive) and bunch_kaufman. Eigenvalues below about 1e-13 of the largest after scaling count as
  // zero. Empty elsewhere, and where nothing has been factorized.
  std::optional<MatrixInertia> inertia() const;

 protected:
  explicit SparseSolver(const SparseSolverOptions& options) : options_(options) {}

  // The matrix is square and compressed and has entries; for `factorize_values` it has the analyzed pattern and is finite.
  virtual void analyze_pattern(const SparseMatrix& matrix) = 0;
  virtual Outcome factorize_values(const SparseMatrix& matrix) = 0;
  // Both are called with fitting sizes, none of them 0. `b` and `x` may be the same memory.
  virtual void solve_factorized(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x,
                                bool transposed) const = 0;
  virtual std::optional<MatrixInertia> factor_inertia() const { return std::nullopt; }
  virtual bool refines() const { return false; }  // in solve_factorized itself

  Eigen::Index size() const { return size_; }
  const std::vector<int>& column_starts() const { return column_starts_; }
  const std::vector<int>& rows() const { return rows_; }
  const std::vector<double>& values() const { return values_; }  // of the last matrix, kept where solves are refined

 private:
  void solve_checked(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x, bool transposed) const;
  void refine(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> x, bool transposed) const;

  const SparseSolverOptions options_;
  Outcome outcome_ = Outcome::none;
  bool analyzed_ = false;
  int factorizations_ = 0;
  Eigen::Index size_ = 0;
  std::vector<int> column_starts_, rows_;  // the analyzed pattern
  std::vector<double> values_;
};
std::string to_string(SparseSolver::Outcome outcome);  // "is singular", to follow "the matrix"

// Throws Error(input) for a library that the build lacks or that does not factorize such matrices, and for a METIS ordering
// elsewhere than with UMFPACK; names what is allowed.
std::unique_ptr<SparseSolver> make_sparse_solver(const SparseSolverOptions& options = {});

}  // namespace holo
