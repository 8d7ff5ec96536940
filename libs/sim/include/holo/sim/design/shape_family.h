#pragma once
// Bodies whose rest shape is a smooth function of a few parameters, on one mesh: a reference mesh fills the unit cube, and a
// shape maps each of its points into space.
//
//   // A cuboid.
//   struct Cuboid {
//     static constexpr const char* documentation = "cuboid with a corner at the origin";
//     static constexpr ShapeParameter parameters[] = {{"length", "m", 1}, {"width", "m", 1}, {"height", "m", 1}};
//     static std::array<int, 3> extents() { return {0, 1, 2}; }      // the parameters that are its extents along x, y, z
//     template <class S>
//     static Vector3<S> position(const Vector3d& unit, const S* p) { return {p[0] * unit[0], p[1] * unit[1], p[2] * unit[2]}; }
//   };
//
// and a line in src/design/shape_families.cpp. Derivatives of positions come from `position` alone.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "holo/diff/matrix.h"
#include "holo/diff/scalars/nilpotent.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// A number with its derivatives along two directions, and the mixed one.
using DesignScalar = Nilpotent<2>;

struct ShapeParameter {
  const char* name = "";
  const char* unit = "1";
  double value = 1;         // unless an experiment gives another
  bool is_positive = true;  // else any number
};

class ShapeFamily {
 public:
  virtual ~ShapeFamily() = default;
  virtual std::string name() const = 0;
  virtual std::string documentation() const = 0;
  virtual std::vector<ShapeParameter> parameters() const = 0;

  // The unit cube as a mesh whose cells are about as long as wide for these parameters, of about so many tetrahedra. Throws
  // Error(input) where an extent is not positive.
  virtual TetrahedralMesh reference_mesh(const std::vector<double>& parameters, int elements) const = 0;
  // Positions [m] of points of the unit cube [vertex]; parameters in the order of `parameters()`.
  virtual std::vector<Vector3<double>> positions(const std::vector<std::array<double, 3>>& unit,
                                                 const std::vector<double>& parameters) const = 0;
  virtual std::vector<Vector3<DesignScalar>> positions(const std::vector<std::array<double, 3>>& unit,
                                                       const std::vector<DesignScalar>& parameters) const = 0;
};

// All shapes of this build, sorted by name.
std::vector<std::shared_ptr<const ShapeFamily>> shape_families();
// Throws Error(input) with the names that there are.
std::shared_ptr<const ShapeFamily> shape_family(const std::string& name);

// The mesh with the reference's points at these parameters. Elements may be inverted: `worst_element` tells.
TetrahedralMesh placed_mesh(const ShapeFamily& family, const TetrahedralMesh& reference, const std::vector<double>& parameters);
// The number of the element of least volume over that of the mean, with that ratio.
std::pair<int, double> worst_element(const TetrahedralMesh& mesh);
// "" where all elements of this mesh have positive volumes, else the shape with its parameters and the worst element.
std::string inverted_element(const ShapeFamily& family, const TetrahedralMesh& reference,
                             const std::vector<double>& parameters);

}  // namespace holo
