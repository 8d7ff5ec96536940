#pragma once
// Fills an ElasticModel from its definition, step by step.

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

class ElasticModelBuilder {
 public:
  ElasticModelBuilder(const ElasticModelDefinition& definition, ElasticModel& model) : definition_(definition), model_(model) {}
  void build();

 private:
  void add_body(const ElasticBodyDefinition& definition, TetrahedralMesh mesh);
  void choose_operations(const ElasticBodyDefinition& definition, ElasticBody& body) const;
  void place_vertices(const ElasticBodyDefinition& definition, ElasticBody& body);
  void pack_elements(const TetrahedralMesh& rest, ElasticBody& body, const std::vector<double>& densities);
  void pack_element(const TetrahedralMesh& rest, const ElasticBody& body, std::size_t place, std::size_t element, bool padding);
  void add_blocks(ElasticBody& body, std::size_t elements);
  void add_masses(const TetrahedralMesh& rest, const ElasticBody& body, const std::vector<double>& densities);
  void add_start_velocities(const ElasticBodyDefinition& definition, const ElasticBody& body);
  // affine/affine_model.cpp
  // Replaces the mesh by one tetrahedron with a density of its own, and embeds the mesh. Returns the mesh's volume [m^3].
  double make_affine(const ElasticBodyDefinition& definition, std::vector<double>& densities, ElasticBody& body);
  void embed_points();
  // element_coefficients.cpp
  void set_uniform_coefficients(const std::vector<double>& coefficients, ElasticBody& body) const;
  // [element][coefficient]; where all elements have the same ones, they are uniform.
  void set_element_coefficients(const std::vector<double>& coefficients, ElasticBody& body) const;
  // stiffness_at_rest.cpp
  void measure_stiffness(ElasticBody& body);
  void measure_element_stiffness(ElasticBody& body);

  void add_subsets(const ElasticBodyDefinition& definition, ElasticBody& body) const;
  void add_muscles(const ElasticBodyDefinition& definition, const TetrahedralMesh& rest, ElasticBody& body) const;
  void copy_packed();

  const ElasticModelDefinition& definition_;
  ElasticModel& model_;
  std::vector<double> positions_, velocities_, gradients_, volumes_;
  bool has_quadratic_ = false;  // then each body has a multiple of four blocks, so that no element lies in two clusters
  std::vector<EmbeddedBody> embedded_;
};

// element_coefficients.cpp: [element] [kg/m^3]. Throws Error(input), with the place in the experiment, the element's number in
// the mesh's file and the value, for one that is not positive and finite.
std::vector<double> element_densities(const ElasticBodyDefinition& definition, const TetrahedralMesh& mesh);

// x = R X + translation of all vertices.
void place(const ElasticBodyDefinition& definition, TetrahedralMesh& mesh);

// stiffness_at_rest.cpp: that linear elements lock, of a body with elements whose Poisson's ratio at rest is above 0.45; "" of
// any other.
std::string locking_note(const ElasticBody& body);

// elastic_pattern.cpp: the sum pattern of a model's elements; padding is left out.
ElasticPattern make_pattern(const ElasticModel& model);

// What an element has at one of its quadrature points.
struct ElementPoint {
  std::vector<std::array<double, 3>> gradients;  // of the shape functions of all nodes but the first [1/m]
  double volume;                                 // [m^3]
};
// element_points.cpp: of each point of a sound element, for its nodes in an order: of numbers from 0 in element_vertices().
std::vector<ElementPoint> element_points(const TetrahedralMesh& mesh, std::size_t element,
                                         const std::vector<std::size_t>& order);

// Indices of points, sorted along a space-filling curve (Morton), so that neighbors in space are near in memory.
std::vector<int> space_filling_order(const std::vector<std::array<double, 3>>& points);

}  // namespace holo
