#pragma once
// Ipopt [Waechter2006] as a method for equality-constrained problems, where this build has it.
//
//   if (comparison::has_ipopt()) result = comparison::solve_by_ipopt(problem, start, {.max_iterations = 100});

#include <Eigen/Core>
#include <string>
#include <vector>

#include "holo/opt/trajectory/equality_constrained_problem.h"

namespace holo::comparison {

struct IpoptIteration {
  int number = 0;  // from 0: the start
  double objective = 0;
  double violation = 0;     // largest |C_i|
  double stationarity = 0;  // largest entry of the gradient of the Lagrangian
};

struct IpoptOptions {
  double tolerance = 1e-6;  // of constraints and of the gradient of the Lagrangian
  int max_iterations = 500;
};

struct IpoptSolution {
  std::string status;  // "converged", "acceptable", "iteration_limit", "infeasible", "failed"
  Eigen::VectorXd point;
  double seconds = 0;
  std::vector<IpoptIteration> iterations;
};

// Whether Ipopt was found when this was built.
bool has_ipopt();
// What to install, for a message where it was not.
std::string how_to_get_ipopt();

// With MUMPS and without scales. The problem's system must be a BandedSaddlePoint (std::bad_cast otherwise). The Hessian of the
// Lagrangian is forward differences of its gradient. Throws Error(environment) where this build has no Ipopt.
IpoptSolution solve_by_ipopt(EqualityConstrainedProblem& problem, const Eigen::VectorXd& start, const IpoptOptions& options);

}  // namespace holo::comparison
