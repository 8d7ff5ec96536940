#include "newton/line_search.h"

#include <algorithm>
#include <cmath>

namespace holo {

bool line_search(NewtonProblem& problem, const NewtonOptions& options, double slope, Eigen::VectorXd& x,
                 const Eigen::VectorXd& direction, Eigen::VectorXd& trial, double& energy, NewtonIteration& log) {
  const double resolution = problem.energy_resolution(energy);
  // A decrease below the resolution of the energy cannot be seen: then any step that does not visibly increase it is taken.
  const bool visible = -slope > 100 * resolution;
  double length = std::clamp(problem.feasible_step(x, direction), 0.0, 1.0);
  for (int halving = 0; halving <= options.max_halvings; ++halving, length /= 2) {
    trial = x + length * direction;
    const double trial_energy = problem.energy(trial);
    ++log.energy_evaluations;
    const double bound = visible ? energy + options.sufficient_decrease * length * slope : energy + resolution;
    if (std::isfinite(trial_energy) && trial_energy <= bound) {
      x.swap(trial);
      energy = trial_energy;
      log.step_length = length;
      return true;
    }
  }
  return false;
}

}  // namespace holo
