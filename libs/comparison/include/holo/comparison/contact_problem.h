#pragma once
// One time step with contact as a complementarity problem, linear about the step's start, with a quadratic objective: what
// [Tan2012] minimizes in each frame, and what our barriers are compared with ([Shen2024] Section 7.2).
//
// Contact i has a force f_i [N] and, at the step's end, w_i [m]: the gap along the normal, then the displacements along two
// tangents. With the activations u,
//
//   w = free + by_activations u + by_forces f
//   0 <= f_n  perpendicular to  w_n >= 0
//   |f_a| <= mu f_n,   f_a = -mu f_n where w_a > 0,   f_a = mu f_n where w_a < 0       for the tangents a = 1, 2
//
// so that friction is a pyramid of four sides, and a contact has ten branches: it is apart, or it touches and along each
// tangent sticks, slides forward or slides back. On each branch of all contacts forces are linear in u, and 10^n branches of n
// contacts cover all solutions.

#include <Eigen/Core>

#include "holo/opt/dense/dense_minimizer.h"

namespace holo::comparison {

// Vectors of contacts are [3 * contact + (normal, tangent, tangent)].
struct ContactProblem {
  Eigen::VectorXd friction;        // mu [contact], > 0
  Eigen::VectorXd free;            // [m]
  Eigen::MatrixXd by_activations;  // [3 * contact][activation] [m]
  Eigen::MatrixXd by_forces;       // symmetric, positive definite [3 * contact][3 * contact] [m/N]
  // The objective constant + gradient . z + z . hessian z / 2 of z = (u, f), with a positive definite part of u.
  Eigen::MatrixXd hessian;
  Eigen::VectorXd gradient;
  double constant = 0;
  DenseBounds bounds;  // of u

  Eigen::Index contacts() const { return friction.size(); }
  Eigen::Index activations() const { return by_activations.cols(); }
};

// w at activations u and forces f [m].
Eigen::VectorXd contact_displacements(const ContactProblem& problem, const Eigen::VectorXd& u, const Eigen::VectorXd& f);

double contact_objective(const ContactProblem& problem, const Eigen::VectorXd& u, const Eigen::VectorXd& f);

// How far forces f and displacements w are from the laws above: the largest |f - P(f - w/b)| b [m], with the projection P of a
// force onto those that the laws allow and the diagonal b of by_forces. 0 for a solution alone.
double complementarity_residual(const ContactProblem& problem, const Eigen::VectorXd& f, const Eigen::VectorXd& w);

}  // namespace holo::comparison
