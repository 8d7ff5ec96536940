#pragma once
// Numbers or vectors per element of a mesh, as an experiment writes them in place of one for the body:
//
//   youngs_modulus: 1.0e5*(1 + 4*step(x - 0.5))                        # a formula of the rest position
//   youngs_modulus: {field: E}                                         # a field on elements of the mesh's file
//   youngs_modulus: {field: moduli, component: 1}                      # of several components, counted from 0
//   youngs_modulus: {groups: {soft: 1.0e5, hard: 1.0e6}}               # groups of tetrahedra of the mesh's file
//   youngs_modulus: {groups: {hard: 1.0e6}, otherwise: 1.0e5}
//   fiber: [1, 0, 0.2*sin(3*x)]                                        # three numbers or formulas, at least one a formula
//   fiber: {field: fibers}                                             # a field of three components
//   fiber: {groups: {left: [1, 0, 0]}, otherwise: [0, 1, 0]}
//
// x, y, z are the element's centroid in the mesh's coordinates [m], scaled and before the body is placed; vectors are in these
// coordinates, too.

#include <functional>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"
#include "holo/sim/motion/formula.h"

namespace holo {

struct ElementValues {
  int components = 1;  // 1: numbers, 3: vectors
  std::string text;    // "the field 'E'", for messages
  Location location;
  // [element][component]. Throws Error(input) where the mesh lacks what they name. Null after a problem of the experiment.
  std::function<std::vector<double>(const TetrahedralMesh&)> values;

  // The values, with the location in the experiment before the text of an error.
  std::vector<double> of(const TetrahedralMesh& mesh) const;
};

// The values of formulas of x, y and z at the elements' centroids [element][formula]. Throws Error(input) where one is not
// finite.
std::vector<double> values_at_centroids(const TetrahedralMesh& mesh, const std::vector<Formula>& formulas);

// Whether the key has values per element: a mapping, or a text (for vectors a list with a text) that names x, y or z. Anything
// else is for the reader of one number or vector.
bool has_element_values(Configuration& parameters, const std::string& key, int components);

// Reads the key, for which has_element_values() is true. Problems are reported through the configuration file.
ElementValues read_element_values(Configuration& parameters, const std::string& key, int components);

}  // namespace holo
