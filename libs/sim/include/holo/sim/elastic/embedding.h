#pragma once
// Points of affine bodies as linear functions x_c = W q of a model's vertices q. An affine body is one tetrahedron of the
// model, whose map from rest is the body's; the vertices of the body's mesh are embedded in it, with constant barycentric
// weights. Contact, intersection tests and pictures see the points [Lan2022].

#include <Eigen/Core>
#include <array>
#include <vector>

#include "holo/sim/mesh/tetrahedral_mesh.h"

namespace holo {

// One affine body.
struct EmbeddedBody {
  int body = 0;                          // of the model
  int first_node = 0;                    // its four vertices of the model have consecutive numbers
  int first_point = 0;                   // the number of the mesh's first vertex among all points
  TetrahedralMesh mesh;                  // placed as the scene starts; vertices from 0
  std::vector<Eigen::Vector4d> weights;  // [vertex of the mesh] of the four nodes; their sum is 1
};

// The points of a model are its vertices, with their numbers, and behind them the vertices of the meshes of its affine bodies.
// Vectors of points are [3 * point], as those of the model are [3 * vertex].
class Embedding {
 public:
  // What a point depends on: `count` vertices of the model with their weights. A vertex of the model depends on itself.
  struct Stencil {
    int count = 1;
    std::array<int, 4> nodes = {};
    std::array<double, 4> weights = {1};
  };

  // Sets `first_point` of the bodies, which are in the order of the model's.
  Embedding(int vertex_count, std::vector<EmbeddedBody> bodies);

  int vertex_count() const { return vertex_count_; }  // of the model
  int point_count() const { return point_count_; }
  const std::vector<EmbeddedBody>& bodies() const { return bodies_; }
  // Null: the model's body with this number is not affine.
  const EmbeddedBody* find(int body) const;
  // The affine body to which a point belongs; null: the point is a vertex of the model.
  const EmbeddedBody* owner(int point) const;
  Stencil stencil(int point) const;

  // W q of positions [3 * vertex] [m].
  Eigen::VectorXd points(const Eigen::VectorXd& of_vertices) const;
  void points(const Eigen::VectorXd& of_vertices, Eigen::VectorXd& of_points) const;
  // W times columns [3 * vertex][column].
  Eigen::MatrixXd columns_of_points(const Eigen::Ref<const Eigen::MatrixXd>& of_vertices) const;
  // of_vertices += W^T of_points, column by column.
  void add_pulled_back(const Eigen::Ref<const Eigen::MatrixXd>& of_points, Eigen::Ref<Eigen::MatrixXd> of_vertices) const;

 private:
  int vertex_count_ = 0, point_count_ = 0;
  std::vector<EmbeddedBody> bodies_;
};

}  // namespace holo
