#pragma once
// Axes of joints from directions.

#include <Eigen/Core>

namespace holo {

// Axes with the given first one, which need not have length 1; where `second` is given it shows roughly along the second.
// Throws Error(input) for a direction of length 0, or two that are parallel.
Eigen::Matrix3d axes_along(const Eigen::Vector3d& first);
Eigen::Matrix3d axes_along(const Eigen::Vector3d& first, const Eigen::Vector3d& second);

}  // namespace holo
