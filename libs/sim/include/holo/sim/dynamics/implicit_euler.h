#pragma once
// Time stepping of elastic bodies by implicit Euler, or the scheme that the scene chooses instead (time_integration.h): each
// step minimizes an incremental potential.

#include <memory>

#include "holo/opt/newton.h"
#include "holo/sim/dynamics/incremental_potential.h"
#include "holo/sim/dynamics/matrix_free_potential.h"
#include "holo/sim/dynamics/step_solver.h"
#include "holo/sim/elastic/elastic_observations.h"

namespace holo {

// Result of a time step. All numbers are deterministic: they do not depend on the number of threads.
struct ElasticStepResult {
  NewtonResult newton;             // of whatever minimizer
  bool advanced = false;           // the state is that after the step: `newton` converged, or its limit was accepted
  double residual = 0;             // Euclidean norm of the gradient at free vertices, at the end of the step [N]
  int start_factorizations = 0;    // of moving handles and obstacles to their targets inside the domain; not in `newton`
  ElasticEnergies energies;        // of the state after the step [J]
  double minimum_determinant = 1;  // smallest det F
  int inverted_elements = 0;
  SingularElementCounts singular;  // over the assemblies of the step
  int projected_elements = 0;      // elements whose Hessian was projected, in the assembly with the most of them
};

class ImplicitEuler {
 public:
  explicit ImplicitEuler(const ElasticScene& scene, const NewtonOptions& options = {},
                         SparseLibrary library = SparseLibrary::automatic);
  ImplicitEuler(const ImplicitEuler&) = delete;  // its parts refer to each other
  ImplicitEuler& operator=(const ImplicitEuler&) = delete;

  // Minimizes by this from now on. Throws Error(input) for a method that needs products of the Hessian which a body's mode of
  // differentiation does not have.
  void use(const StepSolver& solver);

  // Advances a state of the scene by one time step. On failure the state stays as it was, and newton.diagnosis says which term
  // dominates and what to change.
  ElasticStepResult step(ElasticState& state);

  // The two halves of a step for those who minimize it themselves: begins the step of a state and gives a point of finite
  // energy from which to minimize (false if none was found), and makes x the state at its end.
  bool begin(const ElasticState& state, Eigen::VectorXd& x);
  void advance(ElasticState& state, Eigen::VectorXd& x) const;

  // For measurements and tests; a step leaves the potential at its own time step.
  const ElasticScene& scene() const { return scene_; }
  IncrementalPotential& potential() { return potential_; }
  NewtonWorkspace& workspace() { return workspace_; }

 private:
  void begin_step(const ElasticState& state);
  // Sets x_ to a point with handles and obstacles at their targets and a finite energy. False if none was found.
  bool find_start(const ElasticState& state, ElasticStepResult& result);
  NewtonResult minimize_step();
  bool advances(const NewtonResult& newton) const;  // rather than fails
  void iterate_lag(NewtonResult& newton);
  // The energy at x, or +infinity where the straight way from the state, on which obstacles go theirs, leaves the domain:
  // surfaces that pass through each other on it may end with a finite energy.
  double reachable_energy(const ElasticState& state, const Eigen::VectorXd& x);

  ElasticScene scene_;
  StepSolver solver_;
  IncrementalPotential potential_;
  NewtonWorkspace workspace_;
  std::unique_ptr<MatrixFreePotential> matrix_free_;  // null while it is not needed
  MatrixFreeWorkspace matrix_free_workspace_;
  Eigen::VectorXd x_, candidate_, gradient_;
};

}  // namespace holo
