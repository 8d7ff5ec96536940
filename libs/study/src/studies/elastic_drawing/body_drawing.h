#pragma once
// The bodies of an elastic scene as runs and previews draw them: surfaces, with dots at the vertices of handles and subsets. An
// affine body is drawn with its own mesh, whose vertices are points of the model's embedding.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/elastic/elastic_model.h"
#include "holo/sim/elastic/handles/dirichlet_schedule.h"
#include "holo/study/scene.h"

namespace holo {

// The mesh with which a body is drawn, placed as the scene starts.
const TetrahedralMesh& drawn_mesh(const ElasticModel& model, std::size_t body);

// A body as it is drawn, without sets of vertices.
// The vertices of a surface, each once, and its triangles by their numbers in this list.
struct SurfaceVertices {
  explicit SurfaceVertices(std::vector<std::array<int, 3>> surface);
  std::vector<int> vertices;
  std::vector<std::array<int, 3>> triangles;
};

SceneBody drawn_body(const ElasticModel& model, std::size_t body);

// The points of a body that are drawn: consecutive vertices of the model, or of its embedding where the body is affine. The
// drawn vertices are those of the first body, then those of the second one, and so on.
struct DrawnPoints {
  int first = 0, count = 0;
};
DrawnPoints drawn_points(const ElasticModel& model, std::size_t body);

// Vectors of the model's vertices [3 * vertex] as those of the drawn vertices.
void assign_drawn(const ElasticModel& model, const Eigen::VectorXd& of_vertices, std::vector<double>& drawn);

// Makes a field of the model's vertices one of the drawn vertices; the nodes of an affine body have one value.
void spread_over_drawn(const ElasticModel& model, std::vector<float>& field);

// The bodies of the model in its order, each with its handles as sets of vertices.
std::vector<SceneBody> drawn_bodies(const ElasticModel& model, const DirichletSchedule& schedule);

// The body's handles in the schedule's order, named "BODY handle 0".
std::vector<VertexSet> drawn_handles(const DirichletSchedule& schedule, const ElasticBody& body);

// The body's named subsets, as losses call them: "BODY.SUBSET".
std::vector<VertexSet> drawn_subsets(const ElasticBody& body);

}  // namespace holo
