#pragma once
// Contact forces at given activations by projected Gauss-Seidel iterations [Cottle2009]: contact by contact, each force
// becomes the one for which its own law holds, with all others as they are.

#include "holo/comparison/contact_problem.h"

namespace holo::comparison {

struct GaussSeidelOptions {
  int max_sweeps = 10'000;   // over all contacts
  double tolerance = 1e-10;  // of complementarity_residual [m]
};

struct GaussSeidelResult {
  Eigen::VectorXd forces;
  int sweeps = 0;
  double residual = 0;  // [m]
  bool converged = false;
};

GaussSeidelResult solve_contact_forces(const ContactProblem& problem, const Eigen::VectorXd& activations,
                                       const GaussSeidelOptions& options = {});

}  // namespace holo::comparison
