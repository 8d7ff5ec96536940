#pragma once
// Motions of a character without controls by time steps of several lengths: of implicit steps, and of steps with forces at
// their start ([Pan2019], section 8.2).

#include <Eigen/Core>
#include <vector>

#include "characters/character_scene.h"

namespace holo {

enum class IntegrationMethod { implicit, explicit_forces };

struct TimeStepRun {
  IntegrationMethod method = IntegrationMethod::implicit;
  double time_step = 0;  // [s]
};

struct TimeStepResult {
  int steps = 0;           // done
  bool is_finite = true;   // false: it ended where a step failed or the energy exceeded any measure
  double energy_gain = 0;  // largest energy above that of the start, over `energy_unit` of the reference
  double error = 0;        // largest distance of the center of mass from the reference at equal times [m]
  double final_error = 0;  // the same at the end [m]
  double iterations = 0;   // of Newton's method, mean over the steps; 1 for steps that solve one linear system
  double penetration = 0;  // largest [m]
};

// The motion with the time step of the scene by implicit steps, with which others are compared.
struct ReferenceMotion {
  std::vector<Eigen::Vector3d> centers;  // of mass, [step], from the start on [m]
  double energy_unit = 0;                // weight times the radius of gyration at the start [J]
};
// Throws Error(input) where a step of it fails.
ReferenceMotion reference_motion(const CharacterScene& scene);

// The time step is a multiple of the scene's.
TimeStepResult run_time_steps(const CharacterScene& scene, const TimeStepRun& run, const ReferenceMotion& reference);

}  // namespace holo
