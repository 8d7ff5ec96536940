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

// The same along a line, with factors >= 0 of the friction force for displacements y [m] forward (y > 0) and backward: the
// slope in y is (m + d q) f', with the mean m and half the difference d of `forward` and `backward`, the force f' of the law
// and q = t (15 - 10 t^2 + 3 t^4)/8, t = y/e, which goes on as -1 and 1. It is 0 at y = 0, and opposes the displacement
// elsewhere. Derivatives in y.
ScalarDerivatives smoothed_directed_length(FrictionLaw law, double e, double forward, double backward, double y);

// The largest ratio of the larger to the smaller of `forward` and `backward` for which smoothed_directed_length is convex: 3 of
// `quintic`, where its curvature is (m + 2 d q) q', and 3.84 of `quadratic`.
double largest_directed_ratio(FrictionLaw law);

}  // namespace holo
