#pragma once
// Characters, poses and derivatives by complex steps for the tests of articulated dynamics.

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "holo/diff/scalars/complex.h"
#include "holo/sim/articulated/dynamics/procedural_characters.h"
#include "holo/sim/articulated/dynamics/step_jacobians.h"
#include "holo/sim/articulated/dynamics/step_memory.h"

namespace holo::articulated::test {

using ComplexStep = Complex<double>;

inline Matrix3<double> random_rotation(std::mt19937& random) {
  std::uniform_real_distribution<double> draw(-1.5, 1.5);
  return rotation_of_vector(Vector3<double>{draw(random), draw(random), draw(random)});
}

// Three consecutive poses near the rest pose, which differ by up to `change` in each coordinate. With `own_references` each has
// reference rotations of its own.
struct ThreePoses {
  CharacterPose newest, current, previous;
};
inline ThreePoses three_poses(const CharacterModel& model, unsigned seed, double spread, double change, bool own_references) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-1, 1);
  CharacterPose base = model.rest();
  for (double& q : base.coordinates) q += spread * draw(random);
  for (auto& reference : base.references)
    if (own_references) reference = random_rotation(random);
  ThreePoses poses{base, base, base};
  for (CharacterPose* pose : {&poses.newest, &poses.current, &poses.previous}) {
    for (double& q : pose->coordinates) q += change * draw(random);
    for (auto& reference : pose->references)
      if (own_references)
        reference = reference * rotation_of_vector(Vector3<double>{0.1 * draw(random), 0.1, 0.1 * draw(random)});
  }
  return poses;
}

template <class S>
void set_poses(const CharacterModel& model, const ThreePoses& poses, StepMemory<S>& memory) {
  memory.newest.set(model, poses.newest);
  memory.current.set(model, poses.current);
  memory.previous.set(model, poses.previous);
}

inline Eigen::VectorXd residual(const CharacterModel& model, const StepConstants& step, const ThreePoses& poses) {
  StepMemory<double> memory(model);
  set_poses(model, poses, memory);
  Eigen::VectorXd result(model.dof_count());
  step_residual(model.data(), step, memory.states(), memory.workspace(), result.data());
  return result;
}

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
struct ThreeJacobians {
  RowMatrix D[3];
};

inline ThreeJacobians closed_form(const CharacterModel& model, const StepConstants& step, const ThreePoses& poses) {
  StepMemory<double> memory(model);
  set_poses(model, poses, memory);
  ThreeJacobians result;
  for (RowMatrix& D : result.D) D.resize(model.dof_count(), model.dof_count());
  step_jacobians(model.data(), step, memory.states(), memory.workspace(), result.D[0].data(), result.D[1].data(),
                 result.D[2].data());
  return result;
}

// The same columns by complex steps of the residual.
inline ThreeJacobians by_complex_step(const CharacterModel& model, const StepConstants& step, const ThreePoses& poses) {
  const int n = model.dof_count();
  StepMemory<ComplexStep> memory(model);
  set_poses(model, poses, memory);
  std::vector<ComplexStep> values(static_cast<std::size_t>(n));
  ThreeJacobians result;
  StateMemory<ComplexStep>* states[3] = {&memory.newest, &memory.current, &memory.previous};
  for (int s = 0; s < 3; ++s) {
    result.D[s].resize(n, n);
    for (int b = 0; b < n; ++b) {
      ComplexStep& q = states[s]->coordinates[std::size_t(b)];
      const ComplexStep kept = q;
      q = ComplexStep::seed(kept.value(), 1.0);
      states[s]->update(model);
      step_residual(model.data(), step, memory.states(), memory.workspace(), values.data());
      for (int a = 0; a < n; ++a) result.D[s](a, b) = values[std::size_t(a)].derivative();
      q = kept;
      states[s]->update(model);
    }
  }
  return result;
}

// Largest difference, relative to the largest entry.
inline double relative_difference(const RowMatrix& a, const RowMatrix& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(b.cwiseAbs().maxCoeff(), 1e-300);
}

inline Obstacle floor_at(double height) {
  Obstacle plane;
  plane.frame.origin = {0, 0, height};
  return plane;
}

}  // namespace holo::articulated::test
