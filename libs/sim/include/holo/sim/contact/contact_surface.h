#pragma once
// The surface of the bodies of a model, as contact sees it.

#include <array>
#include <vector>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

struct ContactSurface {
  std::vector<int> vertices;                  // on the boundary of a body, ascending, in the model's numbering
  std::vector<double> areas;                  // [entry of vertices] a third of the triangles around it, at rest [m^2]
  std::vector<int> bodies;                    // [entry of vertices] body of the model
  std::vector<std::array<int, 3>> triangles;  // the boundary, outwards, in the model's numbering
  std::vector<std::array<int, 2>> edges;      // of the triangles, each once, the smaller vertex first, ascending
  std::vector<double> edge_areas;             // [entry of edges] a third of the triangles at it, at rest [m^2]
  std::vector<double> edge_lengths;           // [entry of edges] at rest [m]
};

ContactSurface contact_surface(const ElasticModel& model);

// The edges of triangles, each once, the smaller vertex first, in ascending order.
std::vector<std::array<int, 2>> edges_of(const std::vector<std::array<int, 3>>& triangles);

}  // namespace holo
