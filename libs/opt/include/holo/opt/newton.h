#pragma once
// Line-search Newton method for a smooth energy with a domain: needs the energy, its gradient and an exact or projected
// Hessian.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"
#include "holo/opt/factor_reuse.h"
#include "holo/opt/low_rank.h"

namespace holo {

enum class NewtonStatus;

// Kind of the second derivatives.
enum class Curvature {
  exact,     // those of the energy; they need not be positive definite
  projected  // with their negative parts taken off where they arise, so that the sum descends
};

// Whether the pattern of a sparse matrix changed when it was filled again.
enum class PatternChange { unchanged, changed };

class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;
  virtual int dimension() const = 0;
  // The energy [J] at x [dimension()]; +infinity outside the domain, never NaN.
  virtual double energy(const Eigen::VectorXd& x) = 0;
  // Gradient and lower triangle of the Hessian at x. Returns whether the pattern of `hessian` differs from that at the call, as
  // for an empty matrix: only then its symbolic factorization is computed again.
  virtual PatternChange derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                    SparseMatrix& hessian) = 0;
  // What the Hessian of the last call of `derivatives` has beside the sparse matrix; null: nothing. The method then factorizes
  // each sparse matrix and corrects the direction (low_rank.h).
  virtual const LowRankMatrix* low_rank() const { return nullptr; }
  // Whether Curvature::exact gives another Hessian than Curvature::projected. The method then tries the exact one first, which
  // converges quadratically; the projected one is far stiffer in compression and converges slowly there ([Longva2023]).
  virtual bool has_exact_hessian() const { return false; }
  // The longest step t in (0, 1] for which x + t direction is inside the domain; 1 if the domain has no bound.
  virtual double feasible_step(const Eigen::VectorXd& x, const Eigen::VectorXd& direction) = 0;
  // The size of a step, in the unit of `NewtonOptions::tolerance` (such as the largest displacement over the scene's length).
  virtual double step_size(const Eigen::VectorXd& direction) const = 0;
  // Each term's name, energy and gradient norm at x, for a diagnosis: "elastic energy of 'body': 3.2 J, ...".
  struct Term {
    std::string name;
    double energy;
    double gradient_norm;
  };
  virtual std::vector<Term> terms(const Eigen::VectorXd& x) = 0;
  // The size of rounding errors of the energy [J] at a point of the given energy: smaller differences have no meaning.
  virtual double energy_resolution(double energy) const;
  // A remedy for such a failure at x, in terms of the problem's keys: "a smaller scene.time_step". "" if none is known.
  virtual std::string advice(NewtonStatus status, const Eigen::VectorXd& x) const;
};

// How a direction is found from a Hessian.
enum class NewtonLinearSolver {
  factorize,  // by a factorization of each Hessian
  // By conjugate gradients that are preconditioned with the last factor, and by a factorization where there is none, where that
  // takes too many back-substitutions, or where the curvature is negative. What counts is the number of operations, so that the
  // same problem takes the same way each time.
  reuse
};

struct NewtonOptions {
  double tolerance = 1e-8;  // largest NewtonProblem::step_size of the full step that ends the iterations
  int max_iterations = 100;
  double sufficient_decrease = 1e-4;  // Armijo
  int max_halvings = 40;
  NewtonLinearSolver linear_solver = NewtonLinearSolver::factorize;
};

enum class NewtonStatus {
  converged,
  iteration_limit,
  line_search_failed,     // no decrease along a descent direction
  not_positive_definite,  // the factorization failed even with the largest shift
  infeasible_start,       // the energy at the starting point is not finite
  not_finite              // a gradient or Hessian entry is not finite
};

std::string to_string(NewtonStatus status);

struct NewtonIteration {
  int iteration;           // from 1
  double energy;           // before the step [J]
  double gradient_norm;    // before the step, Euclidean [N]
  double step_size;        // NewtonProblem::step_size of the full step
  double step_length;      // accepted fraction of it
  int energy_evaluations;  // by the line search
  double diagonal_shift;   // added to make the Hessian positive definite, 0 when none
  bool exact_hessian;      // false: projected, or the problem's only one
  bool earlier_factor;     // the direction is that of conjugate gradients
  int products = 0;        // of the Hessian with a vector, by minimizers without a matrix (matrix_free.h)
};

struct NewtonResult {
  NewtonStatus status = NewtonStatus::converged;
  std::string diagnosis;  // empty when converged: which term, what to change
  std::vector<NewtonIteration> iterations;
  int factorizations = 0;
  int back_substitutions = 0;
  int products = 0;   // of the Hessian with a vector
  double energy = 0;  // at the result [J]
};

// Memory that successive minimizations share: the symbolic factorization, vectors, the matrix, and the last factor, with which
// the next minimization of NewtonLinearSolver::reuse begins.
class NewtonWorkspace {
 public:
  // `library`: the solver of positive definite matrices.
  explicit NewtonWorkspace(SparseLibrary library = SparseLibrary::automatic);
  SparseSolver& factorization() { return *factorization_; }
  // Symbolic factorizations so far, for logs and tests.
  int analyses() const { return analyses_; }
  // The next direction is found by a factorization: all that follows is then independent of what was minimized before.
  void forget_factor() { factor_size_ = -1; }

 private:
  friend class NewtonMinimizer;
  friend bool newton_direction(const SparseMatrix& hessian, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction,
                               NewtonWorkspace& workspace);
  bool factorize(const SparseMatrix& hessian);

  std::unique_ptr<SparseSolver> factorization_;
  Eigen::VectorXd gradient_, direction_, trial_;
  SparseMatrix hessian_;
  FactorReuse reuse_;
  LowRankCorrection low_rank_;
  int analyses_ = 0;
  int factor_size_ = -1;  // of the matrix whose factor the next direction may use; -1: none
};

// The direction p = -H^-1 g, where `hessian` is the lower triangle of H. Uses the workspace's symbolic factorization while the
// pattern is the same. False if H is not positive definite or not finite.
bool newton_direction(const SparseMatrix& hessian, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction,
                      NewtonWorkspace& workspace);

// Projected Newton with backtracking. Each iteration solves (H + shift I) p = -g, cuts p to the domain and halves it until the
// energy has decreased enough (Armijo). A decrease that is smaller than `energy_resolution` cannot be seen: once the predicted
// decrease falls below it, a step is accepted when the energy has not grown by more than that. The iteration ends with the
// first full step smaller than the tolerance; that step is still taken. Improves x. On failure x is the best point found, and
// the result says why. Never throws for a numerical reason.
NewtonResult minimize(NewtonProblem& problem, Eigen::VectorXd& x, const NewtonOptions& options, NewtonWorkspace& workspace);

}  // namespace holo
