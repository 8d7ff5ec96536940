#pragma once
// An affine body as one tetrahedron with the mass, the center of mass and the second moments of the body's mesh.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

struct AffineBody {
  double mass = 0;                       // [kg]
  double volume = 0;                     // of the mesh [m^3]
  TetrahedralMesh element;               // one tetrahedron, in the coordinates of the mesh; names the mesh's source
  std::vector<Eigen::Vector4d> weights;  // [vertex of the mesh] barycentric coordinates in the element; their sum is 1
};

// With the mass m, the center c and the second moments S = (1/m) int rho (x - c)(x - c)^T, the element's vertices are
// c + sqrt(S) p for p = (1, 1, 1), (1, -1, -1), (-1, -1, 1), (-1, 1, -1). Since
// (1/4) sum p p^T = I, four masses m/4 there have the mass, center and second moments of the mesh, hence the kinetic energy of
// every affine motion. `densities` [tetrahedron] [kg/m^3] > 0. The mesh has volume: `validate` accepts it.
AffineBody affine_body(const TetrahedralMesh& mesh, const std::vector<double>& densities);

}  // namespace holo
