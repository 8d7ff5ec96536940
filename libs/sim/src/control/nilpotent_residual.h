#pragma once
// Forces of elasticity and gravity in nilpotent numbers: derivatives by parameters of which rest and present positions are
// functions, up to the mixed second one. The material's own operations give the stress
//
//   P(F_0 + F_1 e_1 + F_2 e_2 + F_12 e_1 e_2) = P + H : F_1 e_1 + H : F_2 e_2 + (H : F_12 + d3psi[F_1, F_2]) e_1 e_2

#include <array>
#include <vector>

#include "holo/sim/design/shape_family.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

using DesignPoints = std::vector<Vector3<DesignScalar>>;  // [vertex] [m]

struct HeavyBody {
  const ElasticBody& body;  // whose material is uniform and has third derivatives
  double density = 0;       // [kg/m^3]
  Vector3d gravity = {};    // [m/s^2]
};

// dE/dx [vertex] [N] at positions x, of elements with the rest positions X; masses are a quarter of those of a vertex's
// elements.
DesignPoints nilpotent_residual(const HeavyBody& body, const std::vector<std::array<int, 4>>& tetrahedra, const DesignPoints& X,
                                const DesignPoints& x);

}  // namespace holo
