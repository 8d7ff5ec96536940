#pragma once
// Elastic bodies as linear or quadratic tetrahedra: their elements, masses and positions at the start. It knows no time,
// gravity and prescribed motion: those are the scene's (dynamics/elastic_scene.h). elastic_state.h has what a time step
// changes, elastic_observations.h and element_fields.h what can be computed of a state.

#include <Eigen/Core>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "holo/core/numerics/aligned_array.h"
#include "holo/sim/elastic/body_energy.h"
#include "holo/sim/elastic/elastic_pattern.h"
#include "holo/sim/elastic/elastic_scene_definition.h"
#include "holo/sim/elastic/embedding.h"
#include "holo/sim/elastic/singular_elements.h"
#include "holo/sim/mesh/tetrahedral_mesh.h"
#include "holo/sim/muscle/muscle_fibers.h"

namespace holo {

// A named subset of a body's vertices, to which losses refer as BODY.NAME.
struct ElasticSubset {
  std::string name;
  std::vector<int> vertices;                  // ascending, in the model's numbering
  std::vector<int> elements;                  // of a subset of elements: indices in the body's mesh, ascending; else empty
  std::vector<std::array<int, 3>> triangles;  // of the surface, within the subset, outwards; in the model's numbering
};

// One body in the concatenated arrays of the model. Its elements fill complete blocks. A block has one quadrature point of each
// of HOLO_LANE_WIDTH elements: linear elements have one, quadratic ones four, in consecutive blocks and in the same lane.
struct ElasticBody {
  std::string name;
  int first_vertex = 0, vertex_count = 0;
  int first_element = 0, element_count = 0;      // in the meshes' order
  std::size_t first_block = 0, block_count = 0;  // of HOLO_LANE_WIDTH quadrature points
  int nodes = 4;                                 // vertices of an element: 4 or 10
  std::size_t points = 1;                        // quadrature points of an element: 1 or 4
  std::shared_ptr<const holo_material> material;
  ElementFunction energy, stress, hessian;                         // the operations of the chosen differentiation
  ElementFunction stress_differential;                             // of that differentiation; null: it has none
  std::string stress_kernel, hessian_kernel, differential_kernel;  // what they run
  holo_batch_function projected_hessian = nullptr;                 // null: the host projects what `hessian` gives
  holo_batch_function invariant_slopes = nullptr;    // for Hessians that are not projected; null: by `stress` and `hessian`
  std::shared_ptr<const SingularElements> singular;  // where they give no finite derivatives
  AlignedArray coefficients;                         // [1 or block_count][coefficient_count][lane]
  std::size_t coefficient_stride = 0;                // doubles from block to block; 0: uniform
  // The energy is finite for determinants between these only; the upper bound comes with a lower one.
  double determinant_minimum = -std::numeric_limits<double>::infinity();
  double determinant_maximum = std::numeric_limits<double>::infinity();
  bool limits_determinant() const { return determinant_minimum > -std::numeric_limits<double>::infinity(); }
  double mass_damping = 0, stiffness_damping = 0;  // alpha [1/s], beta [s]
  std::vector<LoadDefinition> loads;
  std::shared_ptr<const MuscleFibers> muscles;  // null: none
  std::vector<ElasticSubset> subsets;
  std::vector<BodyEnergy> energies;                                  // beside the material's
  double poissons_ratio = std::numeric_limits<double>::quiet_NaN();  // at rest, the largest; NaN where it is not known
  double youngs_modulus = std::numeric_limits<double>::quiet_NaN();  // alike [Pa]
  double shear_modulus = std::numeric_limits<double>::quiet_NaN();   // at rest, the smallest [Pa]; NaN where it is not known
  int locking_elements = 0;  // with a Poisson's ratio above 0.45 at rest, where coefficients differ from element to element
  // The body is one tetrahedron, `mesh`, with the mass and the volume of the source's mesh, which the model's embedding has.
  bool is_affine = false;
  TetrahedralMesh mesh;  // placed as the scene starts; vertices renumbered along a space-filling
                         // curve, from 0, tetrahedra in the source's order

