#pragma once
// Bristles of a body's surface: its friction depends on the direction in which it slides.
//
//   bristles:                     # of a body
//     direction: [1, 0, 0]        # forward, in the mesh's own coordinates; any length but 0
//     forward: 0.5                # factors of the coefficient of friction for sliding forward, backward and across
//     backward: 1.5
//     lateral: 1.6
//
// The direction is fixed to the body. At a vertex v it is F_v d, with the mean deformation gradient F_v of the elements around
// v, weighted by their volumes: the material line along d at rest. Its part in the plane of contact counts.

#include <Eigen/SparseCore>
#include <memory>
#include <optional>
#include <vector>

#include "holo/sim/contact/contact_definition.h"

namespace holo {

class ElasticModel;
struct ContactSurface;
struct ElasticModelDefinition;
struct ElasticSceneDefinition;

struct BristlesDefinition {
  Vector3d direction = {1, 0, 0};                 // unit, in the mesh's own coordinates
  double forward = 1, backward = 1, lateral = 1;  // factors of the coefficient of friction, > 0, > 0, >= 0
  Location location;
};

// None without the section.
std::optional<BristlesDefinition> read_bristles(Configuration& body);

// Reports, through the configuration file, bristles whose energy of friction is not convex (largest_directed_ratio), and two
// surfaces with bristles that can collide, or one with itself: friction between such surfaces is not defined.
void check_bristles(Configuration& scene, const ElasticSceneDefinition& definition);

// Bristles on the surfaces of a model's bodies.
class SurfaceBristles {
 public:
  SurfaceBristles(const ElasticModel& model, const ElasticModelDefinition& definition, const ContactSurface& surface);

  // Null: the body, or the body of a vertex, has none. Vertices are numbered as those of the surface.
  const BristlesDefinition* of_body(int body) const;
  bool covers(int vertex) const { return gradient_.outerIndexPtr()[vertex + 1] > gradient_.outerIndexPtr()[vertex]; }
  const BristlesDefinition& of_vertex(int vertex) const;
  // F_v d at positions of all points [3 * vertex] [m]; 0 of a vertex without bristles. Linear in the positions.
  Eigen::Vector3d direction(int vertex, const Eigen::VectorXd& positions) const;
  // The same of columns [3 * vertex][column]: [3][column].
  Eigen::Matrix3Xd directions(int vertex, const Eigen::Ref<const Eigen::MatrixXd>& columns) const;

 private:
  std::vector<std::optional<BristlesDefinition>> bodies_;  // [body of the model]
  std::vector<int> body_of_;                               // [vertex] -1: not on the surface
  Eigen::SparseMatrix<double, Eigen::RowMajor> gradient_;  // F_v d = sum_w gradient_(v, w) x_w [1/m]
};

// Null where no body has bristles.
std::shared_ptr<const SurfaceBristles> surface_bristles(const ElasticModel& model, const ElasticModelDefinition& definition,
                                                        const ContactSurface& surface);

}  // namespace holo
