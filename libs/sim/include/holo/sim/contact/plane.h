#pragma once
// A plane as a surface that bodies collide with, at one time.

#include <Eigen/Core>

#include "holo/sim/contact/contact_definition.h"

namespace holo {

struct Plane {
  Eigen::Vector3d normal;  // outwards, unit
  double offset;           // of the plane along the normal [m]

  explicit Plane(const PlaneDefinition& definition)
      : normal(definition.normal.data()), offset(normal.dot(Eigen::Vector3d(definition.point.data()))) {}

  // The distance of a point, negative below the plane [m].
  double gap(const Eigen::Vector3d& point) const { return normal.dot(point) - offset; }
};

}  // namespace holo
