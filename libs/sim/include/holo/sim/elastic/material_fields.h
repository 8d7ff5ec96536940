#pragma once
// Material parameters that differ from element to element. In the section `material:` a number or vector of the plugin may be
// written in each way of element_values.h.

#include <memory>
#include <string>
#include <vector>

#include "holo/core/configuration.h"
#include "holo/core/plugins/material_values.h"
#include "holo/sim/elastic/element_values.h"
#include "holo/sim/elastic/singular_elements.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

class MaterialFields {
 public:
  struct Source {
    std::string parameter;
    ElementValues given;
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
  // `values`: those of all sources, one after another.
  std::vector<double> coefficients_of_element(const TetrahedralMesh& mesh, std::size_t element,
                                              const std::vector<double>& values) const;
  // Location of the source whose parameter an error of the plugin names, if it names one.
  const Location& location_of(const std::string& error) const;

  std::shared_ptr<const MaterialPlugin> plugin_;
  MaterialValues values_;  // of every parameter; those of sources are replaced
  std::vector<Source> sources_;
  Location location_;
  SingularElements::Load reference_;
};

// Null where no parameter in the section has values per element: the plugin reads it then. Problems are reported through the
// configuration file.
std::shared_ptr<MaterialFields> read_material_fields(Configuration& material,
                                                     const std::shared_ptr<const MaterialPlugin>& plugin,
                                                     const Location& location);

}  // namespace holo
