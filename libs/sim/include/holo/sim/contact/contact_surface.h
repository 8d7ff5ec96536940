#pragma once
// The surface of the bodies of a model, as contact sees it.

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "holo/sim/contact/bristles.h"
#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// Vertices are numbered as those of the model; those of an affine body as the points of the model's embedding.
struct ContactSurface {
  std::vector<int> vertices;                  // on the boundary of a body, ascending
  std::vector<double> areas;                  // [entry of vertices] a third of the triangles around it, at rest [m^2]
  std::vector<int> bodies;                    // [entry of vertices] body of the model
  std::vector<std::array<int, 3>> triangles;  // the boundary, outwards
  std::vector<std::array<int, 2>> edges;      // of the triangles, each once, the smaller vertex first, ascending
  std::vector<double> edge_areas;             // [entry of edges] a third of the triangles at it, at rest [m^2]
  std::vector<double> edge_lengths;           // [entry of edges] at rest [m]
  std::shared_ptr<const Embedding> embedding = nullptr;       // null: no body is affine
  std::shared_ptr<const SurfaceBristles> bristles = nullptr;  // null: no body has any

  // [3 * point] for positions of the model [3 * vertex] [m]: these themselves, unless a body is affine.
  Eigen::VectorXd points(const Eigen::VectorXd& positions) const {
    return embedding ? embedding->points(positions) : positions;
  }
};

ContactSurface contact_surface(const ElasticModel& model);

// The edges of triangles, each once, the smaller vertex first, in ascending order.
std::vector<std::array<int, 2>> edges_of(const std::vector<std::array<int, 3>>& triangles);

}  // namespace holo
