#pragma once
// An evaluation of trajectories over any scalar that shares only the kernels of a time step with the problem: states by
// Hermite's formula, residuals, tested residuals, and the velocity of the center of mass.

#include "trajectory_samples.h"

namespace holo::articulated::test {

template <class S>
struct TrajectoryEvaluation {
  std::vector<S> controls;     // u [step][actuated]
  std::vector<S> equations;    // residuals of the others [step][unactuated]
  std::vector<S> constraints;  // C [column][unactuated]
  std::vector<S> velocities;   // of the center of mass [step][3]
};

// Coefficients [dof][column] of a spline, or with length 1 of single steps, and reference rotations of the states -1 ... N.
struct TrajectoryInput {
  const TrajectoryModel& model;
  int length;
  const TrajectoryStates& references;
};

// Weights of x_z, tau_z, x_z+1 and tau_z+1, with tau = L dt x': x = p(s) of the segment z.
struct HermiteWeights {
  int segment;
  double weight[4];
  HermiteWeights(int step, int length, int steps) : segment((step - 1) / length) {
    const int first = segment * length, last = std::min(first + length, steps);
    const double s = double(step - first) / (last - first), part = double(last - first) / length;
    weight[0] = 2 * s * s * s - 3 * s * s + 1;
    weight[1] = part * (s * s * s - 2 * s * s + s);
    weight[2] = -2 * s * s * s + 3 * s * s;
    weight[3] = part * (s * s * s - s * s);
  }
};

template <class S>
std::vector<StateMemory<S>> states_of(const TrajectoryInput& input, const std::vector<std::vector<S>>& coefficients) {
  const CharacterModel& character = input.model.character();
  const int N = input.model.steps(), n = character.dof_count();
  std::vector<StateMemory<S>> states(std::size_t(N) + 2, StateMemory<S>(character));
  for (int i = -1; i <= N; ++i) {
    StateMemory<S>& state = states[std::size_t(i + 1)];
    for (int j = 0; j < n; ++j) {
      const auto c = [&](int column) { return coefficients[std::size_t(column)][std::size_t(j)]; };
      S& x = state.coordinates[std::size_t(j)];
      if (i < 0) {
        x = S(input.model.definition().before.coordinates[std::size_t(j)]);
      } else if (i == 0 || input.length == 1) {
        x = c(i);
      } else {
        const HermiteWeights h(i, input.length, N);
        x = S(0.0);
        for (int k = 0; k < 4; ++k) x = x + h.weight[k] * c(2 * h.segment + k);
      }
    }
    std::copy_n(input.references.references(i), state.references.size(), state.references.begin());
    state.update(character);
  }
  return states;
}

template <class S>
Vector3<S> center_of_mass_of(const CharacterModel& model, const StateMemory<S>& state) {
  Vector3<S> sum{};
  for (int k = 0; k < model.dof_count(); ++k) {
    const SecondMoments& E = model.data().moments[k];
    if (!(E(3, 3) > 0)) continue;
    const Vector3<S> center =
        state.frames[std::size_t(k)] * Vector3<S>{S(E(0, 3) / E(3, 3)), S(E(1, 3) / E(3, 3)), S(E(2, 3) / E(3, 3))};
    sum = sum + E(3, 3) * center;
  }
  return (1 / model.total_mass()) * sum;
}

template <class S>
TrajectoryEvaluation<S> evaluate_trajectory(const TrajectoryInput& input, const std::vector<std::vector<S>>& coefficients) {
  const CharacterModel& character = input.model.character();
  const std::vector<int> unactuated = character.unactuated();
  const int N = input.model.steps();
  std::vector<StateMemory<S>> states = states_of(input, coefficients);
  StepMemory<S> memory(character);
  std::vector<S> residual(std::size_t(character.dof_count()));
  TrajectoryEvaluation<S> result;
  const int columns = int(coefficients.size()), first = input.length == 1 ? 1 : 2;
  result.constraints.assign(std::size_t(columns - first) * unactuated.size(), S(0.0));
  for (int i = 1; i <= N; ++i) {
    const StepStates<S> step{states[std::size_t(i + 1)].view(), states[std::size_t(i)].view(),
                             states[std::size_t(i - 1)].view()};
    step_residual(character.data(), input.model.step(), step, memory.workspace(), residual.data());
    for (const int dof : character.actuated()) result.controls.push_back(residual[std::size_t(dof)]);
    for (std::size_t k = 0; k < unactuated.size(); ++k) {
      const S r = residual[std::size_t(unactuated[k])];
      result.equations.push_back(r);
      const auto test = [&](int column, double weight) {
        S& C = result.constraints[std::size_t(column - first) * unactuated.size() + k];
        C = C + weight * r;
      };
      if (input.length == 1) {
        test(i, 1);
        continue;
      }
      const HermiteWeights h(i, input.length, N);
      for (int w = 0; w < 4; ++w)
        if (2 * h.segment + w >= first) test(2 * h.segment + w, h.weight[w]);
    }
    const Vector3<S> step_of_center =
        center_of_mass_of(character, states[std::size_t(i + 1)]) - center_of_mass_of(character, states[std::size_t(i)]);
    for (int k = 0; k < 3; ++k) result.velocities.push_back((1 / input.model.step().time_step) * step_of_center[k]);
  }
  return result;
}

}  // namespace holo::articulated::test
