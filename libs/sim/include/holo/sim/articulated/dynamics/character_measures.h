#pragma once
// Measures of a character's motion: center of mass, momenta and energies of two poses a time step apart, and its contacts.
//
//   StepMemory<double> memory(character);
//   memory.current.set(character, earlier); memory.newest.set(character, later);
//   const CharacterMeasures measures = measure(character, step, memory.states());

#include <Eigen/Core>
#include <vector>

#include "holo/sim/articulated/dynamics/character_model.h"
#include "holo/sim/articulated/dynamics/step_data.h"

namespace holo::articulated {

// Velocities are differences over the time step. In free flight the linear momentum changes by mass gravity time_step in each
// step, and with the rule `mid` the angular momentum stays (docs/articulated-dynamics.md#residual).
struct CharacterMeasures {
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();    // of the newest pose [m]
  Eigen::Vector3d linear_momentum = Eigen::Vector3d::Zero();   // [kg m/s]
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();  // sum of m P0 x P+ / dt, P from the center of mass [kg m^2/s]
  // What the angular momentum is compared with: the sum of the lengths of those of the bodies, and the linear momentum times
  // the radius of gyration [kg m^2/s].
  double angular_momentum_scale = 0;
  double kinetic_energy = 0;                           // with that of rotors [J]
  double gravity_energy = 0;                           // 0 for all mass at the origin [J]
  double spring_energy = 0;                            // of the joints' springs [J]
  double limit_energy = 0, self_collision_energy = 0;  // [J]
};

// Of the newest and the current pose, whose kinematics must be computed.
CharacterMeasures measure(const CharacterModel& model, const StepConstants& step, const StepStates<double>& states);

// A contact point that touches an obstacle.
struct TouchingPoint {
  int point = 0, obstacle = 0;                                                       // numbers
  double depth = 0;                                                                  // [m]
  Eigen::Vector3d place = Eigen::Vector3d::Zero(), force = Eigen::Vector3d::Zero();  // in the world [m], on the character [N]
  double normal_force = 0;                                                           // [N]
  double friction_force = 0;                                                         // [N]
};

// All contacts of the newest pose that came from the current one; replaces the list.
void find_contacts(const CharacterModel& model, const StepConstants& step, const StepStates<double>& states,
                   std::vector<TouchingPoint>& contacts);

}  // namespace holo::articulated
