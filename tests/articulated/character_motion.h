#pragma once
// Motions of characters by forward steps, and the momenta of two consecutive poses.

#include <gtest/gtest.h>

#include "character_samples.h"
#include "holo/sim/articulated/dynamics/articulated_step.h"

namespace holo::articulated::test {

// The pose after `steps` time steps without controls, from two first poses; `each` sees every new pose.
template <class Each>
CharacterPose simulate(const CharacterModel& model, const StepConstants& step, CharacterPose previous, CharacterPose current,
                       int steps, Each each, const StepOptions& options = {}) {
  ArticulatedStepper stepper(model);
  const Eigen::VectorXd controls = Eigen::VectorXd::Zero(model.dof_count());
  CharacterPose newest;
  for (int i = 0; i < steps; ++i) {
    const StepResult result = stepper.step(step, previous, current, controls, newest, options);
    EXPECT_TRUE(result.solved()) << "step " << i << ": " << describe(model, result);
    if (!result.solved()) break;
    std::swap(previous, current);
    std::swap(current, newest);
    each(current);
  }
  return current;
}

inline CharacterPose moved(CharacterPose pose, const std::vector<double>& velocity, double time) {
  for (std::size_t j = 0; j < velocity.size(); ++j) pose.coordinates[j] += time * velocity[j];
  return pose;
}

inline std::vector<double> random_velocity(const CharacterModel& model, unsigned seed, double size) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> draw(-size, size);
  std::vector<double> velocity(std::size_t(model.dof_count()));
  for (double& v : velocity) v = draw(random);
  return velocity;
}

inline Eigen::Vector3d center_of_mass(const CharacterModel& model, const CharacterPose& pose) {
  StateMemory<double> state(model);
  state.set(model, pose);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int k = 0; k < model.dof_count(); ++k) {
    const SecondMoments& E = model.data().moments[k];
    const Vector3<double> moment = state.frames[std::size_t(k)].rotation * Vector3<double>{E(0, 3), E(1, 3), E(2, 3)} +
                                   E(3, 3) * state.frames[std::size_t(k)].origin;
    sum += Eigen::Vector3d(moment[0], moment[1], moment[2]);
  }
  return sum / model.total_mass();
}

// sum of m P0 x P1 / dt over two poses [kg m^2/s].
inline Eigen::Vector3d angular_momentum(const CharacterModel& model, const CharacterPose& first, const CharacterPose& second,
                                        double time_step) {
  StateMemory<double> a(model), b(model);
  a.set(model, first);
  b.set(model, second);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (std::size_t k = 0; k < a.frames.size(); ++k) {
    const Matrix<double, 4, 4> moments = moved_moments(a.frames[k], model.data().moments[k], b.frames[k]);
    sum += Eigen::Vector3d(moments(1, 2) - moments(2, 1), moments(2, 0) - moments(0, 2), moments(0, 1) - moments(1, 0));
  }
  return sum / time_step;
}

}  // namespace holo::articulated::test
