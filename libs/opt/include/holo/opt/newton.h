#pragma once
// Line-search Newton for a smooth energy. Knows nothing of bodies: an energy, its gradient, a (projected) Hessian, a domain.

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/numerics/sparse_solver.h"

namespace holo {

enum class NewtonStatus;

// Which second derivatives are asked for.
enum class Curvature {
  exact,     // those of the energy; they need not be positive definite
  projected  // with their negative parts taken off where they arise, so that the sum descends
};

// What became of the pattern of a sparse matrix that was filled again.
enum class PatternChange { kept, changed };

class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;
  virtual int dimension() const = 0;
  // +infinity outside the domain; never NaN.
  virtual double energy(const Eigen::VectorXd& x) = 0;
  // Gradient and lower triangle of the Hessian at x. Returns whether the pattern of `hessian` is another one than at the call
  // (as it is for an empty matrix): only then its symbolic factorization is made anew.
  virtual PatternChange derivatives(const Eigen::VectorXd& x, Curvature curvature, Eigen::VectorXd& gradient,
                                    SparseMatrix& hessian) = 0;
  // Whether Curvature::exact gives another Hessian than Curvature::projected. Newton then tries the exact one first: with it,
  // it converges quadratically where with the projected one, far stiffer in compression, it only creeps ([Longva2023]).
  virtual bool has_exact_hessian() const { return false; }
  // The longest step t in (0, 1] for which x + t direction stays inside the domain. 1 where there is none.
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
  // Differences of energies below this are rounding errors, at a point of the given energy.
  virtual double energy_resolution(double energy) const;
  // What a user may change after such a failure at x, in the words of the problem: "a smaller scene.time_step". "" when nothing
  // is known.
  virtual std::string advice(NewtonStatus status, const Eigen::VectorXd& x) const;
};

struct NewtonOptions {
  double tolerance = 1e-8;  // a full step smaller than this (NewtonProblem::step_size) is the last one
  int max_iterations = 100;
  double sufficient_decrease = 1e-4;  // Armijo
  int max_halvings = 40;
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
};

struct NewtonResult {
  NewtonStatus status = NewtonStatus::converged;
  std::string diagnosis;  // empty when converged: which term, what to change
  std::vector<NewtonIteration> iterations;
  int factorizations = 0;
  double energy = 0;  // at the result [J]
};

// Memory kept from one minimization to the next: the symbolic factorization, vectors, the matrix.
class NewtonWorkspace {
 public:
  // `library`: of positive definite matrices.
  explicit NewtonWorkspace(SparseLibrary library = SparseLibrary::automatic);
  SparseSolver& factorization() { return *factorization_; }
  // Symbolic factorizations so far, for logs and tests.
  int analyses() const { return analyses_; }

 private:
  friend class NewtonMinimizer;
  friend bool newton_direction(const SparseMatrix& hessian, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction,
                               NewtonWorkspace& workspace);
  bool factorize(const SparseMatrix& hessian);

  std::unique_ptr<SparseSolver> factorization_;
  Eigen::VectorXd gradient_, direction_, trial_;
  SparseMatrix hessian_;
  int analyses_ = 0;
};

// p = -H^-1 g, where `hessian` is the lower triangle of H. Keeps the workspace's symbolic factorization as long as the pattern
// stays. False where H is not positive definite (or not finite).
bool newton_direction(const SparseMatrix& hessian, const Eigen::VectorXd& gradient, Eigen::VectorXd& direction,
                      NewtonWorkspace& workspace);

// Projected Newton with backtracking. Each iteration solves (H + shift I) p = -g, cuts p to the domain and halves it until the
// energy has decreased enough (Armijo). A decrease that is smaller than `energy_resolution` cannot be seen: once the predicted
// decrease falls below it, a step is accepted when the energy has not grown by more than that. The iteration ends with the
// first full step smaller than the tolerance; that step is still taken. Improves x. On failure x is the best point found, and
// the result says why. Never throws for a numerical reason.
NewtonResult minimize(NewtonProblem& problem, Eigen::VectorXd& x, const NewtonOptions& options, NewtonWorkspace& workspace);

}  // namespace holo
