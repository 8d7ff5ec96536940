#pragma once
// Subsets of a mesh's vertices, as experiments write them:
//
//   {box: {min: [0, 0, 0], max: [1, 1, 1]}}    {sphere: {center: [0, 0, 1], radius: 0.1}}    {all: true}    {surface: true}
//   {half_space: {point: [0, 0, 1], normal: [0, 0, 1]}}    {group: clamp}    {group: clamp, dimension: 2}

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// A set of vertices, chosen by their positions at the start of the scene (after placement), or by groups and surface of the
// mesh. Boundaries belong to the set.
struct SubsetDefinition {
  enum class Kind { all, box, sphere, half_space, surface, group };
  Kind kind = Kind::all;
  std::array<double, 3> minimum = {}, maximum = {};  // of the box [m], infinite where it is open
  std::array<double, 3> center = {};                 // of the sphere; a point of the half-space's boundary [m]
  std::array<double, 3> normal = {};                 // of the half-space, into it; any length but 0
  double radius = 0;                                 // of the sphere [m], > 0
  std::string group = {};                            // name of a group of the mesh
  std::optional<int> dimension = {};                 // of the group's cells, where several groups have its name
  Location location;

  // Whether the position [m] belongs to a box, sphere or half-space; true for the other kinds.
  bool contains(const std::array<double, 3>& point) const;
};

// Reads the one of the keys above that is present. Problems are reported through the configuration file.
SubsetDefinition read_subset(Configuration& parameters);

// The vertices of the subset, ascending. Throws Error(input) with the subset's location for a group that the mesh does not
// have.
std::vector<int> select_vertices(const SubsetDefinition& subset, const TetrahedralMesh& mesh);

}  // namespace holo
