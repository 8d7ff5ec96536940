#pragma once
// Vertices with their masses, and sums over them.

#include <Eigen/Core>
#include <vector>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

struct MassPoints {
  using Values = Eigen::Ref<const Eigen::VectorXd>;  // [3 * vertex]

  std::vector<int> vertices;
  std::vector<double> masses;  // [kg], of each
  double mass = 0;             // of all [kg]

  MassPoints(const ElasticModel& model, std::vector<int> of) : vertices(std::move(of)) {
    for (const int v : vertices) {
      masses.push_back(model.masses()[static_cast<std::size_t>(v)]);
      mass += masses.back();
    }
  }

  Eigen::Vector3d mean(const Values& values) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < vertices.size(); ++i) sum += masses[i] * values.segment<3>(3 * vertices[i]);
    return sum / mass;
  }
};

}  // namespace holo
