#pragma once
// Material parameters that differ from element to element. In the section `material:` a number may be written as
//
//   youngs_modulus: 1.0e5*(1 + 4*step(x - 0.5))                        # a formula of the rest position
//   youngs_modulus: {field: E}                                         # a field on elements of the mesh's file
//   youngs_modulus: {field: moduli, component: 1}                      # of several components, counted from 0
//   youngs_modulus: {groups: {soft: 1.0e5, hard: 1.0e6}}               # groups of tetrahedra of the mesh's file
//   youngs_modulus: {groups: {hard: 1.0e6}, otherwise: 1.0e5}
//
// x, y, z are the element's centroid in the mesh's coordinates [m], scaled and before the body is placed.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/material_values.h"
#include "holo/sim/elastic/singular_elements.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

class MaterialFields {
 public:
  // One parameter's values, [element] of the mesh. Throws Error(input) where the mesh lacks what it names.
  struct Source {
    std::string parameter;
    std::string text;  // "the field 'E'", for messages
    Location location;
    std::function<std::vector<double>(const TetrahedralMesh&)> values;
  };

  MaterialFields(std::shared_ptr<const MaterialPlugin> plugin, MaterialValues values, std::vector<Source> sources,
                 Location location)
      : plugin_(std::move(plugin)), values_(std::move(values)), sources_(std::move(sources)), location_(std::move(location)) {}

  // The second library, for materials that need one-sided series at rest.
  void set_reference(SingularElements::Load reference) { reference_ = std::move(reference); }

  // [element][coefficient], each element's as the plugin's `read` makes them of its values, with all its checks. Throws
  // Error(input) with the place in the experiment, the element's number in the mesh's file and the values.
  std::vector<double> coefficients(const TetrahedralMesh& mesh) const;

 private:
  std::vector<double> coefficients_of_element(const TetrahedralMesh& mesh, std::size_t element,
                                              const std::vector<double>& values) const;

  std::shared_ptr<const MaterialPlugin> plugin_;
  MaterialValues values_;  // of every parameter; those of sources are replaced
  std::vector<Source> sources_;
  Location location_;
  SingularElements::Load reference_;
};

// Null where every number in the section is a number: the plugin reads it then. Problems are reported through the configuration
// file.
std::shared_ptr<MaterialFields> read_material_fields(Configuration& material,
                                                     const std::shared_ptr<const MaterialPlugin>& plugin,
                                                     const Location& location);

}  // namespace holo
