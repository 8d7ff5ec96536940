#pragma once
// Subsets of a mesh, as experiments write them:
//
//   {box: {min: [0, 0, 0], max: [1, 1, 1]}}    {sphere: {center: [0, 0, 1], radius: 0.1}}    {all: true}    {surface: true}
//   {half_space: {point: [0, 0, 1], normal: [0, 0, 1]}}    {group: clamp}    {group: clamp, dimension: 2}    {name: tip}
//
// The last one is a named subset of the body, which `subsets:` defines. It may consist of elements or of triangles of the
// surface:
//
//   subsets: {tip: {box: {min: [1, -9, -9]}}, core: {group: steel, of: elements}, skin: {sphere: {...}, of: surface}}

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// A set of vertices, chosen by their positions at the start of the scene (after placement), or by groups and surface of the
// mesh; or the elements, or the triangles of the surface, with all vertices in that set. Boundaries belong to the set.
struct SubsetDefinition {
  enum class Kind { all, box, sphere, half_space, surface, group };
  enum class Of { vertices, elements, surface };
  Kind kind = Kind::all;
  Of of = Of::vertices;
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

// A subset of a body that handles, loads and losses call by name.
struct NamedSubset {
  std::string name;
  SubsetDefinition subset;
};

// Reads which one of the keys above is there; {name: NAME} is the one of `named`, with the location of its use. Problems are
// reported through the configuration file.
SubsetDefinition read_subset(Configuration& parameters, const std::vector<NamedSubset>& named);

// Reads the mapping `subsets` of a body. Problems are reported through the configuration file.
std::vector<NamedSubset> read_named_subsets(Configuration& body);

// The vertices of the subset, ascending: of elements and triangles their corners. Throws Error(input) with the subset's
// location for a group that the mesh does not have.
std::vector<int> select_vertices(const SubsetDefinition& subset, const TetrahedralMesh& mesh);

// Elements with all vertices in the subset, ascending; of a group of tetrahedra, these. Throws as select_vertices().
std::vector<int> select_elements(const SubsetDefinition& subset, const TetrahedralMesh& mesh);

// Triangles of the surface with all vertices in the subset, oriented outwards; of a group of triangles, those of them that are
// on the surface; of elements, those that are their faces. Throws as select_vertices().
std::vector<std::array<int, 3>> select_triangles(const SubsetDefinition& subset, const TetrahedralMesh& mesh);

// "vertices", "elements", "triangles of the surface": what a subset consists of, for messages.
std::string_view parts_of(const SubsetDefinition& subset);

}  // namespace holo
