#pragma once
// Equilibria of elastic bodies under loads that grow slowly: handles, obstacles and loads have the values of a time, and the
// bodies are at rest in the potential energy's minimum that follows from the one before (potential_terms.h, static_terms).
//
//   QuasiStatics statics(scene);
//   while (state.step < scene.integration.step_count)
//     if (statics.step(state, workspace).newton.status != NewtonStatus::converged) break;
//
// docs/quasi-statics.md describes the steps.

#include <memory>

#include "holo/opt/newton.h"
#include "holo/sim/dynamics/elastic_scene.h"
#include "holo/sim/dynamics/incremental_potential.h"

namespace holo {

class HandleDrag;

struct QuasiStaticOptions {
  NewtonOptions newton;
  // A step whose minimization fails is tried in parts, of at least this share of it.
  double smallest_increment = 1e-4;
};

struct QuasiStaticResult {
  NewtonResult newton;      // of the last increment
  int increments = 0;       // that were accepted
  int refused = 0;          // that were tried and failed
  int iterations = 0;       // of Newton's method, in all of them
  int factorizations = 0;   // those for starting points included
  int singular_points = 0;  // elements without finite derivatives, over all assemblies
  int kinks = 0;            // of these, at a kink of the energy
};

class QuasiStatics {
 public:
  explicit QuasiStatics(const ElasticScene& scene, const QuasiStaticOptions& options = {});
  ~QuasiStatics();

  // Takes the state to the equilibrium at the end of its next time step. The velocities stay 0. On failure the state is the
  // last equilibrium, at its `time`, with the number of the step before; the result's status and diagnosis are those of the
  // smallest increment that was tried. The workspace may serve several scenes of one mesh, one after another, which then share
  // its symbolic factorization; no result depends on it.
  QuasiStaticResult step(ElasticState& state, NewtonWorkspace& workspace);

  // Puts the potential to the time of a state: its handles, obstacles and loads.
  void hold(const ElasticState& state) { begin(state, state.time); }
  // The gradient of the potential energy at a state of equilibrium [3 * vertex] [N]: at prescribed vertices the forces that
  // hold them, at free ones what is left of the equilibrium.
  Eigen::VectorXd forces(const ElasticState& state);
  // The potential energy there: of elasticity, gravity, loads and contact [J].
  double energy(const ElasticState& state);

  const ElasticScene& scene() const { return scene_; }
  const QuasiStaticOptions& options() const { return options_; }
  IncrementalPotential& potential() { return potential_; }

 private:
  void begin(const ElasticState& state, double end_time);
  NewtonResult find_equilibrium(const ElasticState& state, double end_time, NewtonWorkspace& workspace,
                                QuasiStaticResult& result);

  ElasticScene scene_;
  QuasiStaticOptions options_;
  IncrementalPotential potential_;
  std::unique_ptr<HandleDrag> drag_;
  Eigen::VectorXd x_;
};

}  // namespace holo
