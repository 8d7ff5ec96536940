#pragma once
// The orientation of a deformed body: the rotation that fits its vertices best, and its parts about the vertical and away from
// it.

#include <Eigen/Core>

#include "holo/sim/elastic/elastic_model.h"

namespace holo {

// The rotation R that minimizes sum m |x - c - R (X - C)|^2 over the body's vertices, with positions x [3 * vertex] of the
// model [m], start positions X, masses m and centers of mass c and C [Kabsch1976].
Eigen::Matrix3d fitted_rotation(const ElasticModel& model, const ElasticBody& body, const Eigen::VectorXd& positions);

// R = R' R_z(yaw) where R' turns about a horizontal axis by the tilt: the angle between z and R z. [rad]
struct Attitude {
  double yaw = 0;   // in (-pi, pi]
  double tilt = 0;  // in [0, pi]
};
Attitude attitude(const Eigen::Matrix3d& R);

}  // namespace holo
