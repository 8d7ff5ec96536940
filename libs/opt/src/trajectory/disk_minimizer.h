#pragma once
// Minimum of a quadratic function of two unknowns in a disk, exact to rounding.

#include <Eigen/Core>

namespace holo {

// The minimizer of g . a + a . B a / 2 over |a| <= radius for a symmetric B [2][2] of any definiteness: a = -(B + sigma I)^-1 g
// with the least sigma >= 0 that makes B + sigma I positive semidefinite and |a| <= radius, or where g is orthogonal to the
// eigenvector of the smallest eigenvalue, that eigenvector added up to the boundary (the hard case) [Nocedal2006, section 4.3].
// `radius` is finite and positive.
Eigen::Vector2d minimize_in_disk(const Eigen::Matrix2d& B, const Eigen::Vector2d& g, double radius);

}  // namespace holo