  const ElementFunction& operation(ElementOperation which) const {
    return which == ElementOperation::energy ? energy : which == ElementOperation::stress ? stress : hessian;
  }
};

// The elements whose quadrature points one block has.
struct ElementBlock {
  int nodes;                // vertices of an element: 4 or 10
  const int* vertices;      // [node][lane]; within an element ascending, so that every block of the matrix lies below the
                            // diagonal without being transposed
  const double* gradients;  // [node - 1][3][lane] of the shape functions of all nodes but the first, at the points [1/m]
  const double* weights;    // [lane] rest volume of the points [m^3], 0 in padding
  std::size_t first_entry;  // of the first lane's stencil in ElasticPattern::sum_of_entry
};

class ElasticModel {
 public:
  static constexpr std::size_t lanes = HOLO_LANE_WIDTH;

  // Builds the meshes; the definition may be gone afterwards. Every body needs a material, a mesh source and coefficients.
  // Throws Error(input), with the location in the experiment, for a mesh that `validate` refuses, a subset without vertices, a
  // material without the chosen differentiation, muscles that make_muscle_fibers() refuses.
  explicit ElasticModel(const ElasticModelDefinition& definition);

  ElementDifferentiation differentiation() const { return differentiation_; }
  int vertex_count() const { return static_cast<int>(masses_.size()); }
  int element_count() const { return element_count_; }
  std::size_t block_count() const { return volumes_.size() / lanes; }
  double length() const { return length_; }  // diagonal of the bounding box of all bodies at the start [m]
  const std::vector<ElasticBody>& bodies() const { return bodies_; }
  const Eigen::VectorXd& start_positions() const { return start_positions_; }    // [3 * vertex] [m]
  const Eigen::VectorXd& start_velocities() const { return start_velocities_; }  // [3 * vertex] [m/s]
  const std::vector<double>& masses() const { return masses_; }                  // [vertex] lumped [kg]
  // [vertex] integrals of density times shape functions: what a uniform acceleration acts on where nothing has inertia. Equal
  // to the masses for linear elements; negative at corners of quadratic ones [kg]
  const std::vector<double>& shape_masses() const { return shape_masses_.empty() ? masses_ : shape_masses_; }
  ElementBlock block(std::size_t number) const {
    const BlockOffsets& at = block_offsets_[number];
    return {at.nodes, vertices_of_elements_.data() + at.vertices, shape_gradients_.data() + at.gradients,
            volumes_.data() + number * lanes, at.first_entry};
  }
  // [block][lane] number of the point's element in the meshes' order; -1: padding, which repeats one without its volume
  const std::vector<int>& packed_elements() const { return packed_elements_; }
  // [block][lane] of the points at rest [m^3], 0 in padding; of an affine body the volume of its mesh
  const AlignedArray& volumes() const { return volumes_; }
  const ElasticPattern& pattern() const { return pattern_; }
  // The points of affine bodies; null: there are no such bodies.
  const std::shared_ptr<const Embedding>& embedding() const { return embedding_; }
  // The energy K of strains of order one, sum of volume times stiffness [J]. Rounding errors of an elastic energy E are of
  // order 2^-53 sqrt(E K): those of the strains, which are known to 2^-53.
  double stiffness_energy() const { return stiffness_energy_; }
  // A copy with other uniform coefficients of the materials, `values` [body][coefficient]; of a body without values the
  // coefficients stay. What was measured of the materials at rest (stiffness_energy, poissons_ratio) stays.
  std::shared_ptr<const ElasticModel> with_coefficients(const std::vector<std::vector<double>>& values) const;
  // Names of the compiled kernels, for the log: "body 'a': neo_hookean_paper, compiled, stress: compile-time graph, 120
  // operations, hessian: ..."
  std::vector<std::string> kernel_names() const;
  // Notes for the user on each body: vertices of its file that are omitted, elements that are too stiff for its material.
  std::vector<std::string> notes() const;

 private:
  friend class ElasticModelBuilder;

  struct BlockOffsets {  // where the arrays have what ElementBlock tells
    int nodes;
    std::size_t vertices, gradients, first_entry;
  };

  ElementDifferentiation differentiation_ = ElementDifferentiation::compiled;
  int element_count_ = 0;
  double length_ = 0, stiffness_energy_ = 0;
  std::vector<ElasticBody> bodies_;
  Eigen::VectorXd start_positions_, start_velocities_;
  std::vector<double> masses_, shape_masses_;
  std::vector<BlockOffsets> block_offsets_;
  std::vector<int> vertices_of_elements_, packed_elements_;
  AlignedArray shape_gradients_, volumes_;
  ElasticPattern pattern_;
  std::shared_ptr<const Embedding> embedding_;
};

}  // namespace holo
