#include "holo/sim/articulated/joint_axes.h"

#include <Eigen/Geometry>
#include <cmath>

#include "holo/core/error.h"

namespace holo {

namespace {

Eigen::Vector3d axis_direction(const Eigen::Vector3d& vector) {
  const double length = vector.norm();
  if (!(length > 1e-12)) throw Error(Failure::input, "an axis of length 0; give it an entry that is not 0");
  // The square of a large entry overflows; the direction does not depend on the length.
  return std::isfinite(length) ? vector / length : axis_direction(vector / vector.cwiseAbs().maxCoeff());
}

}  // namespace

Eigen::Matrix3d axes_along(const Eigen::Vector3d& first) {
  // The unit vector that is farthest from the first axis leads to the second.
  Eigen::Index smallest = 0;
  first.cwiseAbs().minCoeff(&smallest);
  return axes_along(first, Eigen::Vector3d::Unit(smallest));
}

Eigen::Matrix3d axes_along(const Eigen::Vector3d& first, const Eigen::Vector3d& second) {
  const Eigen::Vector3d x = axis_direction(first), rough = axis_direction(second);
  const Eigen::Vector3d across = x.cross(rough);
  if (!(across.norm() > 1e-9)) throw Error(Failure::input, "the first and the second axis of a joint are parallel");
  const Eigen::Vector3d z = across.normalized();
  Eigen::Matrix3d axes;
  axes << x, z.cross(x), z;
  return axes;
}

}  // namespace holo
