#pragma once
// Choice of the vertices of a scene's surfaces that are the contacts of a linearized frame.

#include <vector>

#include "holo/sim/contact/plane.h"
#include "holo/sim/dynamics/elastic_scene.h"

namespace holo::comparison {

struct ChosenContact {
  int vertex = 0;
  Eigen::Vector3d normal;  // of the nearest plane, outwards
  double gap = 0;          // at the start, less the activation distance, at least 0 [m]
  double friction = 0;
};

// Up to `count` contacts at positions x, where the step without forces moves vertices by `moves` [3 * vertex] [m]. Vertices for
// which `is_prescribed` [vertex] is set are none.
std::vector<ChosenContact> choose_contacts(const ElasticScene& scene, const Eigen::VectorXd& x, const Eigen::VectorXd& moves,
                                           const std::vector<bool>& is_prescribed, int count);

}  // namespace holo::comparison
