#pragma once
// Energies of contact as functions of one number: the barrier of a gap, and the dissipation of a sliding distance. Both are
// written once, for any scalar; their derivatives follow.

#include <string>

namespace holo {

// f and its first three derivatives.
struct ScalarDerivatives {
  double value = 0, first = 0, second = 0, third = 0;
};

enum class BarrierShape {
  logarithmic,  // -k (d - D)^2 ln(d/D): the third derivative jumps at D. [Shen2024] Eq 4
  smooth,       // k (d - D)^3/D ln(d/D): that of order four jumps
  squared  // -k (d^2 - D^2)^2/(8 D^2) ln(d^2/D^2): [Li2020] in squared distances, scaled so that near D it is `logarithmic`
};

// The energy of a gap d between surfaces for each unit of their area [J/m^2]: 0 from the activation distance D on, convex, and
// without bound at gap 0.
struct Barrier {
  BarrierShape shape = BarrierShape::logarithmic;
  double distance = 1e-3;  // D [m], > 0
  double stiffness = 1e7;  // k [Pa/m], > 0; the pressure at D/2 is 1.19 k D of `logarithmic`
};

// At a gap [m]; the value is +infinity at gaps that are not positive, and the derivatives have no meaning there.
ScalarDerivatives barrier_energy(const Barrier& barrier, double gap);

enum class FrictionLaw {
  quintic,   // the force is twice differentiable in the displacement, and a polynomial of its square while it sticks
  quadratic  // [Li2020] Eq 15: the derivative of the force jumps at 0 and e
};

// The smoothed length f(|u|) of a tangential displacement u [m], whose product with the largest friction force is its
// potential, as a function of s = |u|^2 with the derivatives in s [1/m, 1/m^3, 1/m^5]. From the length e > 0 on it is |u|, and
// the whole friction force acts.
ScalarDerivatives smoothed_length(FrictionLaw law, double e, double squared_length);

}  // namespace holo
