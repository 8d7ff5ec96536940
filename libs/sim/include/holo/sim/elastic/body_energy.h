#pragma once
// Energies of a body beside its material's (core/plugins/body_energy_plugin.h), with their target strains:
//
//   subsets:
//     inner: {box: {min: [0.9, -9, -9], max: [1.0, 9, 9]}}
//     outer: {box: {min: [1.1, -9, -9]}}
//   body_energies:
//     - type: example_based
//       stiffness: 1.0e5                                        # the plugin's parameters
//       normal: [0, 0, 1]
//       inner: inner                                            # names of subsets
//       outer: outer
//       positive: smile                                         # names of targets
//       negative: sad
//       targets:                                                # Green strains E = (F^T F - I)/2 of each element
//         smile: {shape: [x, y, z + 0.01*exp(-(x/0.1)^2)]}      # that of the deformed mesh: formulas of a vertex's position
//         sad: {strain: [0, 0, 0.1*z, 0, 0, 0]}                 # xx, yy, zz, xy, xz, yz at the element's centroid
//         rest: {field: strain}                                 # a field on elements of the mesh's file, of 6 or 9 components
//
// Positions and strains of targets are in the mesh's coordinates [m], scaled and before the body is placed. Quantities are
// those of the placed body, and directions among a plugin's parameters, such as `normal`, are the scene's.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/body_energy_plugin.h"
#include "holo/core/plugins/plugin_host.h"
#include "holo/sim/mesh/subset.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// A target as the experiment states it: one of the two functions, both of which throw Error(input).
struct StrainTargetDefinition {
  std::string name;
  Location location;
  std::function<std::array<double, 3>(const std::array<double, 3>&)> shape;  // where a point goes [m]
  std::function<std::vector<double>(const TetrahedralMesh&)> strain;         // [element][9]
};

struct BodyEnergyDefinition {
  std::shared_ptr<const BodyEnergyInstance> instance;  // null after a problem of the experiment
  std::vector<StrainTargetDefinition> targets;         // by number
  Location location;
};

// A target on a body's mesh: the positions of the deformed mesh [3 * vertex of the body] [m], or the strains [element of the
// body][9] row by row.
struct StrainTarget {
  std::string name;
  std::vector<double> positions, strains;
};

struct BodyEnergy {
  std::shared_ptr<const BodyEnergyInstance> instance;
  std::vector<StrainTarget> targets;  // in the order of the instance's description
  Location location = {};
};

// Reads the list `body_energies` of a body with the subsets given. Problems are reported through the configuration file, each
// with its place: an unknown plugin, name or key, a formula that cannot be read.
std::vector<BodyEnergyDefinition> read_body_energies(Configuration& body, const PluginHost& host,
                                                     const std::vector<NamedSubset>& subsets);

// The energy on the mesh, in the mesh's own coordinates. Throws Error(input), with the place in the experiment, for a field
// that the mesh lacks or of another size, a strain that is not finite or not symmetric, a shape in which an element is
// inverted.
BodyEnergy make_body_energy(const BodyEnergyDefinition& definition, const TetrahedralMesh& rest);

}  // namespace holo
