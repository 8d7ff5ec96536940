#pragma once
// Minimizes the objective of a complementarity problem over the branches of its contacts, as [Tan2012]: on each branch of all
// contacts it is a quadratic program; where its minimum lies at the end of the branch, the minimization goes on in the branch
// beyond. [Shen2024] Section 7.2 states ten branches of a contact, and 10^n of n contacts in the worst case.
//
//   const GaussSeidelResult start = solve_contact_forces(problem, u);
//   const BranchSearchResult found = search_branches(problem, u, start.forces, {.max_branches = 1000});
//   if (found.status == BranchSearchStatus::stationary) use(found.activations);

#include <string>

#include "holo/comparison/contact_problem.h"

namespace holo::comparison {

struct BranchSearchOptions {
  int max_pivots = 1000;         // branches that are looked at to find one that contains the start
  int max_branches = 1000;       // quadratic programs
  double least_decrease = 1e-9;  // of the objective, over its size, that counts as better
};

enum class BranchSearchStatus {
  stationary,    // no branch beyond an end that presses, and not all of these at once, is better
  branch_limit,  // the best of `max_branches`
  no_start       // no branch was found that contains the start
};
std::string to_string(BranchSearchStatus status);

struct BranchSearchResult {
  BranchSearchStatus status = BranchSearchStatus::no_start;
  Eigen::VectorXd activations, forces;  // of the best point
  double objective = 0;
  int pivots = 0;    // from the branch of the given forces to the first one
  int branches = 0;  // quadratic programs solved
  int moves = 0;     // to a better branch
};

// From the branch of forces f at activations u within the bounds: both about a solution of the laws of contact. Without a start
// the result has the given u and f.
BranchSearchResult search_branches(const ContactProblem& problem, const Eigen::VectorXd& u, const Eigen::VectorXd& f,
                                   const BranchSearchOptions& options = {});

// The best of all 10^n branches, or with `no_start` that there is none.
BranchSearchResult search_all_branches(const ContactProblem& problem);

}  // namespace holo::comparison
