#pragma once
// Non-negative least squares.

#include <Eigen/Core>

namespace holo {

// w >= 0 with the least |A w - b|, from G = A^T A and h = A^T b, by the active-set method of Lawson and Hanson, started from
// the positive entries of `start`.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& G, const Eigen::VectorXd& h, const Eigen::VectorXd& start);

}  // namespace holo
