#pragma once
// Numbers that describe a state of elastic bodies as a whole: energies, momenta, determinants.

#include <Eigen/Core>
#include <array>

namespace holo {

class ElasticModel;
struct ElasticState;

struct ElasticEnergies {
  double kinetic = 0;  // [J]
  double elastic = 0;  // [J]
  double gravity = 0;  // -sum m g . x [J], 0 at the origin
  double bodies = 0;   // of the bodies' own energies (body_energies), beside their materials' [J]
  double total() const { return kinetic + elastic + gravity + bodies; }
};
// The energies of the materials, the lumped masses and a gravity [m/s^2]; `bodies` stays 0, damping and loads do not
// contribute.
ElasticEnergies energies(const ElasticModel& model, const std::array<double, 3>& gravity, const ElasticState& state);

std::array<double, 3> angular_momentum(const ElasticModel& model, const ElasticState& state);  // about the origin [kg m^2/s]
std::array<double, 3> center_of_mass(const ElasticModel& model, const ElasticState& state);    // [m]

struct ElasticDeterminants {
  double minimum = 1;         // smallest det F at a quadrature point
  int inverted_elements = 0;  // elements with det F <= 0 (or not finite) at one of theirs
};
// The determinants at positions [3 * vertex] [m]. Padding affects only the minimum, as a copy of an element.
ElasticDeterminants determinants(const ElasticModel& model, const Eigen::VectorXd& positions);

}  // namespace holo
